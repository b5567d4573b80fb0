#include "script/guard/door.h"

#include "script/guard/traceback.h"
#include "script/guard/watchdog.h"
#include "script/state/border.h"
#include "script/state/platform.h"

/* Passes the error on unchanged. */
static int note_only(lua_State *L)
{
  sp_push_traceback(L, L, 1);
  sp_note_culprits(L, -1);
  lua_settop(L, 1);
  return 1;
}

void sp_explain_stop(lua_State *L, const sp_context *c, int status, bool stopped)
{
  if (status != LUA_ERRMEM || !stopped)
    return;
  sp_push_kept(L, c, SP_KEPT_ERROR);
  lua_rawgeti(L, -1, sp_watchdog_has_message(c->watchdog) ? 3 : 2);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

int sp_door_handler(lua_State *L, const sp_context *c, bool traced)
{
  if (!traced && !c->probation)
    return 0;
  lua_pushcfunction(L, traced ? sp_traceback : note_only);
  return lua_gettop(L);
}

int sp_watched_door(lua_State *L, sp_context *c, int nargs, int nresults, int handler)
{
  lua_State *outer = sp_watchdog_open_door(c->watchdog, L);
  int status = lua_pcall(L, nargs, nresults, handler);
  if (status != LUA_OK)
    sp_explain_stop(L, c, status, sp_watchdog_is_stopping(c->watchdog));
  sp_watchdog_close_door(c->watchdog, outer);
  return status;
}

/* Reads the clock once per switch: the time since the last switch belongs to the former owner. */
uint64_t sp_hook_clock_switch(sp_context *c, uint64_t pool)
{
  uint64_t outer = c->hook_owner, now = sp_clock_nanoseconds();
  sp_lua_pool *p = sp_pool_from_id(c, outer);
  if (p)
    p->hook_ns += now - c->hook_since;
  c->hook_owner = pool;
  c->hook_since = now;
  return outer;
}

int sp_timed_door(lua_State *L, const sp_lua_pool *p, int nargs, int nresults, int handler)
{
  sp_context *c = p->manager->context;
  uint64_t outer = sp_hook_clock_begin(c, p);
  int status = sp_door(L, c, nargs, nresults, handler);
  sp_hook_clock_end(c, outer);
  return status;
}
