#include "core/change.h"

#include "core/busy.h"
#include "core/chunk.h"
#include "core/description.h"
#include "core/facts.h"
#include "core/grow.h"
#include "core/pool.h"
#include "core/pool_list.h"

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
  if (!change->desc)
    return true;
  return sp_layout_make(&change->layout, change->desc, &p->manager->memory) &&
         (sp_layout_is_alike(&change->layout, &p->layout) || new_cells(change));
}

static bool reserve_ages(sp_change *change)
{
  sp_pool *p = change->pool;
  return change->settings.overflow != SP_OVERFLOW_OLDEST || p->ages.ring || sp_ages_gather(&change->ages, p);
}

static bool reserve_room(sp_change *change)
{
  sp_pool *p = change->pool;
  if (sp_pool_is_absent(p) || change->settings.prealloc <= p->settings.prealloc)
    return true;
  change->prealloc = change->settings.prealloc;
  const sp_layout *layout = change->desc ? &change->layout : &p->layout;
  return sp_room_reserve(&change->room, p, layout, sp_prewarm_room(p, &change->settings, change->prealloc));
}

static void cancel_change(sp_change *change)
{
  sp_pool *p = change->pool;
  sp_manager *m = p->manager;
  sp_room_release(&change->room, m, change->desc ? &change->layout : &p->layout);
  sp_ages_free(&change->ages, &m->memory);
  for (uint32_t i = 0; change->blocks && i < p->chunk_count; i++)
    sp_chunk_block_free(m, &change->layout, change->blocks[i]);
  sp_memory_free(&m->memory, change->blocks, p->chunk_count * sizeof *change->blocks);
  sp_layout_free(&change->layout, &m->memory);
}

static sp_result reserve_all(sp_change *change)
{
  if (reserve_layout(change) && reserve_ages(change) && reserve_room(change))
    return SP_OK;
  cancel_change(change);
  return SP_MEMORY;
}

static sp_result prepare_description(sp_change *change, sp_pool *p, const sp_pool_desc *desc)
{
  if (sp_pool_refusal(p) != SP_OK)
    return sp_pool_refusal(p);
  const sp_log *log = &p->manager->log;
  if (!sp_desc_is_valid(log, desc) ||
      !sp_check_that(&(sp_checked){log, p->type, NULL, 0}, desc->spatial == p->spatial, "spatial", "cannot change"))
    return SP_INVALID;
  *change = (sp_change){.pool = p, .desc = desc, .settings = sp_settings_resolve(&desc->settings)};
  return reserve_all(change);
}

static sp_result prepare_settings(sp_change *change, sp_pool *p, const sp_settings *settings)
{
  if (sp_pool_refusal(p) != SP_OK)
    return sp_pool_refusal(p);
  if (!sp_settings_are_valid(&p->manager->log, p->type, settings))
    return SP_INVALID;
  *change = (sp_change){.pool = p, .settings = sp_settings_resolve(settings)};
  return reserve_all(change);
}

/* }== */

/* {== Commit ============================================================= */

static void move_cells(sp_change *change)
{
  sp_pool *p = change->pool;
  sp_manager *m = p->manager;
  for (uint32_t i = 0; i < p->chunk_count; i++) {
    uint32_t number = p->chunks[i];
    unsigned char *base = sp_chunk_block_base(change->blocks[i]);
    sp_layout_convert(&change->layout, &p->layout, base, m->slots.bases[number]);
    sp_chunk_block_free(m, &p->layout, m->chunks[number].block);
    m->chunks[number].block = change->blocks[i];
    m->slots.bases[number] = base;
  }
  sp_memory_free(&m->memory, change->blocks, p->chunk_count * sizeof *change->blocks);
}

void sp_change_refresh_idle(const sp_pool *p, const sp_layout *to, const sp_layout *from)
{
  const sp_manager *m = p->manager;
  for (uint32_t i = 0; to->kept && i < p->chunk_count; i++)
    for (uint32_t k = 0; k < SP_CHUNK_SLOTS; k++) {
      uint32_t slot = p->chunks[i] * SP_CHUNK_SLOTS + k;
      if (sp_bit(m->slots.made, slot) && m->slots.life[slot].generation % 2 == 0)
        sp_layout_refresh(to, from, m->slots.bases[p->chunks[i]], k, m->slots.life[slot].serial != 0);
    }
}

/* Idle slots still hold values of the old description. */
static void take_layout(sp_change *change)
{
  sp_pool *p = change->pool;
  bool stays = sp_layout_is_alike(&change->layout, &p->layout);
  for (uint32_t i = 0; stays && i < p->chunk_count; i++)
    sp_layout_tune(&change->layout, &p->layout, p->manager->slots.bases[p->chunks[i]]);
  if (change->blocks)
    move_cells(change);
  sp_change_refresh_idle(p, &change->layout, &p->layout);
  sp_pool_set_dirty(p, stays ? sp_layout_dirty(&change->layout, &p->layout, p->view.dirty)
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
    if (sp_layout_column(&change->layout, p->layout.names[i], p->layout.columns[SP_FIELDS + i].size) < 0)
      sp_log_gone(&p->manager->log, p->type, p->layout.names[i], sp_live_count(p));
}

static void commit_change(sp_change *change)
{
  sp_pool *p = change->pool;
  if (change->desc) {
    if (p->is_loaded)
      report_gone(change);
    p->is_loaded = false;
    take_layout(change);
    sp_pool_set_behaviour(p, change->desc);
  }
  sp_room_take(&change->room, p);
  sp_pool_set_settings(p, &change->settings, &change->ages);
}

/* }== */

/* {== Calls ============================================================== */

/* A hook that takes what was reserved for the others may end a prewarm early: sp_stats tells. */
void sp_change_settle(sp_pool *p, uint32_t prealloc)
{
  sp_destroy_idle(p, p->settings.idle_limit);
  if (prealloc > 0)
    sp_pool_prewarm(p, prealloc, NULL);
}

static sp_result carry_out(sp_change *change, sp_result prepared)
{
  if (prepared != SP_OK)
    return prepared;
  commit_change(change);
  sp_change_settle(change->pool, change->prealloc);
  return SP_OK;
}

sp_result sp_pool_configure(sp_pool *p, const sp_settings *settings)
{
  sp_change change = {0};
  return carry_out(&change, prepare_settings(&change, p, settings));
}

sp_result sp_pool_redefine(sp_pool *p, const sp_pool_desc *desc)
{
  sp_change change = {0};
  return carry_out(&change, prepare_description(&change, p, desc));
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
