/*
** The idle slots of one pool, in a dense ring of their own so that alloc and recycle touch no object to find one. What
** waits there is the reference to the slot's next life: alloc has nothing to work out. FIFO reuses the longest idle.
** LIFO reuses the warmest, but each slot first rests behind SP_QUARANTINE newer ones.
*/
#ifndef SP_CORE_IDLE_H
#define SP_CORE_IDLE_H

#include "core/config.h"
#include "core/memory.h"

typedef struct sp_idle {
  sp_ref *ring; /* capacity is mask + 1, a power of two; holds tail - head references */
  uint32_t mask, head, tail;
  bool lifo;
  uint32_t resting; /* LIFO: slots in quarantine */
  uint32_t rest_head;
  sp_ref rest[SP_QUARANTINE];
} sp_idle;

static inline uint32_t sp_idle_count(const sp_idle *idle) { return idle->tail - idle->head + idle->resting; }

/* A ring that is to take the place of another; `seats` is NULL when that one is large enough. */
typedef struct sp_idle_ring {
  sp_ref *seats;
  uint32_t size;
} sp_idle_ring;

/* Puts back `count` next lives, longest idle first, of which the last `resting` rest. There is room in the ring. */
void sp_idle_restore(sp_idle *idle, const sp_ref *nexts, uint32_t count, uint32_t resting);
/* The last `count` in the ring rest from now on; none did. */
void sp_idle_rest_last(sp_idle *idle, uint32_t count);

/* Makes room for `capacity` slots in all, so that no push can fail. False when refused. */
bool sp_idle_reserve(sp_idle *idle, sp_memory *memory, uint32_t capacity);
/* The two halves of sp_idle_reserve: the first one changes nothing but `ring`, the second one cannot fail. */
bool sp_idle_make_ring(const sp_idle *idle, sp_memory *memory, uint32_t capacity, sp_idle_ring *ring);
void sp_idle_take_ring(sp_idle *idle, sp_memory *memory, const sp_idle_ring *ring);
/* Frees the ring, which must be empty or of no more use. */
void sp_idle_free(sp_idle *idle, sp_memory *memory);
void sp_idle_set_order(sp_idle *idle, bool lifo);

/* The next life at `index`, longest idle first. */
sp_ref sp_idle_get(const sp_idle *idle, uint32_t index);
/* Takes the slot at `index` out; O(idle). */
void sp_idle_remove(sp_idle *idle, uint32_t index);

sp_ref sp_idle_pop_rested(sp_idle *idle);

/* The next life. Call only when sp_idle_count is not 0. */
static inline sp_ref sp_idle_pop(sp_idle *idle)
{
  if (!idle->lifo)
    return idle->ring[idle->head++ & idle->mask];
  if (idle->tail != idle->head)
    return idle->ring[--idle->tail & idle->mask];
  return sp_idle_pop_rested(idle);
}

/* The same where the ring is known not to be empty (resting ones do not count). */
static inline sp_ref sp_idle_pop_ready(sp_idle *idle)
{
  uint32_t at = idle->lifo ? --idle->tail : idle->head++;
  return idle->ring[at & idle->mask];
}

static inline void sp_idle_push_last(sp_idle *idle, sp_ref next) { idle->ring[idle->tail++ & idle->mask] = next; }

static inline void sp_idle_push(sp_idle *idle, sp_ref next)
{
  if (idle->lifo) {
    sp_ref *seat = &idle->rest[idle->rest_head++ % SP_QUARANTINE];
    sp_ref rested = *seat;
    *seat = next;
    if (idle->resting < SP_QUARANTINE) {
      idle->resting++;
      return;
    }
    next = rested;
  }
  sp_idle_push_last(idle, next);
}

#endif
