/*
** Storage of a pool's objects: makes and destroys them.
*/
#ifndef SP_CORE_CHUNK_H
#define SP_CORE_CHUNK_H

#include "core/state.h"

/* How far a pool had given out numbers before it reserved chunks. */
typedef struct sp_reserved {
  uint32_t label, next_number, next_chunk;
} sp_reserved;

/* Adds a chunk to the pool. False, and nothing is changed, when memory or slots run out. */
bool sp_chunk_add(sp_pool *p);
/* Adds the chunk with a number, which must be free. */
bool sp_chunk_add_at(sp_pool *p, uint32_t number);
/* Makes so many numbers known to a manager without chunks, all of them free. False when memory is refused. */
bool sp_slots_open(sp_manager *m, uint32_t count);
/* Allocates memory for a chunk of this layout; NULL when out of memory. The columns begin at its base, which is aligned
   to a cache line. */
unsigned char *sp_chunk_block_new(sp_manager *m, const sp_layout *layout);
unsigned char *sp_chunk_block_base(unsigned char *block);
void sp_chunk_block_free(sp_manager *m, const sp_layout *layout, unsigned char *block);
/* Takes a chunk of this layout from its pool: frees what it has for it. */
void sp_chunk_free(sp_manager *m, const sp_layout *layout, sp_chunk *chunk);
/* Frees chunks without objects, by regions; returns how many. */
uint32_t sp_chunk_release_empty(sp_pool *p);
/* Makes room in the pool's list for `count` chunks; false when memory is refused. */
bool sp_chunk_list_reserve(sp_pool *p, uint32_t count);
void sp_chunk_list_free(sp_pool *p);
/* Adds chunks until `objects` more objects have slots, and notes in `before` how to undo that. False when memory or
   slots run out; what was added stays. Undoing needs that no object was made since; several in reverse order. */
bool sp_chunk_reserve(sp_pool *p, uint32_t objects, sp_reserved *before);
void sp_chunk_unreserve(sp_pool *p, const sp_reserved *before);
/* Makes numbers up to `count` known, and the chunk with one of them exist; false when memory is refused. */
bool sp_slots_reserve(sp_manager *m, uint32_t count);
bool sp_slots_make(sp_manager *m, uint32_t number);
/* Makes chunk numbers from `first` to `end` - 1 unused again. None of them may have memory of a pool. */
void sp_slots_forget(sp_manager *m, uint32_t first, uint32_t end);
/* Frees all chunks. */
void sp_slots_free(sp_manager *m);

/* Gives the chunk with a number, which is the pool's, a place in its list. */
void sp_chunk_place(sp_pool *p, uint32_t at, uint32_t number);
/* The generation of a slot has become odd: what goes over all objects looks at no other chunk. */
static inline void sp_chunk_add_life(sp_pool *p, sp_chunk *chunk, uint32_t slot)
{
  if (!SP_LIKELY(chunk->live))
    p->marks[chunk->position / 64].lively |= (uint64_t)1 << chunk->position % 64;
  chunk->live |= (uint64_t)1 << (slot & SP_CHUNK_MASK);
}
/* It is even again. */
static inline void sp_chunk_end_life(sp_chunk *chunk, uint32_t slot)
{
  chunk->live &= ~((uint64_t)1 << (slot & SP_CHUNK_MASK));
}
/* Returns the lowest slot in which an object can be made; UINT32_MAX: there is none. */
uint32_t sp_chunk_vacant(sp_pool *p);
/* Returns the position of the chunk that follows the one with a number, which the pool has or had. */
uint32_t sp_chunk_position_after(const sp_pool *p, uint32_t number);
/* Returns whether the lively chunk at `position` has life, and marks it if it has none. */
bool sp_chunk_has_life(sp_pool *p, uint32_t position);

/* Writes first values into the cells of an object that never lived. */
void sp_object_initialise(sp_pool *p, uint32_t slot);
/* Destroys the object of an idle slot that is in no list and counted as in transition. */
void sp_object_destroy(sp_pool *p, uint32_t slot);
/* Destroys such an object without a hook. */
void sp_object_unmake(sp_pool *p, uint32_t slot);

/* Creates up to `wanted` idle objects; returns how many. `result` (may be NULL) receives the reason if there are fewer.
   */
uint32_t sp_grow(sp_pool *p, uint32_t wanted, sp_result *result);
/* Destroys idle objects, the highest first, until `keep` are left; returns how many. */
uint32_t sp_destroy_idle(sp_pool *p, uint32_t keep);
/* Destroys the highest one. */
void sp_idle_drop_highest(sp_pool *p);
/* Destroys the object of a slot that has just left the idle list or its life. */
void sp_object_drop(sp_pool *p, uint32_t slot);

#endif
