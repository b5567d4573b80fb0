/*
** The library `io` of a sandbox: `stdout` and `stderr`, whose lines go to the host's report. Nothing else is in it.
*/
#ifndef SP_SCRIPT_STREAMS_H
#define SP_SCRIPT_STREAMS_H

#include "script/state/context.h"

/* Makes the library. Raises on memory. */
void sp_streams_open(lua_State *L, sp_context *c);

#endif
