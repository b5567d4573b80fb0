/*
** Calls into the game: load(args), and whatever else the host calls.
*/
#ifndef SP_SCRIPT_CALLBACKS_H
#define SP_SCRIPT_CALLBACKS_H

#include "script/host/host.h"

typedef enum sp_outcome { SP_RETURNED, SP_FAILED_CALL, SP_TRY_AGAIN } sp_outcome;

/* Calls the function and `nargs` arguments on top of the stack, watched. RETURNED leaves the results; the others pop
   everything. FAILED_CALL: the error was kept and reported. TRY_AGAIN: new code failed, its last good version runs
   again, and the call may be repeated. */
sp_outcome sp_host_call(sp_script *s, int nargs, int nresults);

/* Calls likewise, but reports nothing: returns a Lua status and leaves the results or the text of the error. */
int sp_host_door(sp_script *s, int nargs, int nresults);

/* Calls load(args). False after an error, which was reported. */
bool sp_host_load(sp_script *s);

#endif
