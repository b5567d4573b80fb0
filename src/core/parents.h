/*
** Parents and children.
*/
#ifndef SP_CORE_PARENTS_H
#define SP_CORE_PARENTS_H

#include "core/state.h"

/* Where a slot that has a place is in the world. Returns how many parents it is inside. */
uint32_t sp_slot_world_place(const sp_manager *m, uint32_t slot, sp_place *world);
/* The life in `slot` ends: children go as its pool says, its parent forgets it. */
void sp_parents_end(sp_pool *p, uint32_t slot);
/* Makes the object in `child` the first child of that in `parent`. False when memory is refused. */
bool sp_parents_link(sp_manager *m, uint32_t child, uint32_t parent);
/* The parent of a slot, or 0. */
static inline sp_ref sp_slot_parent(const sp_manager *m, uint32_t slot)
{
  const sp_family *family = m->chunks[slot >> SP_CHUNK_BITS].family;
  return family ? family[slot & SP_CHUNK_MASK].parent : SP_NONE_REF;
}

#endif
