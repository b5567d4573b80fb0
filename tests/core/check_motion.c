/*
** Motion and bounds where the programs of the model do not come: idle objects, numbers that are none, and angles with
** and without wide vectors.
*/
#include "core/angle.h"
#include "core/state.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>

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

static sp_pool *bounded(core *c, sp_outside outside)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.bounds = (sp_bounds){10, 20, 100, 50, outside};
  return core_pool_with(c, &desc);
}

TEST(bounds_tests, what_is_nowhere_comes_back_too)
{
  for (int outside = SP_OUTSIDE_WRAP; outside < SP_OUTSIDE_COUNT; outside++) {
    static const float nowhere[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f};
    for (int i = 0; i < 5; i++) {
      core c;
      core_open(&c);
      sp_ref object = core_alloc_at(bounded(&c, (sp_outside)outside), nowhere[i], 30);
      sp_update(c.manager, 0);
      ck_assert(core_peek(&c, object, SP_X) >= 10 && core_peek(&c, object, SP_X) <= 110);
      core_close(&c);
    }
  }
}

CORE_TEST(bounds_tests, a_hair_outside_wraps_to_an_edge_and_not_beyond)
{
  sp_pool *pool = bounded(c, SP_OUTSIDE_WRAP);
  sp_ref object = core_alloc_at(pool, nextafterf(10, 0), 50); /* a width further on is the far edge, rounded */
  sp_update(c->manager, 0);
  ck_assert_float_eq(core_peek(c, object, SP_X), 10);
}

typedef struct shuffle {
  sp_ref objects[5]; /* all outside; the hook of the first one moves the others, and makes the last one */
  int ended;
  bool lifts; /* the bounds */
} shuffle;

static void move_others(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  shuffle *it = ud;
  sp_manager *m = sp_pool_manager(pool);
  (void)object;
  it->ended += why == SP_WHY_OUTSIDE;
  if (why != SP_WHY_OUTSIDE || it->ended > 1)
    return;
  sp_pool_desc desc = test_desc("Cube");
  desc.hooks = (sp_hooks){.ud = it, .on_despawn = move_others};
  must(!it->lifts || sp_pool_redefine(pool, &desc) == SP_OK);
  *(float *)sp_cell(m, it->objects[1], SP_X) = 50;                           /* back inside */
  must(sp_recycle(m, it->objects[2]) == SP_OK);                              /* gone */
  must(sp_set_parent(m, it->objects[3], it->objects[1]) == SP_OK);           /* no longer the world's */
  it->objects[4] = sp_pool_alloc_at(pool, 0, &(sp_place){-70, 50, 0}, NULL); /* too late for this update */
}

/* Or ends the pass, when it removes the bounds (_i). */
TESTS(bounds_tests, a_hook_decides_anew_who_is_outside, 2)
{
  core c;
  shuffle it = {.lifts = _i};
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.bounds = (sp_bounds){10, 20, 100, 50, SP_OUTSIDE_RECYCLE};
  desc.hooks = (sp_hooks){.ud = &it, .on_despawn = move_others};
  sp_pool *pool = core_pool_with(&c, &desc);
  for (int i = 0; i < 4; i++)
    it.objects[i] = core_alloc_at(pool, -50, 50);
  sp_ref later = core_alloc_at(pool, -50, 50);
  sp_update(c.manager, 0);
  ck_assert_int_eq(it.ended, _i ? 1 : 2);
  ck_assert(sp_is_live(c.manager, it.objects[1]) && sp_is_live(c.manager, it.objects[3]));
  ck_assert(sp_is_live(c.manager, it.objects[4]) && sp_is_live(c.manager, later) == _i);
  ck_assert(!_i || core_peek(&c, later, SP_X) == -50);
  sp_update(c.manager, 0);
  ck_assert_int_eq(sp_is_live(c.manager, it.objects[4]), _i);
  core_close(&c);
}

static test_group angles = {"angles"};

TEST(angles, are_those_of_the_c_library)
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

TEST(angles, an_infinite_velocity_has_a_direction_and_a_negative_zero_has_none)
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

SUITE(motion, &moving, &bounds_tests, &angles)
