/*
** Parents and children.
*/
#ifndef SP_CORE_PARENTS_H
#define SP_CORE_PARENTS_H

#include "core/state.h"

/* Computes where a slot is in the world; its pool must have a place. Returns how many parents it is inside. */
uint32_t sp_slot_world_place(const sp_manager *m, uint32_t slot, sp_place *world);
/* Unlinks the life in `slot`, which ends: its children end or go on as their pools say. */
void sp_parents_end(sp_pool *p, uint32_t slot);
/* Reserves memory for a parent or child of a slot; false when it is refused. */
bool sp_parents_reserve(sp_manager *m, uint32_t slot);
/* Makes the object in `child` the first child of that in `parent`. Returns false when memory is refused. */
bool sp_parents_link(sp_manager *m, uint32_t child, uint32_t parent);
/* Rejects `parent` for an object of a pool, because one of them has no place. Returns SP_INVALID. */
sp_result sp_refuse_parent(sp_pool *p, uint32_t parent);
/* Returns the last child of a slot, plus one; 0: it has none. */
uint32_t sp_last_child(const sp_manager *m, uint32_t slot);
/* Goes along all children: returns the one after `at`, slots plus one and 0 at either end. Children come before their
   own, and the last of a parent first, as they have to be linked. `root`, 0 at first, is where to look on. */
uint32_t sp_next_child(const sp_manager *m, uint32_t at, uint32_t *root);
/* Returns the parent of a slot, or 0. */
static inline sp_ref sp_slot_parent(const sp_manager *m, uint32_t slot)
{
  const sp_family *family = sp_slot_lives(m, slot)->family;
  return family ? family[slot & SP_CHUNK_MASK].parent : SP_NULL_REF;
}

#endif
