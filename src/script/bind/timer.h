/*
** Timers and coroutines of objects and managers.
*/
#ifndef SP_SCRIPT_TIMER_H
#define SP_SCRIPT_TIMER_H

#include "script/state/handles.h"

/* The callbacks of the core's timers; `manager` is the spl_manager. Errors are reported. */
void sp_on_timer(void *manager, sp_ref object, uint64_t timer, uint64_t tag);
void sp_on_timer_end(void *manager, sp_ref object, uint64_t timer, uint64_t tag);

/* Starts a timer of a live object with the value on top as its callback, which is popped. 0: that was refused. */
sp_timer sp_timer_file(lua_State *L, const spl_manager *m, sp_ref object, double seconds, double period,
                       sp_result *why);
/* Pushes the callback of a timer, or nil. */
void sp_timer_push_callback(lua_State *L, const spl_manager *m, sp_timer timer);

/* Replaces the name of a method on top by the method, as the object's class has it now; false, and nothing is left on
   the stack, when there is none such. */
bool sp_timer_find_method(lua_State *L, const sp_context *c, sp_ref object);

/* Coroutines of a collected manager are closed by the next update, not by the collector. The memory for that is
   allocated with the manager (userdata at `manager`), so that its finaliser allocates nothing. */
void sp_prepare_closing(lua_State *L, int manager);
void sp_put_off_closing(lua_State *L, sp_context *c, int manager);
/* Closes the coroutines in a table of callbacks that is on top. Runs scripts. */
void sp_close_sleepers(lua_State *L, sp_context *c);
/* Closes the coroutines of collected managers. Runs scripts. */
void sp_close_dropped(lua_State *L, sp_context *c);

/* timer(value) -> its function, seconds, period and whether it is a coroutine, as they were when a file started it; nil
   when the value is no timer. */
int spl_native_timer(lua_State *L);
/* Fills the metatable of timers of managers. */
void sp_manager_timer_open(lua_State *L, sp_context *c);

#endif
