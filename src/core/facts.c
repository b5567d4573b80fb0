#include "core/facts.h"

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
  p->loose++;
  update(p);
}

void sp_pool_count_destroyed(sp_pool *p)
{
  p->destroyed++;
  p->made--;
  p->loose--;
  update(p);
}

void sp_pool_set_peak(sp_pool *p, uint32_t live)
{
  p->peak = live;
  p->peak_time = p->manager->time;
  update(p);
}
