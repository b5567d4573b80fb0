/*
** The limits of any C library under Lua 5.4: a method and two metamethods that do nothing.
** empty.methods() is a userdata with an empty method `call`; empty.fields() a light userdata whose fields all lead to
** empty metamethods.
*/
#include <lauxlib.h>
#include <lua.h>

static int f_nothing(lua_State *L)
{
  (void)L;
  return 0;
}

static int f_methods(lua_State *L)
{
  lua_newuserdatauv(L, 24, 1);
  lua_newtable(L);
  lua_newtable(L);
  lua_pushcfunction(L, f_nothing);
  lua_setfield(L, -2, "call");
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  return 1;
}

static int f_fields(lua_State *L)
{
  lua_pushlightuserdata(L, L);
  lua_newtable(L);
  lua_pushcfunction(L, f_nothing);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, f_nothing);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
  return 1;
}

int luaopen_empty(lua_State *L);
int luaopen_empty(lua_State *L)
{
  static const luaL_Reg functions[] = {{"methods", f_methods}, {"fields", f_fields}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
