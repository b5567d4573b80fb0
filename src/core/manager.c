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
#include "core/timer.h"

/* {== Life cycle ========================================================= */

static sp_manager *new_manager(const sp_manager_options *options, const sp_log *log)
{
  const sp_manager_options o = *options;
  sp_memory memory = {.fn = o.memory ? o.memory : sp_memory_libc, .ud = o.memory_ud};
  sp_manager *m = sp_memory_extend(&memory, NULL, 0, 1, sizeof *m);
  if (!m)
    return NULL;
  m->memory = memory;
  m->on_assert = o.on_assert;
  m->assert_ud = o.assert_ud;
  m->log = *log;
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
  m->serial = sp_serial_of_time(SP_FIRST_BIRTH);
  return m;
}

/* Opens a manager with these options, which are valid, under the id, which it takes unless a binding has it. */
static sp_manager *open_as(const sp_manager_options *o, sp_log *log, sp_id *id, sp_result *why)
{
  const sp_checked c = {log, "sp_manager_options", NULL, 0};
  *why = SP_FULL;
  if (id->last == 0 && !sp_id_take(id, o->lives)) {
    sp_check_that(&c, false, "id", id->is_chosen ? "has no lives left" : "cannot be given: 4095 managers are open");
    return NULL;
  }
  sp_manager *m = new_manager(o, log);
  *why = m ? SP_OK : SP_MEMORY;
  if (!m) {
    sp_id_give_back(id, id->first);
    return NULL;
  }
  m->id = *id;
  m->slots.id_bits = id->id << 24;
  m->slots.window = id->id >> 8;
  return m;
}

/* `first`: the first generation of a binding, which has the id; or NULL. */
static sp_manager *open_checked(const sp_manager_options *options, const uint32_t *first, sp_result *result)
{
  sp_manager_options o;
  sp_log log;
  sp_manager *m = NULL;
  sp_result why = sp_options_take(&log, options, &o);
  if (why == SP_OK) {
    sp_id id = first ? sp_id_from(o.id, *first, o.lives) : (sp_id){.id = o.id};
    m = open_as(&o, &log, &id, &why);
  }
  sp_tell(result, why);
  return m;
}

sp_manager *sp_manager_open(const sp_manager_options *options, sp_result *result)
{
  return open_checked(options, NULL, result);
}

sp_manager *sp_manager_open_from(const sp_manager_options *options, uint32_t first_generation, sp_result *result)
{
  return open_checked(options, &first_generation, result);
}

const char *sp_manager_problem(const sp_manager *m) { return m->log.last; }
bool sp_is_closing(const sp_manager *m) { return m->closing; }
bool sp_manager_is_busy(const sp_manager *m) { return m->busy > 0 || m->closing || m->opening != SP_NULL_REF; }

static void free_manager(sp_manager *m)
{
  sp_id_give_back(&m->id, sp_next_generation(m));
  sp_slots_free(m);
  sp_memory_free(&m->memory, m->waiting, m->waiting_capacity * sizeof *m->waiting);
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
  if (sp_is_refused_to_host(m) || sp_manager_is_busy(m))
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
  if (!m || sp_is_refused_to_host(m))
    return;
  sp_pool_list_join_all(m);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i])
      sp_pool_discard(m->pools[i]);
  free_manager(m);
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

void sp_manager_stats(const sp_manager *m, sp_stats *stats)
{
  sp_stats sum = {.peak = m->peak, .peak_time = m->peak_time, .bytes = m->memory.bytes};
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i]) {
      sp_stats one;
      sp_pool_stats(m->pools[i], &one);
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
  *stats = sum;
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
