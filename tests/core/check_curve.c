/*
** Curves: floats that follow the share of its lifetime that an object has lived.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stddef.h>

static sp_curve curve_of(int column, size_t offset, int count, const float *points)
{
  sp_curve curve = {.column = column, .offset = (uint16_t)offset, .count = (uint16_t)count};
  for (int i = 0; i < count; i++)
    curve.points[i] = points[i];
  return curve;
}

static sp_pool *pool_with(core *c, const sp_curve *curves, int count)
{
  sp_pool_desc desc = test_desc("Spark");
  desc.curves = curves;
  desc.curve_count = count;
  desc.settings.grow = 1;
  return core_pool_with(c, &desc);
}

static float alpha(core *c, sp_ref object) { return ((const sp_look *)sp_peek(c->manager, object, SP_LOOK))->a; }

static const float fade[] = {1, 0}, rise[] = {0, 4, 2};

static test_group shapes = {"shapes"};
static test_group descriptions = {"descriptions"};

CORE_TEST(shapes, points_are_joined_by_straight_lines)
{
  const sp_curve curves[] = {curve_of(SP_LOOK, offsetof(sp_look, a), 2, fade), curve_of(SP_X, 0, 3, rise)};
  sp_pool *pool = pool_with(c, curves, 2);
  sp_ref object = sp_pool_alloc(pool, 64 * STEP, NULL);
  for (int tick = 0; tick < 64; tick++) {
    ck_assert_float_eq(alpha(c, object), 1 - (float)tick / 64);
    float x = tick < 32 ? (float)tick / 8 : 4 - (float)(tick - 32) / 16;
    ck_assert_float_eq(*core_float(c, object, SP_X), x);
    core_tick(c, 1);
  }
  ck_assert(!sp_is_live(c->manager, object));
}

CORE_TEST(shapes, a_life_without_end_is_left_alone)
{
  const sp_curve curve = curve_of(SP_LOOK, offsetof(sp_look, a), 2, (const float[]){0.5f, 0});
  sp_pool *pool = pool_with(c, &curve, 1);
  sp_ref timed = sp_pool_alloc(pool, 1, NULL), endless = core_alloc(pool);
  ck_assert_float_eq(alpha(c, timed), 0.5f);
  core_tick(c, 32);
  ck_assert_float_eq(alpha(c, timed), 0.25f);
  ck_assert_float_eq(alpha(c, endless), 1);
  core_recycle(c, timed);
  timed = core_alloc(pool); /* the same slot, and nothing of the curve */
  ck_assert_float_eq(alpha(c, timed), 1);
}

CORE_TEST(shapes, a_changed_lifetime_changes_the_share)
{
  const sp_curve curve = curve_of(SP_LOOK, offsetof(sp_look, a), 2, fade);
  sp_pool *pool = pool_with(c, &curve, 1);
  sp_ref object = sp_pool_alloc(pool, 1, NULL);
  core_tick(c, 32);
  sp_set_remaining(c->manager, object, 1.5);
  core_tick(c, 16);
  ck_assert_float_eq(alpha(c, object), 1 - 0.75f / 2);
  sp_set_remaining(c->manager, object, INFINITY);
  core_tick(c, 100);
  ck_assert_float_eq(alpha(c, object), 1 - 0.75f / 2);
  sp_set_remaining(c->manager, object, 0);
  core_tick(c, 1);
  ck_assert(!sp_is_live(c->manager, object));
}

CORE_TEST(shapes, every_door_starts_at_the_first_point)
{
  core_log log = {.only = "nothing"};
  const sp_curve curve = curve_of(SP_LOOK, offsetof(sp_look, a), 2, (const float[]){0.5f, 0});
  sp_pool_desc desc = test_desc("Spark");
  desc.curves = &curve;
  desc.curve_count = 1;
  for (int hooked = 0; hooked < 2; hooked++) {
    desc.type = hooked ? "Spark" : "Flash";
    desc.hooks = hooked ? core_hooks(&log) : (sp_hooks){0};
    desc.settings.limit = hooked ? 8 : SP_UNLIMITED;
    desc.settings.overflow = hooked ? SP_OVERFLOW_OLDEST : SP_OVERFLOW_REFUSE;
    sp_pool *pool = core_pool_with(c, &desc);
    for (int i = 0; i < 20; i++) {
      ck_assert_float_eq(alpha(c, sp_pool_alloc(pool, 1, NULL)), 0.5f);
      ck_assert_float_eq(alpha(c, sp_pool_alloc_at(pool, 1, &(sp_place){1, 2, 3}, NULL)), 0.5f);
      sp_ref open = sp_pool_alloc_begin(pool, 1, NULL);
      ck_assert_float_eq(alpha(c, open), 0.5f);
      sp_alloc_commit(c->manager, open, NULL);
      sp_pool_prewarm(pool, 100, NULL);
      sp_ref taken = sp_pool_take(pool, sp_pool_idle_at(pool, 0), 1, NULL);
      ck_assert(!taken || alpha(c, taken) == 0.5f);
    }
  }
  core_close(c);
}

CORE_TEST(descriptions, curves_come_and_go_with_the_description)
{
  const sp_curve curve = curve_of(SP_LOOK, offsetof(sp_look, a), 2, fade);
  sp_pool_desc desc = test_desc("Spark");
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref object = sp_pool_alloc(pool, 1, NULL);
  core_tick(c, 16);
  desc.curves = &curve;
  desc.curve_count = 1;
  ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_OK);
  core_tick(c, 16);
  ck_assert_float_eq(alpha(c, object), 0.5f);
  desc.curve_count = 0;
  ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_OK);
  core_tick(c, 16);
  ck_assert_float_eq(alpha(c, object), 0.5f);
  ck_assert_float_eq(alpha(c, sp_pool_alloc(pool, 1, NULL)), 1);
}

SUITE(curve, &shapes, &descriptions)
