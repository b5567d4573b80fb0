/*
** Parts of what the library says, by value. Apart from binding.h, so that the core as one file has no function that
** nothing in it calls.
*/
#ifndef SP_CORE_BY_VALUE_H
#define SP_CORE_BY_VALUE_H

#include "core/spawnpool_tools.h"

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

#endif
