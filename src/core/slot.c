#include "core/slot.h"

/* {== References ========================================================= */

bool sp_is_live(const sp_manager *m, sp_ref object) { return sp_ref_is_live(m, object); }

sp_pool *sp_owner(const sp_manager *m, sp_ref object)
{
  if (!sp_ref_is_ours(m, object))
    return NULL;
  return sp_slot_pool(m, sp_ref_slot(object));
}

sp_result sp_check(sp_manager *m, sp_ref object)
{
  if (sp_ref_resolves(m, object))
    return SP_OK;
  sp_pool *p = sp_owner(m, object);
  if (p)
    p->stale_uses++;
  return sp_ref_is_ours(m, object) ? SP_STALE : SP_FOREIGN;
}

uint32_t sp_object_number(const sp_manager *m, sp_ref object)
{
  if (!sp_ref_is_ours(m, object))
    return 0;
  uint32_t slot = sp_ref_slot(object);
  return m->chunks[slot >> SP_CHUNK_BITS].number * SP_CHUNK_SLOTS + (slot & SP_CHUNK_MASK) + 1;
}

/* }== */

/* {== Many slots ========================================================= */

const uint64_t *sp_pool_live_bits(const sp_pool *p, uint32_t chunk)
{
  if (chunk >= p->chunk_count)
    return NULL;
  const sp_manager *m = p->manager;
  uint64_t *alive = m->alive + p->chunks[chunk] * SP_CHUNK_WORDS;
  for (uint32_t word = 0; word < SP_CHUNK_WORDS; word++) {
    alive[word] = sp_odd_slots(m, p->chunks[chunk] * SP_CHUNK_WORDS + word);
    for (uint64_t bits = m->slots.unsettled ? alive[word] : 0; bits; bits &= bits - 1) {
      uint32_t bit = (uint32_t)__builtin_ctzll(bits);
      if (sp_slot_is_unsettled(m, p->chunks[chunk] * SP_CHUNK_SLOTS + word * 64 + bit))
        alive[word] &= ~((uint64_t)1 << bit);
    }
  }
  return alive;
}

void sp_pool_each_slot(const sp_pool *p, bool live, bool idle, void (*fn)(void *ud, uint32_t slot), void *ud)
{
  const sp_manager *m = p->manager;
  for (uint32_t k = 0; k < p->chunk_count; k++)
    for (uint32_t slot = p->chunks[k] * SP_CHUNK_SLOTS; slot < (p->chunks[k] + 1) * SP_CHUNK_SLOTS; slot++)
      if (sp_bit(m->slots.made, slot) &&
          (m->slots.life[slot].generation & 1 ? live : idle && m->slots.life[slot].serial != 0))
        fn(ud, slot);
}

uint64_t sp_serial(const sp_manager *m) { return m->serial; }
uint64_t sp_serial_of(const sp_manager *m, sp_ref object) { return m->slots.life[sp_ref_slot(object)].serial; }

sp_ref sp_next_live(const sp_manager *m, uint64_t serial, sp_ref last)
{
  for (uint32_t slot = last ? sp_ref_slot(last) + 1 : 0; slot < m->chunk_count * SP_CHUNK_SLOTS; slot++)
    if (sp_slot_is_live(m, slot) && m->slots.life[slot].serial <= serial)
      return sp_ref_make(m, slot);
  return SP_NONE_REF;
}

/* }== */
