/*
** The idle slots of one pool, in a dense ring of their own so that alloc and recycle touch no object to find one. alloc
** always takes the slot at `head`: FIFO adds at `tail`, so the longest idle slot comes first; LIFO adds in front of
** `head`, so the warmest does.
*/
#ifndef SP_CORE_IDLE_H
#define SP_CORE_IDLE_H

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

#endif
