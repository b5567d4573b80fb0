/*
** Writes a save. The format is independent of the layout in memory, so that a reader can check each number, and a later
** version may change the layout. docs/c.md documents what the format guarantees; load.c reads it.
*/
#include "core/busy.h"
#include "core/stream.h"
#include "core/timer.h"

/* {== Pools ============================================================== */

static void write_look(sp_writer *w, const sp_look *look)
{
  sp_put_float(w, look->scale);
  sp_put_float(w, look->r);
  sp_put_float(w, look->g);
  sp_put_float(w, look->b);
  sp_put_float(w, look->a);
  sp_put_float(w, look->radius);
  sp_put_number(w, (uint16_t)look->layer, 2);
  sp_put_number(w, look->sprite, 2);
  sp_put_number(w, look->visible, 1);
  sp_put_number(w, look->pinned, 1);
}

static void write_value(sp_writer *w, const sp_pool *p, int column, const void *cell)
{
  if (column == SP_LOOK) {
    sp_look look;
    memcpy(&look, cell, sizeof look);
    write_look(w, &look);
  } else {
    sp_put_cell(w, cell, p->layout.columns[column].size);
  }
}

static void write_layout(sp_writer *w, const sp_pool *p)
{
  const sp_layout *layout = &p->layout;
  sp_put_number(w, p->spatial, 1);
  sp_put_number(w, (uint64_t)layout->field_count, 1);
  for (int i = 0; i < layout->field_count; i++) {
    uint64_t bit = (uint64_t)1 << (SP_FIELDS + i);
    sp_put_text(w, layout->names[i]);
    sp_put_number(w, layout->columns[SP_FIELDS + i].size, 2);
    sp_put_number(w, (layout->kept & bit) != 0, 1);
    sp_put_number(w, (layout->live & bit) != 0, 1);
    sp_put_number(w, (layout->refs & bit) != 0, 1);
  }
  for (uint64_t left = layout->all; left; left &= left - 1) {
    int column = __builtin_ctzll(left);
    write_value(w, p, column, layout->initial + layout->columns[column].initial);
  }
}

static void write_behaviour(sp_writer *w, const sp_pool *p)
{
  const float numbers[] = {p->motion.gravity, p->motion.drag, p->bounds.x, p->bounds.y, p->bounds.w, p->bounds.h};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sp_put_float(w, numbers[i]);
  sp_put_number(w, p->motion.face_velocity, 1);
  sp_put_number(w, p->bounds.outside, 1);
  sp_put_number(w, p->on_parent_end, 1);
  sp_put_number(w, (uint64_t)p->curve_count, 1);
  for (int i = 0; i < p->curve_count; i++) {
    sp_put_number(w, (uint64_t)p->curves[i].column, 1);
    sp_put_number(w, p->curves[i].offset, 2);
    sp_put_number(w, p->curves[i].count, 1);
    for (int k = 0; k < SP_MAX_POINTS; k++)
      sp_put_float(w, p->curves[i].points[k]);
  }
}

static void write_counts(sp_writer *w, const sp_pool *p)
{
  const uint64_t counts[] = {p->recycles, p->expired,    p->refused,         p->evicted,
                             p->vetoed,   p->stale_uses, p->double_recycles, p->created};
  const uint32_t small[] = {p->next_number,   p->peak,   p->retired,  p->prewarm_wanted,
                            p->prewarm_slice, p->warmed, p->warm_goal};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    sp_put_number(w, counts[i], 8);
  for (size_t i = 0; i < sizeof small / sizeof *small; i++)
    sp_put_number(w, small[i], 4);
  sp_put_number(w, p->view.dirty, 8);
  sp_put_double(w, p->peak_time);
  sp_put_double(w, p->prewarm_from);
}

static void write_pool(sp_writer *w, const sp_pool *p)
{
  const sp_settings s = sp_pool_settings(p);
  sp_put_text(w, p->type);
  write_layout(w, p);
  sp_put_number(w, s.prealloc, 4);
  sp_put_number(w, s.grow, 4);
  sp_put_number(w, s.limit, 4);
  sp_put_number(w, s.idle_limit, 4);
  sp_put_number(w, s.overflow, 1);
  sp_put_number(w, s.order, 1);
  write_behaviour(w, p);
  write_counts(w, p);
}

static void write_idle(sp_writer *w, const sp_pool *p)
{
  uint32_t count = sp_idle_count(&p->idle);
  sp_put_number(w, count, 4);
  for (uint32_t i = 0; i < count; i++)
    sp_put_number(w, sp_idle_get(&p->idle, i), 4);
}

/* }== */

/* {== Chunks ============================================================= */

static void write_columns(sp_writer *w, const sp_pool *p, uint32_t slot, uint64_t columns)
{
  for (; columns; columns &= columns - 1) {
    int column = __builtin_ctzll(columns);
    write_value(w, p, column, sp_slot_cell(p, slot, column));
  }
}

/* The tick is written as what is left: it has few bits on a clock that has run for years. A life that was kept past its
   end has nothing left. */
static void write_end(sp_writer *w, const sp_manager *m, uint32_t slot)
{
  double lifetime = sp_slot_lifetime(m, slot);
  sp_put_number(w, lifetime != 0, 1);
  if (lifetime == 0)
    return;
  sp_put_double(w, lifetime);
  sp_put_number(w, sp_expiry_left(&m->lives, slot), 8);
}

static void write_object(sp_writer *w, const sp_pool *p, uint32_t slot)
{
  const sp_manager *m = p->manager;
  bool is_live = m->slots.life[slot].generation & 1;
  sp_put_number(w, m->slots.life[slot].serial, 8);
  if (is_live)
    write_end(w, m, slot);
  write_columns(w, p, slot, is_live ? p->layout.all : p->layout.kept);
}

static void write_chunk(sp_writer *w, const sp_manager *m, uint32_t number)
{
  const sp_pool *p = m->slots.owners[number];
  uint32_t first = number * SP_CHUNK_SLOTS;
  sp_put_number(w, p ? p->index : SP_NO_OWNER, 4);
  sp_put_number(w, m->chunks[number].number, 4);
  for (uint32_t slot = first; slot < first + SP_CHUNK_SLOTS; slot++)
    sp_put_number(w, m->slots.life[slot].generation, 4);
  for (uint32_t word = 0; p && word < SP_CHUNK_WORDS; word++)
    sp_put_number(w, m->slots.made[number * SP_CHUNK_WORDS + word], 8);
  for (uint32_t slot = first; p && slot < first + SP_CHUNK_SLOTS; slot++)
    if (sp_bit(m->slots.made, slot))
      write_object(w, p, slot);
}

/* }== */

/* {== Parents and timers ================================================= */

static const sp_family *saved_family(const sp_manager *m, uint32_t slot)
{
  const sp_family *family = m->chunks[slot >> SP_CHUNK_BITS].family;
  return family ? &family[slot & SP_CHUNK_MASK] : NULL;
}

/* The last child first: each that is linked comes before those that are. Only counts when `w` is NULL. */
static uint32_t write_children(sp_writer *w, const sp_manager *m, uint32_t slot)
{
  const sp_family *family = m->slots.owners[slot >> SP_CHUNK_BITS] ? saved_family(m, slot) : NULL;
  uint32_t count = 0, last = family ? family->first : 0;
  while (last && saved_family(m, last - 1)->next)
    last = saved_family(m, last - 1)->next;
  for (; last; last = saved_family(m, last - 1)->previous, count++)
    if (w) {
      sp_put_number(w, last - 1, 4);
      sp_put_number(w, slot, 4);
    }
  return count;
}

static void write_parents(sp_writer *w, const sp_manager *m)
{
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < m->slots.reach; slot++)
    count += write_children(NULL, m, slot);
  sp_put_number(w, count, 4);
  for (uint32_t slot = 0; slot < m->slots.reach && count > 0; slot++)
    count -= write_children(w, m, slot);
}

/* Every record, in the order of the list of its life; those that are free in the order of theirs. */
static void write_records(sp_writer *w, const sp_manager *m)
{
  sp_put_number(w, m->timer_capacity, 4);
  for (uint32_t i = 0; i < m->timer_capacity; i++) {
    const sp_timer_record *timer = &m->timers[i];
    sp_put_number(w, timer->stamp, 4);
    sp_put_number(w, timer->next, 4);
    if (!sp_timer_is_used(timer))
      continue;
    sp_put_number(w, timer->owner != SP_NONE_REF, 1);
    if (timer->owner) {
      uint32_t slot = sp_ref_slot(timer->owner);
      sp_put_number(w, slot, 4);
      sp_put_number(w, m->chunks[slot >> SP_CHUNK_BITS].timers[slot & SP_CHUNK_MASK] == i + 1, 1);
    }
    sp_put_double(w, timer->from);
    sp_put_double(w, timer->period);
    sp_put_number(w, timer->fired, 8);
  }
  sp_put_number(w, m->free_timer, 4);
}

/* Timers that are due at the same tick fire in the order in which they hang in its ring. */
static void write_rings(sp_writer *w, const sp_manager *m)
{
  const sp_link *links = m->fires.links;
  sp_put_number(w, m->fires.cut, 1);
  for (uint32_t ring = 0; links && ring < SP_WHEEL_RINGS; ring++)
    for (uint32_t node = links[ring].next; node != ring; node = links[node].next) {
      sp_put_number(w, ring + 1, 4);
      sp_put_number(w, node - SP_WHEEL_RINGS, 4);
      sp_put_number(w, links[node].due, 4);
    }
  sp_put_number(w, 0, 4);
}

/* }== */

/* {== The manager ======================================================== */

static void write_manager(sp_writer *w, const sp_manager *m)
{
  sp_put_bytes(w, SP_SAVE_MAGIC, sizeof SP_SAVE_MAGIC - 1);
  sp_put_number(w, SP_SAVE_VERSION, 4);
  sp_put_number(w, m->slots.origin >> 24, 1);
  sp_put_number(w, m->first_generation, 4);
  sp_put_number(w, m->last_generation, 4);
  sp_put_double(w, m->step);
  sp_put_number(w, m->tick, 8);
  sp_put_double(w, m->spare);
  sp_put_double(w, m->scale);
  sp_put_number(w, m->paused, 1);
  sp_put_number(w, m->serial, 8);
  sp_put_number(w, m->peak, 4);
  sp_put_double(w, m->peak_time);
  sp_put_number(w, m->pool_count, 4);
  sp_put_number(w, m->chunk_count, 4);
}

sp_result sp_save(const sp_manager *m, sp_write_fn write, void *ud)
{
  sp_writer w = {.write = write, .ud = ud, .sum = SP_SUM_BEGIN};
  if (sp_is_busy(m))
    return SP_BUSY;
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (strlen(m->pools[i]->type) >= SP_SAVE_NAME_MOST || !sp_layout_names_fit(&m->pools[i]->layout, SP_SAVE_NAME_MOST))
      return SP_INVALID;
  sp_manager *held = (sp_manager *)m; /* nothing of it changes but that */
  sp_manager_hold(held);
  write_manager(&w, m);
  for (uint32_t i = 0; i < m->pool_count; i++)
    write_pool(&w, m->pools[i]);
  for (uint32_t i = 0; i < m->chunk_count; i++)
    write_chunk(&w, m, i);
  for (uint32_t i = 0; i < m->pool_count; i++)
    write_idle(&w, m->pools[i]);
  write_parents(&w, m);
  write_records(&w, m);
  write_rings(&w, m);
  sp_put_number(&w, w.sum, 8);
  sp_put_flush(&w);
  sp_manager_release(held);
  return w.failed ? SP_FAILED : SP_OK;
}

/* }== */
