/*
** Callbacks of timers: a function, a coroutine, or the name of a method, stored with the manager by the timer's handle.
*/
#ifndef SP_SCRIPT_TIMER_CALLBACK_H
#define SP_SCRIPT_TIMER_CALLBACK_H

#include "script/state/handles.h"

/* The owner of a timer, which its callback gets: an object; SP_NONE_REF: the manager itself. */
typedef struct sp_timed {
  uint64_t manager; /* id */
  sp_ref object;
} sp_timed;

/* The owner of a timer of an object of `m`, or of `m` itself. */
static inline sp_timed sp_timed_of(const sp_lua_manager *m, sp_ref object) { return (sp_timed){m->id, object}; }

/* Pushes the owner: the object, or the manager's userdata. */
void sp_push_timed(lua_State *L, const sp_context *c, sp_timed o);

typedef struct sp_filing {
  const sp_context *c;
  sp_timed owner;
  double seconds, period;
  sp_timer timer; /* 0 when it was not started: `why` says why */
  sp_result why;
} sp_filing;

/* Starts a timer of a live object or an open manager that calls the value on top, and pops it. False: that was refused,
   `why` says why. */
bool sp_timer_file(lua_State *L, sp_filing *s);

/* Pushes the callback of a timer, or nil, and removes it from the table unless `keep` is true. */
void sp_take_callback(lua_State *L, const sp_lua_manager *m, uint64_t timer, bool keep);

/* Pushes the manager's table of callbacks, or nil while the manager is finalised. */
void sp_push_timers(lua_State *L, const sp_lua_manager *m);

#endif
