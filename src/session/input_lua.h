/*
** `spawnpool.input` in a game's state, and the actions that the table of main.lua names.
*/
#ifndef SP_SESSION_INPUT_LUA_H
#define SP_SESSION_INPUT_LUA_H

#include <lua.h>

#include "script/state/border.h"
#include "session/input.h"

/* Either the whole game asks (`pad` is 0), or the player with one gamepad. */
typedef struct sp_input_seat {
  const sp_input *in;
  int pad;
} sp_input_seat;

/* Makes the gamepads of `spawnpool.input`, with the functions of `rows`, and sets the seats: the first is that of the
   functions of `spawnpool.input` itself. `seats` and `in` must outlive the Lua state. False when memory is refused. */
bool sp_input_install(sp_input_seat seats[SP_INPUT_PADS + 1], const sp_input *in, const sp_reach *rows, lua_State *L);

/* Takes `actions`, the value on top of the stack, in place of those before, and pops it. Calls `tell` for each problem:
   what is wrong is left out. */
void sp_input_take_actions(lua_State *L, void (*tell)(void *ud, const char *problem), void *ud);

#endif
