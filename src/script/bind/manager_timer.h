/*
** Timers that no object owns: pools:after, pools:every, pools:run, and the value that they return.
*/
#ifndef SP_SCRIPT_MANAGER_TIMER_H
#define SP_SCRIPT_MANAGER_TIMER_H

#include "script/state/context.h"

/* timer(value) -> its function, seconds, period and whether it is a coroutine, as they were when a file started it; nil
   when the value is no timer. */
int sp_native_timer(lua_State *L);
/* Fills the metatable of these timers. */
void sp_manager_timer_open(lua_State *L, sp_context *c);

#endif
