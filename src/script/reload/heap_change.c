#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "script/reload/heap_change.h"

/* Its address represents the metatable where a key is expected. */
static const char metatable = 0;

/* {== Values ============================================================== */

static bool is_same_number(lua_State *L, int a, int b)
{
  if (lua_isinteger(L, a) || lua_isinteger(L, b))
    return lua_isinteger(L, a) && lua_isinteger(L, b) && lua_tointeger(L, a) == lua_tointeger(L, b);
  lua_Number x = lua_tonumber(L, a), y = lua_tonumber(L, b);
  return memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);
}

bool sp_heap_same(lua_State *L, int a, int b)
{
  bool numbers = lua_type(L, a) == LUA_TNUMBER && lua_type(L, b) == LUA_TNUMBER;
  return numbers ? is_same_number(L, a, b) : lua_rawequal(L, a, b);
}

int sp_heap_is_same(lua_State *L)
{
  lua_settop(L, 2);
  lua_pushboolean(L, sp_heap_same(L, 1, 2));
  return 1;
}

int sp_heap_metatable(lua_State *L)
{
  lua_pushlightuserdata(L, (void *)&metatable);
  return 1;
}

int sp_heap_entries(lua_State *L)
{
  const lua_Integer most = luaL_checkinteger(L, 2);
  lua_Integer count = 0, length = (lua_Integer)lua_rawlen(L, 1);
  lua_settop(L, 1);
  if (length > most)
    return 0;
  lua_createtable(L, (int)length, 0);
  for (lua_pushnil(L); lua_next(L, 1); count++) {
    if (count == most)
      return 0;
    lua_pushvalue(L, 3);
    lua_insert(L, 4);
    lua_rawset(L, 2);
  }
  lua_pushinteger(L, count);
  return 2;
}

/* }== */

/* {== Changes ============================================================= */

/* Writes the value in field `which` of the group of four at `at`. */
static void write_change(lua_State *L, lua_Integer at, int which)
{
  lua_settop(L, 1);
  lua_rawgeti(L, 1, at);
  lua_rawgeti(L, 1, at + 1);
  lua_rawgeti(L, 1, at + which);
  if (lua_isfunction(L, 2))
    lua_setupvalue(L, 2, (int)lua_tointeger(L, 3));
  else if (lua_touserdata(L, 3) == (void *)&metatable)
    lua_setmetatable(L, 2);
  else
    lua_rawset(L, 2);
}

static lua_Integer length_of(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_getfield(L, 1, "n");
  return lua_tointeger(L, -1);
}

int sp_heap_apply(lua_State *L)
{
  lua_Integer length = length_of(L);
  for (lua_Integer at = 1; at < length; at += 4)
    write_change(L, at, 3);
  return 0;
}

int sp_heap_undo(lua_State *L)
{
  for (lua_Integer at = length_of(L) - 3; at > 0; at -= 4)
    write_change(L, at, 2);
  return 0;
}

/* }== */
