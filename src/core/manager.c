/*
** The manager: the clock, and what all pools share.
*/
#include <math.h>
#include <stdlib.h>

#include "core/state.h"
#include "core/wide.h"

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
  m->on_timer = o.on_timer;
  m->on_timer_end = o.on_timer_end;
  m->timer_ud = o.timer_ud;
  m->scale = 1;
  m->wide = sp_is_wide();
  m->step = o.step != 0 ? o.step : SP_DEFAULT_STEP;
  m->rate = 1 / m->step;
  m->origin = (o.id ? o.id : 1u) << 24;
  m->first_generation = o.first_generation;
  m->last_generation = o.last_generation ? o.last_generation : SP_LAST_GENERATION;
  *why = SP_OK;
  return m;
}

/* All pools are gone. */
static void free_all(sp_manager *m)
{
  sp_slots_free(m);
  sp_expiry_free(&m->lives, &m->memory);
  sp_wheel_free(&m->fires, &m->memory);
  sp_timers_free(m);
  sp_memory_free(&m->memory, m->scratch, m->scratch_size);
  sp_memory_free(&m->memory, m->pools, m->pool_capacity * sizeof *m->pools);
  SP_ASSERT(m, m->memory.bytes == sizeof *m);
  sp_memory memory = m->memory;
  sp_memory_free(&memory, m, sizeof *m);
}

void sp_manager_free(sp_manager *m)
{
  for (uint32_t i = 0; i < m->chunk_count; i++)
    m->chunks[i].made = 0;
  for (uint32_t i = 0; i < m->pool_count; i++)
    sp_pool_drop(m->pools[i]);
  free_all(m);
}

sp_result sp_close(sp_manager *m)
{
  if (!m)
    return SP_OK;
  if (m->busy > 0 || m->closing || m->opening)
    return SP_BUSY;
  m->closing = true;
  for (uint32_t i = 0; i < m->pool_count; i++) {
    m->pools[i]->closing = true; /* hooks may look at every pool, but refill none */
    sp_pool_tune(m->pools[i]);
  }
  for (uint32_t i = 0; i < m->pool_count; i++)
    sp_pool_empty(m->pools[i]);
  for (uint32_t i = 0; i < m->pool_count; i++)
    sp_pool_drop(m->pools[i]);
  free_all(m);
  return SP_OK;
}

/* }== */

/* {== Statistics ========================================================= */

static void add_stats(sp_stats *sum, const sp_stats *one)
{
  sum->live += one->live;
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
  sum->prewarm_done += one->prewarm_done;
  sum->prewarm_wanted += one->prewarm_wanted;
}

sp_stats sp_total_stats(const sp_manager *m)
{
  sp_stats sum = {.peak = m->peak, .peak_time = m->peak_time, .bytes = m->memory.bytes};
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i]) {
      sp_stats one = sp_pool_stats(m->pools[i]);
      add_stats(&sum, &one);
      if (one.peak > sum.peak) {
        sum.peak = one.peak;
        sum.peak_time = one.peak_time;
      }
    }
  if (sum.live > sum.peak) {
    sum.peak = sum.live;
    sum.peak_time = m->time;
  }
  return sum;
}

/* }== */
