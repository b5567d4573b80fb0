/*
** Timers where the games of the model do not come: without a callback, and where the tick overflows.
*/
#include "support/core_fixture.h"
#include "support/test.h"

static test_group edges = {"edges"};

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

SUITE(timer, &edges)
