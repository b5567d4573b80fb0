/*
** The model's time: what is due, updates, motion, and what happens at the bounds.
*/
#include "core/angle.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

int model_next_by_age(const model *m, uint64_t after)
{
  int next = -1;
  for (int k = 0; k < POOLS; k++)
    if (m->pools[k].age > after && (next < 0 || m->pools[k].age < m->pools[next].age))
      next = k;
  return next;
}

/* {== Bounds ============================================================= */

/* The range of the centres that are inside: a box is kept inside as a whole, or leaves as a whole. */
typedef struct range {
  float low, high;
} range;

static range inside_of(const model_pool *p, float low, float size, float width)
{
  const sp_outside outside = p->shape.bounds.outside;
  const float half = outside == SP_OUTSIDE_RECYCLE || outside == SP_OUTSIDE_WRAP ? -width / 2 : width / 2;
  const range r = {low + half, low + size - half}, middle = {low + size / 2, low + size / 2};
  return r.low > r.high ? middle : r;
}

static range across(const model_pool *p) { return inside_of(p, p->shape.bounds.x, p->shape.bounds.w, p->shape.box.w); }
static range down(const model_pool *p) { return inside_of(p, p->shape.bounds.y, p->shape.bounds.h, p->shape.box.h); }

static bool is_outside(const model_pool *p, const model_object *o)
{
  const float x = o->columns[SP_X], y = o->columns[SP_Y];
  return !(x >= across(p).low && x <= across(p).high && y >= down(p).low && y <= down(p).high);
}

static float wrapped(float x, float low, float high)
{
  float in = fmodf(x - low, high - low);
  in = in < 0 ? in + (high - low) : in;
  return in >= 0 && in < high - low ? low + in : low;
}

static void bring_back_axis(float *x, float *v, range r, sp_outside outside)
{
  float low = r.low, high = r.high, width = high - low, in;
  if (*x >= low && *x <= high)
    return;
  if (outside == SP_OUTSIDE_WRAP) {
    *x = wrapped(*x, low, high);
  } else if (outside == SP_OUTSIDE_BOUNCE) {
    in = wrapped(*x, low, low + 2 * width) - low;
    *x = in > width ? low + 2 * width - in : low + in;
    *v = in > width ? 0 - *v : *v;
  } else {
    *x = *x > high ? high : low;
    *v = 0;
  }
}

static void bring_back(const model_pool *p, model_object *o)
{
  bring_back_axis(&o->columns[SP_X], &o->columns[SP_VX], across(p), p->shape.bounds.outside);
  bring_back_axis(&o->columns[SP_Y], &o->columns[SP_VY], down(p), p->shape.bounds.outside);
}

enum { WORD = 64 };

/* Numbers of those in a word of slots that are outside now, by slot; 0: none. What a hook moves out of the word later
   is found at the next update. */
static void outside_of(const model_pool *p, uint32_t word, uint32_t *numbers)
{
  memset(numbers, 0, WORD * sizeof *numbers);
  for (const model_object *o = p->objects; o < p->objects + p->used; o++)
    if (o->number && (o->live || o->dying) && o->slot / WORD == word && is_outside(p, o))
      numbers[o->slot % WORD] = o->number;
}

static model_object *in_slot(model_pool *p, uint32_t slot)
{
  for (model_object *o = p->objects; o < p->objects + p->used; o++)
    if (o->number && o->slot == slot)
      return o;
  return NULL;
}

/* False: the pool has no bounds any more. */
static bool bound_word(model *m, int pool, uint32_t word, uint64_t serial)
{
  model_pool *p = &m->pools[pool];
  uint32_t numbers[WORD];
  outside_of(p, word, numbers);
  for (uint32_t i = 0; i < WORD; i++) {
    model_object *o = numbers[i] ? in_slot(p, word * WORD + i) : NULL;
    if (numbers[i] && p->shape.bounds.outside == SP_OUTSIDE_IGNORE)
      return false;
    if (!o || !o->live || o->serial > serial || o->parent || !is_outside(p, o))
      continue;
    if (p->shape.bounds.outside == SP_OUTSIDE_RECYCLE)
      model_end(m, pool, o->number, SP_WHY_OUTSIDE, true, false);
    else
      bring_back(p, o);
  }
  return true;
}

/* Slots of other pools lie between: so every word is looked at that has an object. */
static void bound_pool(model *m, int pool)
{
  const model_pool *p = &m->pools[pool];
  uint64_t serial = m->serial;
  for (uint32_t word = 0, next; word < UINT32_MAX; word = next) {
    next = UINT32_MAX;
    bool any = false;
    for (const model_object *o = p->objects; o < p->objects + p->used; o++) {
      any |= o->number && o->slot / WORD == word;
      if (o->number && o->slot / WORD > word && o->slot / WORD < next)
        next = o->slot / WORD;
    }
    if (any && !bound_word(m, pool, word, serial))
      return;
  }
}

/* }== */

static bool has_bounds(const model_pool *p)
{
  return p->stats.live > 0 && p->shape.bounds.outside != SP_OUTSIDE_IGNORE;
}

/* Uses the same sums in the same order as the core, so that both are rounded alike. */
static void move_object(float *columns, const sp_motion *motion, float dt)
{
  for (int x = SP_X; x <= SP_Y; x++) {
    const int v = x + SP_VX - SP_X, a = x + SP_AX - SP_X;
    columns[x] += (columns[v] + columns[a] * (dt * 0.5f)) * dt;
    columns[v] += columns[a] * dt;
  }
  columns[SP_Y] += motion->gravity * (dt * 0.5f) * dt;
  columns[SP_VY] += motion->gravity * dt;
  columns[SP_VX] *= 1 / (1 + motion->drag * dt);
  columns[SP_VY] *= 1 / (1 + motion->drag * dt);
  columns[SP_ANGLE] += columns[SP_SPIN] * dt;
  if (motion->face_velocity && (columns[SP_VX] != 0 || columns[SP_VY] != 0))
    columns[SP_ANGLE] = sp_angle(columns[SP_VY] + 0.0f, columns[SP_VX]);
}

/* Returns the value of MODEL_FADE; NAN if the life is too short for the known precision of its birth. */
static float fade_of(const model *m, const model_object *o)
{
  const sp_curve fade = MODEL_FADE;
  const int64_t age = model_now(m) - o->born;
  if (model_time(m) * 1e-12 * 256 >= (double)o->lifetime * 1e-4)
    return NAN;
  if (age >= o->lifetime)
    return fade.points[2];
  const double at = 2 * (double)age / (double)o->lifetime;
  const float *from = &fade.points[(int)at];
  return from[0] + (from[1] - from[0]) * (float)(at - (int)at);
}

static void move(model *m, float dt)
{
  bool any = false;
  int k;
  for (k = 0; k < POOLS; k++) {
    any |= has_bounds(&m->pools[k]);
    for (model_object *o = m->pools[k].objects; o < m->pools[k].objects + m->pools[k].used; o++)
      if (o->live) {
        move_object(o->columns, &m->pools[k].shape.motion, dt);
        if (m->pools[k].shape.fades && (o->due || o->lifetime > 0))
          o->alpha = fade_of(m, o);
      }
  }
  for (uint64_t age = 0; any && (k = model_next_by_age(m, age)) >= 0; age = m->pools[k].age)
    if (has_bounds(&m->pools[k]))
      bound_pool(m, k);
}

/* {== Time =============================================================== */

/* Of what is due now, what began first. */
static model_object *next_due(model *m, int *pool)
{
  model_object *first = NULL;
  for (int k = 0; k < POOLS; k++)
    for (model_object *o = m->pools[k].objects; o < m->pools[k].objects + m->pools[k].used; o++)
      if (o->live && o->due == m->tick && (!first || o->serial < first->serial)) {
        first = o;
        *pool = k;
      }
  return first;
}

static void expire(model *m)
{
  int pool;
  for (model_object *o; (o = next_due(m, &pool)) != NULL;) {
    o->due = 0;
    model_end(m, pool, o->number, SP_WHY_EXPIRED, true, false);
  }
}

static void run_updates(model *m, int64_t units)
{
  int k;
  for (uint64_t age = 0; (k = model_next_by_age(m, age)) >= 0; age = m->pools[k].age)
    if (model_hears(m, k, HOOK_UPDATE))
      model_expect(m, HOOK_UPDATE, k, 0, MODEL_DT(units));
}

static uint32_t live_in_all(const model *m)
{
  uint32_t live = 0;
  for (int k = 0; k < POOLS; k++)
    live += m->pools[k].stats.live;
  return live;
}

static void warm_slowly(model *m, int64_t units)
{
  int k;
  for (uint64_t age = 0; (k = model_next_by_age(m, age)) >= 0; age = m->pools[k].age)
    model_warm_slice(m, k, units);
}

/* The next tick at which something is due, at most `most`. */
static uint64_t next_tick(const model *m, uint64_t most)
{
  for (int k = 0; k < POOLS; k++)
    for (const model_object *o = m->pools[k].objects; o < m->pools[k].objects + m->pools[k].used; o++)
      if (o->live && o->due > m->tick && o->due < most)
        most = o->due;
  for (const model_timer *t = m->timers; t < m->timers + TIMERS; t++)
    if (t->handle && t->due > m->tick && t->due < most)
      most = t->due;
  return most;
}

static int64_t rescaled(const model *m, int64_t units, int64_t scale)
{
  if (units * m->scale % scale != 0)
    model_differ(m, "the rest of an update is no whole number of units");
  return units * m->scale / scale;
}

/* Returns the units that passed: a hook may pause the clock, or change its scale, from the next tick on. */
static int64_t advance(model *m, int64_t units)
{
  const int64_t began = model_now(m);
  int64_t left = units + m->spare, scale = m->scale;
  if (units == 0)
    return 0;
  m->spare = 0;
  while (left >= UNITS_PER_TICK && !m->paused) {
    const uint64_t tick = next_tick(m, m->tick + (uint64_t)(left / UNITS_PER_TICK));
    left -= (int64_t)(tick - m->tick) * UNITS_PER_TICK;
    m->tick = tick;
    expire(m);
    model_fire(m);
    if (m->scale != scale)
      left = rescaled(m, left, scale);
    scale = m->scale;
  }
  m->spare = m->paused ? 0 : left;
  return model_now(m) - began;
}

answer model_update(model *m, const op *o)
{
  if (m->busy || o->time < 0)
    return (answer){.result = o->time < 0 ? SP_INVALID : SP_BUSY};
  m->end_count = 0;
  if (m->paused)
    return (answer){.result = SP_OK};
  int64_t units = o->time * m->scale;
  m->updating = true;
  m->busy++;
  m->peak = live_in_all(m) > m->peak ? live_in_all(m) : m->peak;
  const int64_t scale = m->scale;
  warm_slowly(m, units);
  if (m->paused)
    units = 0;
  else if (m->scale != scale && units > 0)
    units = rescaled(m, units, scale);
  units = advance(m, units);
  run_updates(m, units);
  move(m, (float)units / 256);
  m->busy--;
  m->updating = false;
  return (answer){.result = SP_OK};
}

/* }== */
