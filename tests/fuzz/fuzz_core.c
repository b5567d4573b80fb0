/*
** The C interface as a program of bytes: each step is one of the calls of spawnpool.h on one of two managers, with
** arguments from the bytes that follow, and hooks run further steps of the same program. Between two steps at the
** outermost level everything that core_world.h and fuzz.h know must hold; at the end no byte may be left.
*/
#include "fuzz/core_steps.h"

#include <math.h>
#include <string.h>

/* {== Lives ============================================================== */

static void told(place *p, sp_ref object, sp_result why, double lifetime)
{
  fuzz_check(why < SP_RESULT_COUNT && (object == 0) == (why != SP_OK));
  if (object)
    core_remember(p->w, p->side, p->index, object, lifetime);
}

static void step_alloc(place *p)
{
  sp_result why = SP_OK;
  double lifetime = core_seconds_of(p->in);
  sp_ref object = sp_pool_alloc(p->pool, lifetime, &why);
  told(p, object, why, lifetime);
  fuzz_check(!(lifetime < 0) || !object);
}

static void step_alloc_many(place *p)
{
  double lifetime = core_seconds_of(p->in);
  for (uint32_t i = 1 + fuzz_byte(p->in) / 4; i > 0 && p->pool == p->s->pools[p->index]; i--) {
    sp_ref object = sp_pool_alloc(p->pool, lifetime, NULL);
    if (object && i % 16 == 0)
      core_remember(p->w, p->side, p->index, object, lifetime);
  }
}

static void step_alloc_at(place *p)
{
  sp_result why = SP_OK;
  double lifetime = core_seconds_of(p->in);
  float some[3];
  core_floats_of(p->in, some, 3);
  sp_place at = {some[0], some[1], some[2]};
  sp_ref object = sp_pool_alloc_at(p->pool, lifetime, fuzz_byte(p->in) & 1 ? NULL : &at, &why);
  told(p, object, why, lifetime);
}

static void step_alloc_cell(place *p)
{
  sp_result why = SP_OK;
  sp_ref object = 1;
  double lifetime = core_seconds_of(p->in);
  int column = (int)fuzz_below(p->in, SP_FIELDS + 4) - 1;
  void *cell = sp_pool_alloc_cell(p->pool, lifetime, column, &object, &why);
  fuzz_check((cell == NULL) == (object == 0));
  fuzz_check(!cell || cell == sp_peek(p->m, object, column));
  told(p, object, why, lifetime);
}

/* Nothing but fields may come between the two halves. */
static void step_begin(place *p)
{
  sp_result why = SP_OK;
  double lifetime = core_seconds_of(p->in);
  uint8_t bits = fuzz_byte(p->in);
  sp_ref object = sp_pool_alloc_begin(p->pool, lifetime, &why);
  fuzz_check((object == 0) == (why != SP_OK));
  if (!object)
    return;
  fuzz_check(!sp_is_live(p->m, object) && sp_cell(p->m, object, MARK));
  float *x = sp_cell(p->m, object, SP_X);
  if (x)
    *x = core_float_of(p->in);
  fuzz_check(!(bits & 4) || (sp_pool_alloc_begin(p->pool, 0, &why) == 0 && why == SP_BUSY));
  if (bits & 2)
    sp_set_parent(p->m, object, core_object_of(p->w, NULL));
  if (bits & 1) {
    sp_alloc_cancel(p->m, object);
    fuzz_check(!sp_is_live(p->m, object) && sp_alloc_commit(p->m, object, &why) == 0 && why == SP_STALE);
    return;
  }
  why = SP_OK;
  object = sp_alloc_commit(p->m, object, &why);
  told(p, object, why, lifetime);
}

static void step_take(place *p)
{
  sp_result why = SP_OK;
  double lifetime = core_seconds_of(p->in);
  uint8_t choice = fuzz_byte(p->in);
  sp_ref idle = choice & 128 ? core_object_of(p->w, NULL) : sp_pool_idle_at(p->pool, choice);
  sp_ref object = sp_pool_take(p->pool, idle, lifetime, &why);
  told(p, object, why, lifetime);
}

/* One of the three ways to end a life. */
static void end_life(place *p, sp_result (*end)(sp_manager *, sp_ref))
{
  sp_ref object = core_object_of(p->w, NULL);
  bool live = sp_is_live(p->m, object);
  sp_result result = end(p->m, object);
  fuzz_check(result != SP_OK || !sp_is_live(p->m, object));
  fuzz_check(live || result != SP_VETOED);
  fuzz_check(p->s->hooks > 0 || live || result == SP_STALE || result == SP_FOREIGN);
}

static void step_recycle(place *p) { end_life(p, sp_recycle); }
static void step_recycle_base(place *p) { end_life(p, sp_recycle_base); }
static void step_undo(place *p) { end_life(p, sp_alloc_undo); }
static void step_recycle_all(place *p) { sp_pool_recycle_all(p->pool); }

/* }== */

/* {== Time =============================================================== */

static void step_update(place *p)
{
  double dt = core_seconds_of(p->in), ahead = p->s->most_ahead;
  if (dt <= SP_MAX_LIFETIME && dt * sp_time_scale(p->m) > ahead)
    dt = ahead / sp_time_scale(p->m);
  uint64_t tick = sp_tick(p->m);
  double time = sp_time(p->m);
  sp_result result = sp_update(p->m, dt);
  fuzz_check(result == SP_OK || result == SP_BUSY || result == SP_INVALID);
  fuzz_check(p->s->hooks == 0 || result != SP_OK);
  fuzz_check(sp_tick(p->m) >= tick && sp_time(p->m) >= time);
  fuzz_check(result == SP_OK || (sp_tick(p->m) == tick && sp_time(p->m) == time));
}

static void step_frames(place *p)
{
  for (uint32_t i = fuzz_below(p->in, 32); i > 0; i--)
    sp_update(p->m, sp_step(p->m));
}

static void step_scale(place *p)
{
  static const double scales[] = {1, 0, 0.5, 2, 1e6, 1e7, -1, NAN, INFINITY, 1e-300};
  double before = sp_time_scale(p->m), scale = fuzz_of(p->in, scales);
  sp_result result = sp_set_time_scale(p->m, scale);
  fuzz_check(sp_time_scale(p->m) == (result == SP_OK ? scale : before));
}

static void step_pause(place *p)
{
  sp_set_paused(p->m, fuzz_byte(p->in) & 1);
  if (sp_paused(p->m))
    sp_update(p->m, core_seconds_of(p->in));
}

static void step_times(place *p)
{
  sp_ref object = core_object_of(p->w, NULL);
  bool live = sp_is_live(p->m, object);
  double age = sp_age(p->m, object), lifetime = sp_lifetime(p->m, object), left = sp_remaining(p->m, object);
  fuzz_check(age >= 0 && lifetime >= 0 && left >= 0);
  fuzz_check(!live || (lifetime == 0) == isinf(left));
}

static void step_set_remaining(place *p)
{
  thing *t;
  sp_ref object = core_object_of(p->w, &t);
  double seconds = core_seconds_of(p->in);
  sp_result result = sp_set_remaining(p->m, object, seconds);
  for (thing *k = p->w->things; k < p->w->things + THINGS; k++)
    if (k->object == object && result == SP_OK)
      k->due = sp_time(p->m) + seconds;
}

static void step_timer_start(place *p)
{
  sp_result why = SP_OK;
  sp_ref object = core_object_of(p->w, NULL);
  double seconds = core_seconds_of(p->in), period = fuzz_byte(p->in) & 1 ? core_seconds_of(p->in) : 0;
  uint32_t before = sp_timers(p->m, object, NULL);
  sp_timer timer = sp_timer_start(p->m, object, seconds, period, &why);
  fuzz_check((timer == 0) == (why != SP_OK));
  if (!timer)
    return;
  double shortest = period > sp_step(p->m) ? period : sp_step(p->m);
  if (period > 0 && shortest * 200 < p->s->most_ahead)
    p->s->most_ahead = shortest * 200;
  double next = -1;
  fuzz_check(sp_timers(p->m, object, &next) == before + 1 && next >= 0 && next < INFINITY);
  unsigned at = fuzz_byte(p->in) % TIMERS;
  p->w->timers[at].side = p->side;
  p->w->timers[at].timer = timer;
}

static void step_timer_stop(place *p)
{
  unsigned at = fuzz_byte(p->in);
  sp_timer timer = p->w->timers[at % TIMERS].timer ^ (at & 128 ? (sp_timer)1 << at % 64 : 0);
  sp_timer_stop(p->m, timer);
  if (p->w->timers[at % TIMERS].side == p->side)
    fuzz_check(at & 128 || sp_timer_stop(p->m, timer) == SP_NONE);
}

/* }== */

static const struct {
  void (*take)(place *p);
  bool anywhere; /* without a pool too */
} steps[] = {{step_alloc, false},
             {step_alloc, false},
             {step_alloc_many, false},
             {step_alloc_at, false},
             {step_alloc_cell, false},
             {step_begin, false},
             {step_take, false},
             {step_recycle, true},
             {step_recycle, true},
             {step_recycle_base, true},
             {step_undo, true},
             {step_recycle_all, false},
             {step_update, true},
             {step_update, true},
             {step_frames, true},
             {step_scale, true},
             {step_pause, true},
             {step_times, true},
             {step_set_remaining, true},
             {step_timer_start, true},
             {step_timer_stop, true},
             {step_prewarm, false},
             {step_prewarm_slowly, false},
             {step_clear, false},
             {step_configure, false},
             {step_set_hooks, false},
             {step_redefine, false},
             {step_open, true},
             {step_open, true},
             {step_remove, false},
             {step_close, true},
             {step_memory, true},
             {step_write, true},
             {step_write_field, true},
             {step_column, false},
             {step_add, false},
             {step_parent, true},
             {step_world_place, true},
             {step_check, true},
             {step_walk, false},
             {step_near, false},
             {step_overlaps, false},
             {step_names, true}};

void core_step(world *w)
{
  uint32_t step = fuzz_below(&w->in, sizeof steps / sizeof *steps);
  uint8_t where = fuzz_byte(&w->in);
  place p = {.w = w, .in = &w->in, .side = where >> 2 & 1, .index = where & 3};
  p.s = &w->sides[p.side];
  p.m = p.s->manager;
  p.pool = p.s->pools[p.index];
  w->depth++;
  if (p.m && (p.pool || steps[step].anywhere))
    steps[step].take(&p);
  w->depth--;
}

int fuzz_core(const uint8_t *data, size_t size)
{
  enum { EVERY = 8 }; /* steps from one look at everything to the next */
  static world w;     /* large */
  memset(&w, 0, sizeof w);
  w.in = (fuzz_input){data, data + (size < 4096 ? size : 4096)};
  for (int i = 0; i < SIDES; i++)
    core_world_open(&w, i);
  for (unsigned i = 0; fuzz_more(&w.in); i++) {
    core_step(&w);
    core_check_things(&w, i % EVERY == 0);
  }
  core_check_things(&w, true);
  for (int i = 0; i < SIDES; i++)
    core_world_close(&w, i);
  return 0;
}
