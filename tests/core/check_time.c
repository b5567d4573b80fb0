/*
** Time where the games of the model do not come: the clock's first and last tick, lifetimes of next to nothing, timers
** without a callback, and ticks that overflow.
*/
#include "core/binding.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static test_group lifetimes = {"lifetimes"};
static test_group remaining = {"remaining"};
static test_group litter = {"litter"};
static test_group clock_tests = {"clock"};
static test_group edges = {"timers"};

POOL_TEST(lifetimes, less_than_a_tick_ends_at_the_next_one)
{
  static const double brief[] = {STEP / 2, 1e-9, 1e-300, 5e-324};
  for (int i = 0; i < 4; i++) {
    sp_ref object = sp_pool_alloc(pool, brief[i], NULL);
    ck_assert(sp_is_live(c->manager, object));
    core_tick(c, 1);
    ck_assert(!sp_is_live(c->manager, object));
  }
}

/* }== */

/* {== Changing a lifetime ================================================ */

POOL_TEST(remaining, nothing_remaining_ends_at_the_next_tick_also_right_after_birth)
{
  sp_ref object = core_alloc(pool);
  ck_assert_int_eq(sp_set_remaining(c->manager, object, 0), SP_OK);
  ck_assert_double_lt(sp_remaining(c->manager, object), 1e-300);
  ck_assert_double_gt(sp_lifetime(c->manager, object), 0); /* 0 would be without end */
  ck_assert(sp_is_live(c->manager, object));
  core_tick(c, 1);
  ck_assert(!sp_is_live(c->manager, object));
}

/* }== */

/* {== Litter ============================================================= */

POOL_TEST(litter, timers_that_are_set_again_and_again_do_not_pile_up)
{
  sp_ref objects[10];
  for (int i = 0; i < 10; i++)
    objects[i] = sp_pool_alloc(pool, 5, NULL);
  size_t bound = c->memory.bytes + 100000;
  for (int i = 0; i < 40000; i++) { /* the clock stands still, so all of them have few ticks */
    sp_ref object = objects[i / 4000];
    sp_set_remaining(c->manager, object, 5);
    sp_set_remaining(c->manager, object, i < 20000 ? 6 : (double)INFINITY);
  }
  ck_assert_uint_le(c->memory.peak, bound);
  for (int i = 0; i < 10; i++)
    sp_set_remaining(c->manager, objects[i], 5);
  core_tick(c, 5 * 64);
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 10);
}

/* }== */

/* {== The clock =========================================================== */

TEST(clock_tests, a_clock_that_has_reached_its_last_tick_refuses_to_go_on)
{
  core c;
  core_open_with(&c, (sp_options){.step = 1e-6});
  sp_pool *pool = core_pool(&c, "Cube");
  const uint64_t ticks = 100000000000000000u; /* of the longest update */
  for (uint64_t tick = ticks; tick < SP_MAX_TICKS + ticks; tick += ticks) {
    ck_assert_int_eq(sp_update(c.manager, SP_MAX_LIFETIME), SP_OK);
    ck_assert_uint_eq(sp_tick(c.manager), tick);
  }
  uint64_t last = sp_tick(c.manager);
  double time = sp_time(c.manager);
  sp_ref object = sp_pool_alloc(pool, 1, NULL);
  for (int i = 0; i < 200; i++) {
    ck_assert_int_eq(sp_update(c.manager, i % 2 ? SP_MAX_LIFETIME : STEP), SP_INVALID);
    ck_assert_uint_eq(sp_tick(c.manager), last);
    ck_assert_double_eq(sp_time(c.manager), time);
  }
  ck_assert(sp_is_live(c.manager, object));
  core_recycle(&c, object);
  core_close(&c);
}

/* Timers of the periods 1, 7 and 60 ticks, and lives of a second that follow each other. */
typedef struct day {
  core c;
  sp_timer timers[3];
  uint64_t fired[3];
} day;

static void count_firing(void *ud, sp_ref object, uint64_t timer)
{
  day *d = ud;
  (void)object;
  for (int i = 0; i < 3; i++)
    d->fired[i] += d->timers[i] == timer;
}

static void follow(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  (void)ud, (void)object;
  if (why == SP_WHY_EXPIRED)
    must(sp_pool_alloc(pool, 1, NULL) != SP_NONE_REF);
}

/* In updates of 1/60 s, of a video frame, of a second, and of an hour: no sum of fractions loses a tick. */
TESTS(clock_tests, an_hour_of_updates_is_an_hour_to_the_tick, 4)
{
  static const uint32_t updates[] = {216000, 215784 /* 59.94 Hz */, 3600, 1}, periods[] = {1, 7, 60};
  day d = {.fired = {0}};
  core_open_with(&d.c, (sp_options){.step = 1.0 / 60, .on_timer = count_firing, .timer_ud = &d});
  sp_pool_desc desc = test_desc("Second");
  desc.hooks.on_despawn = follow;
  sp_pool *pool = core_pool_with(&d.c, &desc);
  sp_ref whole = sp_pool_alloc(core_pool(&d.c, "Hour"), 3600, NULL);
  for (int i = 0; i < 3; i++)
    d.timers[i] = sp_timer_start(d.c.manager, whole, periods[i] / 60.0, periods[i] / 60.0, NULL);
  must(sp_pool_alloc(pool, 1, NULL) != SP_NONE_REF);
  for (uint32_t i = 0; i < updates[_i]; i++) {
    must(sp_is_live(d.c.manager, whole));
    must(sp_update(d.c.manager, 3600.0 / updates[_i]) == SP_OK);
  }
  ck_assert_uint_eq(sp_tick(d.c.manager), 216000);
  ck_assert_double_eq_tol(sp_time(d.c.manager), 3600, 1e-9);
  ck_assert(!sp_is_live(d.c.manager, whole));
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 3600);
  for (int i = 0; i < 3; i++)
    ck_assert_uint_eq(d.fired[i], 216000 / periods[i] - (216000 % periods[i] == 0)); /* the hour ends before */
  core_close(&d.c);
}

static void remove_other(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)pool, (void)object;
  if (core_is(hook, "create") && log->data)
    ck_assert_int_eq(sp_pool_remove(log->data, NULL, NULL), SP_OK);
  log->data = NULL;
}

/* Before and after its turn the pool that goes is in the list. */
TESTS(clock_tests, a_pool_may_go_while_another_is_prewarmed_slowly, 2)
{
  core c;
  core_log log = {.act = remove_other, .only = "create"};
  core_open(&c);
  sp_pool *first = _i ? core_pool(&c, "Gone") : NULL, *pool = core_pool_logged(&c, "Cube", &log);
  log.data = first ? first : core_pool(&c, "Gone");
  sp_pool *last = core_pool(&c, "Last");
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(sp_pool_prewarm_slowly(i ? last : pool, 10, 1, 0), SP_OK);
  core_tick(&c, 1);
  ck_assert_uint_eq(sp_count_pools(c.manager), 2);
  ck_assert(sp_pool_idle(pool) == 1 && sp_pool_idle(last) == 1);
  core_close(&c);
}

/* Sums with subnormal numbers are slow: a game that begins with a full level would take them at every frame. */
POOL_TEST(clock_tests, births_at_time_0_are_no_subnormal_numbers)
{
  sp_ref objects[3];
  core_alloc_many(pool, objects, 3);
  for (int i = 0; i < 3; i++) {
    uint64_t serial = sp_serial_of(c->manager, objects[i]);
    double birth;
    memcpy(&birth, &serial, sizeof birth);
    ck_assert_int_eq(fpclassify(birth), FP_NORMAL);
    ck_assert_double_eq(sp_age(c->manager, objects[i]), 0);
  }
  core_tick(c, 3);
  ck_assert_double_eq(sp_age(c->manager, objects[0]), 3 * STEP);
}

/* }== */

/* {== Timers ============================================================== */

CORE_TEST(edges, a_timer_needs_no_callback)
{
  sp_ref object = core_alloc(core_pool(c, "Cube"));
  sp_timer_start(c->manager, object, STEP, 0, NULL);
  sp_timer_start(c->manager, object, STEP, STEP, NULL);
  core_tick(c, 5);
  core_recycle(c, object);
}

static void count_timer(void *ud, sp_ref object, sp_timer timer)
{
  (void)object, (void)timer;
  ++*(int *)ud;
}

/* Ticks are kept as 32 bits, of which 0 means none. */
TEST(edges, a_timer_is_at_most_a_tick_late_where_the_tick_overflows)
{
  core c;
  int fired = 0;
  core_open_with(&c, (sp_options){.on_timer = count_timer, .timer_ud = &fired});
  sp_ref object = core_alloc(core_pool(&c, "Cube"));
  ck_assert_int_eq(sp_update(c.manager, 4294967290.0 * STEP), SP_OK);
  ck_assert_uint_eq(sp_tick(c.manager), 4294967290u);
  for (int ticks = 5; ticks < 8; ticks++) /* the one in the middle is due at 2^32 */
    ck_assert(sp_timer_start(c.manager, object, ticks * STEP, 0, NULL) != 0);
  core_tick(&c, 5);
  ck_assert_int_eq(fired, 1);
  core_tick(&c, 2);
  ck_assert_int_eq(fired, 3);
  core_close(&c);
}

/* Room for them is made again and again while earlier ones wait. */
TEST(edges, each_of_thousands_of_timers_fires_at_its_tick)
{
  core c;
  int fired = 0;
  core_open_with(&c, (sp_options){.on_timer = count_timer, .timer_ud = &fired});
  sp_ref object = core_alloc(core_pool(&c, "Cube"));
  for (int i = 0; i < 3000; i++)
    must(sp_timer_start(c.manager, object, (1 + i % 1000) * STEP, 0, NULL) != 0);
  for (int tick = 1; tick <= 1000; tick++) {
    core_tick(&c, 1);
    must(fired == 3 * tick);
  }
  core_close(&c);
}

/* }== */

SUITE(time, &lifetimes, &remaining, &litter, &clock_tests, &edges)
