/*
** The manager: the clock, and what all pools share.
*/
#include <stdlib.h>

#include "core/chunk.h"
#include "core/description.h"
#include "core/pool.h"
#include "core/pool_state.h"
#include "core/simd.h"
#include "core/spawnpool.h"
#include "core/spawnpool_tasks.h"
#include "core/timer.h"

/* {== Life cycle ========================================================= */

/* Returns the id of a manager that asked for none: after the 255th they begin anew. All that managers share is this
   count. */
static uint32_t next_id(void)
{
  static _Atomic uint32_t opened;
  return 1 + opened++ % 255;
}

sp_manager *sp_manager_open(const sp_manager_options *options, sp_result *result)
{
  sp_manager_options o = options ? *options : (sp_manager_options){0};
  sp_result unused, *why = result ? result : &unused;
  *why = SP_INVALID;
  sp_log log = {o.on_log, o.log_ud, ""};
  if (!sp_options_are_valid(&log, &o))
    return NULL;
  *why = SP_MEMORY;
  sp_memory memory = {.fn = o.memory ? o.memory : sp_memory_libc, .ud = o.memory_ud};
  sp_manager *m = sp_memory_extend(&memory, NULL, 0, 1, sizeof *m);
  if (!m)
    return NULL;
  m->memory = memory;
  m->on_assert = o.on_assert;
  m->assert_ud = o.assert_ud;
  m->log = log;
  m->host = o.host;
  m->on_timer = o.on_timer;
  m->on_timer_end = o.on_timer_end;
  m->timer_ud = o.timer_ud;
  m->scale = 1;
  m->lives.segment_size = sizeof(sp_chunk);
  m->lives.stride = sizeof(sp_life);
  m->fires.segment_size = sizeof(sp_timer_block);
  m->fires.stride = sizeof(sp_timer_record);
  m->wide = sp_is_wide();
  m->step = o.step != 0 ? o.step : SP_DEFAULT_STEP;
  m->rate = 1 / m->step;
  m->has_own_id = o.id != 0;
  m->slots.id_bits = (m->has_own_id ? o.id : next_id()) << 24;
  m->first_generation = o.first_generation;
  m->serial = sp_serial_of_time(SP_FIRST_BIRTH);
  m->last_generation = o.last_generation ? o.last_generation : SP_LAST_GENERATION;
  *why = SP_OK;
  return m;
}

const char *sp_options_problem(const sp_manager_options *options, char *text, size_t size)
{
  sp_log log = {.last = ""};
  if (options)
    sp_options_are_valid(&log, options);
  for (size_t i = 0; i < size; i++)
    text[i] = i + 1 < size && i < sizeof log.last ? log.last[i] : '\0';
  return text;
}

uint32_t sp_first_generation(const sp_manager *m) { return m->first_generation; }
const char *sp_manager_problem(const sp_manager *m) { return m->log.last; }
bool sp_is_closing(const sp_manager *m) { return m->closing; }
bool sp_manager_is_busy(const sp_manager *m) { return m->busy > 0 || m->closing || m->opening != SP_NULL_REF; }

static void free_manager(sp_manager *m)
{
  sp_slots_free(m);
  sp_wheel_free(&m->lives, &m->memory);
  sp_wheel_free(&m->fires, &m->memory);
  sp_timers_free(m);
  sp_memory_free(&m->memory, m->scratch, m->scratch_size);
  sp_pool_list_free(m);
  SP_ASSERT(m, m->busy > 0 || m->memory.bytes == sizeof *m);
  sp_memory memory = m->memory;
  sp_memory_free(&memory, m, sizeof *m);
}

sp_result sp_manager_close(sp_manager *m)
{
  if (!m)
    return SP_OK;
  if (sp_manager_is_busy(m))
    return SP_BUSY;
  m->closing = true;
  sp_pools_settle(m);
  sp_pool_list_join_all(m);
  for (uint32_t i = 0; i < m->pool_count; i++)
    sp_pool_set_closing(m->pools[i]); /* hooks may still read every pool, but no alloc succeeds */
  sp_manager_timers_end(m);
  for (uint32_t i = 0; i < m->pool_count; i++)
    sp_pool_empty(m->pools[i]);
  for (uint32_t i = 0; i < m->pool_count; i++)
    sp_pool_drop(m->pools[i]);
  free_manager(m);
  return SP_OK;
}

void sp_manager_discard(sp_manager *m)
{
  if (!m)
    return;
  sp_pool_list_join_all(m);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i])
      sp_pool_discard(m->pools[i]);
  free_manager(m);
}

/* Only two generations of a slot can be in references: its present one, and the one that follows when its life ends. */
uint32_t sp_next_generation(const sp_manager *m)
{
  uint32_t last = m->first_generation > m->spent_generation ? m->first_generation : m->spent_generation;
  for (uint32_t slot = 0; slot < m->slots.slot_count; slot++)
    if (sp_slot_life(m, slot)->generation > last)
      last = sp_slot_life(m, slot)->generation;
  return m->last_generation - last > 2 ? (last + 1) / 2 * 2 + 2 : m->last_generation;
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

sp_stats sp_manager_stats(const sp_manager *m)
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

/* {== Names ============================================================== */

const char *sp_version(void) { return SP_VERSION; }

const char *sp_result_name(sp_result result)
{
  static const char *const names[] = {
#define NAME(code, name, text) name,
      SP_RESULTS(NAME)
#undef NAME
  };
  return (unsigned)result < SP_RESULT_COUNT ? names[result] : "unknown";
}

const char *sp_result_text(sp_result result)
{
  static const char *const texts[] = {
#define TEXT(code, name, text) text,
      SP_RESULTS(TEXT)
#undef TEXT
  };
  return (unsigned)result < SP_RESULT_COUNT ? texts[result] : "unknown result";
}

const char *sp_why_name(sp_why why)
{
  static const char *const names[] = {
#define NAME(code, name) name,
      SP_WHYS(NAME)
#undef NAME
  };
  return (unsigned)why < SP_WHY_COUNT ? names[why] : "unknown";
}

/* }== */

sp_result sp_set_tasks(sp_manager *m, const sp_tasks *tasks)
{
  if (tasks && !(tasks->enqueue && tasks->finish))
    return SP_INVALID;
  if (m->busy > 0)
    return SP_BUSY;
  m->tasks = tasks ? *tasks : (sp_tasks){0};
  return SP_OK;
}
