/*
** Descriptions and options with the defaults of the library, as constants: tests name the members that differ.
*/
#ifndef TEST_DESC_H
#define TEST_DESC_H

#include "core/spawnpool.h"
#include "core/spawnpool_tools.h"

#define TEST_LOOK                                                                                                      \
  {                                                                                                                    \
    .scale = 1, .r = 1, .g = 1, .b = 1, .a = 1, .radius = 8, .visible = 1                                              \
  }
#define TEST_DESC_INIT(...)                                                                                            \
  {                                                                                                                    \
    .size = sizeof(sp_pool_desc), .settings.grow = SP_DEFAULT_GROW, .settings.limit = SP_UNLIMITED,                    \
    .settings.idle_limit = SP_UNLIMITED, .look = TEST_LOOK, __VA_ARGS__                                                \
  }
#define TEST_DESC(...) ((sp_pool_desc)TEST_DESC_INIT(__VA_ARGS__))
#define TEST_OPTIONS(...) ((sp_manager_options){.size = sizeof(sp_manager_options), __VA_ARGS__})

/* The description that most tests begin with: a spatial pool. */
static inline sp_pool_desc test_desc(const char *type) { return TEST_DESC(.type = type, .spatial = true); }

/* Return parts of what the library says of a manager or pool, by value. */
static inline sp_clock clock_of(const sp_manager *manager)
{
  sp_clock clock;
  sp_manager_clock(manager, &clock);
  return clock;
}
static inline sp_stats stats_of(const sp_pool *pool)
{
  sp_stats stats;
  sp_pool_stats(pool, &stats);
  return stats;
}
static inline sp_stats total_of(const sp_manager *manager)
{
  sp_stats stats;
  sp_manager_stats(manager, &stats);
  return stats;
}

#endif
