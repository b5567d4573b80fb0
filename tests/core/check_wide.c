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

SUITE(wide, &games_case)
