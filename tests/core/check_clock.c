/*
** The clock: whole ticks and a rest, a time scale, a pause.
*/
#include "core/binding.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static test_group clock_tests = {"clock"};
static test_group removal = {"removal"};

static void remove_other(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)pool, (void)object;
  if (core_is(hook, log->only) && log->data) {
    ck_assert_int_eq(sp_pool_remove(log->data, NULL, NULL), SP_OK);
    log->data = NULL;
    const sp_manager *m = sp_pool_manager(pool);
    ck_assert_ptr_eq(sp_get_pool(m, 1), sp_find_pool(m, "Last"));
    ck_assert_uint_eq(sp_total_stats(sp_pool_manager(pool)).live, sp_pool_live(pool) + 1);
  }
}

/* "create" runs in a prewarm by slices, "despawn" when a life expires, "update" in between: before and after its turn
   the pool that goes is in the list. */
TESTS(removal, a_pool_may_go_in_the_middle_of_an_update, 3)
{
  static const char *const hooks[] = {"create", "despawn", "update"};
  for (int place = 0; place < 2; place++) {
    core c;
    core_log log = {.only = hooks[_i], .act = remove_other}, counted = {.only = "update"};
    core_open(&c);
    sp_pool *first = place == 0 ? core_pool_logged(&c, "Gone", &counted) : NULL;
    sp_pool *pool = core_pool_logged(&c, "Cube", &log);
    sp_pool *gone = first ? first : core_pool_logged(&c, "Gone", &counted);
    sp_pool *last = core_pool_logged(&c, "Last", &counted);
    sp_ref moved = core_alloc(last);
    core_alloc(gone);
    *core_float(&c, moved, SP_VX) = 64;
    ck_assert_uint_ne(sp_pool_alloc(pool, STEP, NULL), SP_NONE_REF);
    sp_pool_prewarm_slowly(pool, 10, 1, 0);
    log.data = gone;
    core_tick(&c, 1);
    ck_assert_ptr_null(log.data);
    ck_assert_ptr_null(sp_find_pool(c.manager, "Gone"));
    ck_assert_uint_eq(sp_count_pools(c.manager), 2);
    ck_assert_float_eq(*core_float(&c, moved, SP_X), 1);
    ck_assert(strstr(core_log_take(&counted), "update") != NULL);
    core_close(&c);
  }
}

TEST(clock_tests, steps_of_one_sixtieth_never_lose_a_tick)
{
  core c;
  core_open_with(&c, (sp_options){.step = SP_DEFAULT_STEP});
  for (uint64_t i = 1; i <= 100000; i++) {
    sp_update(c.manager, 1.0 / 60);
    ck_assert_uint_eq(sp_tick(c.manager), i);
  }
  ck_assert_double_eq_tol(sp_time(c.manager), 100000.0 / 60, 1e-6);
  core_close(&c);
}

CORE_TEST(clock_tests, time_that_makes_no_sense_is_refused)
{
  sp_ref object = sp_pool_alloc(core_pool(c, "Cube"), STEP, NULL);
  static const double bad[] = {-STEP, -1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY, 1.01e11, 1e300};
  for (int paused = 0; paused < 2; paused++)
    for (double scale = 0; scale <= 2; scale++)
      for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sp_set_paused(c->manager, paused);
        sp_set_time_scale(c->manager, scale);
        ck_assert_int_eq(sp_update(c->manager, bad[i]), SP_INVALID);
      }
  sp_set_paused(c->manager, false);
  ck_assert_int_eq(sp_set_time_scale(c->manager, 1e6), SP_OK);
  ck_assert_int_eq(sp_update(c->manager, SP_MAX_LIFETIME), SP_INVALID);
  ck_assert_double_eq(sp_time(c->manager), 0);
  ck_assert(sp_is_live(c->manager, object));
}

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

SUITE(clock, &clock_tests, &removal)
