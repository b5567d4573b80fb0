/*
** Limits: `limit` on live objects, `idle_limit` on idle ones, at 0, 1, cap - 1, cap and cap + 1, and changing both at
** run time.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>

enum { CAP = 4 };

/* {== limit ============================================================== */

static test_group limit = {"limit"};
static test_group changes = {"changes"};
static test_group warm = {"warm"};

CORE_TEST(limit, an_argument_that_makes_no_sense_evicts_nobody)
{
  sp_pool *pool = core_pool_limited(c, "Cube", 1, SP_OVERFLOW_OLDEST);
  sp_ref object = core_alloc(pool);
  ck_assert_int_eq(core_refusal(pool, (double)NAN), SP_INVALID);
  ck_assert_int_eq(core_refusal(pool, -1), SP_INVALID);
  ck_assert(sp_is_live(c->manager, object));
}

/* }== */

/* {== Changes at run time ================================================ */

CORE_TEST(changes, switching_to_oldest_knows_the_ages_of_what_lives)
{
  sp_pool *pool = core_pool_limited(c, "Cube", 300, SP_OVERFLOW_REFUSE);
  sp_ref objects[300];
  core_alloc_many(pool, objects, 300);
  for (int i = 0; i < 300; i += 3) { /* every third is younger than the rest */
    core_recycle(c, objects[i]);
    objects[i] = core_alloc(pool);
  }
  sp_settings s = sp_pool_settings(pool);
  s.overflow = SP_OVERFLOW_OLDEST;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  for (int i = 1; i < 300; i += 1 + (i % 3 == 2)) {
    core_alloc(pool);
    ck_assert(!sp_is_live(c->manager, objects[i]));
  }
  for (int i = 0; i < 300; i += 3) {
    ck_assert(sp_is_live(c->manager, objects[i]));
    core_alloc(pool);
    ck_assert(!sp_is_live(c->manager, objects[i]));
  }
  s.overflow = SP_OVERFLOW_REFUSE;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
}

static void switch_and_veto(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (!core_is(hook, "recycle") || log->count++ > 0)
    return;
  sp_settings s = sp_pool_settings(pool);
  s.overflow = SP_OVERFLOW_OLDEST;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
}

CORE_TEST(changes, an_object_that_vetoed_during_the_switch_has_its_age_too)
{
  core_log log = {.act = switch_and_veto, .veto = true};
  sp_pool *pool = core_pool_at_limit(c, &log, 2, SP_OVERFLOW_REFUSE);
  sp_ref objects[2];
  core_alloc_many(pool, objects, 2);
  ck_assert_int_eq(sp_recycle(c->manager, objects[0]), SP_VETOED);
  log.veto = false;
  core_alloc(pool);
  ck_assert(!sp_is_live(c->manager, objects[0]));
  ck_assert(sp_is_live(c->manager, objects[1]));
  core_close(c);
}

/* }== */

/* {== Warm ================================================================ */

/* Other code hands out objects when there is nothing to prepare. */
POOL_TEST(warm, a_warm_pool_refuses_what_a_cold_one_refuses)
{
  sp_ref objects[40];
  core_alloc_many(pool, objects, 40);
  for (int i = 0; i < 40; i++)
    core_recycle(c, objects[i]);
  static const double bad[] = {(double)NAN, (double)INFINITY, 1.001e11, 1e300};
  for (int i = 0; i < 4; i++) {
    sp_result why = SP_OK;
    ck_assert_int_eq(core_refusal(pool, bad[i]), SP_INVALID);
    ck_assert_uint_eq(sp_pool_alloc_at(pool, bad[i], &(sp_place){1, 2, 3}, &why), SP_NONE_REF);
    ck_assert_int_eq(why, SP_INVALID);
  }
  ck_assert_uint_eq(sp_pool_stats(pool).refused, 8);
  ck_assert_uint_eq(sp_pool_idle(pool), 64);
}

/* }== */

SUITE(limits, &limit, &changes, &warm)
