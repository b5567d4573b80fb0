/*
** Cells and times of objects.
*/
#include <math.h>

#include "core/slot.h"

/* {== Cells ============================================================== */

static inline void mark_written(sp_pool *p, int column) { sp_mark_written(p, p->layout.columns[column].written); }

/* Returns `cell`, so that sp_cell can end in it. */
static SP_COLD void *first_written(sp_pool *p, uint64_t columns, void *cell)
{
  sp_note_written(p, columns);
  return cell;
}

/* Does not call its parts, because C programs call this most. */
void *sp_cell(sp_manager *m, sp_ref object, int column)
{
  uint32_t slot = (uint32_t)object - m->slots.origin, generation = sp_ref_generation(object);
  if (!SP_LIKELY(slot < m->slots.reach && m->slots.life[slot].generation == generation &&
                 (generation & 1 || sp_bit(m->slots.made, slot))))
    return NULL;
  sp_pool *p = sp_slot_pool(m, slot);
  if (!SP_LIKELY(sp_has_column(p, column)))
    return NULL;
  const sp_column_layout *c = &p->layout.columns[column];
  void *cell = m->slots.bases[slot >> SP_CHUNK_BITS] + c->offset + (slot & SP_CHUNK_MASK) * c->size;
  return SP_LIKELY((c->written & ~p->view.dirty) == 0) ? cell : first_written(p, c->written, cell);
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
  return p->manager->slots.bases[p->chunks[chunk]] + p->layout.columns[column].offset;
}

const void *sp_pool_peek(const sp_pool *p, uint32_t chunk, int column)
{
  if (chunk >= p->chunk_count || !sp_has_column(p, column))
    return NULL;
  return p->manager->slots.bases[p->chunks[chunk]] + p->layout.columns[column].offset;
}

sp_place sp_pool_first_place(const sp_pool *p)
{
  const float *initial = (const float *)p->layout.initial;
  return (sp_place){initial[SP_X], initial[SP_Y], initial[SP_ANGLE]};
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

double sp_age(const sp_manager *m, sp_ref object)
{
  return sp_ref_resolves(m, object) ? sp_slot_age(m, sp_ref_slot(object)) : 0;
}

double sp_lifetime(const sp_manager *m, sp_ref object)
{
  return sp_ref_resolves(m, object) ? sp_slot_lifetime(m, sp_ref_slot(object)) : 0;
}

double sp_remaining(const sp_manager *m, sp_ref object)
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
