/*
** obj:run and pools:run: functions that run as coroutines, and sleep between two yields.
*/
#ifndef SP_SCRIPT_RUN_H
#define SP_SCRIPT_RUN_H

#include "script/bind/timer_callback.h"

/* The userdata of a timer of a manager. It stays valid after the manager was closed. */
typedef struct sp_run_timer {
  uint64_t magic;
  uint64_t manager;       /* id */
  sp_timer timer;         /* for a coroutine: the timer that resumes it */
  double seconds, period; /* as it was started */
  bool runs;              /* it belongs to a coroutine */
  bool over;              /* the coroutine has ended, or was stopped */
} sp_run_timer;

/* Runs the function at `body` as a coroutine of an open manager, up to its first yield; `timer` is the index of its
   sp_run_timer. */
void sp_run_of_manager(lua_State *L, const sp_lua_manager *m, int body, int timer);

/* Resumes the coroutine on top of L with `nargs` values that lie on its own stack; pops it. */
void sp_resume_run(lua_State *L, sp_context *c, sp_timed o, int nargs);
/* Ends a coroutine that will never be resumed. */
void sp_close_run(lua_State *L, sp_context *c, lua_State *co);
/* Removes the record of the coroutine at `index`, which has ended, from its manager. */
void sp_forget_run(lua_State *L, const sp_lua_manager *m, int index);

/* Coroutines of a collected manager are closed by the next update, not by the collector. The memory for that is
   allocated with the manager (userdata at `manager`), so that its finaliser allocates nothing. */
void sp_prepare_closing(lua_State *L, int manager);
void sp_put_off_closing(lua_State *L, sp_context *c, int manager);
/* Closes the coroutines in a table of callbacks that is on top. Runs scripts. */
void sp_close_sleepers(lua_State *L, sp_context *c);
/* Closes the coroutines of collected managers. Runs scripts. */
void sp_close_dropped(lua_State *L, sp_context *c);

#endif
