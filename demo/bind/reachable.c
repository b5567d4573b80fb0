#include "demo/bind/reachable.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "script/state/arguments.h"

#include "script/state/careful.h"

const sp_reach player_reachable[] = {PLAYER_REACHABLE(SP_REACH_ENTRY){NULL, NULL, NULL, NULL}};

/* install(name, rows, ud), protected, because memory may run out. The metatable is hidden: a game could modify it. */
static int install(lua_State *L)
{
  const char *name = sp_raw_block(L, 1);
  const sp_reach *rows = sp_raw_block(L, 2);
  const void *ud = sp_raw_block(L, 3);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "spawnpool") != LUA_TTABLE)
    return luaL_error(L, "the module 'spawnpool' is not loaded");
  int module = lua_gettop(L);
  lua_getfield(L, module, "pools");
  lua_setfield(L, LUA_REGISTRYINDEX, PART_POOLS);
  lua_newtable(L); /* their own */
  if (strcmp(name, "spawnpool") == 0) {
    lua_pushvalue(L, module);
    sp_reach_set(L, rows, name, false, ud, true);
    return 0;
  }
  lua_newtable(L);
  sp_reach_set(L, rows, name, false, ud, true);
  lua_pushvalue(L, -1);
  lua_setfield(L, module, name);
  if (sp_reach_next(rows, name, true)) {
    lua_pushvalue(L, -2);
    lua_newtable(L);
    sp_reach_set(L, rows, name, true, ud, true);
    lua_pushfstring(L, "spawnpool.%s", name);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -3);
  }
  return 0;
}

bool reachable_install(const char *name, const sp_reach *rows, const void *ud, lua_State *L, char *error,
                       size_t error_size)
{
  int top = lua_gettop(L);
  lua_pushcfunction(L, install);
  lua_pushlightuserdata(L, (void *)name);
  lua_pushlightuserdata(L, (void *)rows);
  lua_pushlightuserdata(L, (void *)ud);
  bool fine = lua_pcall(L, 3, 0, 0) == LUA_OK;
  if (!fine)
    snprintf(error, error_size, "%s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "no message");
  lua_settop(L, top);
  return fine;
}
