/*
** Pools: opening, changing and removing them.
*/
#include "core/pool.h"

#include <string.h>

#include "core/busy.h"
#include "core/chunk.h"
#include "core/description.h"
#include "core/facts.h"
#include "core/grow.h"
#include "core/manager.h"
#include "core/pool_list.h"
#include "core/recycle.h"

/* {== Life cycle ========================================================= */

static void free_pool(sp_pool *p)
{
  sp_memory *memory = &p->manager->memory;
  if (p->type)
    sp_memory_free(memory, p->type, strlen(p->type) + 1);
  sp_layout_free(&p->layout, memory);
  sp_idle_free(&p->idle, memory);
  sp_ages_free(&p->ages, memory);
  sp_memory_free(memory, p->chunks, p->chunk_capacity * sizeof *p->chunks);
  sp_memory_free(memory, p, sizeof *p);
}

static bool copy_type(sp_pool *p, const char *type)
{
  size_t size = strlen(type) + 1;
  p->type = sp_memory_resize(&p->manager->memory, NULL, 0, size);
  if (p->type)
    memcpy(p->type, type, size);
  return p->type != NULL;
}

static sp_pool *new_pool(sp_manager *m, const sp_pool_desc *desc)
{
  sp_pool *p = sp_memory_extend(&m->memory, NULL, 0, 1, sizeof *p);
  if (!p)
    return NULL;
  p->manager = m;
  p->view.columns = p->layout.columns;
  p->spatial = desc->spatial;
  p->view.user = desc->user;
  if (!copy_type(p, desc->type) || !sp_layout_make(&p->layout, desc, &m->memory) ||
      (desc->settings.overflow == SP_OVERFLOW_OLDEST && !sp_ages_reserve(&p->ages, m, 0))) {
    free_pool(p);
    return NULL;
  }
  sp_settings settings = sp_settings_resolve(&desc->settings);
  settings.prealloc = 0; /* sp_add_pool makes the objects */
  sp_pool_set_settings(p, &settings, NULL);
  sp_pool_set_behaviour(p, desc);
  sp_pool_set_dirty(p, p->layout.restless);
  return p;
}

static sp_pool *no_pool(sp_result why, sp_result *result)
{
  if (result)
    *result = why;
  return NULL;
}

sp_pool *sp_add_pool(sp_manager *m, const sp_pool_desc *desc, sp_result *result)
{
  if (m->closing || m->held)
    return no_pool(m->held ? SP_BUSY : SP_CLOSED, result);
  if (!sp_desc_is_valid(&m->log, desc))
    return no_pool(SP_INVALID, result);
  if (sp_find_pool(m, desc->type))
    return no_pool(SP_EXISTS, result);
  sp_pool *p = new_pool(m, desc);
  if (!p)
    return no_pool(SP_MEMORY, result);
  if (!sp_pool_list_add(m, p)) {
    free_pool(p);
    return no_pool(SP_MEMORY, result);
  }
  sp_result made = sp_pool_configure(p, &desc->settings);
  if (made == SP_OK)
    return p;
  sp_pool_drop(p);
  sp_pools_settle(m);
  return no_pool(made, result);
}

/* The first use of an absent pool makes the objects that sp_add_pool had made. */
sp_result sp_pool_appear(sp_pool *p)
{
  if (!sp_pool_is_absent(p))
    return SP_OK;
  sp_settings described = sp_pool_settings(p), bare = p->settings;
  bare.prealloc = 0;
  sp_pool_set_settings(p, &bare, NULL);
  sp_pool_list_join(p);
  sp_result made = sp_pool_configure(p, &described);
  if (made == SP_OK)
    return SP_OK;
  bare.prealloc = described.prealloc;
  sp_pool_set_settings(p, &bare, NULL);
  sp_pool_list_leave(p);
  return made;
}

static uint32_t recycle_all(sp_pool *p, sp_why why, sp_end_by by)
{
  uint32_t ended = 0;
  sp_walk walk = sp_pool_walk(p);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;)
    ended += sp_end(p->manager, sp_ref_slot(object), why, by) == SP_OK;
  return ended;
}

void sp_pool_empty(sp_pool *p)
{
  sp_pool_set_closing(p);
  recycle_all(p, SP_WHY_REMOVED, SP_END_BY_FORCE);
  sp_destroy_idle(p, 0);
  SP_ASSERT(p->manager, sp_live_count(p) == 0);
}

void sp_pool_drop(sp_pool *p)
{
  sp_chunk_release_empty(p);
  SP_ASSERT(p->manager, p->chunk_count == 0);
  sp_pool_list_remove(p);
  free_pool(p);
}

void sp_pool_discard(sp_pool *p)
{
  for (uint32_t i = 0; i < p->chunk_count; i++)
    p->manager->chunks[p->chunks[i]].made = 0;
  sp_pool_drop(p);
}

sp_result sp_pool_remove(sp_pool *p, uint32_t *recycled, uint32_t *destroyed)
{
  sp_manager *m = p->manager;
  if (p->busy > 0 || p->closing || m->opening || m->held)
    return SP_BUSY;
  if (recycled)
    *recycled = sp_live_count(p);
  if (destroyed)
    *destroyed = sp_live_count(p) + sp_idle_count(&p->idle);
  if (sp_pool_is_absent(p))
    sp_pool_list_join(p);
  sp_pool_empty(p);
  sp_pool_drop(p);
  sp_pools_settle(m);
  return SP_OK;
}

/* }== */

/* {== Use ================================================================ */

uint32_t sp_prewarm_room(const sp_pool *p, const sp_settings *settings, uint32_t count)
{
  uint32_t idle = sp_idle_count(&p->idle), live = sp_live_count(p);
  if (idle > settings->idle_limit)
    idle = settings->idle_limit; /* surplus objects are destroyed first */
  uint32_t total = live + idle, keepable = settings->idle_limit - idle;
  uint32_t wanted = count > total ? count - total : 0, room = settings->limit > total ? settings->limit - total : 0;
  if (room > keepable)
    room = keepable;
  return wanted < room ? wanted : room;
}

static uint32_t prewarm(sp_pool *p, uint32_t goal, uint32_t most, sp_result *result)
{
  uint32_t wanted = sp_prewarm_room(p, &p->settings, goal), total;
  uint32_t made = sp_grow(p, wanted < most ? wanted : most, result);
  sp_destroy_idle(p, p->settings.idle_limit); /* on_create may have lowered the limit, or recycled others */
  total = sp_live_count(p) + sp_idle_count(&p->idle);
  p->warm_goal = goal;
  p->warmed = total < goal ? total : goal;
  return made;
}

uint32_t sp_pool_prewarm(sp_pool *p, uint32_t count, sp_result *result)
{
  sp_result made = sp_pool_refusal(p);
  if (made == SP_OK)
    made = sp_pool_appear(p);
  uint32_t done = made == SP_OK ? prewarm(p, count, UINT32_MAX, &made) : 0;
  if (result && made != SP_OK)
    *result = made;
  return done;
}

sp_result sp_pool_prewarm_slowly(sp_pool *p, uint32_t count, uint32_t per_update, double delay)
{
  if (sp_pool_refusal(p) != SP_OK)
    return sp_pool_refusal(p);
  if (!(delay >= 0 && delay <= SP_MAX_LIFETIME) || count > SP_MAX_SLOTS)
    return SP_INVALID;
  sp_result made = sp_pool_appear(p);
  if (made != SP_OK)
    return made;
  uint32_t total = sp_live_count(p) + sp_idle_count(&p->idle);
  p->prewarm_wanted = count;
  p->prewarm_slice = per_update ? per_update : UINT32_MAX;
  p->prewarm_from = p->manager->time + delay;
  p->warm_goal = count;
  p->warmed = total < count ? total : count;
  return SP_OK;
}

/* Makes one update's share. The prewarm also ends when the limits allow no more objects. */
void sp_pool_prewarm_slice(sp_pool *p)
{
  sp_result made = SP_OK;
  prewarm(p, p->prewarm_wanted, p->prewarm_slice, &made);
  if (made == SP_OK && sp_prewarm_room(p, &p->settings, p->prewarm_wanted) == 0)
    p->prewarm_wanted = 0;
}

uint32_t sp_pool_recycle_all(sp_pool *p) { return recycle_all(p, SP_WHY_CLEARED, SP_END_BY_OVERRIDE); }

static uint32_t shrink(sp_pool *p, uint32_t keep)
{
  if (p->manager->held)
    return 0;
  uint32_t destroyed = sp_destroy_idle(p, keep);
  sp_chunk_release_empty(p);
  return destroyed;
}

uint32_t sp_pool_clear(sp_pool *p) { return shrink(p, 0); }
uint32_t sp_pool_trim(sp_pool *p) { return shrink(p, p->settings.prealloc); }

/* }== */

/* {== Queries ============================================================ */

sp_manager *sp_pool_manager(const sp_pool *p) { return p->manager; }
const char *sp_pool_type(const sp_pool *p) { return p->type; }
void *sp_pool_user(const sp_pool *p) { return p->view.user; }
bool sp_pool_is_closing(const sp_pool *p) { return p->closing; }
bool sp_pool_is_spatial(const sp_pool *p) { return p->spatial; }
sp_settings sp_pool_settings(const sp_pool *p) { return sp_settings_shown(&p->settings); }
uint32_t sp_pool_live(const sp_pool *p) { return sp_live_count(p); }
uint32_t sp_pool_idle(const sp_pool *p) { return sp_idle_count(&p->idle); }

sp_stats sp_pool_stats(const sp_pool *p)
{
  uint32_t idle = sp_idle_count(&p->idle);
  size_t columns = (size_t)p->chunk_count * p->layout.chunk_size;
  size_t ring = p->idle.ring ? (p->idle.mask + 1u) * sizeof *p->idle.ring : 0;
  return (sp_stats){
      .live = sp_live_count(p),
      .idle = idle,
      .total = sp_live_count(p) + idle,
      .peak = p->peak,
      .peak_time = p->peak_time,
      .allocs = p->recycles + sp_live_count(p),
      .recycles = p->recycles,
      .expired = p->expired,
      .refused = p->refused,
      .evicted = p->evicted,
      .vetoed = p->vetoed,
      .stale_uses = p->stale_uses,
      .double_recycles = p->double_recycles,
      .created = p->created,
      .destroyed = p->destroyed,
      .retired = p->retired,
      .prewarm_done = p->warmed,
      .prewarm_wanted = p->warm_goal,
      .bytes = sizeof *p + columns + ring,
  };
}

/* }== */
