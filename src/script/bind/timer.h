/*
** Timers of objects and of managers in Lua.
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

/* What methods of a manager that start a timer return. It is good after the manager has gone. */
typedef struct sp_run_timer {
  uint64_t magic;
  uint64_t manager; /* id */
  sp_timer timer;   /* of a coroutine: the one that wakes it */
  bool runs;        /* it is a coroutine */
  bool over;        /* the coroutine has ended, or was stopped */
} sp_run_timer;

/* The argument at 2, seconds from 0 up, or above 0; raises for others. */
double sp_check_seconds(lua_State *L, const char *what, bool zero);
/* Starts a timer of an open manager, that calls the value on top with the manager, and pops it. 0 when that is refused:
   `why` says why. */
sp_timer sp_start_manager_timer(lua_State *L, const sp_lua_manager *m, double seconds, double period, sp_result *why);
/* Runs the function at `body` as a coroutine of an open manager, up to its first yield; `timer` is the index of its
   sp_run_timer. */
void sp_run_of_manager(lua_State *L, const sp_lua_manager *m, int body, int timer);

/* Coroutines of a manager that was dropped are closed by the next update, not by the collector. What that needs is made
   with the manager (userdata at `manager`), so that its finaliser allocates nothing. */
void sp_prepare_closing(lua_State *L, int manager);
void sp_put_off_closing(lua_State *L, sp_context *c, int manager);
/* Closes what was put off. Runs scripts. */
void sp_close_dropped(lua_State *L, sp_context *c);

#endif
