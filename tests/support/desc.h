/*
** Descriptions and options with the defaults of the library, as constants: tests name the members that differ.
*/
#ifndef TEST_DESC_H
#define TEST_DESC_H

#include "core/binding.h"
#include "core/by_value.h"

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

/* By index, in order of creation. */
static inline uint32_t count_pools(const sp_manager *manager)
{
  uint32_t count = 0;
  for (const sp_pool *p = NULL; (p = sp_manager_next_pool(manager, p)) != NULL;)
    count++;
  return count;
}
static inline sp_pool *pool_at(const sp_manager *manager, uint32_t index)
{
  sp_pool *p = sp_manager_next_pool(manager, NULL);
  while (p && index-- > 0)
    p = sp_manager_next_pool(manager, p);
  return p;
}

static inline uint64_t live_bits_of(const sp_pool *pool, uint32_t chunk)
{
  uint64_t bits;
  sp_pool_live_bits(pool, chunk, &bits);
  return bits;
}

#endif
