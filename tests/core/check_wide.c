/*
** Wide vectors: a machine that has them plays the same game as one that has not, bit for bit.
*/
#include "core/angle.h"
#include "core/state.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define OBJECTS 600 /* three chunks, the last not full */

static const sp_bounds somewhere = {-40, -40, 100, 80, SP_OUTSIDE_IGNORE};

static const struct {
  const char *what;
  sp_motion motion;
  sp_outside outside;
  unsigned written; /* columns */
} games[] = {
    {"velocity", {0}, SP_OUTSIDE_IGNORE, 1u << SP_VX | 1u << SP_VY},
    {"velocity along one axis", {0}, SP_OUTSIDE_IGNORE, 1u << SP_VY},
    {"acceleration", {0}, SP_OUTSIDE_IGNORE, 1u << SP_VX | 1u << SP_VY | 1u << SP_AX | 1u << SP_AY},
    {"spin", {0}, SP_OUTSIDE_IGNORE, 1u << SP_SPIN},
    {"gravity and drag", {9.81f, 0.7f, false}, SP_OUTSIDE_IGNORE, 1u << SP_VX},
    {"facing the velocity", {-3, 0, true}, SP_OUTSIDE_IGNORE, 1u << SP_VX | 1u << SP_VY},
    {"wrap", {0}, SP_OUTSIDE_WRAP, 1u << SP_VX | 1u << SP_VY},
    {"bounce", {5, 0.1f, true}, SP_OUTSIDE_BOUNCE, 1u << SP_VX | 1u << SP_VY},
    {"clamp", {0}, SP_OUTSIDE_CLAMP, 1u << SP_VX | 1u << SP_VY | 1u << SP_AX},
    {"recycle", {1, 0, false}, SP_OUTSIDE_RECYCLE, 1u << SP_VX | 1u << SP_VY},
    {"curves", {0}, SP_OUTSIDE_IGNORE, 1u << SP_VX},
};

static const sp_curve bends[] = {{.column = SP_Y, .count = 3, .points = {0, 7, -1}},
                                 {.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 2, .points = {1, 0}}};

static sp_pool *open_game(core *c, size_t game, bool wide)
{
  uint32_t x = 7;
  sp_pool_desc desc = test_desc("Cube");
  desc.motion = games[game].motion;
  desc.bounds = somewhere;
  desc.bounds.outside = games[game].outside;
  bool curves = strcmp(games[game].what, "curves") == 0;
  desc.curves = bends;
  desc.curve_count = curves ? 2 : 0;
  core_open(c);
  c->manager->wide = c->manager->wide && wide;
  sp_pool *pool = core_pool_with(c, &desc);
  for (int i = 0; i < OBJECTS; i++) {
    double lifetime = curves && i % 3 ? 1 + i % 300 * STEP : 0;
    sp_ref object = sp_pool_alloc(pool, lifetime, NULL);
    must(object != SP_NONE_REF);
    for (int column = SP_X; column <= SP_SPIN; column++)
      if (games[game].written >> column & 1) {
        x = x * 1664525 + 1013904223;
        *core_float(c, object, column) = (float)(int32_t)x * 0x1.3p-25f;
      }
    if (x >> 29 == 0)
      core_recycle(c, object);
  }
  return pool;
}

static test_group games_case = {"games"};

TESTS(games_case, wide_and_narrow_vectors_give_the_same_game, sizeof games / sizeof games[0])
{
  core c[2];
  sp_pool *pools[2];
  for (int i = 0; i < 2; i++)
    pools[i] = open_game(&c[i], (size_t)_i, i == 0);
  for (int tick = 0; tick < 100; tick++)
    for (int i = 0; i < 2; i++)
      core_tick(&c[i], 1);
  ck_assert_uint_eq(sp_pool_live(pools[0]), sp_pool_live(pools[1]));
  for (uint32_t chunk = 0; chunk < sp_pool_chunks(pools[0]); chunk++) {
    ck_assert_mem_eq(sp_pool_live_bits(pools[0], chunk), sp_pool_live_bits(pools[1], chunk), SP_CHUNK_SLOTS / 8);
    for (int column = SP_X; column <= SP_SPIN; column++)
      ck_assert_msg(memcmp(sp_pool_peek(pools[0], chunk, column), sp_pool_peek(pools[1], chunk, column),
                           SP_CHUNK_SLOTS * sizeof(float)) == 0,
                    "%s: column %d differs", games[_i].what, column);
    ck_assert_mem_eq(sp_pool_peek(pools[0], chunk, SP_LOOK), sp_pool_peek(pools[1], chunk, SP_LOOK),
                     SP_CHUNK_SLOTS * sizeof(sp_look));
  }
  for (int i = 0; i < 2; i++)
    core_close(&c[i]);
}

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

typedef struct pairs {
  sp_ref list[20000][2];
  uint32_t count;
} pairs;

static void add_pair(void *ud, sp_ref object, sp_ref other)
{
  pairs *found = ud;
  must(found->count < 20000);
  found->list[found->count][0] = object;
  found->list[found->count++][1] = other;
}

TEST(games_case, wide_and_narrow_vectors_find_the_same_pairs)
{
  static pairs found[2];
  for (int i = 0; i < 2; i++) {
    core c;
    sp_pool *pool = open_game(&c, 0, i == 0);
    core_tick(&c, 100);
    found[i].count = 0;
    sp_pool_overlaps(pool, pool, add_pair, &found[i], NULL);
    core_close(&c);
  }
  ck_assert_uint_gt(found[0].count, 1000);
  ck_assert_uint_eq(found[0].count, found[1].count);
  ck_assert_mem_eq(found[0].list, found[1].list, found[0].count * sizeof found[0].list[0]);
}

SUITE(wide, &games_case)
