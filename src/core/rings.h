/*
** Two rings of a pool, whose capacities are powers of two. The idle ring: slots in the order in which they are reused,
** in an array of their own so that alloc and recycle touch no object to find one. Alloc always takes the slot at
** `head`: FIFO adds at `tail`, so the longest idle slot comes first; LIFO adds in front of `head`, so the warmest does.
** The queue of ages: live objects in order of spawning, only while the pool evicts the oldest. Ended lives stay in it
** as stale references until they reach the front or outnumber the live ones.
*/
#ifndef SP_CORE_RINGS_H
#define SP_CORE_RINGS_H

#include "core/config.h"
#include "core/memory.h"

typedef struct sp_idle {
  uint32_t *ring; /* capacity is mask + 1, a power of two; holds tail - head slots */
  uint32_t mask, head, tail;
  bool lifo;
} sp_idle;

/* Returns the number of slots. */
static inline uint32_t sp_idle_count(const sp_idle *idle) { return idle->tail - idle->head; }

/* A ring that will replace another one; `seats` is NULL when the old ring is large enough. */
typedef struct sp_idle_ring {
  uint32_t *seats;
  uint32_t size;
} sp_idle_ring;

/* Makes room for `capacity` slots in all, so that no push can fail. Returns false when memory is refused. */
bool sp_idle_reserve(sp_idle *idle, sp_memory *memory, uint32_t capacity);
/* The two halves of sp_idle_reserve: the first one changes nothing but `ring`, the second one cannot fail. */
bool sp_idle_make_ring(const sp_idle *idle, sp_memory *memory, uint32_t capacity, sp_idle_ring *ring);
void sp_idle_take_ring(sp_idle *idle, sp_memory *memory, const sp_idle_ring *ring);
/* Frees the ring. Its slots, if any, are forgotten. */
void sp_idle_free(sp_idle *idle, sp_memory *memory);
/* Changes the order of reuse; the slots keep how long they have been idle. O(idle). */
void sp_idle_set_order(sp_idle *idle, bool lifo);

/* Replaces all slots by those of `then`, whose ring begins with the one at `head`. The order of reuse stays; the slots
   keep how long they had been idle. The ring must have room for them. */
void sp_idle_restore(sp_idle *idle, const sp_idle *then);

/* Returns the slot at `index`, longest idle first. */
uint32_t sp_idle_get(const sp_idle *idle, uint32_t index);
/* Removes the slot at `index`, longest idle first. O(idle). */
void sp_idle_remove(sp_idle *idle, uint32_t index);

/* Removes and returns the slot to be used next. There must be one. */
static inline uint32_t sp_idle_pop(sp_idle *idle) { return idle->ring[idle->head++ & idle->mask]; }

/* Adds a slot at the end, or, LIFO, at the front. The ring must have room for it. */
static inline void sp_idle_push(sp_idle *idle, uint32_t slot)
{
  uint32_t at = idle->lifo ? --idle->head : idle->tail++;
  idle->ring[at & idle->mask] = slot;
}

typedef struct sp_ages {
  sp_ref *ring; /* capacity is mask + 1, a power of two; NULL while not in use */
  uint32_t mask, head, tail;
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
/* Replaces all entries by those of `then`, whose ring begins with the one at `head`. There must be room. */
void sp_ages_restore(sp_ages *ages, const sp_ages *then);
/* Appends a life that has just begun. Room must have been made. */
void sp_ages_push(sp_ages *ages, sp_ref object);
/* Drops stale entries at the front. */
void sp_ages_settle(sp_ages *ages, const sp_manager *manager);
void sp_ages_free(sp_ages *ages, sp_memory *memory);

#endif
