/*
** Objects: cells, times, walks, and what tools see of a slot.
*/
#include <math.h>

#include "core/chunk.h"
#include "core/idle.h"
#include "core/timer.h"

/* {== Many slots ========================================================= */

bool sp_pool_live_bits(const sp_pool *p, uint32_t position, uint64_t *live)
{
  const sp_manager *m = p->manager;
  *live = 0;
  if (position >= p->chunk_count)
    return false;
  *live = sp_chunk_at(p, position)->live;
  for (uint64_t bits = m->slots.transitional ? *live : 0; bits; bits &= bits - 1)
    if (sp_slot_is_transitional(m, p->chunks[position] * SP_CHUNK_SLOTS + (uint32_t)__builtin_ctzll(bits)))
      *live &= ~(bits & -bits);
  return true;
}

void sp_pool_each_slot(const sp_pool *p, bool live, bool idle, void (*fn)(void *ud, uint32_t slot), void *ud)
{
  for (uint32_t k = 0; k < p->chunk_count; k++) {
    const sp_chunk *chunk = sp_chunk_at(p, k);
    for (uint64_t bits = chunk->made; bits; bits &= bits - 1) {
      uint32_t i = (uint32_t)__builtin_ctzll(bits);
      if (chunk->life[i].generation & 1 ? live : idle && chunk->life[i].serial != 0)
        fn(ud, p->chunks[k] * SP_CHUNK_SLOTS + i);
    }
  }
}

/* Returns the first object of a chunk from its slot `from` on, at most 64, that lived already when a walk began. */
static sp_ref scan_chunk(const sp_manager *m, uint32_t number, uint32_t from, uint64_t serial)
{
  const sp_chunk *chunk = &m->slots.chunks[number];
  for (uint64_t bits = from < SP_CHUNK_SLOTS ? chunk->live >> from << from : 0; bits; bits &= bits - 1) {
    const uint32_t i = (uint32_t)__builtin_ctzll(bits), slot = number * SP_CHUNK_SLOTS + i;
    if (chunk->life[i].serial <= serial && (m->slots.transitional == 0 || !sp_slot_is_transitional(m, slot)))
      return (sp_ref)chunk->life[i].generation << 32 | m->slots.id_bits | slot;
  }
  return SP_NULL_REF;
}

uint64_t sp_serial(const sp_manager *m) { return m->serial; }
uint64_t sp_serial_of(const sp_manager *m, sp_ref object) { return sp_slot_life(m, sp_ref_slot(object))->serial; }

/* Returns the number of a chunk after this one, with none that has life between them. Those of a pool that follow each
   other are passed by its marks: a pool that once was large costs next to nothing. */
static uint32_t next_number_of(const sp_manager *m, uint32_t number)
{
  const sp_chunk *chunk = &m->slots.chunks[number];
  const sp_pool *p = chunk->owner;
  const uint32_t next = p ? sp_next_lively(p, chunk->position + 1) : 0;
  if (next <= chunk->position + 1)
    return number + 1;
  const uint32_t last = next < p->chunk_count ? next : p->chunk_count - 1;
  if (p->chunks[last] - number != last - chunk->position)
    return number + 1;
  return p->chunks[last] + (last != next);
}

sp_ref sp_next_live(const sp_manager *m, uint64_t serial, sp_ref last)
{
  uint32_t from = last ? sp_ref_slot(last) + 1 : 0;
  for (uint32_t number = from >> SP_CHUNK_BITS; number < m->chunk_count; from = 0) {
    sp_ref object = scan_chunk(m, number, from & SP_CHUNK_MASK, serial);
    if (object)
      return object;
    number = next_number_of(m, number);
  }
  return SP_NULL_REF;
}

/* }== */

/* {== Cells ============================================================== */

/* From now on a program can write these columns. Returns `at`, so that sp_object_cell can end in it. */
static SP_COLD void *expose(sp_pool *p, uint64_t columns, bool unpins, void *at)
{
  sp_note_written(p, columns);
  p->exposed |= columns;
  if (unpins || p->ages.pinned == 0)
    sp_note_unpinned(p);
  return at;
}

static SP_COLD void *expose_cell(sp_pool *p, int column, void *cell)
{
  return expose(p, p->layout.columns[column].written, column == SP_LOOK && ((sp_look *)cell)->pinned, cell);
}

/* Does not call its parts, because C programs call this most. */
void *sp_object_cell(sp_manager *m, sp_ref object, int column)
{
  uint32_t slot = (uint32_t)object - m->slots.id_bits, generation = sp_ref_generation(object);
  if (!SP_LIKELY(slot < m->slots.slot_count))
    return NULL;
  const sp_chunk *chunk = sp_slot_chunk(m, slot);
  slot &= SP_CHUNK_MASK;
  if (!SP_LIKELY(chunk->life[slot].generation == generation && (generation & 1 || chunk->made >> slot & 1)))
    return NULL;
  sp_pool *p = chunk->owner;
  if (!SP_LIKELY(sp_has_column(p, column)))
    return NULL;
  const sp_column_layout *c = &p->layout.columns[column];
  void *cell = chunk->base + c->offset + slot * c->size;
  return SP_LIKELY((c->written & ~p->handed) == 0) ? cell : expose_cell(p, column, cell);
}

const void *sp_object_peek(const sp_manager *m, sp_ref object, int column)
{
  if (!sp_ref_resolves(m, object))
    return NULL;
  const sp_pool *p = sp_slot_pool(m, sp_ref_slot(object));
  return sp_has_column(p, column) ? sp_slot_cell(p, sp_ref_slot(object), column) : NULL;
}

uint32_t sp_pool_chunks(const sp_pool *p) { return p->chunk_count; }
uint32_t sp_pool_idle(const sp_pool *p) { return p->idle.count; }

void *sp_pool_column(sp_pool *p, uint32_t chunk, int column)
{
  if (chunk >= p->chunk_count || !sp_has_column(p, column))
    return NULL;
  const sp_column_layout *c = &p->layout.columns[column];
  void *at = sp_chunk_at(p, chunk)->base + c->offset;
  return (c->written & ~p->handed) == 0 ? at : expose(p, c->written, column == SP_LOOK, at);
}

const void *sp_pool_peek_column(const sp_pool *p, uint32_t chunk, int column)
{
  if (chunk >= p->chunk_count || !sp_has_column(p, column))
    return NULL;
  return sp_chunk_at(p, chunk)->base + p->layout.columns[column].offset;
}

sp_start sp_pool_first_start(const sp_pool *p)
{
  const float *first = (const float *)(const void *)p->layout.initial;
  return p->desc.spatial
             ? (sp_start){first[SP_X], first[SP_Y], first[SP_ANGLE], first[SP_VX], first[SP_VY], SP_NULL_REF}
             : (sp_start){0};
}

void sp_pool_reset_columns(sp_pool *p, uint64_t columns)
{
  for (uint64_t mask = columns; mask; mask &= mask - 1) {
    int column = __builtin_ctzll(mask);
    const sp_column_layout *c = &p->layout.columns[column];
    for (uint32_t k = 0; k < p->chunk_count; k++)
      for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
        memcpy(sp_slot_cell(p, p->chunks[k] * SP_CHUNK_SLOTS + i, column), p->layout.initial + c->initial, c->size);
  }
}

/* }== */

/* {== Times ============================================================== */

double sp_object_age(const sp_manager *m, sp_ref object)
{
  return sp_ref_resolves(m, object) ? sp_slot_age(m, sp_ref_slot(object)) : 0;
}

double sp_object_lifetime(const sp_manager *m, sp_ref object)
{
  return sp_ref_resolves(m, object) ? sp_slot_lifetime(m, sp_ref_slot(object)) : 0;
}

double sp_object_remaining(const sp_manager *m, sp_ref object)
{
  if (!sp_ref_resolves(m, object))
    return 0;
  double lifetime = sp_slot_lifetime(m, sp_ref_slot(object));
  if (lifetime == 0)
    return (double)INFINITY;
  double left = sp_slot_birth(m, sp_ref_slot(object)) + lifetime - m->time;
  return left > 0 ? left : 0;
}

/* }== */

/* {== Walks ============================================================== */

sp_walk sp_pool_walk(sp_pool *p) { return (sp_walk){p, SP_NULL_REF, p->manager->serial}; }

static __attribute__((noinline)) sp_ref walk_on(sp_walk *walk)
{
  sp_pool *p = walk->pool;
  uint32_t position = 0;
  if (walk->last) {
    uint32_t slot = sp_ref_slot(walk->last), number = slot >> SP_CHUNK_BITS;
    const sp_chunk *chunk = &p->manager->slots.chunks[number];
    const bool ours = chunk->owner == p; /* false when the chunk was freed meanwhile */
    sp_ref object = ours ? scan_chunk(p->manager, number, (slot & SP_CHUNK_MASK) + 1, walk->serial) : SP_NULL_REF;
    if (object)
      return walk->last = object;
    position = sp_chunk_position_after(p, number);
  }
  for (; (position = sp_next_lively(p, position)) < p->chunk_count; position++) {
    sp_ref object = scan_chunk(p->manager, p->chunks[position], 0, walk->serial);
    if (object)
      return walk->last = object;
    sp_chunk_has_life(p, position); /* the next walk need not look at it, if it has none */
  }
  return SP_NULL_REF;
}

/* Mostly the next slot of the chunk has a life: then nothing waits until the next one is found. */
sp_ref sp_walk_next(sp_walk *walk)
{
  const sp_manager *m = walk->pool->manager;
  const uint32_t slot = sp_ref_slot(walk->last) + 1, at = slot & SP_CHUNK_MASK;
  if (!SP_LIKELY(walk->last && at && m->slots.transitional == 0))
    return walk_on(walk);
  const sp_chunk *chunk = sp_slot_chunk(m, slot);
  const sp_life *life = &chunk->life[at];
  if (!SP_LIKELY(chunk->live >> at & 1 && chunk->owner == walk->pool && life->serial <= walk->serial))
    return walk_on(walk);
  return walk->last = (sp_ref)life->generation << 32 | m->slots.id_bits | slot;
}

static sp_slot_state state_of(const sp_manager *m, uint32_t slot)
{
  const sp_chunk *chunk = sp_slot_chunk(m, slot);
  uint32_t generation = chunk->life[slot & SP_CHUNK_MASK].generation;
  if (generation & 1)
    return sp_slot_is_live(m, slot) ? SP_SLOT_LIVE : SP_SLOT_ENDING;
  if (chunk->made >> (slot & SP_CHUNK_MASK) & 1)
    return SP_SLOT_IDLE;
  return generation >= m->id.last ? SP_SLOT_RETIRED : SP_SLOT_EMPTY;
}

sp_ref sp_pool_next_idle(const sp_pool *p, sp_ref after)
{
  if (after && sp_object_pool(p->manager, after) != p)
    return SP_NULL_REF;
  const uint32_t slot = sp_idle_above(p, after ? sp_ref_slot(after) : UINT32_MAX);
  return slot != UINT32_MAX ? sp_ref_make(p->manager, slot) : SP_NULL_REF;
}

sp_ref sp_pool_idle_after(const sp_pool *p, sp_ref after)
{
  const uint32_t slot = sp_idle_after(p, after ? sp_ref_slot(after) : UINT32_MAX);
  return slot != UINT32_MAX ? sp_ref_make(p->manager, slot) : SP_NULL_REF;
}

/* }== */

/* {== Tools ============================================================== */

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
    out[i].object = is_object ? sp_ref_make(m, slot) : SP_NULL_REF;
    out[i].age = state == SP_SLOT_LIVE ? (float)sp_slot_age(m, slot) : 0;
  }
  return count;
}

void sp_pool_chunk_ages(const sp_pool *p, uint32_t chunk, double *ages)
{
  const sp_manager *m = p->manager;
  const sp_life *life = sp_chunk_at(p, chunk)->life;
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
  if (sp_object_pool(p->manager, object) != p)
    return UINT32_MAX;
  return sp_slot_chunk(p->manager, slot)->position * SP_CHUNK_SLOTS + (slot & SP_CHUNK_MASK);
}

uint32_t sp_object_timers(const sp_manager *m, sp_ref object, double *next)
{
  double soonest = INFINITY;
  uint32_t count = 0;
  if (sp_ref_is_live(m, object)) {
    uint32_t slot = sp_ref_slot(object);
    const uint32_t *timers = sp_slot_lives(m, slot)->timers;
    for (uint32_t i = timers ? timers[slot & SP_CHUNK_MASK] : 0; i; i = sp_timer_at(m, i - 1)->next, count++)
      soonest = fmin(soonest, sp_timer_wait(m, sp_timer_at(m, i - 1)));
  }
  if (next)
    *next = fmax(soonest, 0);
  return count;
}

uint32_t sp_object_children(const sp_manager *m, sp_ref parent, sp_ref *out, uint32_t most)
{
  uint32_t count = 0;
  if (!sp_ref_is_live(m, parent))
    return 0;
  uint32_t slot = sp_ref_slot(parent);
  const sp_family *family = sp_slot_lives(m, slot)->family;
  for (uint32_t child = family ? family[slot & SP_CHUNK_MASK].first : 0; child; count++) {
    if (count < most)
      out[count] = sp_ref_make(m, child - 1);
    child = sp_slot_lives(m, child - 1)->family[(child - 1) & SP_CHUNK_MASK].next;
  }
  return count;
}

/* }== */
