/*
** The only way in which C calls Lua: protected, watched, and with the places of an error.
*/
#ifndef SP_SCRIPT_DOOR_H
#define SP_SCRIPT_DOOR_H

#include "script/state/context.h"

/* Explains an error that was caused by refusing memory to stopped code (see host.c). `stopped`: whether the watchdog
   was stopping when the protected call ended with `status`. */
void sp_explain_stop(lua_State *L, const sp_context *c, int status, bool stopped);

/* Calls the function and `nargs` arguments on top of the stack, watched. On success leaves `nresults` results; on
   error leaves the error value, with its place and its callers (see traceback.h) if `traced` and it is a string.
   Returns a Lua status. */
int sp_door(lua_State *L, sp_context *c, int nargs, int nresults, bool traced);

/* Call it in a message handler, with the text at `error`: records whose code is on the stack, while there is code on
   probation. */
void sp_note_culprits(lua_State *L, int error);

#endif
