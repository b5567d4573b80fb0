/*
** The clock: time is counted in whole ticks, so that it never drifts, and an update is one pass of each kind over all
** pools: prewarming, ends of lives and timers, class updates, motion, curves, bounds.
*/
#include <float.h>
#include <math.h>

#include "core/motion.h"
#include "core/pool.h"
#include "core/pool_state.h"
#include "core/recycle.h"
#include "core/timer.h"

/* Most managers use only one of the wheels, or none. */
static inline void begin_tick(sp_wheel *w, sp_manager *m)
{
  if (w->lists)
    sp_wheel_begin(w, &m->memory, m->tick);
  else
    w->now = m->tick;
}

static inline uint64_t next_tick(const sp_manager *m, uint64_t target)
{
  if (m->lives.lists)
    target = sp_wheel_next(&m->lives, target);
  return m->fires.lists ? sp_wheel_next(&m->fires, target) : target;
}

/* Lives end before timers fire: a timer that is due when its life ends dies with it. */
static void fire_tick(sp_manager *m)
{
  if (m->on_tick)
    m->on_tick(m->tick_ud);
  begin_tick(&m->lives, m);
  begin_tick(&m->fires, m);
  for (uint32_t slot; m->lives.firing && (slot = sp_wheel_pop(&m->lives, &m->memory)) != SP_WHEEL_NONE;)
    sp_expire(m, slot);
  for (uint32_t timer; m->fires.firing && (timer = sp_wheel_pop(&m->fires, &m->memory)) != SP_WHEEL_NONE;)
    sp_timer_fire(m, timer);
}

static void set_time(sp_manager *m)
{
  m->time = (double)m->tick * m->step + m->spare;
  uint64_t serial = sp_serial_of_time(m->time);
  if (m->serial < serial)
    m->serial = serial;
}

void sp_set_halt(sp_manager *m, bool (*is_halted)(const void *ud), const void *ud)
{
  m->is_halted = is_halted;
  m->halt_ud = ud;
}

/* No callback may run any more: ticks without end would only be counted down. */
static bool is_halted(const sp_manager *m) { return m->is_halted && m->is_halted(m->halt_ud); }

/* Splits seconds into whole ticks and the rest. Steps of exactly `step` must never lose a tick to rounding. */
static uint64_t whole_ticks(const sp_manager *m, double *seconds)
{
  double whole = floor(*seconds / m->step + 1e-9);
  *seconds -= whole * m->step;
  return (uint64_t)whole;
}

/* A callback has paused the manager, or set its time scale: what is left of an update changes. */
static SP_COLD double rescaled(sp_manager *m, double left)
{
  m->is_turned = false;
  return m->paused || left == 0 ? 0 : fmin(left * (m->scale / m->turned_scale), SP_MAX_LIFETIME);
}

/* In the middle of an update of `dt`. Returns the new last tick. */
static SP_COLD uint64_t turn(sp_manager *m, uint64_t target, double *spare, double *dt)
{
  const double left = (double)(target - m->tick) * m->step + *spare;
  *spare = rescaled(m, left);
  *dt += *spare - left;
  return m->tick + whole_ticks(m, spare);
}

/* Returns the game seconds that pass: `dt`, unless a callback changes that. */
static double advance(sp_manager *m, double dt)
{
  if (!SP_LIKELY(!m->is_turned)) /* while objects were prewarmed */
    dt = rescaled(m, dt);
  double spare = m->spare + dt;
  uint64_t target = m->tick + whole_ticks(m, &spare);
  m->spare = 0;
  while (m->tick < target && !is_halted(m)) {
    m->tick = next_tick(m, target);
    set_time(m);
    fire_tick(m);
    if (!SP_LIKELY(!m->is_turned))
      target = turn(m, target, &spare, &dt);
  }
  m->spare = spare > 0 && m->tick == target ? spare : 0;
  if (m->spare != 0)
    set_time(m); /* else it is that of the tick */
  return dt;
}

static void run_updates(sp_manager *m, double dt)
{
  for (uint32_t i = 0; i < m->pool_count; i++) {
    sp_pool *p = m->pools[i];
    if (!p || !p->desc.hooks.update)
      continue;
    sp_enter(p);
    p->desc.hooks.update(p->desc.hooks.ud, p, dt);
    sp_leave(p);
  }
}

/* A prewarm starts in the update in which its delay passes. The hair of tolerance absorbs the rounding of 1/60. */
static void run_prewarms(sp_manager *m, double dt)
{
  double until = m->time + dt + m->step * 1e-6;
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i] && m->pools[i]->prewarm_wanted > 0 && m->pools[i]->prewarm_from <= until)
      sp_pool_prewarm_slice(m->pools[i]);
}

void sp_set_on_tick(sp_manager *m, void (*on_tick)(void *ud), void *ud)
{
  m->on_tick = on_tick;
  m->tick_ud = ud;
}

void sp_set_on_pass(sp_manager *m, void (*on_pass)(void *ud, const char *pass), void *ud)
{
  m->on_pass = on_pass;
  m->pass_ud = ud;
}

static inline void end_pass(const sp_manager *m, const char *pass)
{
  if (m->on_pass)
    m->on_pass(m->pass_ud, pass);
}

static bool has_to_move(const sp_pool *p) { return p && p->desc.spatial && sp_live_count(p) > 0; }

static void run_passes(sp_manager *m, float dt)
{
  bool is_all = true;
  for (uint32_t i = 0; i < m->pool_count; i++) {
    sp_pool *p = m->pools[i];
    if (!has_to_move(p))
      continue;
    sp_pool_move(p, dt);
    end_pass(m, "motion");
    is_all = is_all && p->desc.curve_count == 0 && p->desc.bounds.outside == SP_OUTSIDE_IGNORE;
  }
  for (uint32_t i = 0; !is_all && i < m->pool_count; i++)
    if (has_to_move(m->pools[i]) && m->pools[i]->desc.curve_count > 0) {
      sp_pool_bend(m->pools[i]);
      end_pass(m, "curve");
    }
  for (uint32_t i = 0; !is_all && i < m->pool_count; i++)
    if (has_to_move(m->pools[i]) && m->pools[i]->desc.bounds.outside != SP_OUTSIDE_IGNORE) {
      sp_pool_bound(m->pools[i]);
      end_pass(m, "bounds");
    }
}

/* The peak of all pools together is what updates saw: to count it at every alloc would cost more than it is worth.
   There are no holes among the pools yet. */
static void note_peak(sp_manager *m)
{
  uint32_t live = 0;
  for (uint32_t i = 0; i < m->pool_count; i++)
    live += sp_live_count(m->pools[i]);
  if (live > m->peak) {
    m->peak = live;
    m->peak_time = m->time;
  }
}

static SP_COLD sp_result refuse_update(sp_manager *m, double dt)
{
  static const char call[] = "sp_manager_update";
  if (isinf(dt) && dt > 0)
    return sp_refuse(&m->log, call, "dt", "is infinite: it takes seconds from 0 to 1e11");
  const sp_result seconds = sp_seconds_check(&m->log, call, "dt", dt);
  if (seconds != SP_OK)
    return seconds;
  if (m->tick >= SP_MAX_TICKS)
    return sp_refuse(&m->log, call, "the clock", "has reached SP_MAX_TICKS");
  return sp_refuse(&m->log, call, "dt", "times the time scale is more than 1e11 seconds");
}

sp_result sp_manager_update(sp_manager *m, double dt)
{
  double scaled = dt * m->scale;
  if (!(dt >= 0 && scaled <= SP_MAX_LIFETIME && dt <= SP_MAX_LIFETIME) || m->tick >= SP_MAX_TICKS)
    return refuse_update(m, dt);
  if (m->busy > 0 || m->closing || m->opening)
    return SP_BUSY;
  if (m->ends)
    m->ends->count = 0;
  if (m->paused)
    return SP_OK;
  sp_pools_settle(m);
  m->busy++;
  m->ends_now = m->ends;
  note_peak(m);
  m->is_turned = false;
  run_prewarms(m, scaled);
  scaled = advance(m, scaled);
  run_updates(m, scaled);
  run_passes(m, (float)scaled);
  m->ends_now = NULL;
  m->busy--;
  return SP_OK;
}

static void note_turn(sp_manager *m)
{
  if (!m->is_turned)
    m->turned_scale = m->scale;
  m->is_turned = true;
}

sp_result sp_manager_set_time_scale(sp_manager *m, double scale)
{
  if (!(scale >= 0 && scale <= 1e6))
    return sp_refuse(&m->log, "sp_manager_set_time_scale", "scale", "is out of range (0..1e6)");
  if (m->held)
    return SP_BUSY;
  note_turn(m);
  m->scale = scale;
  return SP_OK;
}

void sp_manager_set_paused(sp_manager *m, bool paused)
{
  note_turn(m);
  m->paused = paused;
}

void sp_manager_clock(const sp_manager *m, sp_clock *clock)
{
  *clock = (sp_clock){.time = m->time, .tick = m->tick, .step = m->step, .time_scale = m->scale, .paused = m->paused};
}

sp_result sp_object_set_remaining(sp_manager *m, sp_ref object, double seconds)
{
  sp_result known = sp_object_check(m, object);
  if (known != SP_OK)
    return known;
  const bool endless = isinf(seconds);
  known = sp_seconds_check(&m->log, "sp_object_set_remaining", "seconds", seconds);
  if (known != SP_OK)
    return known;
  if (m->held)
    return SP_BUSY;
  if (sp_ref_generation(object) % 2 == 0)
    return SP_OK; /* idle: the next life has an end of its own */
  uint32_t slot = sp_ref_slot(object);
  if (!endless && !sp_lives_reserve(m, slot))
    return SP_MEMORY;
  if (endless) {
    sp_slot_life(m, slot)->due = 0;
    return SP_OK;
  }
  double total = sp_slot_age(m, slot) + seconds;
  sp_life_set_end(m, slot, total > 0 ? total : DBL_MIN, seconds); /* 0 would be without end */
  sp_wheel_note_late(&m->lives, slot);
  return SP_OK;
}
