/*
** The idle slots of a pool. Each has a bit in its chunk, and alloc takes the lowest one, so that what lives stays
** together, whatever the peak was. To look for it after each alloc would make every pair of alloc and recycle wait for
** the one before: so it is kept in hand where a recycle has given it back. Pools that ask for another order have a list
** of their idle slots beside the bits.
*/
#ifndef SP_CORE_IDLE_H
#define SP_CORE_IDLE_H

#include "core/state.h"

/* Returns whether slots are used lowest first. */
static inline bool sp_idle_is_compact(const sp_pool *p) { return p->desc.settings.order == SP_ORDER_COMPACT; }

/* Makes room in the list for the slots of a chunk; false when memory is refused. */
bool sp_idle_reserve(sp_manager *m, uint32_t chunk);
/* Lists the idle slots anew, the lowest one to be used first, if the order needs a list. There must be room. */
void sp_idle_list(sp_pool *p);
/* Forgets them all; their chunks are gone, or going to be replaced. */
static inline void sp_idle_clear(sp_pool *p) { p->idle = (sp_idle){.lowest = UINT32_MAX, .others = UINT32_MAX}; }
/* Finds and lists the idle slots anew, after chunks were replaced. `count`: how many they are. */
void sp_idle_settle(sp_pool *p, uint32_t count);

/* Finds the lowest one, of which there must be one. */
uint32_t sp_idle_find(sp_pool *p);
/* Returns the highest one. */
uint32_t sp_idle_highest(sp_pool *p);
/* Returns the slot to be used next; there must be one. */
static inline uint32_t sp_idle_lowest(sp_pool *p)
{
  return SP_LIKELY(p->idle.lowest != UINT32_MAX) ? p->idle.lowest : sp_idle_find(p);
}
static inline uint32_t sp_idle_next(sp_pool *p)
{
  return sp_idle_is_compact(p) ? sp_idle_lowest(p) : p->idle.first - 1;
}

/* Notes a slot that is not the lowest one in hand, or takes the place of that. */
void sp_idle_set_other(sp_pool *p, uint32_t slot);
/* Add a slot, and remove one, in a pool that is compact. */
static inline void sp_idle_set(sp_pool *p, sp_chunk *chunk, uint32_t slot)
{
  sp_idle *idle = &p->idle;
  chunk->idle |= (uint64_t)1 << (slot & SP_CHUNK_MASK);
  idle->count++;
  if (SP_LIKELY(idle->lowest == UINT32_MAX && slot <= idle->others))
    idle->lowest = slot;
  else
    sp_idle_set_other(p, slot);
}
static inline void sp_idle_unset(sp_pool *p, sp_chunk *chunk, uint32_t slot)
{
  sp_idle *idle = &p->idle;
  chunk->idle &= ~((uint64_t)1 << (slot & SP_CHUNK_MASK));
  idle->lowest = idle->lowest == slot ? UINT32_MAX : idle->lowest;
  if (--idle->count == 0)
    idle->others = UINT32_MAX;
}
/* These do so in any pool. sp_idle_append adds one that is used last, if there is a list. */
void sp_idle_push(sp_pool *p, uint32_t slot);
void sp_idle_append(sp_pool *p, uint32_t slot);
void sp_idle_remove(sp_pool *p, uint32_t slot);
static inline uint32_t sp_idle_pop(sp_pool *p)
{
  const uint32_t slot = sp_idle_next(p);
  sp_idle_remove(p, slot);
  return slot;
}

/* Returns the lowest one above `slot`, with UINT32_MAX of all; UINT32_MAX: there is none. */
uint32_t sp_idle_above(const sp_pool *p, uint32_t slot);
/* Goes over the idle slots as they are going to be used: returns the one after `slot`, UINT32_MAX at first and at the
   end. */
uint32_t sp_idle_after(const sp_pool *p, uint32_t slot);

#endif
