/*
** Timers of objects and of managers, as Lua starts them.
*/
#ifndef SP_SCRIPT_TIMER_H
#define SP_SCRIPT_TIMER_H

#include "script/state/handles.h"

/* The callbacks of the core's timers; `manager` is the sp_lua_manager. Errors are reported. */
void sp_on_timer(void *manager, sp_ref object, uint64_t timer);
void sp_on_timer_end(void *manager, sp_ref object, uint64_t timer);

/* The manager of the object at 1, which must be live; raises for others. */
const sp_lua_manager *sp_check_timed(lua_State *L);
/* The argument at 2, seconds from 0 up, or above 0; raises for others. */
double sp_check_seconds(lua_State *L, const char *what, bool zero);
/* Starts a timer of an open manager, that calls the value on top with the manager, and pops it. 0 when that is refused:
   `why` says why. */
sp_timer sp_start_manager_timer(lua_State *L, const sp_lua_manager *m, double seconds, double period, sp_result *why);

#endif
