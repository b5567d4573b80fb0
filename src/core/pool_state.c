#include "core/pool_state.h"

#include <stdlib.h>
#include <string.h>

/* {== The list of pools ================================================== */

static void put(sp_manager *m, uint32_t index, sp_pool *p)
{
  m->pools[index] = p;
  p->index = index;
}

bool sp_pool_list_add(sp_manager *m, sp_pool *p)
{
  uint32_t end = m->pool_count + m->absent_count;
  if (end == m->pool_capacity) {
    uint32_t want = m->pool_capacity ? m->pool_capacity * 2 : 8;
    sp_pool **pools = sp_memory_extend(&m->memory, m->pools, m->pool_capacity, want, sizeof *pools);
    if (!pools)
      return false;
    m->pools = pools;
    m->pool_capacity = want;
  }
  if (m->absent_count > 0)
    put(m, end, m->pools[m->pool_count]);
  put(m, m->pool_count++, p);
  return true;
}

bool sp_pool_is_absent(const sp_pool *p) { return p->index >= p->manager->pool_count; }

void sp_pool_list_join(sp_pool *p)
{
  sp_manager *m = p->manager;
  put(m, p->index, m->pools[m->pool_count]);
  put(m, m->pool_count++, p);
  m->absent_count--;
}

void sp_pool_list_leave(sp_pool *p)
{
  p->manager->pool_count--;
  p->manager->absent_count++;
}

void sp_pool_list_join_all(sp_manager *m)
{
  m->pool_count += m->absent_count;
  m->absent_count = 0;
}

void sp_pool_list_restore(sp_manager *m, uint32_t count)
{
  m->absent_count += m->pool_count - count;
  m->pool_count = count;
}

void sp_pool_list_move(sp_pool *p, uint32_t index)
{
  put(p->manager, p->index, p->manager->pools[index]);
  put(p->manager, index, p);
}

void sp_pool_list_remove(sp_pool *p)
{
  p->manager->pools[p->index] = NULL;
  p->manager->pool_holes++;
}

void sp_pool_list_close_gaps(sp_manager *m)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < m->pool_count; i++) {
    sp_pool *p = m->pools[i];
    if (!p)
      continue;
    put(m, kept++, p);
  }
  for (uint32_t i = 0; i < m->absent_count; i++)
    put(m, kept + i, m->pools[m->pool_count + i]);
  m->pool_count = kept;
  m->pool_holes = 0;
}

sp_pool *sp_find_pool(const sp_manager *m, const char *type)
{
  for (uint32_t i = 0; i < m->pool_count + m->absent_count; i++)
    if (m->pools[i] && strcmp(m->pools[i]->type, type) == 0)
      return m->pools[i];
  return NULL;
}

uint32_t sp_count_pools(const sp_manager *m) { return m->pool_count - m->pool_holes; }

sp_pool *sp_get_pool(const sp_manager *m, uint32_t index)
{
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i] && index-- == 0)
      return m->pools[i];
  return NULL;
}

/* }== */

/* {== What alloc and recycle can skip ==================================== */

/* Computes again which steps alloc and recycle can skip. */
static void update(sp_pool *p)
{
  const sp_hooks *h = &p->hooks;
  bool held = p->manager->held,
       plain_alloc = !held && !p->closing && !p->ages.ring && !h->on_spawn && p->curve_count == 0;
  /* Below the peak and the limit there is nothing to count and nothing to refuse. */
  uint32_t most = p->peak < p->limit ? p->peak : p->limit;
  p->floor = !plain_alloc ? UINT32_MAX : p->made > most ? p->made - most : 0;
  p->near_floor = !p->idle.lifo && p->made >= SP_FAR ? UINT32_MAX : p->floor;
  p->plain_alone = !held && !h->recycle && !h->on_despawn && !h->on_end && p->settings.idle_limit == SP_UNLIMITED &&
                   p->settings.overflow != SP_OVERFLOW_GROW;
  p->view.plain_recycle = p->plain_alone && !p->has_parents && !p->has_timers;
  p->bare_recycle = p->view.plain_recycle && !(p->view.dirty & SP_MOTION_COLUMNS);
}

void sp_pool_set_behaviour(sp_pool *p, const sp_pool_desc *desc)
{
  p->hooks = desc->hooks;
  p->motion = desc->motion;
  p->bounds = desc->bounds;
  p->curve_count = desc->curve_count;
  for (int i = 0; i < desc->curve_count; i++)
    p->curves[i] = desc->curves[i];
  p->on_parent_end = desc->on_parent_end;
  update(p);
}

void sp_pool_set_hooks(sp_pool *p, const sp_hooks *hooks)
{
  p->hooks = *hooks;
  update(p);
}

void sp_pool_set_settings(sp_pool *p, const sp_settings *settings, const sp_ages *ages)
{
  if (settings->overflow != SP_OVERFLOW_OLDEST)
    sp_ages_free(&p->ages, &p->manager->memory);
  else if (!p->ages.ring)
    p->ages = *ages;
  sp_idle_set_order(&p->idle, settings->order == SP_ORDER_LIFO);
  p->settings = *settings;
  p->limit = settings->limit;
  update(p);
}

void sp_pool_set_held(sp_pool *p) { update(p); }

void sp_pool_set_closing(sp_pool *p)
{
  p->closing = true;
  update(p);
}

void sp_pool_set_dirty(sp_pool *p, uint64_t columns)
{
  p->view.dirty = columns;
  update(p);
}

SP_COLD void sp_note_written(sp_pool *p, uint64_t columns) { sp_pool_set_dirty(p, p->view.dirty | columns); }

void sp_pool_set_parents(sp_pool *p)
{
  p->has_parents = true;
  update(p);
}

void sp_pool_set_timers(sp_pool *p)
{
  p->has_timers = true;
  update(p);
}

void sp_pool_count_made(sp_pool *p)
{
  p->created++;
  p->made++;
  p->in_transition++;
  update(p);
}

void sp_pool_count_destroyed(sp_pool *p)
{
  p->destroyed++;
  p->made--;
  p->in_transition--;
  update(p);
}

void sp_pool_set_peak(sp_pool *p, uint32_t live)
{
  p->peak = live;
  p->peak_time = p->manager->time;
  update(p);
}

/* }== */

/* {== Operations in progress ============================================= */

void sp_pool_enter(sp_pool *p) { sp_enter(p); }
void sp_pool_leave(sp_pool *p) { sp_leave(p); }

static void set_held(sp_manager *m, bool held)
{
  m->held = held;
  m->slots.transitional += held ? 1 : UINT32_MAX; /* no reference is surely live: recycle takes another look */
  sp_slots_settle(m);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i])
      sp_pool_set_held(m->pools[i]);
}

void sp_manager_hold(sp_manager *m)
{
  m->busy++;
  set_held(m, true);
}

void sp_manager_release(sp_manager *m)
{
  set_held(m, false);
  m->busy--;
  sp_pools_settle(m);
}

bool sp_slot_is_transitional(const sp_manager *m, uint32_t slot)
{
  for (const sp_dying *frame = m->dying; frame; frame = frame->outer)
    if (frame->slot == slot)
      return true;
  return m->opening && sp_ref_slot(m->opening) == slot;
}

/* }== */

void sp_assert_failed(const sp_manager *m, const char *expression, const char *file, int line)
{
  if (!m->on_assert)
    abort();
  m->on_assert(m->assert_ud, expression, file, line);
}
