/*
** Lives: alloc and recycle, in one step and in two, and which idle object is next.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* {== Alloc and recycle ================================================== */

static test_group alloc_and_recycle = {"alloc and recycle"};
static test_group two_steps = {"two steps"};
static test_group order_tests = {"order"};
static test_group take = {"take"};

POOL_TEST(alloc_and_recycle, a_lifetime_that_makes_no_sense_is_refused)
{
  static const double bad[] = {(double)NAN, -(double)NAN, (double)INFINITY, 1.001e11, 1e300};
  for (int i = 0; i < 5; i++) {
    ck_assert_int_eq(core_refusal(pool, bad[i]), SP_INVALID);
    sp_result why = SP_OK;
    ck_assert_uint_eq(sp_pool_alloc_begin(pool, bad[i], &why), SP_NONE_REF);
    ck_assert_int_eq(why, SP_INVALID);
  }
  sp_result why = SP_OK;
  ck_assert_uint_eq(sp_pool_alloc_begin(pool, -1, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_INVALID);
  ck_assert_uint_eq(sp_pool_alloc(pool, (double)NAN, NULL), SP_NONE_REF);
  ck_assert_uint_eq(sp_pool_stats(pool).refused, 12);
  ck_assert_uint_eq(sp_pool_stats(pool).created, 0); /* nothing was made for it */
  sp_ref object = sp_pool_alloc(pool, SP_MAX_LIFETIME, NULL);
  ck_assert_double_eq(sp_lifetime(c->manager, object), SP_MAX_LIFETIME);
  object = sp_pool_alloc(pool, -0.0, NULL);
  ck_assert(sp_is_live(c->manager, object));
  ck_assert_double_eq(sp_remaining(c->manager, object), (double)INFINITY);
}

POOL_TEST(alloc_and_recycle, alloc_at_places_the_object)
{
  sp_ref object = sp_pool_alloc_at(pool, 0, &(sp_place){1, 2, 3}, NULL);
  ck_assert_float_eq(*core_float(c, object, SP_X), 1);
  ck_assert_float_eq(*core_float(c, object, SP_Y), 2);
  ck_assert_float_eq(*core_float(c, object, SP_ANGLE), 3);
  object = sp_pool_alloc_at(pool, 0, NULL, NULL);
  ck_assert_float_eq(*core_float(c, object, SP_X), 0);
  sp_pool_desc desc = test_desc("Order");
  desc.spatial = false;
  object = sp_pool_alloc_at(core_pool_with(c, &desc), 0, &(sp_place){1, 2, 3}, NULL); /* has no place: fine */
  ck_assert(sp_is_live(c->manager, object));
  ck_assert_ptr_null(sp_cell(c->manager, object, SP_X));
}

/* }== */

/* {== In two steps ======================================================= */

CORE_TEST(two_steps, between_begin_and_commit_fields_can_be_written_and_nothing_is_live_yet)
{
  core_log log = {0};
  sp_pool *pool = core_pool_logged(c, "Cube", &log);
  sp_ref object = sp_pool_alloc_begin(pool, 1, NULL);
  ck_assert(!sp_is_live(c->manager, object));
  ck_assert_int_eq(sp_check(c->manager, object), SP_OK);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  *core_float(c, object, SP_VX) = 64;
  ck_assert_str_eq(core_log_take(&log), "create 1");
  ck_assert_uint_eq(sp_alloc_commit(c->manager, object, NULL), object);
  ck_assert_str_eq(core_log_take(&log), "spawn 1 fresh");
  ck_assert(sp_is_live(c->manager, object));
  core_tick(c, 1);
  ck_assert_float_eq(*core_float(c, object, SP_X), 1);
  core_tick(c, 63);
  ck_assert(!sp_is_live(c->manager, object));
  core_close(c);
}

POOL_TEST(two_steps, the_lifetime_may_be_changed_between_begin_and_commit)
{
  sp_ref object = sp_pool_alloc_begin(pool, 0, NULL);
  ck_assert_int_eq(sp_set_remaining(c->manager, object, 2 * STEP), SP_OK);
  sp_alloc_commit(c->manager, object, NULL);
  sp_ref other = sp_pool_alloc_begin(pool, 2 * STEP, NULL);
  ck_assert_int_eq(sp_set_remaining(c->manager, other, (double)INFINITY), SP_OK);
  sp_alloc_commit(c->manager, other, NULL);
  core_tick(c, 1);
  ck_assert(sp_is_live(c->manager, object));
  core_tick(c, 1);
  ck_assert(!sp_is_live(c->manager, object));
  ck_assert(sp_is_live(c->manager, other));
}

POOL_TEST(two_steps, cancel_leaves_no_child_behind)
{
  sp_ref parent = core_alloc(pool), sibling = core_alloc(pool), child = sp_pool_alloc_begin(pool, 0, NULL);
  ck_assert_int_eq(sp_set_parent(c->manager, sibling, parent), SP_OK);
  ck_assert_int_eq(sp_set_parent(c->manager, child, parent), SP_OK);
  sp_alloc_cancel(c->manager, child);
  for (int i = 0; i < 40; i++) /* somebody else gets the slot */
    ck_assert_uint_eq(sp_parent(c->manager, core_alloc(pool)), SP_NONE_REF);
  core_recycle(c, parent);
  ck_assert(!sp_is_live(c->manager, sibling));
  ck_assert_uint_eq(sp_pool_live(pool), 40);
}

CORE_TEST(two_steps, only_one_object_is_open_at_a_time)
{
  sp_pool *pool = core_pool(c, "Cube"), *other = core_pool(c, "Sphere");
  sp_ref object = sp_pool_alloc_begin(pool, STEP, NULL);
  sp_result why = SP_OK;
  ck_assert_uint_eq(sp_pool_alloc_begin(other, 0, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_BUSY);
  ck_assert_int_eq(sp_update(c->manager, STEP), SP_BUSY);
  ck_assert_int_eq(sp_close(c->manager), SP_BUSY);
  ck_assert_int_eq(sp_pool_remove(pool, NULL, NULL), SP_BUSY);
  ck_assert_uint_eq(sp_alloc_commit(c->manager, object, NULL), object);
  ck_assert_uint_eq(sp_alloc_commit(c->manager, object, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_STALE);
  ck_assert_uint_eq(sp_alloc_commit(c->manager, object, NULL), SP_NONE_REF);
  ck_assert_uint_eq(sp_pool_take(pool, object, 0, NULL), SP_NONE_REF);
  sp_alloc_cancel(c->manager, object);
  ck_assert(sp_is_live(c->manager, object));
  ck_assert_uint_eq(sp_pool_live(pool), 1);
}

/* }== */

/* {== Order ============================================================== */

static sp_pool *lifo_pool(core *c, uint32_t prealloc)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.order = SP_ORDER_LIFO;
  desc.settings.prealloc = prealloc;
  desc.settings.grow = 1;
  return core_pool_with(c, &desc);
}

CORE_TEST(order_tests, lifo_reuses_the_one_that_came_back_last_at_once)
{
  sp_pool *pool = lifo_pool(c, 6);
  sp_ref objects[6], first = core_alloc(pool);
  core_recycle(c, first);
  sp_ref again = core_alloc(pool);
  ck_assert_uint_eq(core_number(c, again), core_number(c, first));
  ck_assert(!sp_is_live(c->manager, first));
  core_recycle(c, again);
  core_alloc_many(pool, objects, 6); /* 6, 5 .. 1 */
  for (int i = 1; i < 6; i++)
    core_recycle(c, objects[i]);
  ck_assert_str_eq(core_idle_order(pool), "5 4 3 2 1");
  static const uint32_t expected[] = {1, 2, 3, 4, 5};
  for (int i = 0; i < 5; i++)
    ck_assert_uint_eq(core_number(c, core_alloc(pool)), expected[i]);
}

CORE_TEST(order_tests, another_order_keeps_how_long_objects_have_been_idle)
{
  sp_pool *pool = lifo_pool(c, 5);
  sp_settings settings = sp_pool_settings(pool);
  sp_ref object = core_alloc(pool);
  for (int i = 0; i < 3; i++) {
    settings.order = i % 2 ? SP_ORDER_LIFO : SP_ORDER_FIFO;
    ck_assert_int_eq(sp_pool_configure(pool, &settings), SP_OK);
    ck_assert_str_eq(core_idle_order(pool), "1 2 3 4");
  }
  core_recycle(c, object);
  ck_assert_str_eq(core_idle_order(pool), "1 2 3 4 5");
  ck_assert_uint_eq(core_number(c, core_alloc(pool)), 1);
}

/* }== */

/* {== Take =============================================================== */

CORE_TEST(take, take_refuses_what_is_not_idle_here)
{
  sp_pool *pool = core_pool(c, "Cube"), *other = core_pool(c, "Sphere");
  sp_pool_prewarm(pool, 2, NULL);
  sp_pool_prewarm(other, 2, NULL);
  sp_ref live = core_alloc(pool), idle = sp_pool_idle_at(pool, 0);
  sp_result why = SP_OK;
  ck_assert_uint_eq(sp_pool_take(pool, live, 0, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_NONE);
  ck_assert_uint_eq(sp_pool_take(pool, sp_pool_idle_at(other, 0), 0, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_NONE);
  ck_assert_uint_eq(sp_pool_take(pool, idle + ((sp_ref)2 << 32), 0, &why), SP_NONE_REF); /* another generation */
  ck_assert_int_eq(why, SP_NONE);
  ck_assert_uint_eq(sp_pool_take(pool, idle, (double)NAN, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_INVALID);
  ck_assert_uint_eq(sp_pool_take(pool, idle, -1, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_INVALID);
  sp_settings s = sp_pool_settings(pool);
  s.limit = 1;
  sp_pool_configure(pool, &s);
  ck_assert_uint_eq(sp_pool_take(pool, idle, 0, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_FULL);
  ck_assert_uint_eq(sp_pool_stats(pool).refused, 6);
}

/* }== */

static sp_ref idle_numbered(core *c, sp_pool *pool, uint32_t number)
{
  for (uint32_t i = 0; i < sp_pool_idle(pool); i++)
    if (core_number(c, sp_pool_idle_at(pool, i)) == number)
      return sp_pool_idle_at(pool, i);
  return SP_NONE_REF;
}

CORE_TEST(take, take_brings_the_chosen_idle_object_to_life)
{
  for (int lifo = 0; lifo < 2; lifo++) {
    sp_pool *pool = lifo ? lifo_pool(c, 20) : core_pool(c, "Sphere");
    sp_pool_prewarm(pool, 20, NULL);
    static const uint32_t wanted[] = {20, 1, 9, 4, 10, 2, 12};
    for (int i = 0; i < 7; i++) {
      sp_ref idle = idle_numbered(c, pool, wanted[i]), object = sp_pool_take(pool, idle, 0, NULL);
      ck_assert(sp_is_live(c->manager, object));
      ck_assert_uint_eq(core_number(c, object), wanted[i]);
      ck_assert_uint_eq(sp_pool_take(pool, idle, 0, NULL), SP_NONE_REF);
    }
    ck_assert_str_eq(core_idle_order(pool), "3 5 6 7 8 11 13 14 15 16 17 18 19");
    core_check(c->manager);
    for (int i = 0; i < 13; i++)
      core_alloc(pool);
    ck_assert_uint_eq(sp_pool_stats(pool).created, 20);
  }
}

SUITE(life, &alloc_and_recycle, &two_steps, &order_tests, &take)
