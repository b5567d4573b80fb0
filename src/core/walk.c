/*
** Walks need no list and no lock: a life's serial shows whether it had begun before the walk, and the walk continues
** after the slot of the last object visited, even if that object has ended.
*/
#include "core/state.h"

sp_walk sp_pool_walk(sp_pool *p) { return (sp_walk){p, SP_NONE_REF, p->manager->serial}; }

/* Returns the position of the pool's first chunk whose number is at least `number`. */
static uint32_t position_from(const sp_pool *p, uint32_t number)
{
  uint32_t low = 0, high = p->chunk_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (p->chunks[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static sp_ref scan_chunk(const sp_pool *p, uint32_t number, uint32_t from, uint64_t serial)
{
  const sp_manager *m = p->manager;
  uint32_t end = (number + 1) * SP_CHUNK_SLOTS;
  for (uint32_t slot = number * SP_CHUNK_SLOTS + from; slot < end; slot++)
    if (sp_slot_is_live(m, slot) && m->slots.life[slot].serial <= serial)
      return sp_ref_make(m, slot);
  return SP_NONE_REF;
}

sp_ref sp_walk_next(sp_walk *walk)
{
  const sp_pool *p = walk->pool;
  uint32_t position = 0, from = 0;
  if (walk->last) {
    uint32_t slot = sp_ref_slot(walk->last), number = slot >> SP_CHUNK_BITS;
    const sp_chunk *chunk = &p->manager->chunks[number];
    bool ours = p->manager->slots.owners[number] == p; /* false when the chunk was freed meanwhile */
    position = ours ? chunk->position : position_from(p, number);
    from = ours ? (slot & SP_CHUNK_MASK) + 1 : 0;
  }
  for (; position < p->chunk_count; position++, from = 0) {
    sp_ref object = scan_chunk(p, p->chunks[position], from, walk->serial);
    if (object)
      return walk->last = object;
  }
  return SP_NONE_REF;
}

sp_ref sp_pool_idle_at(const sp_pool *p, uint32_t index)
{
  return index < sp_idle_count(&p->idle) ? sp_ref_make(p->manager, sp_idle_get(&p->idle, index)) : SP_NONE_REF;
}
