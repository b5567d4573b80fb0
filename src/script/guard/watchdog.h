/*
** The watchdog stops Lua code that does not come back. A call into Lua goes through a door, which has a budget:
** seconds of computing, so that a program that was suspended or had to wait is not to blame. When it is spent a hook
** is set that raises an error at every instruction, in whichever coroutine runs: no pcall outlasts that. Until then
** nothing is hooked.
*/
#ifndef SP_SCRIPT_WATCHDOG_H
#define SP_SCRIPT_WATCHDOG_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

struct sp_context;
typedef struct sp_watchdog sp_watchdog;

/* Gives the context a watchdog, and the state coroutine functions that it can follow: all as Lua's own, but for
   that. Call it once, when the libraries are open. It ends with the state. Raises errors. Only instructions of Lua
   can be stopped. What runs without them has its time, unless it calls sp_watchdog_look. So have finalisers (__gc)
   and hooks of debug.sethook, because Lua runs those with hooks off. A stop takes the place of a hook that
   debug.sethook has set. Where there is no ticker (see ticker.h) a hook counts instructions while a door is open: as
   correct, and slower. */
void sp_watchdog_open(lua_State *L, struct sp_context *c, double budget);

/* What is called, in a signal handler, when what was stopped does not come back: after five times the budget more. */
void sp_watchdog_on_hang(sp_watchdog *w, void (*fn)(void *ud), void *ud);

/* Seconds that each call from outside may compute, from the next one on; 0: for ever. */
void sp_watchdog_set_budget(sp_watchdog *w, double seconds);

/* Leaves SIGURG alone from now on: a hook counts instructions while a door is open, see sp_watchdog_open. */
void sp_watchdog_use_no_signal(sp_watchdog *w);

/* The two halves of a door, around a protected call on `L`; they nest, and `w` may be NULL. leave gets what enter
   returned. When code behind an inner door was stopped the rest goes on, for a quarter of the budget in all; when
   that is spent too, everything is stopped up to the outermost door. */
lua_State *sp_watchdog_open_door(sp_watchdog *w, lua_State *L);
void sp_watchdog_close_door(sp_watchdog *w, lua_State *outer);

static inline lua_State *sp_watchdog_enter(sp_watchdog *w, lua_State *L)
{
  return w ? sp_watchdog_open_door(w, L) : NULL;
}

static inline void sp_watchdog_leave(sp_watchdog *w, lua_State *outer)
{
  if (w)
    sp_watchdog_close_door(w, outer);
}

/* From the moment of a stop until its outermost door is closed: for loops in C that only call what is stopped.
   `watchdog` may be NULL. */
bool sp_watchdog_is_stopping(const void *watchdog);

/* The same, with a look at the clock where nothing else takes one. For loops of C that call functions of C. */
bool sp_watchdog_is_over(sp_watchdog *w);
/* The reverse, as the core asks it in a long query. */
bool sp_watchdog_goes_on(void *watchdog);

/* Whether the text of an error (with whatever was added before and after) is that of the last stop. Both may be
   NULL. */
bool sp_watchdog_is_its_error(const sp_watchdog *w, const char *text);

/* For coroutines: `co` is the one that runs from now on. Returns the one that ran, to be switched back to. */
lua_State *sp_watchdog_switch(sp_watchdog *w, lua_State *co);
/* After switching back to `L`: raises when the code that ran meanwhile was stopped. */
void sp_watchdog_check(sp_watchdog *w, lua_State *L);

/* Looks from now on which of these sources (lua_Debug.source of a function, kept alive by the caller; at most
   SP_TRACKED_MOST) have code that runs; none: no longer. While it looks, each call costs about 50 ns more, for some
   part of a frame. */
#define SP_TRACKED_MOST 64
void sp_watchdog_track(sp_watchdog *w, lua_State *L, const char *const *sources, int count);
/* Those that have run since this was called last, a bit for each. Where a hook of debug.sethook is in the way: all. */
uint64_t sp_watchdog_tracked(sp_watchdog *w, lua_State *L);

/* For what takes long within a function in C, from time to time: raises when the time of the call is over. Does nothing
   in a state without a watchdog. */
void sp_watchdog_look(lua_State *L);

/* The same for loops: counts their steps, each of which may take some ten nanoseconds, and looks now and then. */
typedef struct sp_work {
  lua_State *L;
  uint32_t left;         /* steps until the next look */
  sp_watchdog *watchdog; /* NULL until the first look, or when there is none */
} sp_work;

#define SP_STEPS_A_LOOK 20000 /* less than a millisecond */

static inline sp_work sp_work_begin(lua_State *L) { return (sp_work){L, SP_STEPS_A_LOOK, NULL}; }
void sp_work_look(sp_work *work);
/* After a call of what may be another function in C: that may have taken any time. */
void sp_work_called(sp_work *work);

static inline void sp_work_do(sp_work *work, uint32_t steps)
{
  if (__builtin_expect(work->left > steps, 1))
    work->left -= steps;
  else
    sp_work_look(work);
}

#endif
