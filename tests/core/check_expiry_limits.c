/*
** Where lives end when there are very many, very far ahead, or when there is no memory.
*/
#include "support/core_ends.h"
#include "support/desc.h"
#include "support/process.h"

#include <stdlib.h>
#include <string.h>

/* {== Many ================================================================ */

typedef struct crowd {
  core c;
  uint64_t *dues; /* by slot */
  uint32_t ended;
  uint64_t last; /* tick and number of the life that ended last */
} crowd;

/* As many lists as there are, each with a life of its own: nothing of it is litter, and nothing may be swept. */
CORE_TEST(lives_in_every_list_there_is_end_each_on_its_tick)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.spatial = false;
  sp_pool *pool = core_pool_with(c, &desc);
  for (int tick = 1; tick < 2048; tick++)
    ck_assert(sp_pool_alloc(pool, tick * STEP, NULL));
  for (int turn = 2; turn < 1024; turn++)
    ck_assert(sp_pool_alloc(pool, (turn * 1024 + 5) * STEP, NULL));
  for (int i = 0; i < 70 * 62; i++)
    ck_assert(sp_pool_alloc(pool, (100 + i % 70) * STEP, NULL));
  uint32_t live = sp_pool_live(pool);
  for (int tick = 1; tick < 2048; tick++) {
    sp_update(c->manager, STEP);
    live -= tick >= 100 && tick < 170 ? 63 : 1;
    ck_assert_uint_eq(sp_pool_live(pool), live);
  }
  sp_update(c->manager, 1023 * 1024 * STEP);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
}

/* Slots that are used again for ever sooner ends leave entries behind; they are swept while half of the next turn has
   been moved to its ticks. */
CORE_TEST(a_sweep_in_the_middle_of_a_turn_loses_no_life)
{
  sp_ref lives[100], churn[100];
  sp_pool_desc desc = test_desc("Cube");
  desc.spatial = false;
  sp_pool *pool = core_pool_with(c, &desc);
  for (int i = 0; i < 100; i++) {
    lives[i] = sp_pool_alloc(pool, (2 * 1024 + 10 * i) * STEP, NULL);
    must(lives[i] && (churn[i] = sp_pool_alloc(pool, 0, NULL)) != SP_NONE_REF);
  }
  core_tick(c, 1024 + 50);
  for (int sooner = 900; sooner > 0; sooner--) {
    for (int i = 0; i < 100; i++)
      must(sp_recycle(c->manager, churn[i]) == SP_OK);
    for (int i = 0; i < 100; i++)
      must((churn[i] = sp_pool_alloc(pool, (70 + sooner) * STEP, NULL)) != SP_NONE_REF);
  }
  for (int tick = 1024 + 50; tick < 3 * 1024; tick++) {
    for (int i = 0; i < 100; i++) {
      must(sp_is_live(c->manager, lives[i]) == (tick < 2 * 1024 + 10 * i));
      must(sp_is_live(c->manager, churn[i]) == (tick < 1024 + 50 + 71));
    }
    core_tick(c, 1);
  }
}

CORE_TEST(times_are_exact_also_of_fifty_thousand_lives_of_one_instant)
{
  enum { COUNT = 50000 };
  static sp_ref objects[COUNT];
  sp_pool *pool = core_pool(c, "Cube");
  sp_update(c->manager, 3600 + STEP / 4); /* between two ticks */
  for (int i = 0; i < COUNT; i++)
    objects[i] = sp_pool_alloc(pool, 10 + STEP, NULL);
  for (int k = 1; k <= 8; k++) {
    sp_update(c->manager, 5 * STEP / 4);
    for (int i = 0; i < COUNT; i += k) {
      must(sp_age(c->manager, objects[i]) == k * 5 * STEP / 4);
      must(sp_lifetime(c->manager, objects[i]) == 10 + STEP);
      must(sp_remaining(c->manager, objects[i]) == 10 + STEP - k * 5 * STEP / 4);
    }
  }
  sp_update(c->manager, 10 - 9 * STEP + STEP / 4); /* beyond the lifetime, but the tick is still to come */
  ck_assert_uint_eq(sp_pool_live(pool), COUNT);
  sp_update(c->manager, STEP);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
}

/* }== */

/* {== Jumps =============================================================== */

static const int64_t minute = 60 * UNITS, hour = 3600 * UNITS, year = (int64_t)365 * 24 * 3600 * UNITS;

static void again(ends *e, sp_ref object)
{
  (void)object;
  if (e->left-- > 0)
    ends_alloc(e, ends_any_pool(e), 1 + ends_below(e, 3) * (1 + (int64_t)ends_below(e, 2000000)));
}

START_TEST(in_one_update_of_minutes_hours_or_years_every_life_ends_on_its_tick_and_in_order)
{
  const int64_t spans[] = {minute, hour, 30 * hour, year, 40 * year};
  for (int hooked = 0; hooked < 2; hooked++) {
    ends e = {.random = (uint64_t)_i, .act = hooked ? again : NULL};
    ends_open(&e);
    for (int i = 0; i < 5; i++) {
      e.left = 300;
      for (int k = 0; k < 100; k++) {
        uint64_t share = (uint64_t)ends_below(&e, 1u << 30);
        int64_t lifetime = 1 + (int64_t)(share * (uint64_t)(spans[_i] / 1024) >> 20);
        ends_alloc(&e, ends_any_pool(&e), k % 5 ? lifetime : spans[_i] / 2);
      }
      ends_update(&e, spans[_i] / 2 + i);
      ends_check_times(&e);
      ends_update(&e, spans[_i] / 2);
    }
    e.act = NULL;
    ends_update(&e, spans[_i] + 30 * hour);
    ck_assert_int_eq(e.count, 0);
    ends_close(&e);
  }
}
END_TEST

START_TEST(ticks_beyond_32_bits_change_nothing)
{
  for (int64_t rounds = 1; rounds <= 3; rounds++) {
    ends e = {.random = (uint64_t)rounds};
    ends_open(&e);
    const int64_t wrap = rounds << 32;
    ends_alloc(&e, WITH_HOOKS, wrap * TICK - 300 * TICK); /* cut: further than what is counted at once */
    ends_alloc(&e, WITHOUT_HOOKS, wrap * TICK + 300 * TICK);
    ends_alloc(&e, WITH_HOOKS, wrap * TICK + ((int64_t)TICK << 30)); /* and so at a time that has no bits left */
    ends_update(&e, wrap * TICK - (_i * 1500 + 40) * (int64_t)TICK);
    for (int i = 0; i < 400; i++) {
      ends_alloc(&e, ends_any_pool(&e), ends_below(&e, (uint32_t)_i * 3000 + 100) * TICK);
      if (i % 5 == 0)
        ends_set(&e, e.lives[ends_below(&e, (uint32_t)e.count)].object, i % 2 ? (_i * 1500 + 45) * TICK : 30 * TICK);
      if (i % 7 == 0)
        ends_recycle(&e, e.lives[ends_below(&e, (uint32_t)e.count)].object);
    }
    ends_check_times(&e);
    ends_ticks(&e, _i * 3000 + 400);
    for (int i = e.count; i-- > 0;)
      ck_assert(e.lives[i].due == UINT64_MAX || e.lives[i].due > (uint64_t)wrap + (1u << 30) - 1);
    ends_update(&e, (int64_t)TICK << 30);
    for (int i = e.count; i-- > 0;)
      ck_assert(e.lives[i].due == UINT64_MAX);
    ends_close(&e);
  }
}
END_TEST

START_TEST(a_life_of_years_ends_on_its_tick_also_when_many_began_with_it)
{
  core c;
  core_open_with(&c, (sp_options){.step = 1e-6});
  sp_pool *pool = core_pool(&c, "Cube");
  sp_recycle(c.manager, sp_pool_alloc(pool, 1e6, NULL)); /* longer than what is counted at once */
  sp_update(c.manager, 1e7);
  sp_ref objects[3000];
  for (int i = 0; i < 3000; i++)
    objects[i] = sp_pool_alloc(pool, 1e-4, NULL);
  core_tick(&c, 99);
  ck_assert_uint_eq(sp_pool_live(pool), 3000);
  core_tick(&c, 1);
  for (int i = 0; i < 3000; i++)
    ck_assert_msg(!sp_is_live(c.manager, objects[i]), "object %d outlives its time", i);
  core_close(&c);
}
END_TEST

/* }== */

/* {== Memory ============================================================== */

enum { CRAMPED = 300 };

/* Few blocks hold many lives of one turn; when it comes each needs one of its own. */
static void fill_one_turn(ends *e, int ahead)
{
  for (int i = 0; i < CRAMPED; i++)
    if (!ends_alloc(e, i % ENDS_POOLS, (int64_t)(ahead * 1024 + (CRAMPED - i) * 3) * TICK))
      must(ends_alloc(e, i % ENDS_POOLS, (int64_t)(ahead * 1024 + (CRAMPED - i) * 3) * TICK));
}

static void step_of(ends *e, int kind, int ahead)
{
  if (kind == 0)
    ends_ticks(e, (ahead + 1) * 1024);
  else if (kind == 1)
    ends_update(e, (ahead + 1) * TURN);
  else
    for (int i = 0; i < (ahead + 1) * 1024; i += 100 * kind - 123)
      ends_update(e, (100 * kind - 123) * TICK);
}

START_TEST(when_memory_is_refused_for_long_every_life_still_ends_on_its_tick)
{
  for (int ahead = 1; ahead <= 4; ahead++) {
    ends e = {0};
    ends_open(&e);
    fill_one_turn(&e, ahead);
    e.c.memory.fail_at = e.c.memory.calls + 1;
    e.c.memory.keep_failing = true;
    step_of(&e, _i, ahead);
    ck_assert_uint_eq(e.expired, CRAMPED);
    e.c.memory.keep_failing = false;
    fill_one_turn(&e, ahead);
    step_of(&e, _i, ahead);
    ck_assert_uint_eq(e.expired, 2 * CRAMPED);
    ends_close(&e);
  }
}
END_TEST

static void move_about(ends *e)
{
  fill_one_turn(e, 2);
  for (int i = 0; i < 200; i++) {
    sp_ref object = e->lives[ends_below(e, (uint32_t)e->count)].object;
    while (!ends_set(e, object, (int64_t)(1500 + i * 11) * TICK)) {
    }
  }
  ends_ticks(e, 1600);
  while (!ends_alloc(e, WITH_HOOKS, 90 * TURN)) {
  }
  ends_update(e, 100 * TURN);
  ck_assert_uint_eq(e->expired, CRAMPED + 1);
}

START_TEST(any_one_allocation_may_be_refused_while_ticks_move_lives)
{
  size_t calls = 1;
  for (size_t fail_at = 0; fail_at <= calls; fail_at++) {
    ends e = {.c.memory.fail_at = fail_at};
    ends_open(&e);
    move_about(&e);
    calls = fail_at ? calls : e.c.memory.calls;
    ck_assert_uint_eq(e.c.memory.refused, fail_at > 0);
    ends_close(&e);
  }
  ck_assert_uint_gt(calls, 10);
}
END_TEST

/* }== */

Suite *sp_suite_expiry_limits(void)
{
  Suite *suite = suite_create("expiry_limits");
  TCase *far = tcase_create("far");
  tcase_set_timeout(far, 60);
  tcase_add_test(far, times_are_exact_also_of_fifty_thousand_lives_of_one_instant);
  tcase_add_test(far, lives_in_every_list_there_is_end_each_on_its_tick);
  tcase_add_test(far, a_sweep_in_the_middle_of_a_turn_loses_no_life);
  tcase_add_loop_test(far, in_one_update_of_minutes_hours_or_years_every_life_ends_on_its_tick_and_in_order, 0, 5);
  tcase_add_loop_test(far, ticks_beyond_32_bits_change_nothing, 0, 3);
  tcase_add_test(far, a_life_of_years_ends_on_its_tick_also_when_many_began_with_it);
  suite_add_tcase(suite, far);
  TCase *memory = tcase_create("memory");
  tcase_set_timeout(memory, 60);
  tcase_add_loop_test(memory, when_memory_is_refused_for_long_every_life_still_ends_on_its_tick, 0, 4);
  tcase_add_test(memory, any_one_allocation_may_be_refused_while_ticks_move_lives);
  suite_add_tcase(suite, memory);
  return suite;
}
