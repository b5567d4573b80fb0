/*
** See hook_clock.h. One reading of the clock per change of hands: the time since the last one is the former owner's.
*/
#include "script/hook_clock.h"

#include <time.h>

static uint64_t nanoseconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

sp_lua_pool *sp_hook_clock_switch(sp_context *c, sp_lua_pool *p)
{
  sp_lua_pool *outer = c->hook_owner;
  uint64_t now = nanoseconds();
  if (outer)
    outer->hook_ns += now - c->hook_since;
  c->hook_owner = p;
  c->hook_since = now;
  return outer;
}
