/*
** The idle slots of a pool, in the order in which they became idle, in arrays of their own so that alloc and recycle
** touch no object to find one. Slots are added at the end; alloc takes the first one, FIFO, or the last one, LIFO,
*which
** is the warmest. It is a ring of blocks; blocks are added and change places, but no slot is moved.
*/
#ifndef SP_CORE_IDLE_H
#define SP_CORE_IDLE_H

#include "core/config.h"
#include "core/memory.h"

#define SP_IDLE_BLOCK 128u

typedef struct sp_idle {
  uint32_t *take, *take_end; /* the slot that is idle longest, and the end of its block; NULL: there are no blocks */
  uint32_t *put, *put_end;   /* where a slot is added, and the end of that block */
  uint32_t count;
  bool lifo;            /* the slot before `put` is used next */
  uint32_t first, last; /* positions of the blocks at both ends */
  uint32_t mask;
  uint32_t **blocks; /* by position & mask; NULL where no slot lies */
  uint32_t *spare;   /* unused blocks; each begins with the address of the next one */
  uint32_t block_count;
} sp_idle;

/* Returns the number of slots. */
static inline uint32_t sp_idle_count(const sp_idle *idle) { return idle->count; }

/* Makes room for `capacity` slots in all, so that no push can fail. Returns false when memory is refused. */
bool sp_idle_reserve(sp_idle *idle, sp_memory *memory, uint32_t capacity);
/* Frees the ring. Its slots, if any, are forgotten. */
void sp_idle_free(sp_idle *idle, sp_memory *memory);
/* Forgets all slots. */
void sp_idle_clear(sp_idle *idle);
/* Returns the memory of the ring. */
size_t sp_idle_bytes(const sp_idle *idle);

/* Returns the slots from `index` on, longest idle first, of which `count` lie in one piece. There must be one. */
const uint32_t *sp_idle_piece(const sp_idle *idle, uint32_t index, uint32_t *count);
/* Returns the slot at `index`, longest idle first. */
uint32_t sp_idle_get(const sp_idle *idle, uint32_t index);
/* Removes the slot at `index`, longest idle first. O(idle). */
void sp_idle_remove(sp_idle *idle, uint32_t index);

/* Adds a slot that is the first of a block; goes on from a block of which no slot is left. */
void sp_idle_push_first(sp_idle *idle, uint32_t slot);
void sp_idle_leave(sp_idle *idle);

/* Returns the slot to be used next; there must be one. */
static inline uint32_t sp_idle_next(const sp_idle *idle) { return idle->lifo ? idle->put[-1] : *idle->take; }
/* Removes that slot. */
static inline void sp_idle_drop(sp_idle *idle)
{
  idle->count--;
  bool stays = idle->lifo ? --idle->put != idle->put_end - SP_IDLE_BLOCK : ++idle->take != idle->take_end;
  if (!SP_LIKELY(stays))
    sp_idle_leave(idle);
}
static inline uint32_t sp_idle_pop(sp_idle *idle)
{
  uint32_t slot = sp_idle_next(idle);
  sp_idle_drop(idle);
  return slot;
}

/* Adds a slot at the end. The ring must have room for it. */
static inline void sp_idle_push(sp_idle *idle, uint32_t slot)
{
  if (!SP_LIKELY(idle->put != idle->put_end)) {
    sp_idle_push_first(idle, slot);
    return;
  }
  idle->count++;
  *idle->put++ = slot;
}

#endif
