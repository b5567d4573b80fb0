/*
** Two queues of a pool. The idle one: slots in the order in which they became idle, in arrays of their own so that
** alloc and recycle touch no object to find one. Slots are added at the end; alloc takes the first one, FIFO, or the
** last one, LIFO, which is the warmest. It is a ring of blocks; blocks are added and change places, but no slot is
** moved.
** The queue of ages: live objects in order of spawning, only while the pool evicts the oldest. Ended lives stay in it
** as stale references until they reach the front or outnumber the live ones.
*/
#ifndef SP_CORE_RINGS_H
#define SP_CORE_RINGS_H

#include "core/config.h"
#include "core/memory.h"

#define SP_IDLE_BITS 7
#define SP_IDLE_BLOCK (1u << SP_IDLE_BITS)

/* Slots that follow each other, up or down. */
typedef struct sp_run {
  uint32_t first;
  int32_t count; /* negative: down */
} sp_run;

typedef struct sp_idle {
  uint32_t *take, *take_end; /* the slot that is idle longest, and the end of its block; NULL: there are no blocks */
  uint32_t *put, *put_end;   /* where a slot is added, and the end of that block */
  uint32_t count;
  bool lifo;            /* the slot before `put` is used next */
  uint32_t first, last; /* positions of the blocks at both ends */
  uint32_t mask;        /* of the next three */
  uint32_t **blocks;    /* by position: NULL where no slot lies, or a run that was restored */
  uint32_t *runs;       /* of a block that was filled with one: its first slot; SP_IDLE_DOWN is added to one down */
  uint8_t *is_long;     /* by SP_IDLE_LONG positions: the blocks are known to be one run */
  uint32_t *spare;      /* unused blocks; each begins with the address of the next one */
  uint32_t block_count;
} sp_idle;

#define SP_IDLE_LONG 64u /* blocks */
#define SP_IDLE_MIXED UINT32_MAX
#define SP_IDLE_DOWN 0x80000000u

/* Returns the number of slots. */
static inline uint32_t sp_idle_count(const sp_idle *idle) { return idle->count; }

/* Makes room for `capacity` slots in all, so that no push can fail. Returns false when memory is refused. */
bool sp_idle_reserve(sp_idle *idle, sp_memory *memory, uint32_t capacity);
/* Frees the ring. Its slots, if any, are forgotten. */
void sp_idle_free(sp_idle *idle, sp_memory *memory);
/* Forgets all slots. */
void sp_idle_clear(sp_idle *idle);
/* Returns the size of a directory: by position a block and a run, and then whether many are one. */
static inline size_t sp_idle_directory_size(uint32_t positions)
{
  return positions * (sizeof(uint32_t *) + sizeof(uint32_t)) + positions / SP_IDLE_LONG + 1;
}
/* Returns the memory of the ring. */
static inline size_t sp_idle_bytes(const sp_idle *idle)
{
  size_t directory = idle->blocks ? sp_idle_directory_size(idle->mask + 1) : 0;
  return directory + idle->block_count * SP_IDLE_BLOCK * sizeof *idle->spare;
}

/* Slots that lie in one piece, longest idle first. */
typedef struct sp_piece {
  const uint32_t *slots; /* if it is not known to be a run */
  uint32_t count;
  uint32_t first, step; /* of a run: its first slot, and what is added to it for the next one; else 0 */
} sp_piece;

/* Goes over all slots, longest idle first, as runs. Zeros at first. */
typedef struct sp_idle_walk {
  sp_run run; /* the present one */
  sp_piece piece;
  uint32_t index, at; /* of the piece, and in it */
} sp_idle_walk;

/* Goes to the next run. False at the end. */
bool sp_idle_next_run(const sp_idle *idle, sp_idle_walk *walk);
/* Returns `hash` with all slots added, longest idle first. */
uint64_t sp_idle_hash(const sp_idle *idle, uint64_t hash);
/* Adds the slots of a run. The ring must have room for them. */
void sp_idle_add_run(sp_idle *idle, sp_run run);

/* Returns the slot at `index`, longest idle first. */
uint32_t sp_idle_get(const sp_idle *idle, uint32_t index);
/* Removes the slot at `index`, longest idle first. O(idle). */
void sp_idle_remove(sp_idle *idle, uint32_t index);

/* Adds a slot that is the first of a block. Frees the block that the last slot has left, and returns `value`. Alloc and
   recycle end in these, so that they need no stack. */
sp_result sp_idle_push_first(sp_idle *idle, uint32_t slot);
uint64_t sp_idle_leave(sp_idle *idle, uint64_t value);

/* Returns the slot to be used next; there must be one. `lifo` is that of the ring: alloc asks for it once. */
static inline uint32_t sp_idle_next(const sp_idle *idle, bool lifo) { return lifo ? idle->put[-1] : *idle->take; }
/* Removes it, and returns `value`. */
static inline uint64_t sp_idle_drop(sp_idle *idle, bool lifo, uint64_t value)
{
  idle->count--;
  bool stays = lifo ? --idle->put != idle->put_end - SP_IDLE_BLOCK : ++idle->take != idle->take_end;
  return SP_LIKELY(stays) ? value : sp_idle_leave(idle, value);
}
static inline uint32_t sp_idle_peek(const sp_idle *idle) { return sp_idle_next(idle, idle->lifo); }
static inline uint32_t sp_idle_pop(sp_idle *idle)
{
  return (uint32_t)sp_idle_drop(idle, idle->lifo, sp_idle_peek(idle));
}

/* Adds a slot at the end. The ring must have room for it. Returns SP_OK. */
static inline sp_result sp_idle_push(sp_idle *idle, uint32_t slot)
{
  if (!SP_LIKELY(idle->put != idle->put_end))
    return sp_idle_push_first(idle, slot);
  idle->count++;
  *idle->put++ = slot;
  return SP_OK;
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
