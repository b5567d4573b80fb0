/*
** See core_world.h.
*/
#include "fuzz/core_world.h"
#include "support/desc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const types[POOLS] = {"A", "B", "C", "D"};

/* {== Choices ============================================================ */

float core_float_of(fuzz_input *in)
{
  static const float row[] = {0,    1,     -1,     0.5f,   3,        10,        -10, 400,   -400,
                              1e6f, 1e30f, -1e38f, 1e-40f, INFINITY, -INFINITY, NAN, -0.0f, 6.2831855f};
  return fuzz_of(in, row);
}

void core_floats_of(fuzz_input *in, float *out, int count)
{
  for (int i = 0; i < count; i++)
    out[i] = core_float_of(in);
}

double core_seconds_of(fuzz_input *in)
{
  static const double row[] = {0,    0.015625, 0.02, 0.1,    0.25,     0.5,       1,       2,  3.5,
                               10,   60,       1e3,  1e6,    1e9,      1e11,      1e12,    -1, -0.0,
                               1e-9, 1e300,    NAN,  5e-324, INFINITY, -INFINITY, 4.000001};
  uint8_t choice = fuzz_byte(in);
  if (choice < 200)
    return row[choice % (sizeof row / sizeof *row)];
  /* Next to a power of two of ticks, where the wheels turn. */
  double ticks = ldexp(1, (int)fuzz_below(in, 42)) + (double)fuzz_below(in, 3) - 1;
  return (ticks + (choice % 2 ? 0.25 : 0)) / 64;
}

static uint32_t count_of(fuzz_input *in)
{
  static const uint32_t row[] = {SP_UNLIMITED, 0,  1,   2,   3,   5,   16,       17,
                                 30,           64, 255, 256, 257, 600, 1u << 24, SP_UNLIMITED - 1};
  return fuzz_of(in, row);
}

sp_settings core_settings_of(fuzz_input *in)
{
  static const uint32_t makes[] = {0, 1, 2, 7, 32, 100, 300, UINT32_MAX};
  sp_settings s = {.prealloc = fuzz_of(in, makes)};
  s.limit = count_of(in);
  s.idle_limit = count_of(in);
  s.grow = fuzz_of(in, makes);
  s.overflow = (sp_overflow)fuzz_below(in, SP_OVERFLOW_COUNT + 1);
  s.order = (sp_order)fuzz_below(in, SP_ORDER_COUNT + 1);
  return s;
}

static const sp_field *fields_of(fuzz_input *in, sp_field *fields, int count)
{
  static const char *const names[] = {"a", "b", "c", "d", "mark", "", NULL};
  static const uint16_t sizes[] = {4, 1, 8, 12, 256, 3, 16, 0, 257};
  static const uint8_t initial[256] = {1, 2, 3, 4, 5, 6, 7, 8, 255};
  fields[0] = (sp_field){"mark", NULL, 4, false, false};
  for (int i = 1; i < count; i++) {
    uint8_t bits = fuzz_byte(in);
    fields[i] = (sp_field){.name = fuzz_of(in, names)};
    fields[i].size = fuzz_of(in, sizes);
    fields[i].initial = bits & 1 ? initial : NULL;
    fields[i].keep = bits >> 1 & 1;
    fields[i].live = bits >> 2 & 1;
  }
  return fields;
}

static const sp_curve *curves_of(fuzz_input *in, sp_curve *curves, int count)
{
  static const uint16_t offsets[] = {0, 4, 16, 20, 24, 2, 400};
  for (int i = 0; i < count; i++) {
    curves[i] = (sp_curve){.column = (int)fuzz_below(in, SP_FIELDS + 2) - 1};
    curves[i].offset = fuzz_of(in, offsets);
    curves[i].count = (uint16_t)fuzz_below(in, SP_MAX_POINTS + 2);
    for (int k = 0; k < SP_MAX_POINTS; k++)
      curves[i].points[k] = k < curves[i].count ? core_float_of(in) : 0;
  }
  return curves;
}

static sp_motion motion_of(fuzz_input *in)
{
  float some[2];
  core_floats_of(in, some, 2);
  return (sp_motion){some[0], some[1], fuzz_byte(in) & 1};
}

static sp_bounds bounds_of(fuzz_input *in)
{
  float some[4];
  core_floats_of(in, some, 4);
  return (sp_bounds){some[0], some[1], some[2], some[3], (sp_outside)fuzz_below(in, SP_OUTSIDE_COUNT + 1)};
}

sp_pool_desc core_desc_of(world *w, int side, int pool, desc_room *room)
{
  fuzz_input *in = &w->in;
  sp_pool_desc d = test_desc(types[pool]);
  uint8_t bits = fuzz_byte(in);
  d.field_count = 1 + (bits & 1 ? (int)fuzz_below(in, 7) : 0);
  d.fields = fields_of(in, room->fields, d.field_count);
  d.settings = bits & 2 ? core_settings_of(in) : d.settings;
  d.spatial = !(bits & 4);
  if (bits & 8)
    d.motion = motion_of(in);
  if (bits & 16)
    d.bounds = bounds_of(in);
  if (bits & 32) {
    d.curve_count = (int)fuzz_below(in, 4);
    d.curves = curves_of(in, room->curves, d.curve_count);
  }
  if (bits & 64) {
    d.vx = core_float_of(in);
    d.ay = core_float_of(in);
    d.spin = core_float_of(in);
    d.x = core_float_of(in);
    d.look.radius = core_float_of(in);
    d.look.scale = core_float_of(in);
    d.on_parent_end = (sp_parent_end)fuzz_below(in, SP_PARENT_END_COUNT + 1);
  }
  d.hooks = core_hooks_of(w, side, pool);
  return d;
}

sp_ref core_object_of(world *w, thing **known)
{
  uint8_t choice = fuzz_byte(&w->in);
  thing *t = &w->things[choice % THINGS];
  if (known)
    *known = NULL;
  if (choice < 200) {
    if (known)
      *known = t;
    return t->object;
  }
  if (choice < 225)
    return w->current;
  sp_pool *pool = w->sides[choice & 1].pools[choice >> 1 & 3];
  if (choice < 240 && pool)
    return sp_pool_idle_at(pool, fuzz_byte(&w->in));
  if (choice < 244)
    return SP_NONE_REF;
  sp_ref object = w->things[fuzz_below(&w->in, THINGS)].object;
  return object ^ (sp_ref)1 << fuzz_below(&w->in, 64);
}

/* }== */

/* {== Hooks: what they do is the next step of the program, most often none = */

static void act(const seat *s, sp_ref object)
{
  world *w = s->w;
  sp_ref outer = w->current;
  w->sides[s->side].hooks++;
  w->current = object;
  if (w->depth < DEEPEST && fuzz_below(&w->in, 4) == 3)
    core_step(w);
  w->current = outer;
  w->sides[s->side].hooks--;
}

static void on_create(void *ud, sp_pool *pool, sp_ref object)
{
  seat *s = ud;
  sp_pool **known = &s->w->sides[s->side].pools[s->pool];
  fuzz_check(!sp_is_live(sp_pool_manager(pool), object));
  if (!*known)
    *known = pool; /* it may run before sp_add_pool has returned */
  act(s, object);
}

static bool on_spawn(void *ud, sp_pool *pool, sp_ref object, bool fresh)
{
  const seat *s = ud;
  const uint32_t *mark = sp_peek(sp_pool_manager(pool), object, MARK);
  (void)fresh;
  fuzz_check(sp_is_live(sp_pool_manager(pool), object) && mark && *mark == 0);
  act(s, object);
  return fuzz_below(&s->w->in, 8) != 7;
}

static void on_recycle(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  const seat *s = ud;
  fuzz_check(why < SP_WHY_COUNT);
  act(s, object);
  if (fuzz_below(&s->w->in, 4) != 3)
    sp_recycle_base(sp_pool_manager(pool), object);
}

static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  fuzz_check(why < SP_WHY_COUNT && sp_peek(sp_pool_manager(pool), object, MARK) != NULL);
  fuzz_check(!sp_is_live(sp_pool_manager(pool), object));
  act(ud, object);
}

static void on_end(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  (void)ud;
  uint32_t *mark = sp_cell(sp_pool_manager(pool), object, MARK);
  fuzz_check(why < SP_WHY_COUNT && mark);
  *mark = 0xffffffff; /* of no use to the next life */
}

static void on_reject(void *ud, sp_pool *pool, sp_ref object)
{
  fuzz_check(!sp_is_live(sp_pool_manager(pool), object));
  act(ud, object);
}

static void on_destroy(void *ud, sp_pool *pool, sp_ref object)
{
  fuzz_check(!sp_is_live(sp_pool_manager(pool), object));
  act(ud, object);
}

static sp_ref on_overflow(void *ud, sp_pool *pool)
{
  const seat *s = ud;
  act(s, SP_NONE_REF);
  if (fuzz_below(&s->w->in, 2))
    return core_object_of(s->w, NULL);
  sp_walk walk = sp_pool_walk(pool);
  return sp_walk_next(&walk);
}

static void on_update(void *ud, sp_pool *pool, double dt)
{
  fuzz_check(dt >= 0 && sp_pool_manager(pool));
  act(ud, SP_NONE_REF);
}

sp_hooks core_hooks_of(world *w, int side, int pool)
{
  uint8_t bits = fuzz_byte(&w->in);
  sp_hooks h = {.ud = &w->sides[side].seats[pool], .on_create = on_create};
  h.on_spawn = bits & 1 ? on_spawn : NULL;
  h.recycle = bits & 2 ? on_recycle : NULL;
  h.on_despawn = bits & 4 ? on_despawn : NULL;
  h.on_end = bits & 8 ? on_end : NULL;
  h.on_reject = bits & 16 ? on_reject : NULL;
  h.on_destroy = bits & 32 ? on_destroy : NULL;
  h.on_overflow = bits & 64 ? on_overflow : NULL;
  h.update = bits & 128 ? on_update : NULL;
  w->sides[side].vetoes[pool] |= h.recycle != NULL;
  return h;
}

static void on_timer(void *ud, sp_ref object, uint64_t timer)
{
  fuzz_check(object && timer);
  act(ud, object);
}

/* }== */

/* {== Opening and closing ================================================ */

#define MOST_BYTES (600u << 10) /* what a manager gets: enough for thousands of objects, and soon refused */

static void *allocate(void *ud, void *ptr, size_t old_size, size_t new_size)
{
  test_memory *memory = ud;
  if (new_size > old_size && memory->bytes + new_size > MOST_BYTES)
    return NULL;
  return test_memory_fn(ud, ptr, old_size, new_size);
}

static void broken(void *ud, const char *expression, const char *file, int line)
{
  (void)ud;
  fuzz_failed(expression, file, line);
}

void core_world_open(world *w, int side)
{
  static const uint32_t lasts[] = {0, 4, 6, 8, 40, 0xfffffffe, 0, 3}, befores[] = {0, 2, 4, 8, 1};
  static const double steps[] = {1.0 / 64, 0, 1, 1e-6, 1e3, NAN, 1e-9, -1, 0.1};
  fuzz_input *in = &w->in;
  half *s = &w->sides[side];
  uint8_t bits = fuzz_byte(in);
  memset(s, 0, sizeof *s);
  for (int i = 0; i < POOLS; i++)
    s->seats[i] = (seat){w, side, i};
  sp_options o = {.memory = allocate, .memory_ud = &s->memory, .on_assert = broken, .id = (uint8_t)(1 + side)};
  o.timer_ud = &s->seats[0];
  o.on_timer = bits & 1 ? on_timer : NULL;
  o.on_timer_end = bits & 2 ? on_timer : NULL;
  if (bits & 4)
    o.last_generation = fuzz_of(in, lasts);
  if (bits & 8)
    o.first_generation = o.last_generation - fuzz_of(in, befores);
  o.step = bits & 16 ? fuzz_of(in, steps) : steps[0];
  s->memory.fail_at = bits & 32 ? fuzz_byte(in) : 0;
  sp_result why = SP_OK;
  s->manager = sp_open(&o, &why);
  fuzz_check((why == SP_OK) == (s->manager != NULL));
  if (!s->manager) {
    fuzz_check(why == SP_INVALID || why == SP_MEMORY);
    s->memory.fail_at = 0;
    s->manager = sp_open(&(sp_options){.memory = allocate, .memory_ud = &s->memory, .id = (uint8_t)(1 + side)}, &why);
    fuzz_check(s->manager && why == SP_OK);
  }
  /* An end is put off every 2^31 ticks: to do that thousands of times would take too long. */
  s->most_ahead = sp_step(s->manager) * 0x1p36;
}

void core_world_close(world *w, int side)
{
  half *s = &w->sides[side];
  fuzz_check(sp_close(s->manager) == SP_OK);
  fuzz_check(test_memory_is_clean(&s->memory));
  for (int i = 0; i < THINGS; i++)
    if (w->things[i].side == side)
      w->things[i] = (thing){0};
  for (int i = 0; i < TIMERS; i++)
    if (w->timers[i].side == side)
      w->timers[i].timer = 0;
}

/* }== */

/* {== The shadow ========================================================= */

void core_remember(world *w, int side, int pool, sp_ref object, double lifetime)
{
  sp_manager *m = w->sides[side].manager;
  uint32_t *mark = sp_cell(m, object, MARK);
  fuzz_check(sp_is_live(m, object) && mark && *mark == 0);
  *mark = ++w->seen;
  w->things[w->seen % THINGS] =
      (thing){object, side, pool, w->seen, false, lifetime > 0 ? sp_time(m) + lifetime : INFINITY};
}

static void check_life(const world *w, const thing *t)
{
  const half *s = &w->sides[t->side];
  const uint32_t *mark = sp_peek(s->manager, t->object, MARK);
  fuzz_check(mark && *mark == t->mark);
  fuzz_check(sp_owner(s->manager, t->object) == s->pools[t->pool]);
  fuzz_check(sp_age(s->manager, t->object) >= 0 && sp_remaining(s->manager, t->object) >= 0);
  double now = sp_time(s->manager), slack = 2 * sp_step(s->manager) + now * 1e-9;
  fuzz_check(s->vetoes[t->pool] || s->memory.refused || now <= t->due + slack);
}

void core_check_things(world *w, bool all)
{
  for (thing *t = w->things; t < w->things + THINGS; t++) {
    if (!t->object)
      continue;
    bool live = sp_is_live(w->sides[t->side].manager, t->object);
    fuzz_check(!(live && t->dead));
    t->dead = !live;
    if (live)
      check_life(w, t);
  }
  for (int i = 0; i < SIDES; i++)
    if (all)
      fuzz_check_manager(w->sides[i].manager);
    else
      fuzz_check_counts(w->sides[i].manager);
}

/* }== */
