/*
** Storage of a pool's objects: makes and destroys them.
*/
#ifndef SP_CORE_CHUNK_H
#define SP_CORE_CHUNK_H

#include "core/state.h"

/* Chunks that are reserved for a pool: they are in no list and have no numbers yet. */
typedef struct sp_room {
  unsigned char **blocks;
  uint32_t count, capacity; /* of `blocks` */
  uint32_t numbers;         /* reserved with the manager */
  uint32_t *chunks;         /* the pool's list of chunks when it has to be longer, else NULL */
  uint32_t chunk_capacity;
  sp_idle_ring ring;
} sp_room;

/* Adds a chunk to the pool. False, and nothing is changed, when memory or slots run out. */
bool sp_chunk_add(sp_pool *p);
/* Adds a chunk with the next unused number; without an owner when `p` is NULL. */
bool sp_chunk_append(sp_manager *m, sp_pool *p);
/* Makes room in the pool's list for `count` chunks; false when memory is refused. */
bool sp_chunk_list_reserve(sp_pool *p, uint32_t count);
/* Allocates uninitialised memory for a chunk of this layout; NULL when out of memory. The columns begin at its base,
   which is aligned to a cache line. */
unsigned char *sp_chunk_block_new(sp_manager *m, const sp_layout *layout);
unsigned char *sp_chunk_block_base(unsigned char *block);
void sp_chunk_block_free(sp_manager *m, const sp_layout *layout, unsigned char *block);
/* Frees all memory of a chunk of this layout. */
void sp_chunk_free(sp_manager *m, const sp_layout *layout, sp_chunk *chunk);
/* Frees chunks without objects; returns how many. */
uint32_t sp_chunk_release_empty(sp_pool *p);
/* Reserves chunks of `layout` for `objects` more objects of a pool. Between this and sp_room_take or sp_room_release
   nothing but other room may be reserved. False, and nothing held, when memory or slots run out. */
bool sp_room_reserve(sp_room *room, sp_pool *p, const sp_layout *layout, uint32_t objects);
/* Adds the reserved chunks to the pool, which must have their layout now. */
void sp_room_take(sp_room *room, sp_pool *p);
/* Frees the reserved chunks. */
void sp_room_release(sp_room *room, sp_manager *m, const sp_layout *layout);
/* Makes room in the manager's slot arrays for `count` chunks; false when memory is refused. */
bool sp_slots_reserve(sp_manager *m, uint32_t count);
/* Makes chunk numbers from `first` on unused again. None of them may have memory. */
void sp_slots_forget(sp_manager *m, uint32_t first);
/* Frees the manager's slot arrays. */
void sp_slots_free(sp_manager *m);
/* Creates an object in a free slot: idle, in no list, and counted as in transition. UINT32_MAX when there is no free
   slot. */
uint32_t sp_object_make(sp_pool *p);
/* Writes first values into the cells of an object that never lived. */
void sp_object_initialise(sp_pool *p, uint32_t slot);
/* Destroys the object of an idle slot that is in no list and counted as in transition. */
void sp_object_destroy(sp_pool *p, uint32_t slot);
/* Does the same without a hook. */
void sp_object_unmake(sp_pool *p, uint32_t slot);

/* Creates up to `wanted` idle objects; returns how many. `result` (may be NULL) receives the reason if there are fewer.
   */
uint32_t sp_grow(sp_pool *p, uint32_t wanted, sp_result *result);
/* Destroys idle objects until `keep` are left; returns how many. */
uint32_t sp_destroy_idle(sp_pool *p, uint32_t keep);
/* Destroys the object of a slot that has just left the idle list or its life. */
void sp_object_drop(sp_pool *p, uint32_t slot);

#endif
