/*
** The door of the host to the game.
*/
#ifndef SP_SCRIPT_CALLBACKS_H
#define SP_SCRIPT_CALLBACKS_H

#include "script/host/host.h"

/* Calls the function and `nargs` arguments on top of the stack, watched. Reports nothing: returns a Lua status and
   leaves the results or the text of the error. */
int sp_host_door(sp_script *s, int nargs, int nresults);

#endif
