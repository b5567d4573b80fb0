/*
** Options of `spawnpool.new`.
*/
#include <math.h>
#include <string.h>

#include "script/handles.h"

static int choice(lua_State *L, const char *key, const char *const *names, const char *list)
{
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  for (int i = 0; names[i]; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  return luaL_error(L, "option '%s' must be %s, got %s", key, list, sp_push_shown(L, -1));
}

static double number(lua_State *L, const char *key)
{
  if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
    luaL_error(L, "option '%s' must be a finite number, got %s", key, sp_push_shown(L, -1));
  return lua_tonumber(L, -1);
}

/* The whole number that is on top, or the whole part of one with a fraction; of one that no integer can be, its bits. */
static lua_Integer whole(lua_State *L, const char *key)
{
  double value = number(L, key);
  lua_Integer result;
  if (lua_isinteger(L, -1))
    return lua_tointeger(L, -1);
  if (!lua_numbertointeger(trunc(value), &result))
    memcpy(&result, &value, sizeof result);
  return result;
}

/* math.randomseed(seed): all that is random in a game comes from there. */
static void seed_random(lua_State *L)
{
  lua_Integer seed = whole(L, "seed");
  if (lua_getglobal(L, "math") == LUA_TTABLE && lua_getfield(L, -1, "randomseed") == LUA_TFUNCTION) {
    lua_pushinteger(L, seed);
    lua_call(L, 1, 0);
    lua_pop(L, 1);
    return;
  }
  lua_pop(L, lua_istable(L, -2) ? 2 : 1);
}

static int unknown_option(lua_State *L, sp_context *c, int key)
{
  key = lua_absindex(L, key);
  sp_push_kept(L, c, SP_KEPT_CLASSES);
  lua_getfield(L, -1, "unknown_option");
  lua_pushvalue(L, key);
  lua_call(L, 1, 1);
  return luaL_error(L, "%s", lua_tostring(L, -1));
}

/* One pair, key at -2 and value at -1. */
static void read_option(lua_State *L, sp_lua_manager *m, sp_options *o, int manager)
{
  static const char *const unknowns[] = {"generic", "error", NULL};
  static const char *const misuses[] = {"warn", "error", "ignore", NULL};
  const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
  if (strcmp(key, "unknown") == 0) {
    m->unknown = (sp_unknown)choice(L, key, unknowns, "'generic' or 'error'");
  } else if (strcmp(key, "misuse") == 0) {
    m->misuse = (sp_misuse)choice(L, key, misuses, "'warn', 'error' or 'ignore'");
  } else if (strcmp(key, "path") == 0) {
    if (lua_type(L, -1) != LUA_TSTRING || !strchr(lua_tostring(L, -1), '?'))
      luaL_error(L, "option 'path' must be a file name with a '?' for the type, like \"pools/?.lua\"");
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, manager, SP_MANAGER_PATH);
  } else if (strcmp(key, "step") == 0) {
    o->step = number(L, key);
    if (!(o->step >= 1e-6 && o->step <= 1e3))
      luaL_error(L, "option 'step' must be seconds per tick, from 1e-6 to 1000");
  } else if (strcmp(key, "trace") == 0) {
    if (!lua_isboolean(L, -1))
      luaL_error(L, "option 'trace' must be true or false, got %s", sp_push_shown(L, -1));
    m->trace = lua_toboolean(L, -1);
  } else if (strcmp(key, "seed") == 0) {
    seed_random(L);
  } else {
    unknown_option(L, m->context, -2);
  }
}

void sp_read_options(lua_State *L, sp_lua_manager *m, sp_options *o, int options, int manager)
{
  if (options == 0)
    return;
  for (lua_pushnil(L); lua_next(L, options);) {
    int top = lua_gettop(L);
    read_option(L, m, o, manager);
    lua_settop(L, top - 1);
  }
}
