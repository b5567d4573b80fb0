/*
** Lives: alloc and recycle, in one step and in two, and which idle object is next.
*/
#include "support/core_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* {== Alloc and recycle ================================================== */

START_TEST(alloc_hands_out_different_objects)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref objects[1000];
  core_alloc_many(pool, objects, 1000);
  for (uint32_t i = 0; i < 1000; i++) {
    ck_assert(sp_is_live(c.manager, objects[i]));
    ck_assert_uint_eq(core_number(&c, objects[i]), i + 1);
  }
  ck_assert_uint_eq(sp_pool_live(pool), 1000);
  core_check(c.manager);
  for (int i = 0; i < 1000; i += 2)
    core_recycle(&c, objects[i]);
  for (int i = 0; i < 1000; i++)
    ck_assert_int_eq(sp_is_live(c.manager, objects[i]), i % 2);
  ck_assert_uint_eq(sp_pool_live(pool), 500);
  core_close(&c);
}
END_TEST

START_TEST(a_lifetime_that_makes_no_sense_is_refused)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
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
  ck_assert_double_eq(sp_lifetime(c.manager, object), SP_MAX_LIFETIME);
  object = sp_pool_alloc(pool, -0.0, NULL);
  ck_assert(sp_is_live(c.manager, object));
  ck_assert_double_eq(sp_remaining(c.manager, object), (double)INFINITY);
  core_close(&c);
}
END_TEST

START_TEST(the_lifetime_of_the_last_life_never_sticks)
{
  core c;
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.grow = 1;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref brief = sp_pool_alloc(pool, 10 * STEP, NULL);
  core_tick(&c, 5);
  core_recycle(&c, brief);
  sp_ref endless = core_alloc(pool);
  ck_assert_uint_eq((uint32_t)endless, (uint32_t)brief);
  ck_assert_double_eq(sp_lifetime(c.manager, endless), 0);
  ck_assert_double_eq(sp_age(c.manager, endless), 0);
  core_tick(&c, 3000);
  ck_assert(sp_is_live(c.manager, endless));
  ck_assert_double_eq(sp_age(c.manager, endless), 3000 * STEP);
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 0);
  core_close(&c);
}
END_TEST

START_TEST(alloc_at_places_the_object)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref object = sp_pool_alloc_at(pool, 0, &(sp_place){1, 2, 3}, NULL);
  ck_assert_float_eq(*core_float(&c, object, SP_X), 1);
  ck_assert_float_eq(*core_float(&c, object, SP_Y), 2);
  ck_assert_float_eq(*core_float(&c, object, SP_ANGLE), 3);
  object = sp_pool_alloc_at(pool, 0, NULL, NULL);
  ck_assert_float_eq(*core_float(&c, object, SP_X), 0);
  sp_pool_desc desc = test_desc("Order");
  desc.spatial = false;
  object = sp_pool_alloc_at(core_pool_with(&c, &desc), 0, &(sp_place){1, 2, 3}, NULL); /* has no place: fine */
  ck_assert(sp_is_live(c.manager, object));
  ck_assert_ptr_null(sp_cell(c.manager, object, SP_X));
  core_close(&c);
}
END_TEST

START_TEST(recycling_twice_is_refused_and_counted)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref object = core_alloc(pool);
  core_recycle(&c, object);
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(sp_recycle(c.manager, object), SP_STALE);
  sp_stats s = sp_pool_stats(pool);
  ck_assert_uint_eq(s.double_recycles, 3);
  ck_assert_uint_eq(s.recycles, 1);
  ck_assert_uint_eq(s.idle, 32);
  ck_assert_uint_eq(s.stale_uses, 0);
  core_close(&c);
}
END_TEST

START_TEST(the_peak_is_kept_with_its_time)
{
  core c;
  core_open(&c);
  sp_pool *cubes = core_pool(&c, "Cube"), *spheres = core_pool(&c, "Sphere");
  sp_ref objects[3];
  core_tick(&c, 64);
  core_alloc_many(cubes, objects, 3);
  core_tick(&c, 64);
  core_recycle(&c, objects[0]);
  core_recycle(&c, objects[1]);
  core_tick(&c, 64);
  core_alloc(spheres);
  core_alloc(cubes);
  ck_assert_uint_eq(sp_pool_stats(cubes).peak, 3);
  ck_assert_double_eq(sp_pool_stats(cubes).peak_time, 1);
  ck_assert_uint_eq(sp_pool_stats(spheres).peak, 1);
  ck_assert_double_eq(sp_pool_stats(spheres).peak_time, 3);
  ck_assert_uint_eq(sp_total_stats(c.manager).peak, 3);
  ck_assert_double_eq(sp_total_stats(c.manager).peak_time, 1);
  core_alloc(spheres);
  ck_assert_uint_eq(sp_total_stats(c.manager).peak, 4);
  ck_assert_double_eq(sp_total_stats(c.manager).peak_time, 3);
  core_close(&c);
}
END_TEST

/* }== */

/* {== In two steps ======================================================= */

START_TEST(between_begin_and_commit_fields_can_be_written_and_nothing_is_live_yet)
{
  core c;
  core_log log = {0};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  sp_ref object = sp_pool_alloc_begin(pool, 1, NULL);
  ck_assert(!sp_is_live(c.manager, object));
  ck_assert_int_eq(sp_check(c.manager, object), SP_OK);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  *core_float(&c, object, SP_VX) = 64;
  ck_assert_str_eq(core_log_take(&log), "create 1");
  ck_assert_uint_eq(sp_alloc_commit(c.manager, object, NULL), object);
  ck_assert_str_eq(core_log_take(&log), "spawn 1 fresh");
  ck_assert(sp_is_live(c.manager, object));
  core_tick(&c, 1);
  ck_assert_float_eq(*core_float(&c, object, SP_X), 1);
  core_tick(&c, 63);
  ck_assert(!sp_is_live(c.manager, object));
  core_close(&c);
}
END_TEST

START_TEST(the_lifetime_may_be_changed_between_begin_and_commit)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref object = sp_pool_alloc_begin(pool, 0, NULL);
  ck_assert_int_eq(sp_set_remaining(c.manager, object, 2 * STEP), SP_OK);
  sp_alloc_commit(c.manager, object, NULL);
  sp_ref other = sp_pool_alloc_begin(pool, 2 * STEP, NULL);
  ck_assert_int_eq(sp_set_remaining(c.manager, other, (double)INFINITY), SP_OK);
  sp_alloc_commit(c.manager, other, NULL);
  core_tick(&c, 1);
  ck_assert(sp_is_live(c.manager, object));
  core_tick(&c, 1);
  ck_assert(!sp_is_live(c.manager, object));
  ck_assert(sp_is_live(c.manager, other));
  core_close(&c);
}
END_TEST

START_TEST(cancel_gives_the_object_back_as_if_nothing_had_been)
{
  core c;
  core_log log = {0};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  sp_ref object = sp_pool_alloc_begin(pool, STEP, NULL);
  *core_float(&c, object, SP_VX) = 64;
  sp_alloc_cancel(c.manager, object);
  ck_assert_int_eq(sp_check(c.manager, object), SP_STALE);
  core_log_take(&log);
  core_tick(&c, 2);
  sp_stats s = sp_pool_stats(pool);
  ck_assert_uint_eq(s.allocs + s.recycles + s.expired + s.peak, 0);
  ck_assert_uint_eq(s.idle, 1);
  core_log_take(&log);
  sp_ref next = core_alloc(pool);
  ck_assert_str_eq(core_log_take(&log), "spawn 1 fresh"); /* it never lived */
  ck_assert_float_eq(*core_float(&c, next, SP_X), 0);
  ck_assert_float_eq(*core_float(&c, next, SP_VX), 0);
  core_recycle(&c, next);
  object = sp_pool_alloc_begin(pool, 0, NULL);
  sp_alloc_cancel(c.manager, object);
  core_log_take(&log);
  core_alloc(pool);
  ck_assert_str_eq(core_log_take(&log), "spawn 1");
  core_close(&c);
}
END_TEST

START_TEST(cancel_keeps_the_limits)
{
  core c;
  core_log log = {0};
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.idle_limit = SP_NO_OBJECTS;
  desc.hooks = core_hooks(&log);
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_alloc_cancel(c.manager, sp_pool_alloc_begin(pool, 0, NULL));
  ck_assert_str_eq(core_log_take(&log), "create 1, reject 1, destroy 1");
  ck_assert_uint_eq(sp_pool_idle(pool), 0);
  desc.type = "Sphere";
  desc.settings.idle_limit = SP_UNLIMITED;
  desc.settings.limit = SP_NO_OBJECTS;
  desc.settings.overflow = SP_OVERFLOW_GROW;
  pool = core_pool_with(&c, &desc);
  sp_alloc_cancel(c.manager, sp_pool_alloc_begin(pool, 0, NULL));
  ck_assert_str_eq(core_log_take(&log), "create 1, destroy 1");
  ck_assert_uint_eq(sp_pool_idle(pool), 0);
  core_close(&c);
}
END_TEST

START_TEST(cancel_leaves_no_child_behind)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref parent = core_alloc(pool), sibling = core_alloc(pool), child = sp_pool_alloc_begin(pool, 0, NULL);
  ck_assert_int_eq(sp_set_parent(c.manager, sibling, parent), SP_OK);
  ck_assert_int_eq(sp_set_parent(c.manager, child, parent), SP_OK);
  sp_alloc_cancel(c.manager, child);
  for (int i = 0; i < 40; i++) /* somebody else gets the slot */
    ck_assert_uint_eq(sp_parent(c.manager, core_alloc(pool)), SP_NONE_REF);
  core_recycle(&c, parent);
  ck_assert(!sp_is_live(c.manager, sibling));
  ck_assert_uint_eq(sp_pool_live(pool), 40);
  core_close(&c);
}
END_TEST

START_TEST(only_one_object_is_open_at_a_time)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube"), *other = core_pool(&c, "Sphere");
  sp_ref object = sp_pool_alloc_begin(pool, STEP, NULL);
  sp_result why = SP_OK;
  ck_assert_uint_eq(sp_pool_alloc_begin(other, 0, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_BUSY);
  ck_assert_int_eq(sp_update(c.manager, STEP), SP_BUSY);
  ck_assert_int_eq(sp_close(c.manager), SP_BUSY);
  ck_assert_int_eq(sp_pool_remove(pool, NULL, NULL), SP_BUSY);
  ck_assert_uint_eq(sp_alloc_commit(c.manager, object, NULL), object);
  ck_assert_uint_eq(sp_alloc_commit(c.manager, object, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_STALE);
  sp_alloc_cancel(c.manager, object);
  ck_assert(sp_is_live(c.manager, object));
  ck_assert_uint_eq(sp_pool_live(pool), 1);
  core_close(&c);
}
END_TEST

START_TEST(undo_takes_an_alloc_back_without_hooks_that_mourn)
{
  core c;
  core_log log = {0};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  sp_ref object = sp_pool_alloc(pool, 5 * STEP, NULL);
  core_log_take(&log);
  ck_assert_int_eq(sp_alloc_undo(c.manager, object), SP_OK);
  ck_assert_str_eq(core_log_take(&log), "end 1");
  ck_assert_int_eq(sp_alloc_undo(c.manager, object), SP_STALE);
  core_tick(&c, 6);
  sp_stats s = sp_pool_stats(pool);
  ck_assert_uint_eq(s.allocs + s.recycles + s.expired, 0);
  ck_assert_uint_eq(s.idle, 1);
  core_close(&c);
}
END_TEST

/* }== */

/* {== Order ============================================================== */

START_TEST(fifo_reuses_the_longest_idle_first)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_pool_prewarm(pool, 4, NULL);
  sp_ref objects[4];
  core_alloc_many(pool, objects, 4);
  static const int order[] = {2, 0, 3, 1};
  for (int i = 0; i < 4; i++)
    core_recycle(&c, objects[order[i]]);
  ck_assert_str_eq(core_idle_order(pool), "3 1 4 2");
  for (int i = 0; i < 4; i++)
    ck_assert_uint_eq(core_number(&c, core_alloc(pool)), (uint32_t)order[i] + 1);
  core_close(&c);
}
END_TEST

static sp_pool *lifo_pool(core *c, uint32_t prealloc)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.order = SP_ORDER_LIFO;
  desc.settings.prealloc = prealloc;
  desc.settings.grow = 1;
  return core_pool_with(c, &desc);
}

START_TEST(lifo_rests_a_slot_behind_sixteen_newer_ones)
{
  core c;
  core_open(&c);
  sp_pool *pool = lifo_pool(&c, 17);
  sp_ref objects[17];
  core_alloc_many(pool, objects, 17);
  ck_assert_uint_eq(core_number(&c, objects[0]), 1); /* the only one that has rested */
  ck_assert_uint_eq(core_number(&c, objects[1]), 2); /* then the oldest of the resting ones */
  ck_assert_uint_eq(core_number(&c, objects[16]), 17);
  for (int i = 0; i < 17; i++)
    core_recycle(&c, objects[i]);
  sp_ref object = core_alloc(pool);
  ck_assert_uint_eq(core_number(&c, object), 1);
  core_recycle(&c, object);
  ck_assert_uint_eq(core_number(&c, core_alloc(pool)), 2); /* not the one that has just come back */
  core_close(&c);
}
END_TEST

START_TEST(lifo_reuses_the_warmest_that_has_rested)
{
  core c;
  core_open(&c);
  sp_pool *pool = lifo_pool(&c, 40);
  sp_ref objects[40];
  core_alloc_many(pool, objects, 40);
  ck_assert_uint_eq(core_number(&c, objects[0]), 24);
  ck_assert_uint_eq(core_number(&c, objects[23]), 1);
  ck_assert_uint_eq(core_number(&c, objects[24]), 25);
  for (int i = 0; i < 20; i++)
    core_recycle(&c, objects[i]); /* 24, 23 .. 5: the last sixteen rest */
  ck_assert_str_eq(core_idle_order(pool), "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5");
  static const uint32_t expected[] = {21, 22, 23, 24, 20, 19, 18};
  for (int i = 0; i < 7; i++)
    ck_assert_uint_eq(core_number(&c, core_alloc(pool)), expected[i]);
  core_close(&c);
}
END_TEST

START_TEST(the_order_can_change_and_keeps_every_idle_object)
{
  core c;
  core_open(&c);
  sp_pool *pool = lifo_pool(&c, 20);
  sp_settings s = sp_pool_settings(pool);
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK); /* the same order: the rest goes on */
  sp_ref object = core_alloc(pool);
  ck_assert_uint_eq(core_number(&c, object), 4);
  core_recycle(&c, object);
  s.order = SP_ORDER_FIFO;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  ck_assert_str_eq(core_idle_order(pool), "1 2 3 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 4");
  ck_assert_uint_eq(core_number(&c, core_alloc(pool)), 1);
  s.order = SP_ORDER_LIFO;
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  ck_assert_uint_eq(core_number(&c, core_alloc(pool)), 4);
  ck_assert_uint_eq(sp_pool_idle(pool), 18);
  core_close(&c);
}
END_TEST

/* }== */

/* {== Take =============================================================== */

static sp_ref idle_numbered(core *c, sp_pool *pool, uint32_t number)
{
  for (uint32_t i = 0; i < sp_pool_idle(pool); i++)
    if (core_number(c, sp_pool_idle_at(pool, i)) == number)
      return sp_pool_idle_at(pool, i);
  return SP_NONE_REF;
}

START_TEST(take_brings_the_chosen_idle_object_to_life)
{
  core c;
  core_open(&c);
  for (int lifo = 0; lifo < 2; lifo++) {
    sp_pool *pool = lifo ? lifo_pool(&c, 20) : core_pool(&c, "Sphere");
    sp_pool_prewarm(pool, 20, NULL);
    static const uint32_t wanted[] = {20, 1, 9, 4, 10, 2, 12};
    for (int i = 0; i < 7; i++) {
      sp_ref idle = idle_numbered(&c, pool, wanted[i]), object = sp_pool_take(pool, idle, 0, NULL);
      ck_assert(sp_is_live(c.manager, object));
      ck_assert_uint_eq(core_number(&c, object), wanted[i]);
      ck_assert_uint_eq(sp_pool_take(pool, idle, 0, NULL), SP_NONE_REF);
    }
    ck_assert_str_eq(core_idle_order(pool), "3 5 6 7 8 11 13 14 15 16 17 18 19");
    core_check(c.manager);
    for (int i = 0; i < 13; i++)
      core_alloc(pool);
    ck_assert_uint_eq(sp_pool_stats(pool).created, 20);
  }
  core_close(&c);
}
END_TEST

START_TEST(take_refuses_what_is_not_idle_here)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube"), *other = core_pool(&c, "Sphere");
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
  core_close(&c);
}
END_TEST

START_TEST(take_restores_and_arms_like_alloc)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref first = core_alloc(pool);
  *core_float(&c, first, SP_X) = 5;
  core_recycle(&c, first);
  sp_ref object = sp_pool_take(pool, idle_numbered(&c, pool, 1), 2 * STEP, NULL);
  ck_assert_float_eq(*core_float(&c, object, SP_X), 0);
  ck_assert_double_eq(sp_remaining(c.manager, object), 2 * STEP);
  core_tick(&c, 2);
  ck_assert(!sp_is_live(c.manager, object));
  core_close(&c);
}
END_TEST

/* }== */

Suite *sp_suite_life(void)
{
  Suite *suite = suite_create("life");
  core_case(suite, "alloc and recycle", alloc_hands_out_different_objects, a_lifetime_that_makes_no_sense_is_refused,
            the_lifetime_of_the_last_life_never_sticks, alloc_at_places_the_object,
            recycling_twice_is_refused_and_counted, the_peak_is_kept_with_its_time);
  core_case(suite, "two steps", between_begin_and_commit_fields_can_be_written_and_nothing_is_live_yet,
            the_lifetime_may_be_changed_between_begin_and_commit, cancel_gives_the_object_back_as_if_nothing_had_been,
            cancel_keeps_the_limits, cancel_leaves_no_child_behind, only_one_object_is_open_at_a_time,
            undo_takes_an_alloc_back_without_hooks_that_mourn);
  core_case(suite, "order", fifo_reuses_the_longest_idle_first, lifo_rests_a_slot_behind_sixteen_newer_ones,
            lifo_reuses_the_warmest_that_has_rested, the_order_can_change_and_keeps_every_idle_object);
  core_case(suite, "take", take_brings_the_chosen_idle_object_to_life, take_refuses_what_is_not_idle_here,
            take_restores_and_arms_like_alloc);
  return suite;
}
