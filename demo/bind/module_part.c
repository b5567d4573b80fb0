#include "demo/bind/module_part.h"

#include <lauxlib.h>
#include <stdio.h>

/* install(name, make, ud), protected: any step may run out of memory. */
static int install(lua_State *L)
{
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "spawnpool") != LUA_TTABLE)
    return luaL_error(L, "the module 'spawnpool' is not loaded");
  lua_pushstring(L, lua_touserdata(L, 1));
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_pushvalue(L, -4);
  lua_call(L, 2, 1);
  lua_rawset(L, -3);
  return 0;
}

bool module_part_install(const char *name, lua_CFunction make, const void *ud, lua_State *L, char *error,
                         size_t error_size)
{
  int top = lua_gettop(L);
  lua_pushcfunction(L, install);
  lua_pushlightuserdata(L, (void *)name);
  lua_pushcfunction(L, make);
  lua_pushlightuserdata(L, (void *)ud);
  bool fine = lua_pcall(L, 3, 0, 0) == LUA_OK;
  if (!fine)
    snprintf(error, error_size, "%s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "no message");
  lua_settop(L, top);
  return fine;
}
