/*
** The live objects of a pool in order of spawning, kept only while the pool evicts the oldest. Ended lives stay in the
** queue as stale references until they reach the front or outnumber the live ones.
*/
#ifndef SP_CORE_AGES_H
#define SP_CORE_AGES_H

#include "core/memory.h"

typedef struct sp_ages {
  sp_ref *ring; /* capacity is mask + 1, a power of two; NULL while not in use */
  uint32_t mask, head, tail;
} sp_ages;

static inline uint32_t sp_ages_count(const sp_ages *ages) { return ages->tail - ages->head; }
static inline sp_ref sp_ages_get(const sp_ages *ages, uint32_t index)
{
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): without a ring there is no index to ask for */
  return ages->ring[(ages->head + index) & ages->mask];
}

/* Makes room for one more; false when memory is refused. Drops stale entries first when `live` is less than half. */
bool sp_ages_reserve(sp_ages *ages, sp_manager *manager, uint32_t live);
/* Makes room for `count` in all, which drops nothing; false when memory is refused. */
bool sp_ages_reserve_count(sp_ages *ages, sp_manager *manager, uint32_t count);
/* Fills `ages`, which is not in use, with the objects of a pool. False, and not in use, when memory is refused. */
bool sp_ages_gather(sp_ages *ages, sp_pool *pool);
/* The same of `ages` that is in use and has room for all. */
void sp_ages_refill(sp_ages *ages, sp_pool *pool);
void sp_ages_push(sp_ages *ages, sp_ref object);
/* Drops stale entries at the front. */
void sp_ages_settle(sp_ages *ages, const sp_manager *manager);
void sp_ages_free(sp_ages *ages, sp_memory *memory);

#endif
