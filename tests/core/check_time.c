/*
** Time: the wheel ends lives on their tick, and can be told another one.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

/* {== Lifetimes ========================================================== */

static test_group lifetimes = {"lifetimes"};
static test_group remaining = {"remaining"};
static test_group litter = {"litter"};

TEST(lifetimes, sixty_ticks_of_one_sixtieth_are_one_second_whatever_the_clock_says)
{
  core c;
  core_open_with(&c, (sp_options){.step = 1.0 / 60});
  sp_pool *pool = core_pool(&c, "Cube");
  for (int seconds = 1; seconds <= 40; seconds++) {
    sp_ref object = sp_pool_alloc(pool, seconds, NULL);
    core_tick(&c, seconds * 60 - 1);
    ck_assert(sp_is_live(c.manager, object));
    core_tick(&c, 1);
    ck_assert(!sp_is_live(c.manager, object));
  }
  core_close(&c);
}

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

POOL_TEST(lifetimes, years_pass_in_one_update)
{
  const double year = 365.0 * 24 * 3600;
  sp_ref one = sp_pool_alloc(pool, year, NULL), ten = sp_pool_alloc(pool, 10 * year, NULL);
  sp_ref most = sp_pool_alloc(pool, SP_MAX_LIFETIME, NULL);
  ck_assert_int_eq(sp_update(c->manager, year - STEP), SP_OK);
  ck_assert(sp_is_live(c->manager, one));
  core_tick(c, 1);
  ck_assert(!sp_is_live(c->manager, one));
  ck_assert_int_eq(sp_update(c->manager, 9 * year - STEP), SP_OK);
  ck_assert(sp_is_live(c->manager, ten));
  core_tick(c, 1);
  ck_assert(!sp_is_live(c->manager, ten));
  ck_assert_int_eq(sp_update(c->manager, SP_MAX_LIFETIME - 10 * year - STEP), SP_OK);
  ck_assert(sp_is_live(c->manager, most));
  core_tick(c, 1);
  ck_assert(!sp_is_live(c->manager, most));
  ck_assert_uint_eq(sp_tick(c->manager), (uint64_t)6400000000000);
  ck_assert_int_eq(sp_update(c->manager, SP_MAX_LIFETIME), SP_OK);
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

POOL_TEST(remaining, a_remaining_time_that_makes_no_sense_is_refused)
{
  sp_ref object = sp_pool_alloc(pool, 2 * STEP, NULL);
  static const double bad[] = {-1, -1e-300, (double)NAN, -(double)INFINITY, 1.01e11};
  for (int i = 0; i < 5; i++)
    ck_assert_int_eq(sp_set_remaining(c->manager, object, bad[i]), SP_INVALID);
  ck_assert_double_eq(sp_remaining(c->manager, object), 2 * STEP);
  core_tick(c, 2);
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

/* At tick 2^32, of which the low bits are those of "no end". */
POOL_TEST(remaining, an_end_set_for_the_roundest_of_ticks_comes)
{
  must(sp_update(c->manager, ((double)(1ull << 32) - 3) * STEP) == SP_OK);
  sp_ref object = core_alloc(pool), other = sp_pool_alloc(pool, 3 * STEP, NULL);
  ck_assert_int_eq(sp_set_remaining(c->manager, object, 3 * STEP), SP_OK);
  ck_assert_double_eq(sp_remaining(c->manager, object), 3 * STEP);
  ck_assert_double_eq(sp_remaining(c->manager, other), 3 * STEP);
  core_tick(c, 2);
  ck_assert(sp_is_live(c->manager, object) && sp_is_live(c->manager, other));
  core_tick(c, 2);
  ck_assert(!sp_is_live(c->manager, object) && !sp_is_live(c->manager, other));
}

/* }== */

SUITE(time, &lifetimes, &remaining, &litter)
