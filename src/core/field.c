/*
** What a reference can be asked: its cells, its times, its pool.
*/
#include <math.h>

#include "core/state.h"

/* {== References ========================================================= */

bool sp_slot_is_unsettled(const sp_manager *m, uint32_t slot)
{
  for (const sp_dying *frame = m->dying; frame; frame = frame->outer)
    if (frame->slot == slot)
      return true;
  return m->opening && sp_ref_slot(m->opening) == slot;
}

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

/* {== Cells ============================================================== */

SP_COLD void sp_note_written(sp_pool *p, uint64_t columns)
{
  p->dirty |= columns;
  sp_pool_tune(p); /* idle objects rest: recycle has to see to it when there is motion */
}

static inline void mark_written(sp_pool *p, int column) { sp_mark_written(p, p->layout.columns[column].written); }

/* Returns `cell`, so that sp_cell can end in it. */
static SP_COLD void *first_written(sp_pool *p, uint64_t columns, void *cell)
{
  sp_note_written(p, columns);
  return cell;
}

/* Written out, for it is what C programs call most. */
void *sp_cell(sp_manager *m, sp_ref object, int column)
{
  uint32_t slot = (uint32_t)object - m->origin, generation = sp_ref_generation(object);
  if (!SP_LIKELY(slot < m->reach && m->generation[slot] == generation && (generation & 1 || sp_bit(m->made, slot))))
    return NULL;
  sp_pool *p = sp_slot_pool(m, slot);
  if (!SP_LIKELY(sp_has_column(p, column)))
    return NULL;
  const sp_column_layout *c = &p->layout.columns[column];
  void *cell = m->bases[slot >> SP_CHUNK_BITS] + c->offset + (slot & SP_CHUNK_MASK) * c->size;
  return SP_LIKELY((c->written & ~p->dirty) == 0) ? cell : first_written(p, c->written, cell);
}

const void *sp_peek(const sp_manager *m, sp_ref object, int column)
{
  if (!sp_ref_resolves(m, object))
    return NULL;
  const sp_pool *p = sp_slot_pool(m, sp_ref_slot(object));
  return sp_has_column(p, column) ? sp_slot_cell(p, sp_ref_slot(object), column) : NULL;
}

uint32_t sp_pool_chunks(const sp_pool *p) { return p->chunk_count; }

void *sp_pool_column(sp_pool *p, uint32_t chunk, int column)
{
  if (chunk >= p->chunk_count || !sp_has_column(p, column))
    return NULL;
  mark_written(p, column);
  return p->manager->bases[p->chunks[chunk]] + p->layout.columns[column].offset;
}

const void *sp_pool_peek(const sp_pool *p, uint32_t chunk, int column)
{
  if (chunk >= p->chunk_count || !sp_has_column(p, column))
    return NULL;
  return p->manager->bases[p->chunks[chunk]] + p->layout.columns[column].offset;
}

const uint64_t *sp_pool_live_bits(const sp_pool *p, uint32_t chunk)
{
  if (chunk >= p->chunk_count)
    return NULL;
  const sp_manager *m = p->manager;
  uint64_t *alive = m->alive + p->chunks[chunk] * SP_CHUNK_WORDS;
  for (uint32_t word = 0; word < SP_CHUNK_WORDS; word++) {
    alive[word] = sp_odd_slots(m, p->chunks[chunk] * SP_CHUNK_WORDS + word);
    for (uint64_t bits = m->unsettled ? alive[word] : 0; bits; bits &= bits - 1) {
      uint32_t bit = (uint32_t)__builtin_ctzll(bits);
      if (sp_slot_is_unsettled(m, p->chunks[chunk] * SP_CHUNK_SLOTS + word * 64 + bit))
        alive[word] &= ~((uint64_t)1 << bit);
    }
  }
  return alive;
}

/* }== */

/* {== Times ============================================================== */

static double birth_of(const sp_manager *m, uint32_t slot)
{
  double time;
  memcpy(&time, &m->serials[slot], sizeof time);
  return sp_birth(time, m->step, m->rate);
}

double sp_slot_age(const sp_manager *m, uint32_t slot)
{
  double age = m->time - birth_of(m, slot);
  return age > 0 ? age : 0;
}

double sp_age(sp_manager *m, sp_ref object)
{
  return sp_check(m, object) == SP_OK ? sp_slot_age(m, sp_ref_slot(object)) : 0;
}

double sp_lifetime(sp_manager *m, sp_ref object)
{
  return sp_check(m, object) == SP_OK ? sp_slot_lifetime(m, sp_ref_slot(object)) : 0;
}

double sp_remaining(sp_manager *m, sp_ref object)
{
  if (sp_check(m, object) != SP_OK)
    return 0;
  double lifetime = sp_slot_lifetime(m, sp_ref_slot(object));
  if (lifetime == 0)
    return (double)INFINITY;
  double left = birth_of(m, sp_ref_slot(object)) + lifetime - m->time;
  return left > 0 ? left : 0;
}

/* }== */
