/*
** The fixed step against any pace of real time, and the numbers of --stats. No test waits.
*/
#include "demo/support/stats.h"
#include "support/test.h"

#define STEP (1.0 / 60.0)

/* {== Clock ============================================================== */

static test_group clock_tests = {"clock"};

TEST(clock_tests, real_time_becomes_whole_steps)
{
  game_clock clock;
  clock_start(&clock, STEP);
  ck_assert_int_eq(clock_steps(&clock, 0), 0);
  ck_assert_int_eq(clock_steps(&clock, STEP / 2), 0);
  ck_assert_int_eq(clock_steps(&clock, STEP / 2), 1);
  ck_assert_int_eq(clock_steps(&clock, STEP * 2.5), 2);
  ck_assert_int_eq(clock_steps(&clock, STEP / 2), 1);
}

TEST(clock_tests, any_pace_comes_to_the_same_count)
{
  static const double paces[] = {1.0 / 144, 1.0 / 75, 1.0 / 50, 1.0 / 30, 0.0011};
  for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
    game_clock clock;
    int steps = 0, frames = (int)(10 / paces[i] + 0.5);
    clock_start(&clock, STEP);
    for (int frame = 0; frame < frames; frame++)
      steps += clock_steps(&clock, paces[i]);
    ck_assert_int_ge(steps, 599);
    ck_assert_int_le(steps, 601);
  }
}

TEST(clock_tests, a_display_at_the_same_rate_gets_one_step_a_frame)
{
  game_clock clock;
  clock_start(&clock, STEP);
  for (int frame = 0; frame < 1000; frame++)
    ck_assert_int_eq(clock_steps(&clock, STEP * (1 + 0.09 * ((frame * 7) % 11 - 5) / 5.0)), 1);
}

TEST(clock_tests, a_long_stop_is_not_caught_up)
{
  game_clock clock;
  clock_start(&clock, STEP);
  ck_assert_int_eq(clock_steps(&clock, 3600), CLOCK_CATCH_UP);
  ck_assert_int_eq(clock_steps(&clock, 0), 0);
  ck_assert_int_eq(clock_steps(&clock, -5), 0);
  ck_assert_int_eq(clock_steps(&clock, STEP), 1);
}

TEST(clock_tests, it_knows_how_long_to_wait)
{
  game_clock clock;
  clock_start(&clock, STEP);
  ck_assert_double_eq_tol(clock_wait(&clock), STEP, 1e-9);
  clock_steps(&clock, STEP * 0.75);
  ck_assert_double_eq_tol(clock_wait(&clock), STEP * 0.25, 1e-9);
}

/* }== */

/* {== Stats ============================================================== */

static test_group numbers = {"stats"};

TEST(numbers, percentiles_are_of_the_last_frames)
{
  stats s = {.count = 0};
  ck_assert_double_eq(stats_percentile(&s, 0.5), 0);
  for (int i = 100; i > 0; i--)
    stats_frame(&s, i);
  ck_assert_double_eq(stats_percentile(&s, 0.5), 51);
  ck_assert_double_eq(stats_percentile(&s, 0.99), 100);
  ck_assert_double_eq(stats_percentile(&s, 1), 100);
  for (int i = 0; i < STATS_RING; i++)
    stats_frame(&s, 2);
  ck_assert_double_eq(stats_percentile(&s, 0.99), 2);
}

TEST(numbers, the_meter_reads_from_one_reading_to_the_next)
{
  stats s = {.count = 0};
  stats_meter meter;
  stats_meter_start(&meter, &s, 100);
  for (int i = 0; i < 30; i++)
    stats_frame(&s, 1);
  ck_assert_double_eq(stats_meter_read(&meter, &s, 100.5), 60);
  ck_assert_double_eq(stats_meter_read(&meter, &s, 100.5), 0);
  stats_frame(&s, 1);
  ck_assert_double_eq(stats_meter_read(&meter, &s, 101.5), 1);
}

/* }== */

SUITE(player_clock, &clock_tests, &numbers)
