/*
** Small answers, by value, of what the library says. Apart from binding.h, so that the core as one file has no function
** that nothing in it calls.
*/
#ifndef SP_CORE_BY_VALUE_H
#define SP_CORE_BY_VALUE_H

#include "core/binding.h"

static inline sp_clock sp_clock_of(const sp_manager *manager)
{
  sp_clock clock;
  sp_manager_clock(manager, &clock);
  return clock;
}
static inline sp_stats sp_stats_of(const sp_pool *pool)
{
  sp_stats of;
  sp_pool_stats(pool, &of);
  return of;
}
static inline sp_stats sp_total_of(const sp_manager *manager)
{
  sp_stats of;
  sp_manager_stats(manager, &of);
  return of;
}

/* Returns whether it may be this pool's: also if it is of no pool any more, or not the manager's. */
static inline bool sp_ref_may_be_of(const sp_manager *m, sp_ref ref, const sp_pool *pool)
{
  return sp_ref_is_of(m, ref, pool) || !sp_object_pool(m, ref);
}

#endif
