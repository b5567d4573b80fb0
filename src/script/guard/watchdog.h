/*
** The watchdog stops Lua code that does not end. Every call into Lua goes through a door, which has a budget: seconds
** of CPU time, so that suspending or waiting does not count. When the budget is spent, a hook is set that raises an
** error at every instruction, in whichever coroutine runs, so that no pcall can catch it for good. Until then there is
** no hook.
*/
#ifndef SP_SCRIPT_WATCHDOG_H
#define SP_SCRIPT_WATCHDOG_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

#include "script/guard/ticker.h"
#include "script/script.h"

struct sp_context;
typedef struct sp_watchdog sp_watchdog;

/* Gives the context a watchdog. Call it once, when the libraries are open, and then sp_follow_coroutines. It ends with
   the state. Raises errors. Only Lua instructions can
   be stopped: C functions run to their end unless they call sp_watchdog_check_clock, and so do finalisers (__gc) and
   hooks of debug.sethook, because Lua runs those with hooks off. A stop replaces a hook of debug.sethook. Without a
   ticker (see ticker.h) a hook counts instructions while a door is open, which is as reliable and slower. On a stack
   that has a hook of debug.sethook nothing is counted: code there is stopped only where it switches coroutines or
   looks. */
void sp_watchdog_open(lua_State *L, struct sp_context *c, double budget);

/* Receives code that neither returns nor can be stopped, in a signal handler: a C function, a collection, work of the
   host between two calls. `what` is a line without an end: "GAME/main.lua:3: 'rep' did not come back within 10 s of
   computing". It must end the process. */
typedef void (*sp_hang_fn)(void *ud, const char *what);

/* Sets that function, and how many seconds of CPU time a call or the time between two may take. Ticks go on between the
   calls. */
void sp_watchdog_on_hang(sp_watchdog *w, double seconds, sp_hang_fn fn, void *ud);

/* Names the work of the host until the next call, for such a line; a constant text. Restarts the time. */
void sp_watchdog_between(sp_watchdog *w, const char *doing);

/* Return and set the ticker, which is the operating system's: when the memory of the watchdog is put back to what it
   was, between two calls, the ticker stays as it is. */
sp_ticker sp_watchdog_ticker(const sp_watchdog *w);
void sp_watchdog_set_ticker(sp_watchdog *w, sp_ticker ticker);

/* Sets the seconds that each call from outside may compute, from the next call on; 0: unlimited. */
void sp_watchdog_set_budget(sp_watchdog *w, double seconds);

/* Sets the share of real time that calls from outside may compute together, from the next call on; 0: unlimited. What a
   call uses beyond it, later calls lack. */
void sp_watchdog_set_share(sp_watchdog *w, double share);
/* Returns whether a call from outside should be made: once the share is used up, not before there is enough again for
   some work to be done. */
bool sp_watchdog_has_time(sp_watchdog *w);

/* Returns how calls are watched: see sp_script_watchdog. */
sp_watchdog_kind sp_watchdog_kind_of(const sp_watchdog *w);

/* Leaves SIGURG alone from now on: a hook counts instructions while a door is open, see sp_watchdog_open. */
void sp_watchdog_use_no_signal(sp_watchdog *w);

/* The part of that hook which stops code, for another hook that takes its place for a while and counts as it does. */
#define SP_COUNTED_INSTRUCTIONS 10000 /* between two readings of the clock, without a ticker */
void sp_watchdog_on_count(lua_State *L, lua_Debug *ar);

/* Open and close a door, around a protected call on `L`; doors nest. close_door gets what open_door returned. When code
   behind an inner door was stopped, the outer code continues for a quarter of the budget in total; when that is spent
   too, everything is stopped up to the outermost door. */
lua_State *sp_watchdog_open_door(sp_watchdog *w, lua_State *L);
void sp_watchdog_close_door(sp_watchdog *w, lua_State *outer);

/* Open and close a door of a watchdog that may be NULL. */
static inline lua_State *sp_watchdog_enter(sp_watchdog *w, lua_State *L)
{
  return w ? sp_watchdog_open_door(w, L) : NULL;
}

static inline void sp_watchdog_leave(sp_watchdog *w, lua_State *outer)
{
  if (w)
    sp_watchdog_close_door(w, outer);
}

/* Call it when `co` is resumed, and on the way back. Returns the coroutine that ran. */
lua_State *sp_watchdog_switch_to(sp_watchdog *w, lua_State *co);
/* Raises in `L`, to which control has returned, when the code that ran meanwhile was stopped. */
void sp_watchdog_check_stop(sp_watchdog *w, lua_State *L);

/* Returns whether code is being stopped, from the stop until its outermost door is closed: for loops in C that only
   call stopped code. `watchdog` may be NULL. */
bool sp_watchdog_is_stopping(const void *watchdog);

/* Works like sp_watchdog_is_stopping, and checks the clock where nothing else does. For loops in C that call C
   functions. */
bool sp_watchdog_is_over(sp_watchdog *w);
/* The negation, in the form in which the core calls it during long queries. */
bool sp_watchdog_goes_on(void *watchdog);

/* Returns whether code is being stopped, which may be done by refusing it memory: a function in C that no hook
   interrupts. The message then names the line that called it, unless a block `moves`: it may be Lua's stack, which
   cannot be read meanwhile. `w` may be NULL. */
bool sp_watchdog_refuses_memory(sp_watchdog *w, bool moves);
/* Returns whether the last call from outside had less than its budget, because of the share. */
bool sp_watchdog_was_short(const sp_watchdog *w);
/* Returns the message of the last stop. */
const char *sp_watchdog_message(const sp_watchdog *w);

/* Returns whether an error text contains the message of the last stop. Both may be NULL. */
bool sp_watchdog_is_its_error(const sp_watchdog *w, const char *text);

/* Records from now on whether functions run that have one of these lines; `count`: at most SP_TRACKED_MOST, 0 stops
   recording. While recording, each call costs about 50 ns more, for part of a frame. */
#define SP_TRACKED_MOST 64
typedef struct sp_tracked {
  const char *source; /* lua_Debug.source of its functions, compared by address; kept alive by the caller */
  int from, to;       /* lines */
  uint64_t bits;      /* stand for it */
} sp_tracked;
void sp_watchdog_track(sp_watchdog *w, lua_State *L, const sp_tracked *tracked, int count);
/* Returns the bits of those that have run since the last call. All, where a hook of debug.sethook is set. */
uint64_t sp_watchdog_tracked(sp_watchdog *w, lua_State *L);

/* Long-running C functions call this from time to time: raises when the time of the call is over. Does nothing in a
   state without a watchdog. */
void sp_watchdog_check_clock(lua_State *L);

/* Does so for loops: counts steps of about ten nanoseconds each, and checks the clock now and then. */
typedef struct sp_work {
  lua_State *L;
  uint32_t left;         /* steps until the next check */
  sp_watchdog *watchdog; /* NULL: there is none */
} sp_work;

#define SP_STEPS_A_CHECK 20000 /* less than a millisecond */

/* Returns the watchdog of a state, or NULL. */
sp_watchdog *sp_watchdog_of(lua_State *L);
/* Begins to count. Raises when the time of the call is over: calls that are short themselves may follow each other in a
   loop of C. */
sp_work sp_work_begin(lua_State *L, sp_watchdog *w);
/* Does so in a function of the table of bounds.c, whose upvalue of this number is the watchdog. */
#define SP_BOUNDED_WATCHDOG 5
static inline sp_work sp_bounded_begin(lua_State *L)
{
  return sp_work_begin(L, (sp_watchdog *)lua_touserdata(L, lua_upvalueindex(SP_BOUNDED_WATCHDOG)));
}
/* Announces steps that will follow and at least how many. Raises when they take longer than the call may. */
void sp_work_expect(sp_work *work, uint64_t steps);
void sp_work_check_clock(sp_work *work);
/* Call it after calling an arbitrary function in C, which may have taken any time. */
void sp_work_called(sp_work *work);

/* Counts `steps`; looks when it is time. */
static inline void sp_work_do(sp_work *work, uint32_t steps)
{
  if (__builtin_expect(work->left > steps, 1))
    work->left -= steps;
  else
    sp_work_check_clock(work);
}

#endif
