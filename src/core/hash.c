/*
** Hashes the state of a manager: everything that affects later calls, in an order that does not depend on memory: the
** clock, then each pool, its objects by slot, and its idle objects in the order of their reuse.
*/
#include "core/parents.h"
#include "core/timer.h"

#define HASH_SEED 0x9e3779b97f4a7c15u

/* {== Numbers ============================================================ */

static uint64_t hash_double(uint64_t hash, double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return sp_hash_mix(hash, bits);
}

static inline uint64_t float_bits(float number)
{
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* Reads a cell of a number's size as that number, so that the hash does not depend on the order of bytes. */
static inline uint64_t number_in(const unsigned char *cell, uint32_t size)
{
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (size) {
  case 1:
    return *cell;
  case sizeof two:
    memcpy(&two, cell, sizeof two);
    return two;
  case sizeof four:
    memcpy(&four, cell, sizeof four);
    return four;
  case sizeof eight:
    memcpy(&eight, cell, sizeof eight);
    return eight;
  default:
    return sp_sum(SP_SUM_BEGIN, cell, size);
  }
}

uint64_t sp_hash_ref(const sp_manager *m, sp_ref ref)
{
  bool is_ours = sp_ref_is_ours(m, ref) && sp_ref_generation(ref) >= m->first_generation;
  return is_ours ? ref - ((sp_ref)m->first_generation << 32 | m->slots.origin) + 1 : 0;
}

/* }== */

/* {== Objects ============================================================ */

/* The hash so far, and the object whose parts come next. */
typedef struct hashed {
  const sp_manager *m;
  const sp_pool *pool;
  const sp_hashing *how;
  uint64_t hash;
  uint32_t slot;
  bool is_told; /* on_part receives the parts of this object */
} hashed;

static inline void add_part(hashed *h, int part, uint64_t number)
{
  h->hash = sp_hash_mix(h->hash, number);
  if (h->is_told)
    h->how->on_part(h->how->ud, sp_ref_make(h->m, h->slot), part, number);
}

static void add_look(hashed *h, const unsigned char *cell)
{
  sp_look look;
  memcpy(&look, cell, sizeof look);
  const float floats[] = {look.scale, look.r, look.g, look.b, look.a, look.radius};
  int part = SP_PART_LOOK;
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    add_part(h, part++, float_bits(floats[i]));
  add_part(h, part++, (uint16_t)look.layer);
  add_part(h, part++, look.sprite < h->how->sprite_count ? h->how->sprites[look.sprite] : look.sprite);
  add_part(h, part++, look.visible);
  add_part(h, part++, look.pinned);
}

static void add_cells(hashed *h, uint64_t columns)
{
  const sp_pool *p = h->pool;
  for (; columns; columns &= columns - 1) {
    int column = __builtin_ctzll(columns);
    const unsigned char *cell = sp_slot_cell(p, h->slot, column);
    if (column == SP_LOOK)
      add_look(h, cell);
    else if (p->layout.refs >> column & 1)
      add_part(h, column, sp_hash_ref(h->m, *(const sp_ref *)(const void *)cell));
    else
      add_part(h, column, number_in(cell, p->layout.columns[column].size));
  }
}

static uint64_t hash_timer(uint64_t hash, const sp_manager *m, uint32_t index)
{
  const sp_timer_record *timer = &m->timers[index];
  hash = hash_double(sp_hash_mix(hash, (uint64_t)timer->stamp << 32 | (index + 1)), timer->from);
  return sp_hash_mix(hash_double(hash, timer->period), timer->fired);
}

static uint64_t hash_timers(const sp_manager *m, uint32_t slot)
{
  const sp_chunk *chunk = &m->chunks[slot >> SP_CHUNK_BITS];
  uint32_t at = chunk->timers ? chunk->timers[slot & SP_CHUNK_MASK] : 0;
  uint64_t hash = 0;
  for (; at; at = m->timers[at - 1].next)
    hash = hash_timer(hash, m, at - 1);
  return hash;
}

static void add_life(hashed *h)
{
  const sp_manager *m = h->m;
  double lifetime = sp_slot_lifetime(m, h->slot);
  add_part(h, SP_PART_BEGIN, m->slots.life[h->slot].serial);
  add_part(h, SP_PART_END, lifetime == 0 ? 0 : hash_double(sp_expiry_left(&m->lives, h->slot), lifetime));
  add_part(h, SP_PART_TIMERS, hash_timers(m, h->slot));
  add_part(h, SP_PART_PARENT, sp_hash_ref(m, sp_slot_parent(m, h->slot)));
}

/* A slot without an object has a generation too: its next object continues from it. */
static void add_slot(hashed *h, uint32_t slot)
{
  const sp_life *life = &h->m->slots.life[slot];
  const bool is_live = life->generation & 1;
  h->slot = slot;
  h->is_told = is_live && h->how->on_part;
  h->hash = sp_hash_mix(h->hash, (uint64_t)slot << 32 | (life->generation - h->m->first_generation));
  if (is_live) {
    add_life(h);
    add_cells(h, h->pool->layout.all);
  } else if (sp_bit(h->m->slots.made, slot)) {
    h->hash = sp_hash_mix(h->hash, life->serial != 0);
    add_cells(h, h->pool->layout.kept);
  }
}

/* }== */

uint64_t sp_hash_manager(const sp_manager *m)
{
  uint64_t hash = hash_double(hash_double(sp_hash_mix(HASH_SEED, m->tick), m->spare), m->scale);
  hash = sp_hash_mix(sp_hash_mix(hash, m->paused), m->serial);
  for (uint32_t i = 0; i < m->timer_capacity; i++)
    if (sp_timer_is_used(&m->timers[i]) && !m->timers[i].owner)
      hash = hash_timer(hash, m, i);
  return hash;
}

uint64_t sp_hash_pool(uint64_t hash, const sp_pool *p, const sp_hashing *how)
{
  hashed h = {p->manager, p, how, sp_hash_mix(hash, sp_sum(SP_SUM_BEGIN, p->type, strlen(p->type))), 0, false};
  h.hash = hash_double(sp_hash_mix(h.hash, (uint64_t)p->prewarm_slice << 32 | p->prewarm_wanted), p->prewarm_from);
  for (uint32_t i = 0; i < p->chunk_count; i++)
    for (uint32_t slot = p->chunks[i] * SP_CHUNK_SLOTS; slot < (p->chunks[i] + 1) * SP_CHUNK_SLOTS; slot++)
      add_slot(&h, slot);
  for (uint32_t i = 0; i < sp_idle_count(&p->idle); i++)
    h.hash = sp_hash_mix(h.hash, sp_idle_get(&p->idle, i));
  return h.hash;
}

uint64_t sp_hash(const sp_manager *m)
{
  uint64_t hash = sp_hash_manager(m);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i])
      hash = sp_hash_pool(hash, m->pools[i], &(sp_hashing){0});
  return hash;
}
