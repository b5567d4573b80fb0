/*
** One number for the state of a manager. What is hashed is what the future depends on, in an order that does not depend
** on memory: the clock, then each pool, its objects by slot, and its idle objects in the order of their reuse.
*/
#include "core/state.h"

#define SEED 0x9e3779b97f4a7c15u
#define FACTOR 0xff51afd7ed558ccdu

/* {== Numbers ============================================================ */

static inline uint64_t mix(uint64_t hash, uint64_t number)
{
  hash = (hash ^ number) * FACTOR;
  return hash ^ hash >> 32;
}

static uint64_t mix_double(uint64_t hash, double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return mix(hash, bits);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
  for (; *text; text++)
    hash = mix(hash, (unsigned char)*text);
  return mix(hash, 0);
}

/* A cell of a number's size has the value of the number: its bytes may lie either way. */
static inline uint64_t mix_cell(uint64_t hash, const unsigned char *cell, uint32_t size)
{
  uint8_t one;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (size) {
  case sizeof one:
    return mix(hash, *cell);
  case sizeof two:
    memcpy(&two, cell, sizeof two);
    return mix(hash, two);
  case sizeof four:
    memcpy(&four, cell, sizeof four);
    return mix(hash, four);
  case sizeof eight:
    memcpy(&eight, cell, sizeof eight);
    return mix(hash, eight);
  default:
    for (uint32_t i = 0; i < size; i++)
      hash = mix(hash, cell[i]);
    return hash;
  }
}

static uint64_t mix_look(uint64_t hash, const unsigned char *cell)
{
  sp_look look;
  memcpy(&look, cell, sizeof look);
  const float floats[] = {look.scale, look.r, look.g, look.b, look.a, look.radius};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    hash = mix_cell(hash, (const unsigned char *)&floats[i], sizeof *floats);
  return mix(hash, (uint64_t)(uint16_t)look.layer << 32 | (uint64_t)look.sprite << 16 | (uint64_t)look.visible << 8 |
                       look.pinned);
}

/* }== */

/* {== Objects ============================================================ */

static uint64_t mix_cells(uint64_t hash, const sp_pool *p, uint32_t slot, uint64_t columns)
{
  for (; columns; columns &= columns - 1) {
    int column = __builtin_ctzll(columns);
    const unsigned char *cell = sp_slot_cell(p, slot, column);
    hash = column == SP_LOOK ? mix_look(hash, cell) : mix_cell(hash, cell, p->layout.columns[column].size);
  }
  return hash;
}

static uint64_t mix_timers(uint64_t hash, const sp_manager *m, uint32_t slot)
{
  const sp_chunk *chunk = &m->chunks[slot >> SP_CHUNK_BITS];
  uint32_t at = chunk->timers ? chunk->timers[slot & SP_CHUNK_MASK] : 0;
  for (; at; at = m->timers[at - 1].next) {
    const sp_timer_record *timer = &m->timers[at - 1];
    hash = mix_double(mix_double(mix(hash, (uint64_t)timer->stamp << 32 | at), timer->from), timer->period);
    hash = mix(hash, timer->fired);
  }
  return mix(hash, 0);
}

/* The due tick counts and not what is left: it is whole. */
static uint64_t mix_life(uint64_t hash, const sp_manager *m, uint32_t slot)
{
  const sp_term *term = sp_expiry_term(&m->lives, slot, m->generation[slot]);
  hash = mix(hash, m->serials[slot]);
  hash = term ? mix_double(mix(hash, (uint64_t)term->strides << 32 | term->due), term->lifetime) : mix(hash, 0);
  return mix(mix_timers(hash, m, slot), sp_slot_parent(m, slot));
}

/* A slot without an object has a generation, and that is where the next one begins. */
static uint64_t mix_slot(uint64_t hash, const sp_pool *p, uint32_t slot)
{
  const sp_manager *m = p->manager;
  bool is_live = m->generation[slot] & 1;
  hash = mix(hash, (uint64_t)slot << 32 | m->generation[slot]);
  if (is_live)
    return mix_cells(mix_life(hash, m, slot), p, slot, p->layout.all);
  return sp_bit(m->made, slot) ? mix_cells(mix(hash, m->serials[slot] != 0), p, slot, p->layout.kept) : hash;
}

static uint64_t mix_pool(uint64_t hash, const sp_pool *p)
{
  hash = mix_text(hash, p->type);
  hash = mix_double(mix(hash, (uint64_t)p->prewarm_slice << 32 | p->prewarm_wanted), p->prewarm_from);
  for (uint32_t i = 0; i < p->chunk_count; i++)
    for (uint32_t slot = p->chunks[i] * SP_CHUNK_SLOTS; slot < (p->chunks[i] + 1) * SP_CHUNK_SLOTS; slot++)
      hash = mix_slot(hash, p, slot);
  for (uint32_t i = 0; i < sp_idle_count(&p->idle); i++)
    hash = mix(hash, sp_idle_get(&p->idle, i));
  return hash;
}

uint64_t sp_hash(const sp_manager *m)
{
  uint64_t hash = mix_double(mix_double(mix(SEED, m->tick), m->spare), m->scale);
  hash = mix(mix(hash, m->paused), m->serial);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i])
      hash = mix_pool(hash, m->pools[i]);
  return hash;
}

/* }== */
