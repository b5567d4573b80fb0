/*
** Time: the wheel ends lives on their tick, and can be told another one.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>

/* {== Lifetimes ========================================================== */

static test_group lifetimes = {"lifetimes"};
static test_group remaining = {"remaining"};
static test_group litter = {"litter"};

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

SUITE(time, &lifetimes, &remaining, &litter)
