/*
** Pools: opening, changing and removing them.
*/
#include "core/pool.h"

#include <string.h>

#include "core/chunk.h"
#include "core/description.h"
#include "core/idle.h"
#include "core/near.h"
#include "core/pool_state.h"
#include "core/recycle.h"

/* {== Life cycle ========================================================= */

static void free_pool(sp_pool *p)
{
  sp_memory *memory = &p->manager->memory;
  if (p->type)
    sp_memory_free(memory, p->type, strlen(p->type) + 1);
  sp_layout_free(&p->layout, memory);
  sp_ages_free(&p->ages, memory);
  sp_chunk_list_free(p);
  sp_near_forget(p);
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
  sp_idle_clear(p);
  p->view.columns = p->layout.columns;
  p->view.user = desc->user;
  if (!copy_type(p, desc->type) || !sp_layout_make(&p->layout, desc, &m->memory) ||
      (desc->settings.overflow == SP_OVERFLOW_OLDEST && !sp_ages_reserve(&p->ages, m, 0))) {
    free_pool(p);
    return NULL;
  }
  sp_settings settings = desc->settings;
  settings.prealloc = 0; /* sp_manager_add_pool makes the objects */
  sp_pool_store_settings(p, &settings, NULL);
  sp_pool_set_desc(p, desc);
  sp_pool_set_dirty(p, p->layout.restless);
  return p;
}

/* Writes `*result`. Returns `p`, or NULL when the pool could not be added. */
static sp_pool *added(sp_pool *p, sp_result why, sp_result *result)
{
  sp_tell(result, why);
  return why == SP_OK ? p : NULL;
}

static sp_result apply_settings(sp_pool *p, const sp_settings *settings);

sp_pool *sp_manager_add_pool(sp_manager *m, const sp_pool_desc *given, sp_result *result)
{
  sp_pool_desc desc;
  if (m->closing || m->held)
    return added(NULL, m->held ? SP_BUSY : SP_CLOSED, result);
  sp_result valid = sp_desc_take(&m->log, given, &desc);
  if (valid == SP_OK)
    valid = sp_settings_check(&m->log, desc.type, &desc.settings, 0);
  if (valid != SP_OK)
    return added(NULL, valid, result);
  if (sp_manager_pool(m, desc.type))
    return added(NULL, SP_EXISTS, result);
  sp_pool *p = new_pool(m, &desc);
  if (!p)
    return added(NULL, SP_MEMORY, result);
  if (!sp_pool_list_add(m, p)) {
    free_pool(p);
    return added(NULL, SP_MEMORY, result);
  }
  p->described = desc.settings;
  sp_result made = apply_settings(p, &desc.settings);
  if (made != SP_OK)
    sp_pool_drop(p);
  return added(p, made, result);
}

/* The first use of an absent pool makes the objects that sp_manager_add_pool had made. */
sp_result sp_pool_appear(sp_pool *p)
{
  if (!sp_pool_is_absent(p))
    return SP_OK;
  sp_settings described = p->desc.settings, bare = described;
  bare.prealloc = 0;
  sp_pool_store_settings(p, &bare, NULL);
  sp_pool_list_join(p);
  sp_result made = apply_settings(p, &described);
  if (made == SP_OK)
    return SP_OK;
  bare.prealloc = described.prealloc;
  sp_pool_store_settings(p, &bare, NULL);
  sp_pool_list_leave(p);
  return made;
}

static uint32_t recycle_all(sp_pool *p, sp_why why, sp_end_by by)
{
  uint32_t ended = 0;
  sp_walk walk = sp_pool_walk(p);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF;)
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
    sp_chunk_at(p, i)->made = 0;
  sp_pool_drop(p);
}

sp_result sp_pool_remove(sp_pool *p, uint32_t *recycled, uint32_t *destroyed)
{
  sp_manager *m = p->manager;
  if (sp_is_refused_to_host(m) || p->busy > 0 || p->closing || m->opening || m->held)
    return SP_BUSY;
  if (recycled)
    *recycled = sp_live_count(p);
  if (destroyed)
    *destroyed = sp_live_count(p) + p->idle.count;
  if (sp_pool_is_absent(p))
    sp_pool_list_join(p);
  sp_pool_empty(p);
  sp_pool_drop(p);
  if (m->pool_holes > m->pool_count / 2)
    sp_pools_settle(m);
  return SP_OK;
}

/* }== */

/* {== Use ================================================================ */

/* Returns how many objects a prewarm to `count` may still make under these settings. */
static uint32_t room_for_prewarm(const sp_pool *p, const sp_settings *settings, uint32_t count)
{
  uint32_t idle = p->idle.count, live = sp_live_count(p);
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
  uint32_t wanted = room_for_prewarm(p, &p->desc.settings, goal), total;
  uint32_t made = sp_grow(p, wanted < most ? wanted : most, result);
  sp_destroy_idle(p, p->desc.settings.idle_limit); /* on_create may have lowered the limit, or recycled others */
  total = sp_live_count(p) + p->idle.count;
  p->warm_goal = goal;
  p->warmed = total < goal ? total : goal;
  return made;
}

uint32_t sp_pool_prewarm_now(sp_pool *p, uint32_t count, sp_result *result)
{
  sp_result made = sp_pool_refusal(p);
  if (made == SP_OK)
    made = sp_pool_appear(p);
  uint32_t done = made == SP_OK ? prewarm(p, count, UINT32_MAX, &made) : 0;
  sp_tell(result, made);
  return done;
}

sp_result sp_pool_prewarm(sp_pool *p, uint32_t count, uint32_t per_update, double delay)
{
  if (sp_pool_refusal(p) != SP_OK)
    return sp_pool_refusal(p);
  sp_log *log = &p->manager->log;
  if (count > SP_MAX_SLOTS)
    return sp_refuse(log, p->type, "count", "is more than 16777216 objects");
  sp_result made = sp_seconds_check(log, p->type, "delay", delay);
  if (made == SP_OK)
    made = sp_pool_appear(p);
  if (made != SP_OK)
    return made;
  if (per_update == 0 && delay == 0) {
    sp_pool_prewarm_now(p, count, &made);
    return made;
  }
  uint32_t total = sp_live_count(p) + p->idle.count;
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
  if (made == SP_OK && room_for_prewarm(p, &p->desc.settings, p->prewarm_wanted) == 0)
    p->prewarm_wanted = 0;
}

uint32_t sp_pool_recycle_all(sp_pool *p) { return recycle_all(p, SP_WHY_RECYCLED_ALL, SP_END_BY_OVERRIDE); }

uint32_t sp_pool_trim(sp_pool *p, uint32_t keep)
{
  if (p->manager->held)
    return 0;
  uint32_t destroyed = sp_destroy_idle(p, keep);
  sp_near_forget(p);
  sp_chunk_release_empty(p);
  return destroyed;
}

/* }== */

/* {== Queries ============================================================ */

sp_manager *sp_pool_manager(const sp_pool *p) { return p->manager; }
bool sp_pool_is_closing(const sp_pool *p) { return p->closing; }
const sp_pool_desc *sp_pool_desc_of(const sp_pool *p) { return &p->desc; }
uint32_t sp_pool_live(const sp_pool *p) { return sp_live_count(p); }

void sp_pool_stats(const sp_pool *p, sp_stats *stats)
{
  uint32_t idle = p->idle.count;
  const size_t links = sp_idle_is_compact(p) ? 0 : SP_CHUNK_SLOTS * sizeof(sp_link);
  const size_t chunk = p->layout.chunk_size + sizeof(sp_chunk) + sizeof(sp_lives) + sizeof *p->chunks + links;
  *stats = (sp_stats){
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
      .bytes = sizeof *p + p->chunk_count * chunk,
  };
}

/* }== */

/* {== Ages =============================================================== */

static bool is_older(const sp_manager *m, sp_ref a, sp_ref b)
{
  return sp_slot_life(m, sp_ref_slot(a))->serial < sp_slot_life(m, sp_ref_slot(b))->serial;
}

/* Shell sort: in place, no recursion, and only when a pool begins to evict. */
static void sort_by_age(sp_ages *ages, const sp_manager *m)
{
  uint32_t count = sp_ages_count(ages);
  sp_ref *ring = ages->ring;
  for (uint32_t gap = count / 2; gap > 0; gap /= 2)
    for (uint32_t i = gap; i < count; i++) {
      sp_ref object = ring[i];
      uint32_t k = i;
      for (; k >= gap && is_older(m, object, ring[k - gap]); k -= gap)
        ring[k] = ring[k - gap];
      ring[k] = object;
    }
}

static bool add_age(sp_ages *ages, sp_manager *m, sp_ref object)
{
  bool room = sp_ages_reserve(ages, m, UINT32_MAX);
  if (room)
    sp_ages_push(ages, object);
  return room;
}

/* Fills empty `ages` with the objects of a pool. When out of memory, returns false and `ages` is unused. Dying
   objects count: they may yet be kept. */
static bool gather_ages(sp_ages *ages, sp_pool *p)
{
  sp_manager *m = p->manager;
  sp_walk walk = sp_pool_walk(p);
  bool complete = sp_ages_reserve(ages, m, 0);
  for (sp_ref object; complete && (object = sp_walk_next(&walk)) != SP_NULL_REF;)
    complete = add_age(ages, m, object);
  for (const sp_dying *frame = m->dying; complete && frame; frame = frame->outer)
    if (sp_slot_pool(m, frame->slot) == p)
      complete = add_age(ages, m, sp_ref_make(m, frame->slot));
  if (complete)
    sort_by_age(ages, m);
  else
    sp_ages_free(ages, &m->memory);
  return complete;
}

/* No object is dying, and nothing has to be allocated. */
void sp_pool_refill_ages(sp_pool *p)
{
  p->ages.head = p->ages.tail = p->ages.pinned = 0;
  gather_ages(&p->ages, p);
}

/* }== */

/* {== Prepare ============================================================ */

/* New memory for the columns of all chunks. What it made stays in `change` when memory is refused. */
static bool new_cells(sp_change *change)
{
  sp_pool *p = change->pool;
  sp_manager *m = p->manager;
  if (p->chunk_count == 0)
    return true;
  change->blocks = sp_memory_extend(&m->memory, NULL, 0, p->chunk_count, sizeof *change->blocks);
  for (uint32_t i = 0; change->blocks && i < p->chunk_count; i++) {
    change->blocks[i] = sp_chunk_block_new(m, &change->layout);
    if (!change->blocks[i])
      return false;
  }
  return change->blocks != NULL;
}

static bool reserve_layout(sp_change *change)
{
  sp_pool *p = change->pool;
  if (!change->is_described)
    return true;
  return sp_layout_make(&change->layout, &change->desc, &p->manager->memory) &&
         (sp_layout_is_alike(&change->layout, &p->layout) || new_cells(change));
}

static bool reserve_ages(sp_change *change)
{
  sp_pool *p = change->pool;
  return change->settings.overflow != SP_OVERFLOW_OLDEST || p->ages.ring || gather_ages(&change->ages, p);
}

/* Of a pool that is going to list its idle slots. */
static bool reserve_links(const sp_change *change)
{
  const sp_pool *p = change->pool;
  for (uint32_t i = 0; change->settings.order != SP_ORDER_COMPACT && i < p->chunk_count; i++)
    if (!sp_idle_reserve(p->manager, p->chunks[i]))
      return false;
  return true;
}

static bool reserve_room(sp_change *change)
{
  sp_pool *p = change->pool;
  if (sp_pool_is_absent(p) || change->settings.prealloc <= p->desc.settings.prealloc)
    return true;
  change->prealloc = change->settings.prealloc;
  return sp_chunk_reserve(p, room_for_prewarm(p, &change->settings, change->prealloc), &change->reserved);
}

static void cancel_change(sp_change *change)
{
  sp_pool *p = change->pool;
  sp_manager *m = p->manager;
  sp_ages_free(&change->ages, &m->memory);
  for (uint32_t i = 0; change->blocks && i < p->chunk_count; i++)
    sp_chunk_block_free(m, &change->layout, change->blocks[i]);
  sp_memory_free(&m->memory, change->blocks, p->chunk_count * sizeof *change->blocks);
  sp_layout_free(&change->layout, &m->memory);
  if (change->prealloc > 0)
    sp_chunk_unreserve(p, &change->reserved);
}

static sp_result reserve_all(sp_change *change)
{
  if (reserve_room(change) && reserve_links(change) && reserve_layout(change) && reserve_ages(change))
    return SP_OK;
  cancel_change(change);
  return SP_MEMORY;
}

static sp_result prepare_description(sp_change *change, sp_pool *p, const sp_pool_desc *desc)
{
  if (sp_pool_refusal(p) != SP_OK)
    return sp_pool_refusal(p);
  sp_log *log = &p->manager->log;
  *change = (sp_change){.pool = p};
  const sp_result valid = sp_desc_take(log, desc, &change->desc);
  if (valid != SP_OK)
    return valid;
  if (desc->spatial != p->desc.spatial)
    return sp_refuse(log, p->type, "spatial", "cannot change");
  change->is_described = true;
  change->settings = change->desc.settings;
  return reserve_all(change);
}

static sp_result prepare_settings(sp_change *change, sp_pool *p, const sp_settings *settings)
{
  if (sp_pool_refusal(p) != SP_OK)
    return sp_pool_refusal(p);
  *change = (sp_change){.pool = p, .settings = *settings};
  return reserve_all(change);
}

/* }== */

/* {== Commit ============================================================= */

static void move_cells(sp_change *change, const sp_layout_change *layouts)
{
  sp_pool *p = change->pool;
  sp_manager *m = p->manager;
  for (uint32_t i = 0; i < p->chunk_count; i++) {
    sp_chunk *chunk = sp_chunk_at(p, i);
    unsigned char *base = sp_chunk_block_base(change->blocks[i]);
    sp_layout_convert(layouts, base, chunk->base);
    sp_chunk_block_free(m, &p->layout, sp_lives_of(chunk)->block);
    sp_lives_of(chunk)->block = change->blocks[i];
    chunk->base = base;
  }
  sp_memory_free(&m->memory, change->blocks, p->chunk_count * sizeof *change->blocks);
}

void sp_change_refresh_idle(const sp_pool *p, const sp_layout_change *layouts)
{
  for (uint32_t i = 0; layouts->to->kept && i < p->chunk_count; i++) {
    const sp_chunk *chunk = sp_chunk_at(p, i);
    for (uint64_t bits = chunk->made; bits; bits &= bits - 1) {
      uint32_t k = (uint32_t)__builtin_ctzll(bits);
      if (chunk->life[k].generation % 2 == 0)
        sp_layout_refresh(layouts, chunk->base, k, chunk->life[k].serial != 0);
    }
  }
}

/* Idle slots still hold values of the old description. */
static void take_layout(sp_change *change)
{
  sp_pool *p = change->pool;
  bool stays = sp_layout_is_alike(&change->layout, &p->layout);
  const sp_layout_change layouts = sp_layout_change_of(&change->layout, &p->layout);
  for (uint32_t i = 0; stays && i < p->chunk_count; i++)
    sp_layout_convert(&layouts, sp_chunk_at(p, i)->base, sp_chunk_at(p, i)->base);
  if (change->blocks)
    move_cells(change, &layouts);
  sp_change_refresh_idle(p, &layouts);
  sp_pool_set_dirty(p, stays ? sp_layout_dirty(&change->layout, &p->layout, p->dirty)
                             : change->layout.all & ~change->layout.kept);
  sp_layout_free(&p->layout, &p->manager->memory);
  p->layout = change->layout;
}

/* A pool that was loaded gets the description of today: what its fields held, and is nowhere now, is not lost in
   silence. */
static void report_gone(const sp_change *change)
{
  const sp_pool *p = change->pool;
  for (int i = 0; i < p->layout.field_count; i++)
    if (sp_layout_column(&change->layout, p->layout.fields[i].name, p->layout.columns[SP_FIELDS + i].size) < 0)
      sp_log_gone(&p->manager->log, p->type, p->layout.fields[i].name, sp_live_count(p));
}

static void commit_change(sp_change *change)
{
  sp_pool *p = change->pool;
  if (change->is_described) {
    if (p->is_loaded)
      report_gone(change);
    p->is_loaded = false;
    take_layout(change);
    sp_pool_set_desc(p, &change->desc);
    p->described = change->settings;
  }
  sp_pool_store_settings(p, &change->settings, &change->ages);
}

/* }== */

/* {== Calls ============================================================== */

/* A hook that takes what was reserved for the others may end a prewarm early: sp_stats tells. */
void sp_change_settle(sp_pool *p, uint32_t prealloc)
{
  sp_destroy_idle(p, p->desc.settings.idle_limit);
  if (prealloc > 0)
    sp_pool_prewarm(p, prealloc, 0, 0);
}

static sp_result carry_out(sp_change *change, sp_result prepared)
{
  if (prepared != SP_OK)
    return prepared;
  commit_change(change);
  sp_change_settle(change->pool, change->prealloc);
  return SP_OK;
}

static sp_result apply_settings(sp_pool *p, const sp_settings *settings)
{
  sp_change change = {0};
  return carry_out(&change, prepare_settings(&change, p, settings));
}

sp_result sp_pool_set_settings(sp_pool *p, const sp_settings *settings)
{
  sp_result valid = sp_is_refused_to_host(p->manager) ? SP_BUSY : sp_pool_refusal(p);
  if (valid == SP_OK)
    valid = sp_settings_check(&p->manager->log, p->type, settings, p->desc.settings.prealloc);
  return valid == SP_OK ? apply_settings(p, settings) : valid;
}

void sp_pool_set_described(sp_pool *p, const sp_settings *settings) { p->described = *settings; }

sp_result sp_pool_redefine(sp_pool *p, const sp_pool_desc *desc)
{
  sp_change change = {0};
  if (sp_is_refused_to_host(p->manager))
    return SP_BUSY;
  sp_result prepared = prepare_description(&change, p, desc);
  if (prepared == SP_OK) {
    prepared = sp_settings_check(&p->manager->log, p->type, &change.settings, p->desc.settings.prealloc);
    if (prepared != SP_OK)
      cancel_change(&change);
  }
  return carry_out(&change, prepared);
}

static void free_change(sp_change *change) { sp_memory_free(&change->pool->manager->memory, change, sizeof *change); }

sp_change *sp_change_new(sp_pool *p, const sp_pool_desc *desc, sp_result *result)
{
  sp_change *change = sp_memory_extend(&p->manager->memory, NULL, 0, 1, sizeof *change);
  sp_result why = change ? prepare_description(change, p, desc) : SP_MEMORY;
  if (why == SP_OK)
    return change;
  *result = why;
  if (change)
    sp_memory_free(&p->manager->memory, change, sizeof *change);
  return NULL;
}

void sp_change_cancel(sp_change *change)
{
  cancel_change(change);
  free_change(change);
}

uint32_t sp_change_commit(sp_change *change)
{
  const uint32_t prealloc = change->prealloc;
  commit_change(change);
  free_change(change);
  return prealloc;
}

/* }== */
