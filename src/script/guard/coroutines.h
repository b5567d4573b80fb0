/*
** Coroutines of a state that has a watchdog.
*/
#ifndef SP_SCRIPT_COROUTINES_H
#define SP_SCRIPT_COROUTINES_H

#include "script/guard/watchdog.h"

/* Replaces what resumes and closes coroutines in the library `coroutine`, if that is open. Raises errors. */
void sp_follow_coroutines(lua_State *L, sp_watchdog *w);

#endif
