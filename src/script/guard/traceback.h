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

/* Call it in a message handler, with the text at `error`: records whose code is on the stack, while there is code on
   probation. */
void sp_note_culprits(lua_State *L, int error);

/* A message handler for lua_pcall: turns the error value into that text, and records whose code is on the stack. */
int sp_traceback(lua_State *L);

#endif
