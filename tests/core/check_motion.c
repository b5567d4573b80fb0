/*
** Motion: velocity, acceleration and spin move what lives, exactly and only that.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set(core *c, sp_ref object, int column, float value) { *core_float(c, object, column) = value; }
static float get(const core *c, sp_ref object, int column)
{
  return *(const float *)sp_peek(c->manager, object, column);
}

static test_group moving = {"moving"};
static test_group determinism = {"determinism"};

POOL_TEST(moving, velocity_and_spin_move)
{
  sp_ref object = sp_pool_alloc_at(pool, 0, &(sp_place){1, 2, 3}, NULL);
  set(c, object, SP_VX, 32);
  set(c, object, SP_VY, -64);
  set(c, object, SP_SPIN, 16);
  core_tick(c, 2);
  ck_assert_float_eq(get(c, object, SP_X), 2);
  ck_assert_float_eq(get(c, object, SP_Y), 0);
  ck_assert_float_eq(get(c, object, SP_ANGLE), 3.5f);
  ck_assert_float_eq(get(c, object, SP_VX), 32);
  sp_update(c->manager, 0);
  ck_assert_float_eq(get(c, object, SP_X), 2);
}

POOL_TEST(moving, constant_acceleration_is_exact_whatever_the_step)
{
  for (int parts = 1; parts <= 64; parts *= 4) {
    sp_ref object = core_alloc(pool);
    set(c, object, SP_VX, 2);
    set(c, object, SP_AX, 8);
    set(c, object, SP_AY, -16);
    for (int i = 0; i < parts; i++)
      sp_update(c->manager, 1.0 / parts);
    ck_assert_float_eq(get(c, object, SP_X), 2 + 4);
    ck_assert_float_eq(get(c, object, SP_VX), 10);
    ck_assert_float_eq(get(c, object, SP_Y), -8);
    ck_assert_float_eq(get(c, object, SP_VY), -16);
    core_recycle(c, object);
  }
}

POOL_TEST(moving, idle_objects_rest)
{
  sp_ref mover = core_alloc(pool), other = core_alloc(pool);
  for (int column = SP_VX; column <= SP_SPIN; column++)
    if (column != SP_ANGLE)
      set(c, mover, column, 64);
  core_tick(c, 1);
  core_recycle(c, mover);
  sp_ref idle = sp_pool_idle_at(pool, sp_pool_idle(pool) - 1);
  ck_assert_uint_eq((uint32_t)idle, (uint32_t)mover);
  float x = get(c, idle, SP_X), angle = get(c, idle, SP_ANGLE);
  core_tick(c, 10);
  ck_assert_float_eq(get(c, idle, SP_X), x);
  ck_assert_float_eq(get(c, idle, SP_ANGLE), angle);
  ck_assert_float_eq(get(c, other, SP_X), 0);
}

CORE_TEST(moving, a_description_with_velocity_moves_what_lives_and_nothing_else)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.vx = 64;
  desc.ay = 64;
  desc.spin = 64;
  desc.settings.prealloc = 3;
  sp_pool *pool = core_pool_with(c, &desc);
  core_tick(c, 5);
  sp_ref object = core_alloc(pool);
  ck_assert_float_eq(get(c, object, SP_X), 0);
  core_tick(c, 2);
  ck_assert_float_eq(get(c, object, SP_X), 2);
  ck_assert_float_eq(get(c, object, SP_Y), 2.0f / 64);
  ck_assert_float_eq(get(c, object, SP_ANGLE), 2);
  sp_ref idle = sp_pool_idle_at(pool, 0);
  ck_assert_float_eq(get(c, idle, SP_X), 0);
  core_recycle(c, object);
  core_tick(c, 2);
  object = sp_pool_take(pool, sp_pool_idle_at(pool, 2), 0, NULL); /* the same again, from the start */
  ck_assert_float_eq(get(c, object, SP_X), 0);
  ck_assert_float_eq(get(c, object, SP_VX), 64);
  ck_assert_float_eq(get(c, object, SP_VY), 0);
}

POOL_TEST(moving, chunks_without_life_are_left_alone)
{
  sp_ref objects[600];
  core_alloc_many(pool, objects, 600);
  for (int i = 0; i < 600; i++) {
    set(c, objects[i], SP_VX, 64);
    if (i >= 256 && i < 512)
      core_recycle(c, objects[i]);
  }
  float *x = sp_pool_column(pool, 1, SP_X), *vx = sp_pool_column(pool, 1, SP_VX);
  vx[0] = 64; /* not ours to write, but it shows */
  core_tick(c, 3);
  ck_assert_float_eq(x[0], 0);
  ck_assert_float_eq(get(c, objects[0], SP_X), 3);
  ck_assert_float_eq(get(c, objects[599], SP_X), 3);
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
  ck_assert_float_eq(get(c, object, SP_FIELDS), 4);
}

CORE_TEST(moving, values_that_are_not_numbers_stay_with_their_object)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.grow = 1;
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref sick = core_alloc(pool), sound = core_alloc(pool);
  set(c, sick, SP_VX, NAN);
  set(c, sick, SP_AY, INFINITY);
  set(c, sound, SP_VX, 64);
  core_tick(c, 2);
  ck_assert(isnan(get(c, sick, SP_X)));
  ck_assert_float_eq(get(c, sound, SP_X), 2);
  ck_assert_float_eq(get(c, sound, SP_Y), 0);
  core_recycle(c, sick);
  sick = core_alloc(pool);
  core_tick(c, 1);
  ck_assert_float_eq(get(c, sick, SP_X), 0);
  ck_assert_float_eq(get(c, sick, SP_Y), 0);
}

/* {== The same inputs give the same game ================================= */

static void play(core *c, sp_pool **pools)
{
  uint32_t x = 99;
  for (int i = 0; i < 5000; i++) {
    x = x * 1664525 + 1013904223;
    sp_pool *pool = pools[x >> 31];
    sp_ref object = sp_pool_alloc_at(pool, (x >> 16 & 63) * STEP, &(sp_place){(float)(x >> 8 & 255), 1.5f, 0.1f}, NULL);
    if (object) {
      *(float *)sp_cell(c->manager, object, SP_VX) = (float)(x >> 4 & 1023) * 0.37f;
      *(float *)sp_cell(c->manager, object, SP_AY) = (float)(x >> 12 & 1023) * -0.11f;
      *(float *)sp_cell(c->manager, object, SP_SPIN) = 0.3f;
    }
    if (x >> 20 & 1)
      sp_recycle(c->manager, sp_pool_idle_at(pool, 0) - ((sp_ref)1 << 32));
    if ((x >> 24 & 7) == 0)
      sp_update(c->manager, (x >> 8 & 3) * 0.011);
  }
}

TEST(determinism, two_managers_with_the_same_calls_are_equal_bit_for_bit)
{
  core c[2];
  sp_pool *pools[2][2];
  for (int i = 0; i < 2; i++) {
    core_open(&c[i]);
    free(malloc((size_t)i * 12345 + 1)); /* addresses differ */
    pools[i][0] = core_pool_limited(&c[i], "Cube", 400, SP_OVERFLOW_OLDEST);
    pools[i][1] = core_pool(&c[i], "Sphere");
    play(&c[i], pools[i]);
  }
  for (int k = 0; k < 2; k++) {
    sp_stats a = sp_pool_stats(pools[0][k]), b = sp_pool_stats(pools[1][k]);
    ck_assert_uint_eq(a.allocs, b.allocs);
    ck_assert_uint_eq(a.expired, b.expired);
    ck_assert_uint_eq(a.evicted, b.evicted);
    ck_assert_uint_eq(a.idle, b.idle);
    ck_assert_uint_eq(a.bytes, b.bytes);
    ck_assert_uint_gt(a.expired + a.evicted, 100);
    for (uint32_t chunk = 0; chunk < sp_pool_chunks(pools[0][k]); chunk++) {
      ck_assert_mem_eq(sp_pool_live_bits(pools[0][k], chunk), sp_pool_live_bits(pools[1][k], chunk),
                       SP_CHUNK_SLOTS / 8);
      for (int column = SP_X; column <= SP_LOOK; column++)
        ck_assert_mem_eq(sp_pool_peek(pools[0][k], chunk, column), sp_pool_peek(pools[1][k], chunk, column),
                         SP_CHUNK_SLOTS * (column == SP_LOOK ? sizeof(sp_look) : sizeof(float)));
    }
    for (uint32_t i = 0; i < a.idle; i++)
      ck_assert_uint_eq(sp_pool_idle_at(pools[0][k], i), sp_pool_idle_at(pools[1][k], i));
  }
  core_close(&c[0]);
  core_close(&c[1]);
}

/* }== */

SUITE(motion, &moving, &determinism)
