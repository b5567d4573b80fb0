/*
** The only way in which C calls Lua: protected, watched, and with the places of an error.
*/
#ifndef SP_SCRIPT_DOOR_H
#define SP_SCRIPT_DOOR_H

#include "script/state/context.h"

/* Explains an error that was caused by refusing memory to stopped code (see host.c). `stopped`: whether the watchdog
   was stopping when the protected call ended with `status`. */
void sp_explain_stop(lua_State *L, const sp_context *c, int status, bool stopped);

/* A call takes two steps, so that no value has to be moved on the stack. Both neither raise nor allocate.
   The first pushes the message handler that the call needs, and returns its index; 0, and nothing is pushed, when it
   needs none. An error that is a string gets its place and its callers (see traceback.h) if `traced`. */
int sp_push_handler(lua_State *L, bool traced);
static inline int sp_door_handler(lua_State *L, const sp_context *c, bool traced)
{
  return traced || c->probation ? sp_push_handler(L, traced) : 0;
}

/* The second calls the function and `nargs` arguments on top of the stack, watched. On success leaves `nresults`
   results; on error leaves the error value. The handler stays below. Returns a Lua status. */
int sp_watched_door(lua_State *L, sp_context *c, int nargs, int nresults, int handler);
static inline int sp_door(lua_State *L, sp_context *c, int nargs, int nresults, int handler)
{
  return c->watchdog ? sp_watched_door(L, c, nargs, nresults, handler) : lua_pcall(L, nargs, nresults, handler);
}

/* Call it in a message handler, with the text at `error`: records whose code is on the stack, while there is code on
   probation. */
void sp_note_culprits(lua_State *L, int error);

#endif
