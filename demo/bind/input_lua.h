/*
** `spawnpool.input`: which keys and buttons are held.
*/
#ifndef SP_DEMO_INPUT_LUA_H
#define SP_DEMO_INPUT_LUA_H

#include "demo/input/input.h"
#include <lua.h>

/* Adds `input` to the module `spawnpool` of a state: `down(key, ...)`, whether any of these keys is held; `mouse()`,
   its x, y and whether the left, the right and the middle button are held; `pad(button, ...)`, whether any of these
   buttons of a gamepad is held, without arguments whether a gamepad is connected; `axis(name)`, from -1 to 1. `in` must
   outlive the state. False, with one line in `error`, when the module is missing or memory is refused. */
bool input_install(const input *in, lua_State *L, char *error, size_t error_size);

#endif
