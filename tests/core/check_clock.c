/*
** The clock where the games of the model do not come: its first and its last tick.
*/
#include "core/binding.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static test_group clock_tests = {"clock"};

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

SUITE(clock, &clock_tests)
