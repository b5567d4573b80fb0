/*
** Motion moves only what lives, where the games of the model do not look: idle objects, and numbers that are none.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

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
    if (i >= 256 && i < 512)
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

SUITE(motion, &moving)
