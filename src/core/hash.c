/*
** One number for the state of a manager. What is hashed is what the future depends on, in an order that does not depend
** on memory: the clock, then each pool, its objects by slot, and its idle objects in the order of their reuse.
*/
#include "core/parents.h"
#include "core/timer.h"

#define HASH_SEED 0x9e3779b97f4a7c15u
#define HASH_FACTOR 0xff51afd7ed558ccdu

/* {== Numbers ============================================================ */

static inline uint64_t hash_number(uint64_t hash, uint64_t number)
{
  hash = (hash ^ number) * HASH_FACTOR;
  return hash ^ hash >> 32;
}

static uint64_t hash_double(uint64_t hash, double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return hash_number(hash, bits);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
  for (; *text; text++)
    hash = hash_number(hash, (unsigned char)*text);
  return hash_number(hash, 0);
}

/* A cell of a number's size has the value of the number: its bytes may lie either way. */
static inline uint64_t hash_cell(uint64_t hash, const unsigned char *cell, uint32_t size)
{
  uint8_t one;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (size) {
  case sizeof one:
    return hash_number(hash, *cell);
  case sizeof two:
    memcpy(&two, cell, sizeof two);
    return hash_number(hash, two);
  case sizeof four:
    memcpy(&four, cell, sizeof four);
    return hash_number(hash, four);
  case sizeof eight:
    memcpy(&eight, cell, sizeof eight);
    return hash_number(hash, eight);
  default:
    for (uint32_t i = 0; i < size; i++)
      hash = hash_number(hash, cell[i]);
    return hash;
  }
}

/* Whose hash it is, and what sprites are called (sp_hash_sprites). */
typedef struct hashed {
  const sp_manager *m;
  const uint64_t *sprites;
  uint32_t sprite_count;
} hashed;

static uint64_t hash_look(uint64_t hash, const hashed *h, const unsigned char *cell)
{
  sp_look look;
  memcpy(&look, cell, sizeof look);
  const float floats[] = {look.scale, look.r, look.g, look.b, look.a, look.radius};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    hash = hash_cell(hash, (const unsigned char *)&floats[i], sizeof *floats);
  hash = hash_number(hash, look.sprite < h->sprite_count ? h->sprites[look.sprite] : look.sprite);
  return hash_number(hash, (uint64_t)(uint16_t)look.layer << 16 | (uint64_t)look.visible << 8 | look.pinned);
}

/* Slot and generation, counted from the manager's first one: ids and ranges of generations are not part of a state. */
static uint64_t hash_ref(uint64_t hash, const sp_manager *m, sp_ref ref)
{
  bool is_ours = sp_ref_is_ours(m, ref) && sp_ref_generation(ref) >= m->first_generation;
  return hash_number(hash, is_ours ? ref - ((sp_ref)m->first_generation << 32 | m->slots.origin) + 1 : 0);
}

/* }== */

/* {== Objects ============================================================ */

static uint64_t hash_cells(uint64_t hash, const hashed *h, const sp_pool *p, uint32_t slot, uint64_t columns)
{
  for (; columns; columns &= columns - 1) {
    int column = __builtin_ctzll(columns);
    const unsigned char *cell = sp_slot_cell(p, slot, column);
    if (column == SP_LOOK)
      hash = hash_look(hash, h, cell);
    else if (p->layout.refs >> column & 1)
      hash = hash_ref(hash, p->manager, *(const sp_ref *)(const void *)cell);
    else
      hash = hash_cell(hash, cell, p->layout.columns[column].size);
  }
  return hash;
}

static uint64_t hash_timer(uint64_t hash, const sp_manager *m, uint32_t index)
{
  const sp_timer_record *timer = &m->timers[index];
  hash = hash_double(hash_number(hash, (uint64_t)timer->stamp << 32 | (index + 1)), timer->from);
  return hash_number(hash_double(hash, timer->period), timer->fired);
}

static uint64_t hash_timers(uint64_t hash, const sp_manager *m, uint32_t slot)
{
  const sp_chunk *chunk = &m->chunks[slot >> SP_CHUNK_BITS];
  uint32_t at = chunk->timers ? chunk->timers[slot & SP_CHUNK_MASK] : 0;
  for (; at; at = m->timers[at - 1].next)
    hash = hash_timer(hash, m, at - 1);
  return hash_number(hash, 0);
}

static uint64_t hash_life(uint64_t hash, const sp_manager *m, uint32_t slot)
{
  double lifetime = sp_slot_lifetime(m, slot);
  hash = hash_double(hash_number(hash, m->slots.life[slot].serial), lifetime);
  if (lifetime != 0)
    hash = hash_number(hash, sp_expiry_left(&m->lives, slot));
  return hash_ref(hash_timers(hash, m, slot), m, sp_slot_parent(m, slot));
}

/* A slot without an object has a generation, and that is where the next one begins. */
static uint64_t hash_slot(uint64_t hash, const hashed *h, const sp_pool *p, uint32_t slot)
{
  const sp_manager *m = h->m;
  bool is_live = m->slots.life[slot].generation & 1;
  hash = hash_number(hash, (uint64_t)slot << 32 | (m->slots.life[slot].generation - m->first_generation));
  if (is_live)
    return hash_cells(hash_life(hash, m, slot), h, p, slot, p->layout.all);
  if (sp_bit(m->slots.made, slot))
    return hash_cells(hash_number(hash, m->slots.life[slot].serial != 0), h, p, slot, p->layout.kept);
  return hash;
}

static uint64_t hash_pool(uint64_t hash, const hashed *h, const sp_pool *p)
{
  hash = hash_text(hash, p->type);
  hash = hash_double(hash_number(hash, (uint64_t)p->prewarm_slice << 32 | p->prewarm_wanted), p->prewarm_from);
  for (uint32_t i = 0; i < p->chunk_count; i++)
    for (uint32_t slot = p->chunks[i] * SP_CHUNK_SLOTS; slot < (p->chunks[i] + 1) * SP_CHUNK_SLOTS; slot++)
      hash = hash_slot(hash, h, p, slot);
  for (uint32_t i = 0; i < sp_idle_count(&p->idle); i++)
    hash = hash_number(hash, sp_idle_get(&p->idle, i));
  return hash;
}

uint64_t sp_hash_sprites(const sp_manager *m, const uint64_t *sprites, uint32_t count)
{
  const hashed h = {m, sprites, count};
  uint64_t hash = hash_double(hash_double(hash_number(HASH_SEED, m->tick), m->spare), m->scale);
  hash = hash_number(hash_number(hash, m->paused), m->serial);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i])
      hash = hash_pool(hash, &h, m->pools[i]);
  for (uint32_t i = 0; i < m->timer_capacity; i++)
    if (sp_timer_is_used(&m->timers[i]) && !m->timers[i].owner)
      hash = hash_timer(hash, m, i);
  return hash;
}

uint64_t sp_hash(const sp_manager *m) { return sp_hash_sprites(m, NULL, 0); }

/* }== */
