/*
** coroutine.resume, wrap and close with the results and messages of Lua's own. In addition the watchdog knows which
** coroutine runs, and a stop inside a coroutine also stops the code outside. Upvalue 1 of each function is the
** watchdog, upvalue 2 Lua's own function, which produces the messages about arguments.
*/
#include "script/guard/coroutines.h"

#include <lauxlib.h>
#include <lualib.h>

#include "script/state/border.h"

#define FAILED (-1)

static sp_watchdog *watchdog_here(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

static int call_original(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(2))(L); }

static int fail(lua_State *L, const char *message)
{
  lua_pushstring(L, message);
  return FAILED;
}

/* Resumes `co` with the `nargs` values on top of L. Leaves as many values as it returns, or FAILED and an error. */
static int resume(lua_State *L, lua_State *co, int nargs)
{
  sp_watchdog *w = watchdog_here(L);
  int results = 0;
  if (!lua_checkstack(co, nargs))
    return fail(L, "too many arguments to resume");
  lua_xmove(L, co, nargs);
  lua_State *outer = sp_watchdog_switch_to(w, co);
  int status = lua_resume(co, L, nargs, &results);
  sp_watchdog_switch_to(w, outer);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(co, L, 1);
    return FAILED;
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(co, results);
    return fail(L, "too many results to resume");
  }
  lua_xmove(co, L, results);
  return results;
}

static int coroutine_resume(lua_State *L)
{
  lua_State *co = lua_tothread(L, 1);
  if (!co)
    return call_original(L);
  int results = resume(L, co, lua_gettop(L) - 1);
  sp_watchdog_check_stop(watchdog_here(L), L);
  lua_pushboolean(L, results != FAILED);
  lua_insert(L, results == FAILED ? -2 : -(results + 1));
  return results == FAILED ? 2 : results + 1;
}

/* Closes the variables of a failed coroutine; pushes the error, which closing may replace. */
static int close_failed(lua_State *L, lua_State *co)
{
  sp_watchdog *w = watchdog_here(L);
  lua_State *outer = sp_watchdog_switch_to(w, co);
  int status = lua_resetthread(co);
  sp_watchdog_switch_to(w, outer);
  lua_xmove(co, L, 1);
  return status;
}

/* The function that coroutine.wrap returns. Upvalue 2: the coroutine. */
static int wrapped(lua_State *L)
{
  lua_State *co = lua_tothread(L, lua_upvalueindex(2));
  int results = resume(L, co, lua_gettop(L)), status = lua_status(co);
  if (results == FAILED && status != LUA_OK && status != LUA_YIELD)
    status = close_failed(L, co);
  sp_watchdog_check_stop(watchdog_here(L), L);
  if (results != FAILED)
    return results;
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int coroutine_wrap(lua_State *L)
{
  if (!lua_isfunction(L, 1))
    return call_original(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  lua_pushcclosure(L, wrapped, 2);
  return 1;
}

/* Code runs only if a variable is left to close; otherwise closing may raise. */
static int coroutine_close(lua_State *L)
{
  sp_watchdog *w = watchdog_here(L);
  lua_State *co = lua_tothread(L, 1);
  if (!co || lua_status(co) == LUA_OK)
    return call_original(L);
  lua_State *outer = sp_watchdog_switch_to(w, co);
  int results = call_original(L);
  sp_watchdog_switch_to(w, outer);
  sp_watchdog_check_stop(w, L);
  return results;
}

/* Replaces a function in the table on top. */
static void replace(lua_State *L, sp_watchdog *w, const char *name, lua_CFunction function)
{
  lua_pushlightuserdata(L, w);
  sp_raw_field(L, -2, name);
  if (!lua_iscfunction(L, -1))
    luaL_error(L, "coroutine.%s is not Lua's own", name);
  lua_pushcclosure(L, function, 2);
  lua_setfield(L, -2, name);
}

void sp_follow_coroutines(lua_State *L, sp_watchdog *w)
{
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (sp_raw_field(L, -1, LUA_COLIBNAME) == LUA_TTABLE) {
    replace(L, w, "resume", coroutine_resume);
    replace(L, w, "wrap", coroutine_wrap);
    replace(L, w, "close", coroutine_close);
  }
  lua_pop(L, 2);
}
