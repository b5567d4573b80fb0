/*
** Lives that open in two steps, and idle objects that are taken, where the model has no call in between.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>

static test_group two_steps = {"two steps"};
static test_group take = {"take"};

CORE_TEST(two_steps, an_object_without_a_place_may_be_put_anywhere)
{
  sp_pool_desc desc = test_desc("Order");
  desc.spatial = false;
  sp_ref object = sp_pool_alloc_at(core_pool_with(c, &desc), 0, &(sp_place){1, 2, 3}, NULL);
  ck_assert(sp_is_live(c->manager, object));
  ck_assert_ptr_null(sp_cell(c->manager, object, SP_X));
  ck_assert_float_eq(core_peek(c, sp_pool_alloc_at(core_pool(c, "Cube"), 0, NULL, NULL), SP_X), 0);
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
  ck_assert(!sp_is_live(c->manager, object));
  ck_assert_int_eq(sp_check(c->manager, object), SP_OK);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
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
  ck_assert_uint_eq(sp_pool_stats(pool).refused, 3);
}

SUITE(life, &two_steps, &take)
