#include "script/guard/door.h"

#include "script/guard/traceback.h"
#include "script/guard/watchdog.h"

#define CULPRITS_MOST 100

void sp_note_culprits(lua_State *L, int error)
{
  const sp_context *c = sp_context_of(L);
  lua_Debug ar;
  if (!c->probation)
    return;
  error = lua_absindex(L, error);
  luaL_checkstack(L, 8, NULL);
  lua_newtable(L);
  /* After a stack overflow the stack is deep, and reaching a frame takes longer the deeper it is. */
  for (int level = 0, count = 0; level < CULPRITS_MOST && lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "S", &ar);
    if (ar.source[0] != '@')
      continue;
    lua_pushstring(L, ar.source);
    lua_rawseti(L, -2, ++count);
  }
  lua_pushvalue(L, error);
  lua_setfield(L, -2, "text");
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_CULPRITS]);
}

/* Passes the error on unchanged. */
static int note_only(lua_State *L)
{
  sp_push_traceback(L, 1);
  sp_note_culprits(L, -1);
  lua_settop(L, 1);
  return 1;
}

/* Adds places and callers to a text; other values are passed on unchanged. */
static int add_trouble(lua_State *L)
{
  if (lua_isstring(L, 1))
    return sp_traceback(L);
  return sp_context_of(L)->probation ? note_only(L) : 1;
}

void sp_explain_stop(lua_State *L, const sp_context *c, int status, bool stopped)
{
  if (status != LUA_ERRMEM || !stopped)
    return;
  sp_push_kept(L, c, SP_KEPT_ERROR);
  lua_rawgeti(L, -1, 2);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

int sp_push_handler(lua_State *L, bool traced)
{
  lua_pushcfunction(L, traced ? add_trouble : note_only);
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
