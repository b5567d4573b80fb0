/*
** Queries for tools: the contents of a pool's slots, and the timers and children of a life. Nothing here changes the
** manager or counts a use, or costs anything while unused.
*/
#include <math.h>

#include "core/slot.h"
#include "core/timer.h"

static sp_slot_state state_of(const sp_manager *m, uint32_t slot)
{
  if (m->slots.life[slot].generation & 1)
    return sp_slot_is_live(m, slot) ? SP_SLOT_LIVE : SP_SLOT_ENDING;
  if (sp_bit(m->slots.made, slot))
    return SP_SLOT_IDLE;
  return m->slots.life[slot].generation >= m->last_generation ? SP_SLOT_RETIRED : SP_SLOT_EMPTY;
}

uint32_t sp_pool_slots(const sp_pool *p, uint32_t first, uint32_t count, sp_slot *out)
{
  const sp_manager *m = p->manager;
  uint32_t all = p->chunk_count * SP_CHUNK_SLOTS;
  if (first >= all)
    return 0;
  if (count > all - first)
    count = all - first;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t slot = p->chunks[(first + i) >> SP_CHUNK_BITS] * SP_CHUNK_SLOTS + ((first + i) & SP_CHUNK_MASK);
    sp_slot_state state = state_of(m, slot);
    bool is_object = state != SP_SLOT_EMPTY && state != SP_SLOT_RETIRED;
    out[i].state = state;
    out[i].object = is_object ? sp_ref_make(m, slot) : SP_NONE_REF;
    out[i].age = state == SP_SLOT_LIVE ? (float)sp_slot_age(m, slot) : 0;
  }
  return count;
}

void sp_pool_chunk_ages(const sp_pool *p, uint32_t chunk, double *ages)
{
  const sp_manager *m = p->manager;
  const sp_life *life = m->slots.life + (size_t)p->chunks[chunk] * SP_CHUNK_SLOTS;
  const double now = m->time, step = m->step, rate = m->rate;
  uint64_t begun[SP_CHUNK_SLOTS];
  double times[SP_CHUNK_SLOTS];
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    begun[i] = life[i].serial;
  memcpy(times, begun, sizeof times);
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    ages[i] = now - sp_birth(times[i], step, rate);
}

uint32_t sp_pool_slot_of(const sp_pool *p, sp_ref object)
{
  uint32_t slot = sp_ref_slot(object);
  if (!sp_ref_is_of(p->manager, object, p))
    return UINT32_MAX;
  return p->manager->chunks[slot >> SP_CHUNK_BITS].position * SP_CHUNK_SLOTS + (slot & SP_CHUNK_MASK);
}

uint32_t sp_timers(const sp_manager *m, sp_ref object, double *next)
{
  double soonest = INFINITY;
  uint32_t count = 0;
  if (sp_ref_is_live(m, object)) {
    uint32_t slot = sp_ref_slot(object);
    const uint32_t *timers = m->chunks[slot >> SP_CHUNK_BITS].timers;
    for (uint32_t i = timers ? timers[slot & SP_CHUNK_MASK] : 0; i; i = m->timers[i - 1].next, count++)
      soonest = fmin(soonest, sp_timer_wait(m, &m->timers[i - 1]));
  }
  if (next)
    *next = fmax(soonest, 0);
  return count;
}

uint32_t sp_children(const sp_manager *m, sp_ref parent, sp_ref *out, uint32_t most)
{
  uint32_t count = 0;
  if (!sp_ref_is_live(m, parent))
    return 0;
  uint32_t slot = sp_ref_slot(parent);
  const sp_family *family = m->chunks[slot >> SP_CHUNK_BITS].family;
  for (uint32_t child = family ? family[slot & SP_CHUNK_MASK].first : 0; child; count++) {
    if (count < most)
      out[count] = sp_ref_make(m, child - 1);
    child = m->chunks[(child - 1) >> SP_CHUNK_BITS].family[(child - 1) & SP_CHUNK_MASK].next;
  }
  return count;
}
