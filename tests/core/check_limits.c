/*
** Limits: `limit` on live objects, `idle_limit` on idle ones, at 0, 1, cap - 1, cap and cap + 1, and changing both at
** run time.
*/
#include "support/core_fixture.h"

#include <math.h>

enum { CAP = 4 };

/* {== limit ============================================================== */

START_TEST(limit_counts_live_objects)
{
  core c;
  core_open(&c);
  for (uint32_t limit = 0; limit <= CAP; limit++) {
    sp_pool *pool = core_pool_limited(&c, "Cube", limit, SP_OVERFLOW_REFUSE);
    sp_ref objects[CAP];
    for (uint32_t i = 0; i < limit; i++) {
      objects[i] = core_alloc(pool);
      ck_assert_uint_eq(sp_pool_live(pool), i + 1);
    }
    ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
    ck_assert_int_eq(core_refusal(pool, 1), SP_FULL);
    ck_assert_uint_eq(sp_pool_alloc(pool, 0, NULL), SP_NONE_REF);
    ck_assert_uint_eq(sp_pool_stats(pool).refused, 3);
    ck_assert_uint_eq(sp_pool_stats(pool).total, limit);
    if (limit > 0) {
      core_recycle(&c, objects[0]);
      core_alloc(pool); /* one went, so one may come */
      ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
    }
    sp_pool_remove(pool, NULL, NULL);
  }
  core_close(&c);
}
END_TEST

START_TEST(an_argument_that_makes_no_sense_evicts_nobody)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool_limited(&c, "Cube", 1, SP_OVERFLOW_OLDEST);
  sp_ref object = core_alloc(pool);
  ck_assert_int_eq(core_refusal(pool, (double)NAN), SP_INVALID);
  ck_assert_int_eq(core_refusal(pool, -1), SP_INVALID);
  ck_assert(sp_is_live(c.manager, object));
  core_close(&c);
}
END_TEST

/* }== */

/* {== idle_limit ========================================================= */

START_TEST(idle_limit_counts_idle_objects)
{
  static const char *const rejects[] = {"reject 1", "reject 2", "reject 3", "reject 4", "reject 5"};
  core c;
  core_open(&c);
  for (uint32_t limit = 0; limit <= CAP; limit++) {
    core_log log = {.only = "reject"};
    sp_pool_desc desc = test_desc("Cube");
    desc.settings.idle_limit = test_limit(limit);
    desc.settings.grow = 1;
    desc.hooks = core_hooks(&log);
    sp_pool *pool = core_pool_with(&c, &desc);
    sp_ref objects[CAP + 1];
    core_alloc_many(pool, objects, CAP + 1);
    for (uint32_t i = 0; i <= CAP; i++) {
      core_recycle(&c, objects[i]);
      ck_assert_uint_eq(sp_pool_idle(pool), i < limit ? i + 1 : limit);
      ck_assert_str_eq(core_log_take(&log), i < limit ? "" : rejects[i]);
    }
    sp_stats s = sp_pool_stats(pool);
    ck_assert_uint_eq(s.destroyed, CAP + 1 - limit);
    ck_assert_uint_eq(s.recycles, CAP + 1);
    sp_pool_remove(pool, NULL, NULL);
  }
  core_close(&c);
}
END_TEST

START_TEST(limits_work_together)
{
  core c;
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.limit = 3;
  desc.settings.idle_limit = 1;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref objects[3];
  for (int round = 0; round < 10; round++) {
    core_alloc_many(pool, objects, 3);
    ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
    for (int i = 0; i < 3; i++)
      core_recycle(&c, objects[i]);
    ck_assert_uint_eq(sp_pool_idle(pool), 1);
  }
  core_close(&c);
}
END_TEST

/* }== */

/* {== Changes at run time ================================================ */

START_TEST(raising_the_limits_acts_at_once)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool_limited(&c, "Cube", 1, SP_OVERFLOW_REFUSE);
  core_alloc(pool);
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
  sp_settings s = sp_pool_settings(pool);
  s.limit = 2;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  core_alloc(pool);
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
  s.limit = SP_UNLIMITED;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  core_alloc(pool);
  s.grow = 7;
  s.prealloc = 20;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK); /* topped up: live and idle together */
  ck_assert_uint_eq(sp_pool_stats(pool).total, 34);
  s.prealloc = 50;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  ck_assert_uint_eq(sp_pool_stats(pool).total, 50);
  s.prealloc = 1;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  ck_assert_uint_eq(sp_pool_stats(pool).total, 50);
  sp_settings now = sp_pool_settings(pool);
  ck_assert_uint_eq(now.prealloc, 1);
  ck_assert_uint_eq(now.grow, 7);
  ck_assert_uint_eq(now.limit, SP_UNLIMITED);
  core_close(&c);
}
END_TEST

START_TEST(lowering_the_limits_keeps_the_living_and_drops_the_idle)
{
  core c;
  core_log log = {.only = "destroy"};
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.prealloc = 6;
  desc.hooks = core_hooks(&log);
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref objects[3];
  core_alloc_many(pool, objects, 3);
  desc.settings.prealloc = 0;
  desc.settings.idle_limit = 1;
  desc.settings.limit = 1;
  ck_assert_int_eq(sp_pool_configure(pool, &desc.settings), SP_OK);
  ck_assert_str_eq(core_log_take(&log), "destroy 4, destroy 5");
  ck_assert_uint_eq(sp_pool_live(pool), 3);
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
  core_recycle(&c, objects[0]);
  core_recycle(&c, objects[1]);
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL); /* one lives still */
  core_recycle(&c, objects[2]);
  core_alloc(pool);
  log.only = "none";
  core_close(&c);
}
END_TEST

START_TEST(switching_to_oldest_knows_the_ages_of_what_lives)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool_limited(&c, "Cube", 300, SP_OVERFLOW_REFUSE);
  sp_ref objects[300];
  core_alloc_many(pool, objects, 300);
  for (int i = 0; i < 300; i += 3) { /* every third is younger than the rest */
    core_recycle(&c, objects[i]);
    objects[i] = core_alloc(pool);
  }
  sp_settings s = sp_pool_settings(pool);
  s.overflow = SP_OVERFLOW_OLDEST;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  for (int i = 1; i < 300; i += 1 + (i % 3 == 2)) {
    core_alloc(pool);
    ck_assert(!sp_is_live(c.manager, objects[i]));
  }
  for (int i = 0; i < 300; i += 3) {
    ck_assert(sp_is_live(c.manager, objects[i]));
    core_alloc(pool);
    ck_assert(!sp_is_live(c.manager, objects[i]));
  }
  s.overflow = SP_OVERFLOW_REFUSE;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
  core_close(&c);
}
END_TEST

static void switch_and_veto(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (!core_is(hook, "recycle") || log->count++ > 0)
    return;
  sp_settings s = sp_pool_settings(pool);
  s.overflow = SP_OVERFLOW_OLDEST;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
}

START_TEST(an_object_that_vetoed_during_the_switch_has_its_age_too)
{
  core c;
  core_log log = {.act = switch_and_veto, .veto = true};
  core_open(&c);
  sp_pool *pool = core_pool_at_limit(&c, &log, 2, SP_OVERFLOW_REFUSE);
  sp_ref objects[2];
  core_alloc_many(pool, objects, 2);
  ck_assert_int_eq(sp_recycle(c.manager, objects[0]), SP_VETOED);
  log.veto = false;
  core_alloc(pool);
  ck_assert(!sp_is_live(c.manager, objects[0]));
  ck_assert(sp_is_live(c.manager, objects[1]));
  core_close(&c);
}
END_TEST

/* }== */

/* {== Warm ================================================================ */

/* Other code hands out objects when there is nothing to prepare. */
START_TEST(a_warm_pool_refuses_what_a_cold_one_refuses)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref objects[40];
  core_alloc_many(pool, objects, 40);
  for (int i = 0; i < 40; i++)
    core_recycle(&c, objects[i]);
  static const double bad[] = {(double)NAN, (double)INFINITY, 1.001e11, 1e300};
  for (int i = 0; i < 4; i++) {
    sp_result why = SP_OK;
    ck_assert_int_eq(core_refusal(pool, bad[i]), SP_INVALID);
    ck_assert_uint_eq(sp_pool_alloc_at(pool, bad[i], &(sp_place){1, 2, 3}, &why), SP_NONE_REF);
    ck_assert_int_eq(why, SP_INVALID);
  }
  ck_assert_uint_eq(sp_pool_stats(pool).refused, 8);
  ck_assert_uint_eq(sp_pool_idle(pool), 64);
  core_close(&c);
}
END_TEST

/* }== */

Suite *sp_suite_limits(void)
{
  Suite *suite = suite_create("limits");
  core_case(suite, "limit", limit_counts_live_objects, an_argument_that_makes_no_sense_evicts_nobody);
  core_case(suite, "idle_limit", idle_limit_counts_idle_objects, limits_work_together);
  core_case(suite, "changes", raising_the_limits_acts_at_once, lowering_the_limits_keeps_the_living_and_drops_the_idle,
            switching_to_oldest_knows_the_ages_of_what_lives, an_object_that_vetoed_during_the_switch_has_its_age_too);
  core_case(suite, "warm", a_warm_pool_refuses_what_a_cold_one_refuses);
  return suite;
}
