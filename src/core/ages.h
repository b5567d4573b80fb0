/*
** The queue of ages of a pool: its live objects in order of spawning, only while it evicts the oldest. Ended lives stay
** in it as stale references until they reach the front or outnumber the live ones.
*/
#ifndef SP_CORE_AGES_H
#define SP_CORE_AGES_H

#include "core/memory.h"

typedef struct sp_ages {
  sp_ref *ring; /* capacity is mask + 1, a power of two; NULL while not in use */
  uint32_t mask, head, tail;
  uint32_t pinned;      /* so many entries at the front are pinned or stale, as seen */
  uint64_t pinned_tick; /* in this tick */
} sp_ages;

/* Return the number of entries, including stale ones; and the entry at `index`, oldest first. */
static inline uint32_t sp_ages_count(const sp_ages *ages) { return ages->tail - ages->head; }
static inline sp_ref sp_ages_get(const sp_ages *ages, uint32_t index)
{
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): without a ring there is no index to ask for */
  return ages->ring[(ages->head + index) & ages->mask];
}

/* Makes room for one more entry; false when out of memory. First drops stale entries if fewer than half are live. */
bool sp_ages_reserve(sp_ages *ages, sp_manager *manager, uint32_t live);
/* Makes room for `count` entries in all, and drops none; false when out of memory. */
bool sp_ages_reserve_count(sp_ages *ages, sp_manager *manager, uint32_t count);
/* Replaces all entries, for which there must be room. */
void sp_ages_restore(sp_ages *ages, const sp_ref *entries, uint32_t count);
/* Appends a life that has just begun. Room must have been made. */
void sp_ages_push(sp_ages *ages, sp_ref object);
/* Drops stale entries at the front. */
void sp_ages_settle(sp_ages *ages, const sp_manager *manager);
void sp_ages_free(sp_ages *ages, sp_memory *memory);

#endif
