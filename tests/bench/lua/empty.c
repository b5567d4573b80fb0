/*
** The limits of any C library under Lua 5.4.
**   empty.methods()    a userdata with a method `call` that does nothing
**   empty.fields()     a light userdata whose fields all lead to metamethods that do nothing
**   empty.interface()  the same, and the metamethods fetch what a field needs: their own state, object, name and value
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

static void fetch(lua_State *L)
{
  const void *volatile fetched[] = {lua_touserdata(L, lua_upvalueindex(1)), lua_touserdata(L, 1), lua_topointer(L, 2)};
  (void)fetched[0];
}

static int f_read(lua_State *L)
{
  fetch(L);
  lua_pushnumber(L, 1.5);
  return 1;
}

static int f_write(lua_State *L)
{
  volatile double value = 0;
  fetch(L);
  if (lua_isinteger(L, 3))
    value = (double)lua_tointeger(L, 3);
  else if (lua_type(L, 3) == LUA_TNUMBER)
    value = lua_tonumber(L, 3);
  (void)value;
  return 0;
}

static int push_fields(lua_State *L, lua_CFunction read, lua_CFunction write)
{
  lua_pushlightuserdata(L, L);
  lua_newtable(L);
  lua_pushlightuserdata(L, L);
  lua_pushcclosure(L, read, 1);
  lua_setfield(L, -2, "__index");
  lua_pushlightuserdata(L, L);
  lua_pushcclosure(L, write, 1);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
  return 1;
}

static int f_fields(lua_State *L) { return push_fields(L, f_nothing, f_nothing); }
static int f_interface(lua_State *L) { return push_fields(L, f_read, f_write); }

int luaopen_empty(lua_State *L);
int luaopen_empty(lua_State *L)
{
  static const luaL_Reg functions[] = {
      {"methods", f_methods}, {"fields", f_fields}, {"interface", f_interface}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
