/*
** Time: the wheel ends lives on their tick, and can be told another one.
*/
#include "support/core_fixture.h"

#include <math.h>
#include <stdio.h>

/* {== Lifetimes ========================================================== */

START_TEST(a_life_ends_on_its_tick_and_not_before)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  /* Also around the turns of the wheel: 1024 ticks. */
  static const int ticks[] = {1, 2, 3, 63, 64, 1023, 1024, 1025, 2047, 2048, 2049, 5000};
  for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
    sp_ref object = sp_pool_alloc(pool, ticks[i] * STEP, NULL);
    core_tick(&c, ticks[i] - 1);
    ck_assert(sp_is_live(c.manager, object));
    ck_assert_double_eq(sp_remaining(c.manager, object), STEP);
    core_tick(&c, 1);
    ck_assert(!sp_is_live(c.manager, object));
  }
  ck_assert_uint_eq(sp_pool_stats(pool).expired, sizeof ticks / sizeof ticks[0]);
  core_close(&c);
}
END_TEST

START_TEST(sixty_ticks_of_one_sixtieth_are_one_second_whatever_the_clock_says)
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
END_TEST

START_TEST(less_than_a_tick_ends_at_the_next_one)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  static const double brief[] = {STEP / 2, 1e-9, 1e-300, 5e-324};
  for (int i = 0; i < 4; i++) {
    sp_ref object = sp_pool_alloc(pool, brief[i], NULL);
    ck_assert(sp_is_live(c.manager, object));
    core_tick(&c, 1);
    ck_assert(!sp_is_live(c.manager, object));
  }
  core_close(&c);
}
END_TEST

START_TEST(a_life_that_begins_between_ticks_is_never_cut_short)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_update(c.manager, STEP * 0.75);
  sp_ref object = sp_pool_alloc(pool, STEP, NULL);
  sp_update(c.manager, STEP * 0.5); /* tick 1: half a tick of life */
  ck_assert_uint_eq(sp_tick(c.manager), 1);
  ck_assert(sp_is_live(c.manager, object));
  ck_assert_double_eq(sp_age(c.manager, object), STEP / 2);
  sp_update(c.manager, STEP * 0.75); /* tick 2 */
  ck_assert(!sp_is_live(c.manager, object));
  object = sp_pool_alloc(pool, STEP * 0.25, NULL); /* ends on tick 3 exactly, but the clock is at 2 */
  sp_update(c.manager, STEP);
  ck_assert(!sp_is_live(c.manager, object));
  core_close(&c);
}
END_TEST

START_TEST(years_pass_in_one_update)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  const double year = 365.0 * 24 * 3600;
  sp_ref one = sp_pool_alloc(pool, year, NULL), ten = sp_pool_alloc(pool, 10 * year, NULL);
  sp_ref most = sp_pool_alloc(pool, SP_MAX_LIFETIME, NULL);
  ck_assert_int_eq(sp_update(c.manager, year - STEP), SP_OK);
  ck_assert(sp_is_live(c.manager, one));
  core_tick(&c, 1);
  ck_assert(!sp_is_live(c.manager, one));
  ck_assert_int_eq(sp_update(c.manager, 9 * year - STEP), SP_OK);
  ck_assert(sp_is_live(c.manager, ten));
  core_tick(&c, 1);
  ck_assert(!sp_is_live(c.manager, ten));
  ck_assert_int_eq(sp_update(c.manager, SP_MAX_LIFETIME - 10 * year - STEP), SP_OK);
  ck_assert(sp_is_live(c.manager, most));
  core_tick(&c, 1);
  ck_assert(!sp_is_live(c.manager, most));
  ck_assert_uint_eq(sp_tick(c.manager), (uint64_t)6400000000000);
  ck_assert_int_eq(sp_update(c.manager, SP_MAX_LIFETIME), SP_OK);
  core_close(&c);
}
END_TEST

static void note_time(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  double *times = log->data;
  if (core_is(hook, "despawn"))
    times[sp_object_number(sp_pool_manager(pool), object)] = sp_time(sp_pool_manager(pool));
}

START_TEST(in_one_big_update_every_life_ends_at_its_own_time)
{
  core c;
  double ends[201] = {0};
  core_log log = {.act = note_time, .data = ends, .only = "none"};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  for (int i = 1; i <= 200; i++)
    sp_pool_alloc(pool, i * 37 * STEP, NULL);
  ck_assert_int_eq(sp_update(c.manager, 200), SP_OK); /* 12800 ticks */
  for (int i = 1; i <= 200; i++)
    ck_assert_double_eq(ends[i], i * 37 * STEP);
  ck_assert_double_eq(sp_time(c.manager), 200);
  core_close(&c);
}
END_TEST

START_TEST(lives_of_one_tick_end_in_order_of_spawning)
{
  core c;
  core_log log = {.only = "despawn"};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  for (int turn = 0; turn < 3; turn++) { /* 0, 1 and 2 turns of the wheel ahead */
    for (int i = 0; i < 40; i++)
      sp_pool_alloc(pool, (5 + turn * 1024) * STEP, NULL);
    sp_update(c.manager, (4 + turn * 1024) * STEP);
    ck_assert_str_eq(core_log_take(&log), "");
    core_tick(&c, 1);
    const char *text = core_log_take(&log);
    for (int i = 1; i <= 40; i++) {
      int number, length;
      ck_assert_int_eq(sscanf(text, "despawn %d expired%n", &number, &length), 1);
      ck_assert_int_eq(number, i);
      text += length + 2;
    }
  }
  core_close(&c);
}
END_TEST

static void chain(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (core_is(hook, "despawn") && --log->count > 0)
    sp_pool_alloc(pool, STEP * (1 + log->count % 3 * 1024), NULL);
}

/* The slot that is used again is where its first life was in the list of the tick that both were to end at. */
START_TEST(a_life_that_begins_in_an_expiry_begins_at_that_time)
{
  core c;
  core_log log = {.act = chain, .count = 30, .only = "none"};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  sp_pool_alloc(pool, STEP, NULL);
  /* 29 more lives: ten times each of 1, 1025 and 2049 ticks, less one of 1 tick */
  const int ticks = 1 + 9 * 1 + 10 * 1025 + 10 * 2049;
  sp_update(c.manager, (ticks - 1) * STEP);
  ck_assert_uint_eq(sp_pool_live(pool), 1);
  core_tick(&c, 1);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 30);
  core_close(&c);
}
END_TEST

/* }== */

/* {== Changing a lifetime ================================================ */

START_TEST(a_recycled_life_takes_its_timer_along)
{
  core c;
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.grow = 1;
  sp_pool *pool = core_pool_with(&c, &desc);
  for (int i = 0; i < 100; i++)
    core_recycle(&c, sp_pool_alloc(pool, 10 * STEP, NULL));
  sp_ref object = core_alloc(pool);
  core_tick(&c, 20);
  ck_assert(sp_is_live(c.manager, object));
  core_recycle(&c, object);
  object = sp_pool_alloc(pool, 20 * STEP, NULL); /* the same slot, a later tick */
  core_recycle(&c, object);
  object = sp_pool_alloc(pool, 30 * STEP, NULL);
  core_tick(&c, 29);
  ck_assert(sp_is_live(c.manager, object));
  core_tick(&c, 1);
  ck_assert(!sp_is_live(c.manager, object));
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 1);
  core_close(&c);
}
END_TEST

START_TEST(what_remains_can_be_read_and_set)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref object = sp_pool_alloc(pool, 10 * STEP, NULL);
  core_tick(&c, 4);
  ck_assert_double_eq(sp_age(c.manager, object), 4 * STEP);
  ck_assert_double_eq(sp_remaining(c.manager, object), 6 * STEP);
  ck_assert_int_eq(sp_set_remaining(c.manager, object, 2 * STEP), SP_OK); /* sooner */
  ck_assert_double_eq(sp_remaining(c.manager, object), 2 * STEP);
  ck_assert_double_eq(sp_lifetime(c.manager, object), 6 * STEP);
  core_tick(&c, 1);
  ck_assert_int_eq(sp_set_remaining(c.manager, object, 1024 * STEP), SP_OK); /* later, a whole turn */
  core_tick(&c, 1023);
  ck_assert(sp_is_live(c.manager, object));
  ck_assert_int_eq(sp_set_remaining(c.manager, object, (double)INFINITY), SP_OK);
  ck_assert_double_eq(sp_remaining(c.manager, object), (double)INFINITY);
  ck_assert_double_eq(sp_lifetime(c.manager, object), 0);
  core_tick(&c, 10);
  ck_assert(sp_is_live(c.manager, object));
  ck_assert_int_eq(sp_set_remaining(c.manager, object, 3 * STEP), SP_OK);
  core_tick(&c, 2);
  ck_assert(sp_is_live(c.manager, object));
  core_tick(&c, 1);
  ck_assert(!sp_is_live(c.manager, object));
  core_close(&c);
}
END_TEST

START_TEST(nothing_remaining_ends_at_the_next_tick_also_right_after_birth)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref object = core_alloc(pool);
  ck_assert_int_eq(sp_set_remaining(c.manager, object, 0), SP_OK);
  ck_assert_double_lt(sp_remaining(c.manager, object), 1e-300);
  ck_assert_double_gt(sp_lifetime(c.manager, object), 0); /* 0 would be without end */
  ck_assert(sp_is_live(c.manager, object));
  core_tick(&c, 1);
  ck_assert(!sp_is_live(c.manager, object));
  core_close(&c);
}
END_TEST

START_TEST(a_remaining_time_that_makes_no_sense_is_refused)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref object = sp_pool_alloc(pool, 2 * STEP, NULL);
  static const double bad[] = {-1, -1e-300, (double)NAN, -(double)INFINITY, 1.01e11};
  for (int i = 0; i < 5; i++)
    ck_assert_int_eq(sp_set_remaining(c.manager, object, bad[i]), SP_INVALID);
  ck_assert_double_eq(sp_remaining(c.manager, object), 2 * STEP);
  core_tick(&c, 2);
  ck_assert(!sp_is_live(c.manager, object));
  core_close(&c);
}
END_TEST

START_TEST(a_timer_set_twice_fires_once)
{
  core c;
  core_log log = {.only = "despawn"};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  sp_ref object = sp_pool_alloc(pool, 5 * STEP, NULL);
  for (int i = 0; i < 10; i++) { /* always the same tick, or the same bucket one turn later */
    ck_assert_int_eq(sp_set_remaining(c.manager, object, (5 + 1024) * STEP), SP_OK);
    ck_assert_int_eq(sp_set_remaining(c.manager, object, 5 * STEP), SP_OK);
  }
  core_tick(&c, 5);
  ck_assert_str_eq(core_log_take(&log), "despawn 1 expired");
  object = sp_pool_alloc(pool, 1024 * STEP, NULL);
  core_tick(&c, 5000);
  ck_assert_str_eq(core_log_take(&log), "despawn 1 expired");
  core_close(&c);
}
END_TEST

/* The override keeps the object `count` times, and gives it three more ticks each time. */
static void stay(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  if (!core_is(hook, "recycle"))
    return;
  log->veto = log->count-- > 0;
  if (log->veto && log->data)
    ck_assert_int_eq(sp_set_remaining(sp_pool_manager(pool), object, 3 * STEP), SP_OK);
}

START_TEST(a_veto_at_expiry_keeps_the_object_for_ever_unless_it_is_armed_again)
{
  core c;
  core_log log = {.act = stay, .count = 1, .only = "recycle"};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  sp_ref object = sp_pool_alloc(pool, STEP, NULL);
  core_tick(&c, 2000);
  ck_assert(sp_is_live(c.manager, object));
  ck_assert_double_eq(sp_remaining(c.manager, object), 0);
  ck_assert_uint_eq(sp_pool_stats(pool).vetoed, 1);
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 0);
  ck_assert_int_eq(sp_set_remaining(c.manager, object, STEP), SP_OK);
  core_tick(&c, 1);
  ck_assert(!sp_is_live(c.manager, object));
  ck_assert_str_eq(core_log_take(&log), "recycle 1 expired, recycle 1 expired");
  core_close(&c);
}
END_TEST

START_TEST(an_override_may_veto_and_give_more_time)
{
  core c;
  core_log log = {.act = stay, .count = 2, .only = "recycle"};
  log.data = &log;
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  sp_ref object = sp_pool_alloc(pool, STEP, NULL);
  core_tick(&c, 1 + 3 + 3 - 1);
  ck_assert(sp_is_live(c.manager, object));
  ck_assert_double_eq(sp_remaining(c.manager, object), STEP);
  core_tick(&c, 1);
  ck_assert(!sp_is_live(c.manager, object));
  ck_assert_uint_eq(sp_pool_stats(pool).vetoed, 2);
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 1);
  core_close(&c);
}
END_TEST

/* }== */

/* {== Litter ============================================================= */

START_TEST(timers_that_were_cancelled_do_not_pile_up)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref armed[1000];
  for (int i = 0; i < 1000; i++)
    armed[i] = sp_pool_alloc(pool, 1000 + i, NULL);
  size_t bound = c.memory.bytes + 400000; /* 4096 dead entries of 8 bytes, in blocks that may be half empty */
  for (int i = 0; i < 300000; i++)
    sp_recycle(c.manager, sp_pool_alloc(pool, 1 + i % 3600, NULL));
  ck_assert_uint_le(c.memory.peak, bound);
  for (int i = 0; i < 1000; i++)
    ck_assert_double_eq(sp_remaining(c.manager, armed[i]), 1000 + i);
  sp_update(c.manager, 1499); /* and the others were not swept with them */
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 500);
  core_close(&c);
}
END_TEST

START_TEST(a_bucket_of_dead_timers_is_emptied)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  core_recycle(&c, core_alloc(pool));
  size_t bound = c.memory.bytes + 100000;
  for (int i = 0; i < 50000; i++)
    sp_recycle(c.manager, sp_pool_alloc(pool, 10, NULL));
  ck_assert_uint_le(c.memory.peak, bound);
  sp_pool_alloc(pool, 10, NULL);
  core_tick(&c, 640);
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 1);
  core_close(&c);
}
END_TEST

START_TEST(timers_that_are_set_again_and_again_do_not_pile_up)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref objects[10];
  for (int i = 0; i < 10; i++)
    objects[i] = sp_pool_alloc(pool, 5, NULL);
  size_t bound = c.memory.bytes + 100000;
  for (int i = 0; i < 40000; i++) { /* the clock stands still, so all of them have few ticks */
    sp_ref object = objects[i / 4000];
    sp_set_remaining(c.manager, object, 5);
    sp_set_remaining(c.manager, object, i < 20000 ? 6 : (double)INFINITY);
  }
  ck_assert_uint_le(c.memory.peak, bound);
  for (int i = 0; i < 10; i++)
    sp_set_remaining(c.manager, objects[i], 5);
  core_tick(&c, 5 * 64);
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 10);
  core_close(&c);
}
END_TEST

/* }== */

Suite *sp_suite_time(void)
{
  Suite *suite = suite_create("time");
  core_case(suite, "lifetimes", a_life_ends_on_its_tick_and_not_before,
            sixty_ticks_of_one_sixtieth_are_one_second_whatever_the_clock_says, less_than_a_tick_ends_at_the_next_one,
            a_life_that_begins_between_ticks_is_never_cut_short, years_pass_in_one_update,
            in_one_big_update_every_life_ends_at_its_own_time, lives_of_one_tick_end_in_order_of_spawning,
            a_life_that_begins_in_an_expiry_begins_at_that_time);
  core_case(suite, "remaining", a_recycled_life_takes_its_timer_along, what_remains_can_be_read_and_set,
            nothing_remaining_ends_at_the_next_tick_also_right_after_birth,
            a_remaining_time_that_makes_no_sense_is_refused, a_timer_set_twice_fires_once,
            a_veto_at_expiry_keeps_the_object_for_ever_unless_it_is_armed_again,
            an_override_may_veto_and_give_more_time);
  core_case(suite, "litter", timers_that_were_cancelled_do_not_pile_up, a_bucket_of_dead_timers_is_emptied,
            timers_that_are_set_again_and_again_do_not_pile_up);
  return suite;
}
