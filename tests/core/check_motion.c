/*
** Motion and bounds where the programs of the model do not come: idle objects, numbers that are none, hooks that change
** what is outside, chunks that are freed, and angles with and without wide vectors.
*/
#include "core/angle.h"
#include "core/state.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static test_group moving = {"moving"};

/* Whatever they begin with, and whatever moved the life before. */
CORE_TEST(moving, idle_objects_rest)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.vx = desc.ay = desc.spin = desc.motion.gravity = 64;
  desc.settings.prealloc = 2;
  sp_pool *pool = core_pool_with(c, &desc);
  core_tick(c, 3);
  sp_ref mover = core_alloc(pool);
  core_tick(c, 1);
  core_recycle(c, mover);
  sp_ref fresh = sp_pool_idle_at(pool, 0), used = sp_pool_idle_at(pool, 1);
  ck_assert_uint_eq((uint32_t)used, (uint32_t)mover);
  float x = core_peek(c, used, SP_X), y = core_peek(c, used, SP_Y), angle = core_peek(c, used, SP_ANGLE);
  ck_assert_float_eq(core_peek(c, fresh, SP_Y), 0);
  core_alloc(pool); /* something moves */
  core_tick(c, 10);
  ck_assert_float_eq(core_peek(c, used, SP_X), x);
  ck_assert_float_eq(core_peek(c, used, SP_Y), y);
  ck_assert_float_eq(core_peek(c, used, SP_ANGLE), angle);
}

POOL_TEST(moving, chunks_without_life_are_left_alone)
{
  sp_ref objects[600];
  core_alloc_many(pool, objects, 600);
  for (int i = 0; i < 600; i++) {
    *core_float(c, objects[i], SP_VX) = 64;
    if (i >= SP_CHUNK_SLOTS && i < 2 * SP_CHUNK_SLOTS)
      core_recycle(c, objects[i]);
  }
  float *x = sp_pool_column(pool, 1, SP_X), *vx = sp_pool_column(pool, 1, SP_VX);
  vx[0] = 64; /* not ours to write, but it shows */
  core_tick(c, 3);
  ck_assert_float_eq(x[0], 0);
  ck_assert_float_eq(core_peek(c, objects[0], SP_X), 3);
  ck_assert_float_eq(core_peek(c, objects[599], SP_X), 3);
}

CORE_TEST(moving, a_pool_that_is_not_spatial_has_nothing_to_move)
{
  sp_pool_desc desc = test_desc("Order");
  const float four = 4;
  const sp_field fields[] = {{"x", &four, sizeof four, false, false}};
  desc.spatial = false;
  desc.vx = 64;
  desc.fields = fields;
  desc.field_count = 1;
  sp_ref object = core_alloc(core_pool_with(c, &desc));
  core_tick(c, 3);
  ck_assert_float_eq(core_peek(c, object, SP_FIELDS), 4);
}

CORE_TEST(moving, values_that_are_not_numbers_stay_with_their_object)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.grow = 1;
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref sick = core_alloc(pool), sound = core_alloc(pool);
  *core_float(c, sick, SP_VX) = NAN;
  *core_float(c, sick, SP_AY) = INFINITY;
  *core_float(c, sound, SP_VX) = 64;
  core_tick(c, 2);
  ck_assert(isnan(core_peek(c, sick, SP_X)));
  ck_assert_float_eq(core_peek(c, sound, SP_X), 2);
  ck_assert_float_eq(core_peek(c, sound, SP_Y), 0);
  core_recycle(c, sick);
  sick = core_alloc(pool);
  core_tick(c, 1);
  ck_assert_float_eq(core_peek(c, sick, SP_X), 0);
  ck_assert_float_eq(core_peek(c, sick, SP_Y), 0);
}

static test_group bounds_tests = {"bounds"};

static sp_pool *bounded(core *c, sp_outside outside, core_log *log)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.bounds = (sp_bounds){10, 20, 100, 50, outside};
  if (log)
    desc.hooks = core_hooks_all(log);
  return core_pool_with(c, &desc);
}

TEST(bounds_tests, what_is_nowhere_comes_back_too)
{
  for (int outside = SP_OUTSIDE_WRAP; outside < SP_OUTSIDE_COUNT; outside++) {
    static const float nowhere[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f};
    for (int i = 0; i < 5; i++) {
      core c;
      core_open(&c);
      sp_ref object = core_alloc_at(bounded(&c, (sp_outside)outside, NULL), nowhere[i], 30);
      sp_update(c.manager, 0);
      ck_assert(core_peek(&c, object, SP_X) >= 10 && core_peek(&c, object, SP_X) <= 110);
      core_close(&c);
    }
  }
}

/* Opens a core with so many objects that the next update recycles. */
static sp_pool *open_outside(core *c, core_log *log, float y, sp_ref *objects, int count)
{
  core_open(c);
  sp_pool *pool = bounded(c, SP_OUTSIDE_RECYCLE, log);
  for (int i = 0; i < count; i++)
    objects[i] = core_alloc_at(pool, -50, y);
  return pool;
}

static void move_others(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  sp_manager *m = sp_pool_manager(pool);
  const sp_ref *others = log->data;
  if (!core_is(hook, "despawn") || log->count++ > 0)
    return;
  *(float *)sp_cell(m, others[0], SP_X) = 50;            /* back inside */
  must(sp_recycle(m, others[1]) == SP_OK);               /* gone */
  must(sp_set_parent(m, others[2], others[0]) == SP_OK); /* no longer the world's */
  log->object = sp_pool_alloc_at(pool, 0, &(sp_place){-70, 50, 0}, NULL);
}

TEST(bounds_tests, a_hook_decides_anew_who_is_outside)
{
  core c;
  core_log log = {.act = move_others, .only = "despawn"};
  sp_ref objects[4];
  open_outside(&c, &log, 50, objects, 4);
  log.data = objects + 1;
  sp_update(c.manager, 0);
  ck_assert_str_eq(core_log_take(&log), "despawn 1 outside, despawn 3 recycled");
  ck_assert(sp_is_live(c.manager, objects[1]));
  ck_assert(sp_is_live(c.manager, objects[3]));
  ck_assert(sp_is_live(c.manager, log.object)); /* it came too late for this update */
  sp_update(c.manager, 0);
  ck_assert(!sp_is_live(c.manager, log.object));
  core_close(&c);
}

static void lift_bounds(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (!core_is(hook, "despawn") || log->count++ > 0)
    return;
  sp_pool_desc desc = test_desc("Cube");
  desc.hooks = core_hooks_all(log);
  must(sp_pool_redefine(pool, &desc) == SP_OK);
}

TEST(bounds_tests, a_hook_that_removes_the_bounds_ends_the_pass)
{
  core c;
  core_log log = {.act = lift_bounds, .only = "none"};
  sp_ref objects[400];
  sp_pool *pool = open_outside(&c, &log, 170, objects, 400);
  sp_update(c.manager, 0);
  ck_assert_uint_eq(sp_pool_live(pool), 399);
  for (int i = 1; i < 400; i++)
    must(*core_float(&c, objects[i], SP_X) == -50 && *core_float(&c, objects[i], SP_Y) == 170);
  core_close(&c);
}

CORE_TEST(bounds_tests, a_hair_outside_wraps_to_an_edge_and_not_beyond)
{
  sp_pool *pool = bounded(c, SP_OUTSIDE_WRAP, NULL);
  sp_ref object = core_alloc_at(pool, nextafterf(10, 0), 50); /* a width further on is the far edge, rounded */
  sp_update(c->manager, 0);
  ck_assert_float_eq(core_peek(c, object, SP_X), 10);
}

CORE_TEST(bounds_tests, an_object_on_an_edge_is_inside)
{
  sp_pool *pool = bounded(c, SP_OUTSIDE_RECYCLE, NULL);
  static const float on[][2] = {{10, 50}, {110, 50}, {50, 20}, {50, 70}};
  for (int i = 0; i < 4; i++) {
    sp_ref object = core_alloc_at(pool, on[i][0], on[i][1]);
    sp_update(c->manager, 0);
    ck_assert_msg(sp_is_live(c->manager, object), "edge %d", i);
  }
}

enum { TOGETHER = 4 * SP_CHUNK_SLOTS }; /* slots of chunks that are freed together */

/* Empties the first chunk, whose place in the list the others then take. */
static void clear_first(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (!core_is(hook, "despawn") || log->depth > 1 || log->count++ > 0)
    return;
  const sp_ref *objects = log->data;
  for (int i = 0; i < TOGETHER; i++)
    must(sp_recycle(sp_pool_manager(pool), objects[i]) == SP_OK);
  sp_pool_clear(pool);
}

TEST(bounds_tests, chunks_that_go_meanwhile_put_nothing_off_beyond_the_next_update)
{
  for (int chunks = 2; chunks <= 3; chunks++) {
    core c;
    core_log log = {.act = clear_first, .only = "none"};
    static sp_ref objects[3 * TOGETHER];
    core_open(&c);
    sp_pool *pool = bounded(&c, SP_OUTSIDE_RECYCLE, &log);
    int count = chunks * TOGETHER;
    for (int i = 0; i < count; i++)
      objects[i] = core_alloc_at(pool, i == 300 || i == 301 || i == 600 ? 0 : 50, 50);
    log.data = objects;
    sp_update(c.manager, 0);
    ck_assert(!sp_is_live(c.manager, objects[300]));
    sp_update(c.manager, 0);
    for (int i = 0; i < count; i++)
      must(sp_is_live(c.manager, objects[i]) == (i >= TOGETHER && i != 300 && i != 301 && i != 600));
    core_check(c.manager);
    core_close(&c);
  }
}

static test_group games_case = {"games"};

TEST(games_case, angles_are_those_of_the_c_library)
{
  static const float odd[] = {0.0f, -0.0f, 1, -1, 3, -3, 1e-44f, 1e30f, INFINITY, -INFINITY};
  for (int i = 0; i < 10; i++)
    for (int k = 0; k < 10; k++)
      if (odd[i] != 0 || odd[k] != 0)
        ck_assert_float_eq_tol(sp_angle(odd[i], odd[k]), atan2f(odd[i], odd[k]), 3e-7f);
  for (int i = 0; i < 10000; i++) {
    float a = (float)i * 0.01f, x = 5 * cosf(a), y = 5 * sinf(a);
    must(fabs((double)sp_angle(y, x) - atan2((double)y, (double)x)) < 2e-7);
  }
  ck_assert_float_nan(sp_angle(NAN, 1));
  ck_assert_float_nan(sp_angle(1, NAN));
  ck_assert(signbit(sp_angle(-0.0f, 1)));
}

TEST(games_case, an_infinite_velocity_has_a_direction_and_a_negative_zero_has_none)
{
  static const float speeds[][3] = {{INFINITY, 0, 0},           {-INFINITY, 0, 3.14159265f},
                                    {0, INFINITY, 1.57079633f}, {3, -INFINITY, -1.57079633f},
                                    {-3, -0.0f, 3.14159265f},   {3, -0.0f, 0},
                                    {-0.0f, 3, 1.57079633f},    {-0.0f, -3, -1.57079633f}};
  for (int wide = 0; wide < 2; wide++) {
    core c;
    sp_pool_desc desc = test_desc("Cube");
    desc.motion.face_velocity = true;
    core_open(&c);
    c.manager->wide = c.manager->wide && wide;
    sp_pool *pool = core_pool_with(&c, &desc);
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
      sp_ref object = core_alloc(pool);
      *core_float(&c, object, SP_VX) = speeds[i][0];
      *core_float(&c, object, SP_VY) = speeds[i][1];
      core_tick(&c, 1);
      ck_assert_float_eq_tol(*core_float(&c, object, SP_ANGLE), speeds[i][2], 1e-6f);
    }
    core_close(&c);
  }
}

SUITE(motion, &moving, &bounds_tests, &games_case)
