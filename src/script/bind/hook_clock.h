/*
** How long the functions of each class run: hooks and timers, timed where C calls them, so that scripts need no marks.
** What a function calls in turn counts for the class whose function that is, not for the caller's. While nobody looks,
** all it costs is a flag that is tested before a call.
*/
#ifndef SP_SCRIPT_HOOK_CLOCK_H
#define SP_SCRIPT_HOOK_CLOCK_H

#include "script/guard/door.h"
#include "script/state/handles.h"

/* From now on the time is that of the pool with this id (0: nobody's); returns whose it was. */
uint64_t sp_hook_clock_switch(sp_context *c, uint64_t pool);

/* Brackets a call into the class of `p`. No error may cross. */
static inline uint64_t sp_hook_clock_begin(sp_context *c, const sp_lua_pool *p)
{
  return c->hooks_timed ? sp_hook_clock_switch(c, p->id) : 0;
}
static inline void sp_hook_clock_end(sp_context *c, uint64_t outer)
{
  if (c->hooks_timed)
    sp_hook_clock_switch(c, outer);
}

/* sp_door to a function of the class of `p`. */
static inline int sp_hook_door(lua_State *L, const sp_lua_pool *p, int nargs, int nresults, int handler)
{
  sp_context *c = p->manager->context;
  uint64_t outer = sp_hook_clock_begin(c, p);
  int status = sp_door(L, c, nargs, nresults, handler);
  sp_hook_clock_end(c, outer);
  return status;
}

#endif
