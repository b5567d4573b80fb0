/*
** Key names are looked up in SDL once and then in a table, because games query the same few keys every frame. The
** functions hold the address of the player's state as an upvalue.
*/
#include "demo/bind/input_lua.h"

#include <lauxlib.h>
#include <lua.h>

#include "demo/bind/module_part.h"

#define STATE lua_upvalueindex(1)
#define NAMES lua_upvalueindex(2)

static const input *state_of(lua_State *L) { return lua_touserdata(L, STATE); }

static SDL_Keycode check_key(lua_State *L, int arg)
{
  const char *name = luaL_checkstring(L, arg);
  SDL_Keycode key;
  lua_pushvalue(L, arg);
  if (lua_rawget(L, NAMES) == LUA_TNUMBER) {
    key = (SDL_Keycode)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return key;
  }
  lua_pop(L, 1);
  key = SDL_GetKeyFromName(name);
  if (key == SDLK_UNKNOWN)
    luaL_argerror(L, arg, lua_pushfstring(L, "no key is called '%s'; names are like \"left\", \"space\", \"a\"", name));
  lua_pushvalue(L, arg);
  lua_pushinteger(L, key);
  lua_rawset(L, NAMES);
  return key;
}

static int f_down(lua_State *L)
{
  const input *in = state_of(L);
  int count = lua_gettop(L);
  bool down = false;
  if (count == 0)
    luaL_checkstring(L, 1);
  for (int arg = 1; arg <= count; arg++)
    down |= input_down(in, check_key(L, arg));
  lua_pushboolean(L, down);
  return 1;
}

static int f_mouse(lua_State *L)
{
  const input *in = state_of(L);
  const SDL_Point at = input_mouse(in);
  lua_pushinteger(L, at.x);
  lua_pushinteger(L, at.y);
  for (int button = INPUT_LEFT; button <= INPUT_MIDDLE; button++)
    lua_pushboolean(L, in->buttons[button]);
  return 5;
}

static SDL_GameControllerButton check_button(lua_State *L, int arg)
{
  const char *name = luaL_checkstring(L, arg);
  SDL_GameControllerButton button = SDL_GameControllerGetButtonFromString(name);
  if (button == SDL_CONTROLLER_BUTTON_INVALID)
    luaL_argerror(
        L, arg,
        lua_pushfstring(L, "no button is called '%s'; names are like \"a\", \"dpup\", \"start\", \"leftshoulder\"",
                        name));
  return button;
}

/* Returns whether any of these buttons is held; without arguments, whether a gamepad is connected. */
static int f_pad(lua_State *L)
{
  const input *in = state_of(L);
  int count = lua_gettop(L);
  bool down = count == 0 && in->gamepad.connected > 0;
  for (int arg = 1; arg <= count; arg++)
    down |= in->gamepad.buttons[check_button(L, arg)];
  lua_pushboolean(L, down);
  return 1;
}

static int f_axis(lua_State *L)
{
  const char *name = luaL_checkstring(L, 1);
  SDL_GameControllerAxis axis = SDL_GameControllerGetAxisFromString(name);
  if (axis == SDL_CONTROLLER_AXIS_INVALID)
    return luaL_argerror(
        L, 1,
        lua_pushfstring(L, "no axis is called '%s'; names are like \"leftx\", \"righty\", \"lefttrigger\"", name));
  lua_pushnumber(L, state_of(L)->gamepad.axes[axis]);
  return 1;
}

static const luaL_Reg functions[] = {
    {"down", f_down}, {"mouse", f_mouse}, {"pad", f_pad}, {"axis", f_axis}, {NULL, NULL},
};

/* make(ud, module) */
static int make(lua_State *L)
{
  luaL_newlibtable(L, functions);
  lua_pushvalue(L, 1);
  lua_newtable(L);
  luaL_setfuncs(L, functions, 2);
  return 1;
}

bool input_install(const input *in, lua_State *L, char *error, size_t error_size)
{
  return module_part_install("input", make, in, L, error, error_size);
}
