#include "script/reload/running.h"

#include <stdbool.h>
#include <string.h>

#include "script/bind/pool.h"
#include "script/guard/door.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"
#include "script/state/context.h"

/* {== Files that run ====================================================== */

int spl_native_protect(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  lua_pushcfunction(L, spl_traceback);
  lua_insert(L, 1);
  int status = sp_door(L, c, lua_gettop(L) - 2, LUA_MULTRET, 1);
  lua_pushboolean(L, status == LUA_OK);
  lua_replace(L, 1);
  return lua_gettop(L);
}

int spl_native_call(lua_State *L)
{
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

int spl_native_stage(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  lua_settop(L, 1);
  c->staging = lua_istable(L, 1);
  if (!c->staging) { /* not nil: luaL_ref would reuse the reference */
    lua_pushboolean(L, 0);
    lua_replace(L, 1);
  }
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_STAGED]);
  for (int id = 0; id < 256; id++) {
    spl_manager *m = sp_held_manager(c->managers[id]);
    if (m)
      m->noted = c->staging || m->trace;
  }
  return 0;
}

/* append(list, object) */
static int append(lua_State *L)
{
  lua_rawseti(L, 1, (lua_Integer)lua_rawlen(L, 1) + 1);
  return 0;
}

/* No hook runs: nothing stays of what on_spawn did, because the files are taken back too. */
static void give_back(const spl_manager *m, sp_ref object)
{
  if (sp_object_is_live(m->core, object))
    sp_give_back(m->core, object, false);
}

void sp_note_staged(lua_State *L, spl_manager *m, sp_ref object)
{
  lua_pushcfunction(L, append);
  sp_push_kept(L, m->context, SP_KEPT_STAGED);
  sp_push_object(L, object);
  if (lua_pcall(L, 2, 0, 0) == LUA_OK)
    return;
  give_back(m, object); /* otherwise it would leak */
  lua_error(L);
}

int spl_native_recycle_object(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_ref object = sp_check_object(L, 1);
  const spl_manager *m = sp_manager_of(c, object);
  if (!m || !m->core)
    return 0;
  lua_State *outer = sp_begin(c, L);
  give_back(m, object);
  sp_finish(c, outer);
  return 0;
}

/* }== */

/* {== Calls that are watched ============================================== */

static const char watcher = 0; /* its address: where the registry has the function that looks */

/* Coroutines inherit the hook of the stack that makes them, and may run later. */
static void on_call(lua_State *L, lua_Debug *ar)
{
  if (ar->event == LUA_HOOKCOUNT) {
    sp_watchdog_on_count(L, ar);
    return;
  }
  bool is_over = lua_rawgetp(L, LUA_REGISTRYINDEX, &watcher) != LUA_TFUNCTION;
  lua_pushboolean(L, ar->event == LUA_HOOKRET);
  lua_getinfo(L, "fS", ar);
  if (!is_over && strcmp(ar->what, "Lua") == 0) {
    lua_call(L, 2, 1);
    is_over = lua_toboolean(L, -1);
  }
  if (is_over)
    lua_sethook(L, NULL, 0, 0);
}

int spl_native_watch_calls(lua_State *L)
{
  const lua_Hook before = lua_gethook(L);
  const int mask = lua_gethookmask(L), count = lua_gethookcount(L);
  lua_settop(L, 2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &watcher);
  lua_sethook(L, on_call, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, SP_COUNTED_INSTRUCTIONS);
  const int status = lua_pcall(L, 0, 0, 0);
  const lua_Hook now = lua_gethook(L);
  if (!now || now == on_call) /* without memory, too: else it would go on in the game */
    lua_sethook(L, before, mask, count);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &watcher);
  return status == LUA_OK ? 0 : lua_error(L);
}

/* }== */
