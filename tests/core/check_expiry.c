/*
** When lives end, in every order of events that could lead the lists of the core astray: a naive list says what is
** next.
*/
#include "support/core_ends.h"
#include "support/process.h"

#include <stdlib.h>
#include <string.h>

/* {== Order =============================================================== */

static const int aheads[] = {1, 5, 1023, 1024, 1025, 2047, 2048, 2049, 3071, 3072, 5000, 1 << 20, (1 << 20) + 1025};
enum { AHEADS = sizeof aheads / sizeof aheads[0] };

/* Goes there, one tick at a time where it matters. */
static void go(ends *e, int ticks)
{
  if (ticks > 6000) {
    ends_update(e, (int64_t)(ticks - 3000) * TICK);
    ticks = 3000;
  }
  ends_ticks(e, ticks);
}

START_TEST(lives_that_end_together_end_in_the_order_in_which_they_began_whatever_their_slots_did_before)
{
  static const int befores[] = {0, -1, 1, -700, 700, 1024, 2048, 4000};
  const int ahead = aheads[_i];
  for (size_t b = 0; b < sizeof befores / sizeof befores[0]; b++) {
    ends e = {.random = b};
    ends_open(&e);
    sp_ref objects[60];
    int before = ahead + befores[b] > 0 ? ahead + befores[b] : 1;
    for (int i = 0; i < 60; i++)
      objects[i] = ends_alloc(&e, i % ENDS_POOLS, (int64_t)before * TICK);
    for (int i = 0; i < 200; i++) { /* each is younger than all others now, and in a slot that was there before */
      int k = (int)ends_below(&e, 60);
      ends_recycle(&e, objects[k]);
      objects[k] = ends_alloc(&e, ends_any_pool(&e), (int64_t)(i % 5 ? ahead : before) * TICK);
    }
    go(&e, ahead + 2);
    go(&e, before + 2);
    ck_assert_int_eq(e.count, 0);
    ends_close(&e);
  }
}
END_TEST

START_TEST(a_life_that_is_given_another_end_keeps_its_place_among_those_of_that_tick)
{
  const int64_t ahead = aheads[_i];
  ends e = {.random = 3};
  ends_open(&e);
  sp_ref objects[60];
  for (int i = 0; i < 60; i++)
    objects[i] = ends_alloc(&e, i % ENDS_POOLS, (1 + ends_below(&e, 6000)) * TICK);
  for (int i = 0; i < 60; i++) {
    if (i % 3 == 0)
      ends_set(&e, objects[59 - i], NEVER);
    if (i % 4 == 0)
      ends_set(&e, objects[59 - i], 3 * TURN);
    if (i % 5 == 0)
      ends_set(&e, objects[59 - i], 0);
    ends_set(&e, objects[59 - i], ahead * TICK);
    ends_alloc(&e, i % ENDS_POOLS, i % 2 * ahead * TICK);
  }
  ends_check_times(&e);
  go(&e, (int)ahead - 1);
  ck_assert_uint_eq(e.expired, 0);
  go(&e, 1);
  ck_assert_uint_eq(e.expired, 90);
  ck_assert_int_eq(e.count, 30);
  ends_close(&e);
}
END_TEST

/* Ends, begins and moves others, at the very tick. */
static void meddle(ends *e, sp_ref object)
{
  (void)object;
  for (int i = 0; i < 2 && e->count > 0; i++) {
    sp_ref other = ends_any(e);
    int64_t units = ends_below(e, 3) ? ends_below(e, 8) : ends_any_units(e);
    switch (ends_below(e, 4)) {
    case 0:
      ends_recycle(e, other);
      break;
    case 1:
      ends_set(e, other, ends_below(e, 5) ? units : NEVER);
      break;
    default:
      if (e->left-- > 0)
        ends_alloc(e, ends_any_pool(e), units ? units : 1);
    }
  }
}

START_TEST(hooks_may_begin_end_and_move_lives_while_a_tick_ends_others)
{
  ends e = {.random = (uint64_t)_i, .act = meddle, .left = 3000};
  ends_open(&e);
  for (int i = 0; i < 150; i++)
    ends_alloc(&e, ends_any_pool(&e), (int64_t)aheads[i % 12 < 11 ? i % 12 : 0] * TICK);
  ends_ticks(&e, 2100);
  ends_update(&e, 40 * TURN);
  ends_update(&e, 1100 * (int64_t)TURN);
  e.act = NULL;
  ends_update(&e, 3000 * (int64_t)TURN);
  ends_check_times(&e);
  ck_assert_uint_gt(e.expired, 150);
  ends_close(&e);
}
END_TEST

START_TEST(lives_that_last_longer_than_a_round_end_with_those_that_came_later)
{
  ends e = {0};
  ends_open(&e);
  const int64_t round = 1024 * (int64_t)TURN;
  for (int i = 0; i < 9; i++)
    ends_alloc(&e, i % ENDS_POOLS, round * (1 + i % 3) + i % 2 * TICK + 5 * TURN);
  for (int i = 0; i < 12; i++) {
    ends_update(&e, round / 4 + 7 * TICK); /* each is gone through a turn at a time, for there is one in every turn */
    for (int k = 0; k < 300; k++)
      ends_alloc(&e, k % ENDS_POOLS, 4 * round + 5 * TURN - e.now + (k - 3) * TURN);
    ends_alloc(&e, WITH_HOOKS, 3 * round + 5 * TURN + TICK > e.now ? 3 * round + 5 * TURN + TICK - e.now : 1);
  }
  ends_update(&e, 5 * round);
  ck_assert_int_eq(e.count, 0);
  ends_close(&e);
}
END_TEST

/* }== */

/* {== Slots =============================================================== */

START_TEST(a_life_that_ended_early_never_ends_the_next_one_in_its_slot)
{
  ends e = {.random = 5};
  ends_open(&e);
  sp_ref kept[3 * AHEADS];
  int count = 0;
  for (int i = 0; i < AHEADS; i++)
    for (int pool = 0; pool < ENDS_POOLS; pool++) {
      ends_recycle(&e, ends_alloc(&e, pool, (int64_t)aheads[i] * TICK));
      kept[count++] = ends_alloc(&e, pool, 0);
      ends_recycle(&e, ends_alloc(&e, pool, (int64_t)aheads[i] * TICK));
      ends_alloc(&e, pool, (int64_t)(aheads[i] + 1) * TICK);
    }
  go(&e, 6000);
  ends_update(&e, 2100 * (int64_t)TURN);
  ck_assert_int_eq(e.count, count);
  for (int i = 0; i < count; i++)
    ck_assert(sp_is_live(e.c.manager, kept[i]));
  ends_close(&e);
}
END_TEST

START_TEST(no_ghost_of_a_removed_pool_ends_the_lives_of_another_in_its_slots)
{
  ends e = {.random = 6};
  ends_open(&e);
  for (int round = 0; round < 6; round++) {
    int from = round % ENDS_POOLS, to = (round + 1) % ENDS_POOLS;
    for (int i = 0; i < SP_CHUNK_SLOTS; i++) /* every slot of a chunk */
      ends_alloc(&e, from, (int64_t)aheads[i % AHEADS] * TICK);
    if (round % 2) {
      sp_pool_recycle_all(e.pools[from]);
      sp_pool_clear(e.pools[from]);
    }
    ends_remove_pool(&e, from);
    for (int i = 0; i < SP_CHUNK_SLOTS; i++)
      ends_alloc(&e, to, i % 2 ? 0 : (int64_t)(aheads[i % AHEADS] + i % 7) * TICK);
    ends_open_pool(&e, from);
    ends_ticks(&e, 1100);
    ends_update(&e, 3 * TURN);
  }
  ends_update(&e, 2100 * (int64_t)TURN);
  ends_check_times(&e);
  ends_close(&e);
}
END_TEST

/* Uses one slot over and over, in lives of `next` ticks that are ended at once; every `pause` of them a tick
   passes. Returns how much more memory is held at the most than after the first thousand. */
static size_t growth_of(int (*next)(ends *e, int i), int pause)
{
  ends e = {.random = 7};
  ends_open(&e);
  size_t first = 0, most = 0;
  const int uses = strcmp(test_tool(), "valgrind") == 0 ? 20000 : 400000;
  for (int i = 0; i < uses; i++) {
    sp_ref object = ends_alloc(&e, WITH_HOOKS, (int64_t)next(&e, i) * TICK);
    if (i % pause == pause - 1)
      ends_ticks(&e, 1);
    ends_recycle(&e, object);
    most = e.c.memory.bytes > most ? e.c.memory.bytes : most;
    first = i == 1000 ? e.c.memory.bytes : first;
  }
  ck_assert_uint_eq(sp_total_stats(e.c.manager).bytes, e.c.memory.bytes);
  ck_assert_uint_eq(sp_pool_stats(e.pools[WITH_HOOKS]).created, 1);
  ends_close(&e);
  return most - first;
}

static int an_hour(ends *e, int i) { return (void)e, (void)i, 3600 * 64; }
static int at_random(ends *e, int i) { return (void)i, 1 + (int)ends_below(e, 3600 * 64); }
static int ever_shorter(ends *e, int i) { return (void)e, 3600 * 64 - i % 200000; }
static int now_and_then(ends *e, int i) { return (void)e, i % 2 ? 1 : 3600 * 64; }

START_TEST(one_slot_used_hundreds_of_thousands_of_times_holds_no_more_memory)
{
  static int (*const nexts[])(ends *, int) = {an_hour, at_random, ever_shorter, now_and_then};
  static const int pauses[] = {1000000, 1000, 2};
  for (int i = 0; i < 3; i++) {
    size_t growth = growth_of(nexts[_i], pauses[i]);
    ck_assert_msg(growth <= 300000, "grown by %zu bytes", growth);
  }
}
END_TEST

START_TEST(a_pool_that_was_cleared_or_trimmed_works_again)
{
  for (int pool = 0; pool < ENDS_POOLS; pool++) {
    ends e = {.random = 8};
    ends_open(&e);
    size_t empty = sp_pool_stats(e.pools[pool]).bytes;
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < 600; i++)
        ends_alloc(&e, pool, (1 + i % 50) * TICK);
      ends_ticks(&e, 50);
      ck_assert_uint_eq(sp_pool_idle(e.pools[pool]), 600);
      if (round % 2)
        ck_assert_uint_eq(sp_pool_clear(e.pools[pool]), 600);
      else
        ck_assert_uint_gt(sp_pool_trim(e.pools[pool]), 0);
      ck_assert_uint_eq(sp_pool_idle(e.pools[pool]), 0);
      ck_assert_uint_le(sp_pool_stats(e.pools[pool]).bytes, empty + 64); /* the list of chunks */
    }
    sp_ref object = ends_alloc(&e, pool, 3 * TICK);
    ends_alloc(&e, pool, 2 * TICK);
    ends_recycle(&e, object);
    ends_ticks(&e, 3);
    ck_assert_uint_eq(sp_pool_idle(e.pools[pool]), 2);
    ends_close(&e);
  }
}
END_TEST

/* }== */

/* {== Random ============================================================== */

static void play_one(ends *e)
{
  int64_t units = ends_any_units(e);
  switch (e->count == 0 ? 9 : ends_below(e, e->count > 120 ? 9 : 20)) {
  case 0:
  case 1:
    ends_recycle(e, ends_any(e));
    break;
  case 2:
  case 3:
  case 4:
    ends_set(e, ends_any(e), ends_below(e, 8) ? units : ends_below(e, 2) ? NEVER : 0);
    break;
  case 5:
    ends_update(e, ends_below(e, 400) ? ends_below(e, 40) : units);
    break;
  case 6:
    ends_update(e, ends_below(e, 400) ? TICK : units << ends_below(e, 10));
    break;
  case 7:
    ends_update(e, ends_below(e, 200) ? ends_below(e, 1000) : ends_below(e, TURN));
    break;
  case 8:
    if (ends_below(e, 100) == 0) {
      int pool = ends_any_pool(e);
      ends_remove_pool(e, pool);
      ends_open_pool(e, pool);
    }
    sp_pool_trim(e->pools[ends_any_pool(e)]);
    break;
  default:
    ends_alloc(e, ends_any_pool(e), ends_below(e, 6) ? units : 0);
  }
}

static void play_in_hook(ends *e, sp_ref object)
{
  sp_ref other = ends_any(e);
  (void)object;
  switch (other ? ends_below(e, 8) : 2) {
  case 0:
    ends_recycle(e, other);
    break;
  case 1:
    ends_set(e, other, ends_below(e, 100));
    break;
  case 2:
    if (e->left-- > 0)
      ends_alloc(e, ends_any_pool(e), ends_any_units(e));
  }
}

/* One game in four is played with hardly any memory to be had. */
static void starve(ends *e)
{
  e->c.memory.keep_failing = ends_below(e, 4) > 0;
  e->c.memory.fail_at = e->c.memory.keep_failing ? e->c.memory.calls + 1 + ends_below(e, 3) : 0;
}

START_TEST(at_random_lives_end_as_a_naive_list_says)
{
  const char *seed = getenv("SP_EXPIRY_SEED"), *steps = getenv("SP_EXPIRY_STEPS"); /* to play others, or for longer */
  const int count = steps ? atoi(steps) : strcmp(test_tool(), "valgrind") == 0 ? 1000 : 25000;
  ends e = {.random = (seed ? strtoull(seed, NULL, 10) : 1) + (unsigned)_i, .loose = _i % 4 == 3};
  e.act = _i % 2 ? play_in_hook : NULL;
  ends_open(&e);
  for (int step = 0; step < count; step++) {
    e.left = 50;
    if (e.loose && step % 500 == 0)
      starve(&e);
    play_one(&e);
    if (step % 8 == 0)
      ends_check_times(&e);
  }
  e.c.memory.keep_failing = false;
  ck_assert_uint_gt(e.expired, (unsigned)count / 40);
  ends_close(&e);
}
END_TEST

/* }== */

Suite *sp_suite_expiry(void)
{
  Suite *suite = suite_create("expiry");
  TCase *order = tcase_create("order");
  tcase_set_timeout(order, 60);
  tcase_add_loop_test(
      order, lives_that_end_together_end_in_the_order_in_which_they_began_whatever_their_slots_did_before, 0, AHEADS);
  tcase_add_loop_test(order, a_life_that_is_given_another_end_keeps_its_place_among_those_of_that_tick, 0, AHEADS);
  tcase_add_loop_test(order, hooks_may_begin_end_and_move_lives_while_a_tick_ends_others, 0, 4);
  tcase_add_test(order, lives_that_last_longer_than_a_round_end_with_those_that_came_later);
  suite_add_tcase(suite, order);
  TCase *slots = tcase_create("slots");
  tcase_set_timeout(slots, 60);
  tcase_add_test(slots, a_life_that_ended_early_never_ends_the_next_one_in_its_slot);
  tcase_add_test(slots, no_ghost_of_a_removed_pool_ends_the_lives_of_another_in_its_slots);
  tcase_add_loop_test(slots, one_slot_used_hundreds_of_thousands_of_times_holds_no_more_memory, 0, 4);
  tcase_add_test(slots, a_pool_that_was_cleared_or_trimmed_works_again);
  suite_add_tcase(suite, slots);
  TCase *random = tcase_create("random");
  tcase_set_timeout(random, 60);
  tcase_add_loop_test(random, at_random_lives_end_as_a_naive_list_says, 0, 8);
  suite_add_tcase(suite, random);
  return suite;
}
