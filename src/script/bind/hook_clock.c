/*
** See hook_clock.h. One reading of the clock per change of hands: the time since the last one is the former owner's.
*/
#include "script/bind/hook_clock.h"

#include "script/state/border.h"
#include "script/state/platform.h"

uint64_t sp_hook_clock_switch(sp_context *c, uint64_t pool)
{
  uint64_t outer = c->hook_owner, now = sp_clock_nanoseconds();
  sp_lua_pool *p = sp_pool_again(c, outer);
  if (p)
    p->hook_ns += now - c->hook_since;
  c->hook_owner = pool;
  c->hook_since = now;
  return outer;
}
