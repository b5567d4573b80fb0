/*
** When lives end: in every order of events that could lead the lists of the core astray, very far ahead, and when
** memory is refused. A naive list (core_ends.h) says what is next.
*/
#include "support/core_ends.h"
#include "support/desc.h"
#include "support/process.h"
#include "support/test.h"

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

static test_group order = {"order", .timeout = 60};
static test_group slots = {"slots", .timeout = 60};
static test_group random_tests = {"random", .timeout = 60};
static test_group far = {"far", .timeout = 60};
static test_group memory_tests = {"memory", .timeout = 60};

TESTS(order, lives_that_end_together_end_in_the_order_in_which_they_began_whatever_their_slots_did_before, AHEADS)
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

/* The slot is listed at tick 10, and again at 5; its third life, which is listed at 10 too, begins after another. */
TESTS(order, an_entry_of_an_older_life_puts_no_later_one_first, 2)
{
  ends e = {.random = 1};
  ends_open(&e);
  ends_alloc(&e, ENDS_POOLS - 1, 5 * TICK); /* the list of the tick has room for more */
  sp_ref first = ends_alloc(&e, LAST_FIRST, 10 * TICK), other = ends_alloc(&e, LAST_FIRST, 10 * TICK);
  if (_i == 0) {
    ends_set(&e, first, 5 * TICK);
  } else {
    ends_recycle(&e, first);
    first = ends_alloc(&e, LAST_FIRST, 5 * TICK);
  }
  ends_ticks(&e, 5);
  sp_ref again = ends_alloc(&e, LAST_FIRST, 5 * TICK);
  ck_assert_uint_eq((uint32_t)again, (uint32_t)first);
  ck_assert_uint_ne((uint32_t)other, (uint32_t)first);
  ends_ticks(&e, 5);
  ck_assert_int_eq(e.count, 0);
  ends_close(&e);
}

/* }== */

/* {== Slots =============================================================== */

TEST(slots, no_ghost_of_a_removed_pool_ends_the_lives_of_another_in_its_slots)
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

TESTS(slots, one_slot_used_hundreds_of_thousands_of_times_holds_no_more_memory, 4)
{
  static int (*const nexts[])(ends *, int) = {an_hour, at_random, ever_shorter, now_and_then};
  static const int pauses[] = {1000000, 1000, 2};
  for (int i = 0; i < 3; i++) {
    size_t growth = growth_of(nexts[_i], pauses[i]);
    ck_assert_msg(growth <= 300000, "grown by %zu bytes", growth);
  }
}

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

TESTS(random_tests, at_random_lives_end_as_a_naive_list_says, 8)
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

/* }== */

/* {== Many ================================================================ */

typedef struct crowd {
  core c;
  uint64_t *dues; /* by slot */
  uint32_t ended;
  uint64_t last; /* tick and number of the life that ended last */
} crowd;

/* As many lists as there are, each with a life of its own: nothing of it is litter, and nothing may be swept. */
CORE_TEST(far, lives_in_every_list_there_is_end_each_on_its_tick)
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

CORE_TEST(far, times_are_exact_also_of_fifty_thousand_lives_of_one_instant)
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

/* Slots that are used again for ever sooner ends leave entries behind; they are swept while half of the next turn has
   been moved to its ticks. */
CORE_TEST(far, a_sweep_in_the_middle_of_a_turn_loses_no_life)
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

/* }== */

/* {== Jumps =============================================================== */

static const int64_t minute = 60 * UNITS, hour = 3600 * UNITS, year = (int64_t)365 * 24 * 3600 * UNITS;

static void again(ends *e, sp_ref object)
{
  (void)object;
  if (e->left-- > 0)
    ends_alloc(e, ends_any_pool(e), 1 + ends_below(e, 3) * (1 + (int64_t)ends_below(e, 2000000)));
}

TESTS(far, in_one_update_of_minutes_hours_or_years_every_life_ends_on_its_tick_and_in_order, 5)
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

TESTS(far, ticks_beyond_32_bits_change_nothing, 3)
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

TESTS(memory_tests, when_memory_is_refused_for_long_every_life_still_ends_on_its_tick, 4)
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

TEST(memory_tests, any_one_allocation_may_be_refused_while_ticks_move_lives)
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

/* }== */

SUITE(expiry, &order, &slots, &random_tests, &far, &memory_tests)
