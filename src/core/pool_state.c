#include "core/pool_state.h"

#include <stdlib.h>
#include <string.h>

#include "core/idle.h"

/* {== The list of pools ================================================== */

static void put(sp_manager *m, uint32_t index, sp_pool *p)
{
  m->pools[index] = p;
  p->index = index;
}

static bool is_named(const sp_named *n, const char *type)
{
  const size_t most = sizeof n->begin;
  return strncmp(n->begin, type, most) == 0 && (n->begin[most - 1] == '\0' || strcmp(n->pool->type, type) == 0);
}

/* Returns where a type is in the table of names, or the free place where it would be. */
static uint32_t place_of_name(const sp_manager *m, const char *type)
{
  uint32_t last = 2 * m->pool_capacity - 1, at = (uint32_t)sp_sum(SP_SUM_BEGIN, type, strlen(type)) & last;
  while (m->by_name[at].pool && !is_named(&m->by_name[at], type))
    at = (at + 1) & last;
  return at;
}

static void add_name(sp_manager *m, sp_pool *p)
{
  sp_named *n = &m->by_name[place_of_name(m, p->type)];
  *n = (sp_named){.pool = p};
  for (size_t i = 0; i < sizeof n->begin && p->type[i]; i++)
    n->begin[i] = p->type[i];
}

/* Every name after it, up to the next free place, may have been kept from its own place by this one. */
static void remove_name(sp_manager *m, const sp_pool *p)
{
  uint32_t last = 2 * m->pool_capacity - 1, at = place_of_name(m, p->type);
  m->by_name[at].pool = NULL;
  for (at = (at + 1) & last; m->by_name[at].pool; at = (at + 1) & last) {
    sp_pool *other = m->by_name[at].pool;
    m->by_name[at].pool = NULL;
    add_name(m, other);
  }
}

/* Makes room for one more pool. Capacities are powers of two. */
static bool reserve_list(sp_manager *m)
{
  uint32_t have = m->pool_capacity, want = have ? have * 2 : 8;
  if (m->pool_count + m->absent_count < have)
    return true;
  sp_pools_settle(m);
  if (m->pool_count + m->absent_count < have / 4 * 3)
    return true;
  sp_named *by_name = sp_memory_extend(&m->memory, NULL, 0, want * 2, sizeof *by_name);
  sp_pool **pools = by_name ? sp_memory_extend(&m->memory, m->pools, have, want, sizeof *pools) : NULL;
  if (!pools) {
    sp_memory_free(&m->memory, by_name, want * 2 * sizeof *by_name);
    return false;
  }
  sp_memory_free(&m->memory, m->by_name, have * 2 * sizeof *by_name);
  m->by_name = by_name;
  m->pools = pools;
  m->pool_capacity = want;
  for (uint32_t i = 0; i < have; i++)
    if (pools[i])
      add_name(m, pools[i]);
  return true;
}

void sp_pool_list_free(sp_manager *m)
{
  sp_memory_free(&m->memory, m->pools, m->pool_capacity * sizeof *m->pools);
  sp_memory_free(&m->memory, m->by_name, m->pool_capacity * 2 * sizeof *m->by_name);
}

bool sp_pool_list_add(sp_manager *m, sp_pool *p)
{
  if (!reserve_list(m))
    return false;
  uint32_t end = m->pool_count + m->absent_count;
  add_name(m, p);
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
  remove_name(p->manager, p);
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

sp_pool *sp_manager_pool(const sp_manager *m, const char *type)
{
  return m->pool_capacity ? m->by_name[place_of_name(m, type)].pool : NULL;
}

sp_pool *sp_manager_next_pool(const sp_manager *m, const sp_pool *after)
{
  for (uint32_t i = after ? after->index + 1 : 0; i < m->pool_count; i++)
    if (m->pools[i])
      return m->pools[i];
  return NULL;
}

/* }== */

/* {== What alloc and recycle can skip ==================================== */

/* Computes again when alloc and recycle may take their fast paths. Below the peak and the limit alloc has nothing to
   count and nothing to refuse. */
static void update(sp_pool *p)
{
  const sp_pool_hooks *h = &p->desc.hooks;
  const bool held = p->manager->held;
  const bool spawns = h->on_spawn || p->ages.ring || p->desc.curve_count > 0;
  const bool despawns = h->recycle || h->on_despawn || h->on_end || p->has_parents || p->has_timers;
  const bool keeps_all = p->desc.settings.idle_limit == SP_UNLIMITED && p->desc.settings.overflow != SP_OVERFLOW_GROW;
  const bool listed = !sp_idle_is_compact(p);
  const uint32_t most = p->peak < p->limit ? p->peak : p->limit;
  p->quick_alloc = held || p->closing || spawns || listed ? 0 : most;
  p->view.quick_recycle = !held && !despawns && !listed && keeps_all;
}

void sp_pool_set_desc(sp_pool *p, const sp_pool_desc *desc)
{
  const sp_settings settings = p->desc.settings;
  p->desc = *desc;
  p->desc.settings = settings;
  p->desc.type = p->type;
  p->desc.user = p->view.user;
  p->desc.fields = p->layout.fields;
  p->desc.curves = p->curves;
  for (int i = 0; i < desc->curve_count; i++)
    p->curves[i] = desc->curves[i];
  update(p);
}

void sp_pool_set_hooks(sp_pool *p, const sp_pool_hooks *hooks)
{
  if (sp_is_refused_to_host(p->manager))
    return;
  p->desc.hooks = *hooks;
  update(p);
}

void sp_pool_store_settings(sp_pool *p, const sp_settings *settings, const sp_ages *ages)
{
  if (settings->overflow != SP_OVERFLOW_OLDEST)
    sp_ages_free(&p->ages, &p->manager->memory);
  else if (!p->ages.ring)
    p->ages = *ages;
  const bool is_listed = p->desc.settings.order == settings->order;
  p->desc.settings = *settings;
  p->limit = settings->limit;
  if (!is_listed)
    sp_idle_list(p);
  update(p);
}

void sp_pool_set_held(sp_pool *p) { update(p); }
void sp_pool_settle(sp_pool *p) { update(p); }

void sp_pool_set_closing(sp_pool *p)
{
  p->closing = true;
  update(p);
}

SP_COLD void sp_note_written(sp_pool *p, uint64_t columns)
{
  p->dirty |= columns;
  p->view.noted = p->dirty;
  sp_near_end(p);
}

void sp_pool_set_dirty(sp_pool *p, uint64_t columns)
{
  p->dirty = 0;
  sp_note_written(p, columns);
  p->exposed &= columns;
  sp_note_unpinned(p);
}

void sp_note_unpinned(sp_pool *p)
{
  p->ages.pinned = 0;
  p->handed = p->exposed;
}

void sp_await_writes(sp_pool *p, uint64_t columns) { p->view.noted = p->dirty & ~columns; }

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
}

void sp_pool_count_destroyed(sp_pool *p)
{
  p->destroyed++;
  p->made--;
  p->in_transition--;
}

void sp_pool_set_peak(sp_pool *p, uint32_t live)
{
  p->peak = live;
  p->peak_time = p->manager->time;
  update(p);
}

/* }== */

void sp_set_owned(sp_manager *m) { m->is_owned = true; }
void sp_as_owner(sp_manager *m) { m->by_owner = true; }

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
  for (uint32_t i = m->waiting_first; i < m->waiting_count; i++)
    if (sp_ref_slot(m->waiting[i].object) == slot)
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
