/*
** `spawnpool.input`: which keys and buttons are held.
**
**   down(key, ...)     whether any of these keys is held
**   mouse()            its x, y and whether the left, the right and the middle button are held
**   pad(button, ...)   whether any of these buttons of a gamepad is held; without arguments: whether one is connected
**   axis(name)         from -1 to 1
**
** Key names are looked up in SDL once and then in a table, because games query the same few keys every frame. The
** functions hold the address of the player's state, an `input`, as an upvalue.
*/
#include <lauxlib.h>
#include <lua.h>

#include "demo/bind/reachable.h"
#include "demo/input/input.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

static const input *state_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

static SDL_Keycode check_key(lua_State *L, int arg)
{
  const char *name = sp_check_text(L, arg);
  SDL_Keycode key;
  lua_pushvalue(L, arg);
  if (sp_raw_get(L, PART_OWN) == LUA_TNUMBER) {
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
  sp_raw_set(L, PART_OWN);
  return key;
}

int input_lua_down(lua_State *L)
{
  const input *in = state_of(L);
  int count = lua_gettop(L);
  bool down = false;
  if (count == 0)
    sp_check_text(L, 1);
  for (int arg = 1; arg <= count; arg++)
    down |= input_down(in, check_key(L, arg));
  lua_pushboolean(L, down);
  return 1;
}

int input_lua_mouse(lua_State *L)
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
  const char *name = sp_check_text(L, arg);
  SDL_GameControllerButton button = SDL_GameControllerGetButtonFromString(name);
  if (button == SDL_CONTROLLER_BUTTON_INVALID)
    luaL_argerror(
        L, arg,
        lua_pushfstring(L, "no button is called '%s'; names are like \"a\", \"dpup\", \"start\", \"leftshoulder\"",
                        name));
  return button;
}

/* Returns whether any of these buttons is held; without arguments, whether a gamepad is connected. */
int input_lua_pad(lua_State *L)
{
  const input *in = state_of(L);
  int count = lua_gettop(L);
  bool down = count == 0 && in->gamepad.connected > 0;
  for (int arg = 1; arg <= count; arg++)
    down |= in->gamepad.buttons[check_button(L, arg)];
  lua_pushboolean(L, down);
  return 1;
}

int input_lua_axis(lua_State *L)
{
  const char *name = sp_check_text(L, 1);
  SDL_GameControllerAxis axis = SDL_GameControllerGetAxisFromString(name);
  if (axis == SDL_CONTROLLER_AXIS_INVALID)
    return luaL_argerror(
        L, 1,
        lua_pushfstring(L, "no axis is called '%s'; names are like \"leftx\", \"righty\", \"lefttrigger\"", name));
  lua_pushnumber(L, state_of(L)->gamepad.axes[axis]);
  return 1;
}
