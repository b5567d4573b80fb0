/*
** The manager: the clock, and what all pools share.
*/
#include <math.h>
#include <stdlib.h>

#include "core/state.h"

void sp_assert_failed(const sp_manager *m, const char *expression, const char *file, int line)
{
  if (!m->on_assert)
    abort();
  m->on_assert(m->assert_ud, expression, file, line);
}

/* {== Life cycle ========================================================= */

static bool options_make_sense(const sp_options *o)
{
  bool step = o->step == 0 || (isfinite(o->step) && o->step >= 1e-6 && o->step <= 1e3);
  uint32_t last = o->last_generation ? o->last_generation : SP_LAST_GENERATION;
  return step && o->first_generation % 2 == 0 && last % 2 == 0 && o->first_generation < last;
}

sp_manager *sp_open(const sp_options *options, sp_result *result)
{
  sp_options o = options ? *options : (sp_options){0};
  sp_result unused, *why = result ? result : &unused;
  *why = SP_INVALID;
  if (!options_make_sense(&o))
    return NULL;
  *why = SP_MEMORY;
  sp_memory memory = {.fn = o.memory ? o.memory : sp_memory_libc, .ud = o.memory_ud};
  sp_manager *m = sp_memory_extend(&memory, NULL, 0, 1, sizeof *m);
  if (!m)
    return NULL;
  m->memory = memory;
  m->on_assert = o.on_assert;
  m->assert_ud = o.assert_ud;
  m->scale = 1;
  m->step = o.step != 0 ? o.step : SP_DEFAULT_STEP;
  m->rate = 1 / m->step;
  m->id = o.id ? o.id : 1;
  m->first_generation = o.first_generation;
  m->last_generation = o.last_generation ? o.last_generation : SP_LAST_GENERATION;
  *why = SP_OK;
  return m;
}

sp_result sp_close(sp_manager *m)
{
  if (!m)
    return SP_OK;
  if (m->busy > 0 || m->closing || m->opening)
    return SP_BUSY;
  m->closing = true;
  for (uint32_t i = 0; i < m->pool_count; i++) {
    m->pools[i]->closing = true; /* hooks may not refill a pool that is still to come */
    sp_pool_tune(m->pools[i]);
  }
  while (m->pool_count > 0) {
    sp_pool *p = m->pools[0];
    p->closing = false;
    sp_pool_remove(p, NULL, NULL);
  }
  sp_slots_free(m);
  sp_wheel_free(&m->wheel, &m->memory);
  sp_memory_free(&m->memory, m->pools, m->pool_capacity * sizeof *m->pools);
  SP_ASSERT(m, m->memory.bytes == sizeof *m);
  sp_memory memory = m->memory;
  sp_memory_free(&memory, m, sizeof *m);
  return SP_OK;
}

/* }== */

/* {== Clock ============================================================== */

uint64_t sp_timer_due(void *manager, sp_timer timer)
{
  const sp_manager *m = manager;
  /* The generation first: a slot of another life may have no chunk any more. */
  return m->generation[timer.key] == timer.stamp ? sp_slot_life(m, timer.key)->due : 0;
}

static void expire(void *manager, sp_timer timer)
{
  sp_manager *m = manager;
  sp_slot_life(m, timer.key)->due = 0;
  sp_wheel_disarm(&m->wheel);
  sp_end(m, timer.key, SP_WHY_EXPIRED, true, false);
}

/* Where the clock may go next without missing a timer: one tick, unless a whole turn holds nothing near. */
static uint64_t next_tick(const sp_manager *m, uint64_t target, uint32_t *walked)
{
  if (m->wheel.armed == 0)
    return target;
  if (++*walked % SP_WHEEL_BUCKETS != 0)
    return m->tick + 1;
  uint64_t due = sp_wheel_next(&m->wheel, sp_timer_due, (void *)m);
  return due < target ? due : target;
}

static void advance(sp_manager *m, double dt)
{
  m->spare += dt;
  /* Steps of exactly `step` must never lose a tick to rounding. */
  double whole = floor(m->spare / m->step + 1e-9);
  uint64_t target = m->tick + (uint64_t)whole;
  double spare = m->spare - whole * m->step;
  uint32_t walked = 0;
  m->spare = 0;
  while (m->tick < target) {
    m->tick = next_tick(m, target, &walked);
    m->time = (double)m->tick * m->step;
    sp_wheel_tick(&m->wheel, m->tick, sp_timer_due, expire, m);
  }
  m->spare = spare > 0 ? spare : 0;
  m->time = (double)m->tick * m->step + m->spare;
}

static void run_updates(sp_manager *m, double dt)
{
  for (uint32_t i = 0; i < m->pool_count; i++) {
    sp_pool *p = m->pools[i];
    if (!p || !p->hooks.update || p->closing)
      continue;
    sp_enter(p);
    p->hooks.update(p->hooks.ud, p, dt);
    sp_leave(p);
  }
}

sp_result sp_update(sp_manager *m, double dt)
{
  double scaled = dt * m->scale;
  if (!(dt >= 0 && dt <= SP_MAX_LIFETIME && scaled <= SP_MAX_LIFETIME))
    return SP_INVALID;
  if (m->busy > 0 || m->closing || m->opening)
    return SP_BUSY;
  if (m->paused)
    return SP_OK;
  m->busy++;
  advance(m, scaled);
  run_updates(m, scaled);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i] && m->pools[i]->spatial && m->pools[i]->live > 0)
      sp_pool_move(m->pools[i], (float)scaled);
  if (--m->busy == 0 && m->pool_holes > 0)
    sp_pool_list_settle(m);
  return SP_OK;
}

sp_result sp_set_time_scale(sp_manager *m, double scale)
{
  if (!(scale >= 0 && scale <= 1e6))
    return SP_INVALID;
  m->scale = scale;
  return SP_OK;
}

void sp_set_paused(sp_manager *m, bool paused) { m->paused = paused; }
double sp_time_scale(const sp_manager *m) { return m->scale; }
bool sp_paused(const sp_manager *m) { return m->paused; }
double sp_time(const sp_manager *m) { return m->time; }
uint64_t sp_tick(const sp_manager *m) { return m->tick; }
double sp_step(const sp_manager *m) { return m->step; }

/* }== */

/* {== Statistics ========================================================= */

static void add_stats(sp_stats *sum, const sp_stats *one)
{
  sum->idle += one->idle;
  sum->total += one->total;
  sum->allocs += one->allocs;
  sum->recycles += one->recycles;
  sum->expired += one->expired;
  sum->refused += one->refused;
  sum->evicted += one->evicted;
  sum->vetoed += one->vetoed;
  sum->stale_uses += one->stale_uses;
  sum->double_recycles += one->double_recycles;
  sum->created += one->created;
  sum->destroyed += one->destroyed;
  sum->retired += one->retired;
}

sp_stats sp_manager_stats(const sp_manager *m)
{
  sp_stats sum = {.live = m->live, .peak = m->peak, .peak_time = m->peak_time, .bytes = m->memory.bytes};
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i]) {
      sp_stats one = sp_pool_stats(m->pools[i]);
      add_stats(&sum, &one);
    }
  return sum;
}

/* }== */
