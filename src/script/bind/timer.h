/*
** Timers of objects in Lua.
*/
#ifndef SP_SCRIPT_TIMER_H
#define SP_SCRIPT_TIMER_H

#include "script/state/handles.h"

/* Methods of objects. */
int sp_object_after(lua_State *L);
int sp_object_every(lua_State *L);
int sp_object_run(lua_State *L);
void sp_on_timer(void *manager, sp_ref object, uint64_t timer);
void sp_on_timer_end(void *manager, sp_ref object, uint64_t timer);
/* Coroutines of a manager that was dropped are closed by the next update, not by the collector. What that needs is made
   with the manager (userdata at `manager`), so that its finaliser allocates nothing. */
void sp_prepare_closing(lua_State *L, int manager);
void sp_put_off_closing(lua_State *L, sp_context *c, int manager);
/* Closes the coroutines in a table of timers that is on top. Runs scripts. */
void sp_close_sleepers(lua_State *L, sp_context *c);
/* Closes what was put off. Runs scripts. */
void sp_close_dropped(lua_State *L, sp_context *c);

#endif
