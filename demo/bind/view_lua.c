/*
** `spawnpool.view`: converts positions between the world and the view.
**
**   spawnpool.view:to_world(x, y)       position in the world that the camera shows at x, y of the view
**   spawnpool.view:to_view(x, y)        position in the view at which the camera shows x, y of the world
**   spawnpool.view.width, .height       size of the view, in units
**
** The functions hold the address of the player's state, a `game_view`, as an upvalue. Width and height change with the
** window, so __index returns them instead of entries of the table.
*/
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "demo/bind/reachable.h"
#include "demo/draw/window.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

static const game_view *state_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

static SDL_FPoint check_place(lua_State *L)
{
  if (!lua_istable(L, 1))
    luaL_typeerror(L, 1, "spawnpool.view (call its methods with a colon: view:to_world(x, y))");
  return (SDL_FPoint){sp_check_float(L, 2), sp_check_float(L, 3)};
}

static int push_place(lua_State *L, SDL_FPoint at)
{
  lua_pushnumber(L, at.x);
  lua_pushnumber(L, at.y);
  return 2;
}

int view_lua_to_world(lua_State *L)
{
  SDL_FPoint at = check_place(L);
  return push_place(L, view_to_world(state_of(L), at.x, at.y));
}

/* Ignores the shake, so that labels at objects stay still and readable. */
int view_lua_to_view(lua_State *L)
{
  const game_view *v = state_of(L);
  SDL_FPoint at = check_place(L);
  view_map map = camera_map(&v->camera, v->width, v->height);
  return push_place(L, view_apply(&map, at.x, at.y));
}

int view_lua_index(lua_State *L)
{
  const game_view *v = state_of(L);
  const char *name = sp_to_text(L, 2);
  sp_shown shown;
  if (strcmp(name, "width") == 0)
    lua_pushinteger(L, (lua_Integer)v->width);
  else if (strcmp(name, "height") == 0)
    lua_pushinteger(L, (lua_Integer)v->height);
  else
    return luaL_error(L, "spawnpool.view has no field '%s' (to_world, to_view, width, height)",
                      sp_show_name(L, 2, &shown));
  return 1;
}

int view_lua_newindex(lua_State *L)
{
  const char *name = sp_to_text(L, 2);
  sp_shown shown;
  if (strcmp(name, "width") == 0 || strcmp(name, "height") == 0)
    return luaL_error(L, "spawnpool.view.%s is read only; set width and height in the table that main.lua returns",
                      name);
  return luaL_error(L, "spawnpool.view takes no fields; '%s' belongs in a table of your own",
                    sp_show_name(L, 2, &shown));
}
