/*
** Error messages for people: "file:line: message", the source line, and the frames of the game's own code.
*/
#ifndef SP_SCRIPT_TRACEBACK_H
#define SP_SCRIPT_TRACEBACK_H

#include <lua.h>
#include <stdbool.h>

/* Pushes that text for the error at `error`, with the frames of `from`: the current stack, or that of a coroutine which
   the error has ended. */
void sp_push_traceback(lua_State *L, lua_State *from, int error);

/* A message handler for lua_pcall: turns the error value into that text. */
int sp_traceback(lua_State *L);

#endif
