/*
** A day: time is counted in ticks, so that after a million of them lives, timers and the clock are where they belong,
** to the tick.
*/
#include "support/core_fixture.h"
#include "support/process.h"
#include "support/test.h"

#define SECOND 60 /* ticks */
#define PERIODS 8

/* Firings per hour of one timer of each period. */
static const uint32_t per_hour[PERIODS] = {216000, 36000, 25200, 3600, 2160, 60, 1, 123457};

typedef struct day {
  core c;
  sp_pool *pool;
  sp_timer timers[PERIODS];
  uint64_t fired[PERIODS], last[PERIODS]; /* how often, and at which tick */
} day;

static uint32_t hours(void) { return test_tool()[0] ? 1 : 24; }

static void on_timer(void *ud, sp_ref object, uint64_t timer)
{
  day *d = ud;
  (void)object;
  for (int i = 0; i < PERIODS; i++)
    if (d->timers[i] == timer) {
      d->fired[i]++;
      d->last[i] = sp_tick(d->c.manager);
    }
}

/* A life follows the other at once. */
static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  (void)ud;
  (void)object;
  if (why == SP_WHY_EXPIRED)
    ck_assert_uint_ne(sp_pool_alloc(pool, 1, NULL), SP_NONE_REF);
}

static void open_day(day *d)
{
  *d = (day){0};
  core_open_with(&d->c, (sp_options){.step = 1.0 / SECOND, .on_timer = on_timer, .timer_ud = d});
  sp_pool_desc desc = test_desc("Second");
  desc.hooks.on_despawn = on_despawn;
  d->pool = core_pool_with(&d->c, &desc);
}

/* So many updates in an hour, all of the same length. */
static void pass(day *d, uint32_t updates_per_hour)
{
  sp_result result = SP_OK;
  for (uint64_t i = 0; i < (uint64_t)hours() * updates_per_hour && result == SP_OK; i++)
    result = sp_update(d->c.manager, 3600.0 / updates_per_hour);
  ck_assert_int_eq(result, SP_OK);
}

static void expect_a_day(day *d)
{
  uint64_t ticks = (uint64_t)hours() * 3600 * SECOND;
  ck_assert_uint_eq(sp_tick(d->c.manager), ticks);
  ck_assert_double_eq_tol(sp_time(d->c.manager), hours() * 3600.0, 1e-9);
}

static test_group days = {"days", .timeout = 120};

TEST(days, a_day_of_ticks_is_a_day)
{
  static const uint32_t updates[] = {60 * 3600, 144 * 3600, 50 * 3600, 3600, 1, 215784 /* 59.94 Hz */};
  for (size_t i = 0; i < sizeof updates / sizeof *updates; i++) {
    day d;
    open_day(&d);
    pass(&d, updates[i]);
    expect_a_day(&d);
    core_close(&d.c);
  }
}

TEST(days, in_a_day_every_period_has_passed_as_often_as_it_goes_into_one)
{
  day d;
  open_day(&d);
  sp_ref object = core_alloc(core_pool(&d.c, "Clock"));
  for (int i = 0; i < PERIODS; i++) {
    double period = 3600.0 / per_hour[i];
    d.timers[i] = sp_timer_start(d.c.manager, object, period, period, NULL);
    ck_assert(d.timers[i] != 0);
  }
  pass(&d, SECOND * 3600);
  expect_a_day(&d);
  for (int i = 0; i < PERIODS; i++) {
    ck_assert_msg(d.fired[i] == (uint64_t)hours() * per_hour[i], "%u in an hour: %llu times", per_hour[i],
                  (unsigned long long)d.fired[i]);
    ck_assert_uint_eq(d.last[i], sp_tick(d.c.manager)); /* all of them go into a day: the last one is its end */
  }
  core_close(&d.c);
}

TEST(days, lives_of_a_second_end_to_end_are_a_day)
{
  day d;
  open_day(&d);
  sp_ref first = sp_pool_alloc(d.pool, 1, NULL), whole = sp_pool_alloc(core_pool(&d.c, "Day"), hours() * 3600.0, NULL);
  ck_assert(first != SP_NONE_REF && whole != SP_NONE_REF);
  for (uint32_t hour = 1; hour <= hours(); hour++) {
    ck_assert(sp_is_live(d.c.manager, whole));
    ck_assert_double_eq_tol(sp_remaining(d.c.manager, whole), (hours() + 1 - hour) * 3600.0, 1e-9);
    core_tick(&d.c, 3600 * SECOND - 1);
    ck_assert_uint_eq(sp_pool_stats(d.pool).expired, (uint64_t)hour * 3600 - 1);
    core_tick(&d.c, 1);
    ck_assert_uint_eq(sp_pool_stats(d.pool).expired, (uint64_t)hour * 3600);
  }
  ck_assert(!sp_is_live(d.c.manager, whole));
  expect_a_day(&d);
  core_close(&d.c);
}

SUITE(day, &days)
