/*
** The functions hold the address of the player's state as an upvalue. Width and height change with the window, so
** __index returns them instead of entries of the table.
*/
#include "demo/bind/view_lua.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "demo/bind/module_part.h"

#define STATE lua_upvalueindex(1)

static const game_view *state_of(lua_State *L) { return lua_touserdata(L, STATE); }

static SDL_FPoint check_place(lua_State *L)
{
  SDL_FPoint at;
  if (!lua_istable(L, 1))
    luaL_typeerror(L, 1, "spawnpool.view (call its methods with a colon: view:to_world(x, y))");
  at = (SDL_FPoint){(float)luaL_checknumber(L, 2), (float)luaL_checknumber(L, 3)};
  luaL_argcheck(L, isfinite(at.x), 2, "finite number expected");
  luaL_argcheck(L, isfinite(at.y), 3, "finite number expected");
  return at;
}

static int push_place(lua_State *L, SDL_FPoint at)
{
  lua_pushnumber(L, at.x);
  lua_pushnumber(L, at.y);
  return 2;
}

static int f_to_world(lua_State *L)
{
  SDL_FPoint at = check_place(L);
  return push_place(L, view_to_world(state_of(L), at.x, at.y));
}

/* Ignores the shake, so that labels at objects stay still and readable. */
static int f_to_view(lua_State *L)
{
  const game_view *v = state_of(L);
  SDL_FPoint at = check_place(L);
  view_map map = camera_map(&v->camera, v->width, v->height);
  return push_place(L, view_apply(&map, at.x, at.y));
}

static int get_field(lua_State *L)
{
  const game_view *v = state_of(L);
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(name, "width") == 0)
    lua_pushinteger(L, (lua_Integer)v->width);
  else if (strcmp(name, "height") == 0)
    lua_pushinteger(L, (lua_Integer)v->height);
  else
    return luaL_error(L, "spawnpool.view has no field '%s' (to_world, to_view, width, height)",
                      luaL_tolstring(L, 2, NULL));
  return 1;
}

static int set_field(lua_State *L)
{
  const char *name = luaL_tolstring(L, 2, NULL);
  if (strcmp(name, "width") == 0 || strcmp(name, "height") == 0)
    return luaL_error(L, "spawnpool.view.%s is read only; set width and height in the table that main.lua returns",
                      name);
  return luaL_error(L, "spawnpool.view takes no fields; '%s' belongs in a table of your own", name);
}

static const luaL_Reg functions[] = {{"to_world", f_to_world}, {"to_view", f_to_view}, {NULL, NULL}};

/* make(ud, module) */
static int make(lua_State *L)
{
  luaL_newlibtable(L, functions);
  lua_pushvalue(L, 1);
  luaL_setfuncs(L, functions, 1);
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, get_field, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, set_field);
  lua_setfield(L, -2, "__newindex");
  lua_pushliteral(L, "spawnpool.view");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  return 1;
}

bool view_install(const game_view *v, lua_State *L, char *error, size_t error_size)
{
  return module_part_install("view", make, v, L, error, error_size);
}
