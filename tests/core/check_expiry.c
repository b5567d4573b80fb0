/*
** When lives end, where the random games of the model do not come: whole lists of lives at once, very far ahead, slots
** used hundreds of thousands of times, and memory that is refused for long.
*/
#include "support/core_fixture.h"
#include "support/process.h"
#include "support/test.h"

#include <string.h>

/* {== Lives that know their tick ========================================= */

enum { MOST = 1024 };

/* A pool whose hook finds that lives end on their tick, and those of one tick in the order in which they began. */
typedef struct due {
  uint64_t tick, birth;
} due;

typedef struct clocked {
  core c;
  sp_pool *pool;
  due dues[MOST]; /* by slot */
  due last;       /* that ended */
  uint64_t births;
  uint32_t ended;
} clocked;

static due *due_of(clocked *k, sp_ref object) { return &k->dues[sp_pool_slot_of(k->pool, object)]; }

static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  clocked *k = ud;
  (void)pool;
  if (why != SP_WHY_EXPIRED)
    return;
  const due it = *due_of(k, object);
  must(it.tick == sp_tick(k->c.manager));
  must(it.tick != k->last.tick || it.birth > k->last.birth);
  k->last = it;
  k->ended++;
}

static void open_clocked(clocked *k)
{
  *k = (clocked){.ended = 0};
  core_open(&k->c);
  sp_pool_desc desc = {.type = "Cube", .settings.order = SP_ORDER_LIFO, .hooks = {.ud = k, .on_despawn = on_despawn}};
  k->pool = core_pool_with(&k->c, &desc);
}

/* Ends at a multiple of 2^32 ticks come one tick later. */
static uint64_t tick_in(const clocked *k, uint64_t ticks)
{
  uint64_t tick = sp_tick(k->c.manager) + ticks;
  return (uint32_t)tick ? tick : tick + 1;
}

/* Memory may be refused once. */
static sp_ref begin(clocked *k, uint64_t ticks)
{
  sp_ref object = SP_NONE_REF;
  for (int tries = 0; !object && tries < 2; tries++)
    object = sp_pool_alloc(k->pool, (double)ticks * STEP, NULL);
  must(object && sp_pool_slot_of(k->pool, object) < MOST);
  *due_of(k, object) = (due){tick_in(k, ticks), ++k->births};
  return object;
}

static void set_end(clocked *k, sp_ref object, uint64_t ticks)
{
  if (sp_set_remaining(k->c.manager, object, (double)ticks * STEP) != SP_OK)
    must(sp_set_remaining(k->c.manager, object, (double)ticks * STEP) == SP_OK);
  due_of(k, object)->tick = tick_in(k, ticks);
}

static void pass(clocked *k, uint64_t ticks) { must(sp_update(k->c.manager, (double)ticks * STEP) == SP_OK); }

static uint32_t below(uint64_t *random, uint32_t n)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*random >> 33) % n);
}

/* }== */

/* {== Order =============================================================== */

static test_group order = {"order"};
static test_group slots = {"slots"};
static test_group far = {"far"};
static test_group memory_tests = {"memory"};

static const int aheads[] = {1, 5, 1023, 1024, 1025, 2047, 2048, 2049, 3071, 3072, 5000, 1 << 20, (1 << 20) + 1025};
enum { AHEADS = sizeof aheads / sizeof aheads[0] };

/* Goes there, one tick at a time where it matters. */
static void go(clocked *k, int ticks)
{
  if (ticks > 6000) {
    pass(k, (uint64_t)ticks - 3000);
    ticks = 3000;
  }
  core_tick(&k->c, ticks);
}

TESTS(order, lives_that_end_together_end_in_the_order_in_which_they_began_whatever_their_slots_did_before, AHEADS)
{
  static const int befores[] = {0, -1, 1, -700, 700, 1024, 2048, 4000};
  const int ahead = aheads[_i];
  for (size_t b = 0; b < sizeof befores / sizeof befores[0]; b++) {
    static clocked k;
    uint64_t random = b;
    open_clocked(&k);
    sp_ref objects[60];
    const int before = ahead + befores[b] > 0 ? ahead + befores[b] : 1;
    for (int i = 0; i < 60; i++)
      objects[i] = begin(&k, (uint64_t)before);
    for (int i = 0; i < 200; i++) { /* each is younger than all others now, and in a slot that was there before */
      const uint32_t at = below(&random, 60);
      core_recycle(&k.c, objects[at]);
      objects[at] = begin(&k, (uint64_t)(i % 5 ? ahead : before));
    }
    go(&k, ahead + 2);
    go(&k, before + 2);
    ck_assert_uint_eq(k.ended, 60);
    core_close(&k.c);
  }
}

/* The slot is listed at tick 10, and again at 5; its third life, which is listed at 10 too, begins after another. */
TESTS(order, an_entry_of_an_older_life_puts_no_later_one_first, 2)
{
  static clocked k;
  open_clocked(&k);
  sp_ref first = begin(&k, 10);
  begin(&k, 10);
  if (_i == 0) {
    set_end(&k, first, 5);
  } else {
    core_recycle(&k.c, first);
    first = begin(&k, 5);
  }
  core_tick(&k.c, 5);
  ck_assert_uint_eq((uint32_t)begin(&k, 5), (uint32_t)first);
  core_tick(&k.c, 5);
  ck_assert_uint_eq(k.ended, 3);
  core_close(&k.c);
}

/* }== */

/* {== Slots =============================================================== */

/* Uses one slot over and over, in lives of `next` ticks that are ended at once; every `pause` of them a tick
   passes. Returns how much more memory is held at the most than after the first thousand. */
static size_t growth_of(int (*next)(uint64_t *random, int i), int pause)
{
  core c;
  core_open(&c);
  const sp_pool_desc desc = {.type = "Cube", .settings.grow = 1};
  sp_pool *pool = core_pool_with(&c, &desc);
  size_t first = 0, most = 0;
  uint64_t random = 7;
  const int uses = strcmp(test_tool(), "valgrind") == 0 ? 20000 : 400000;
  for (int i = 0; i < uses; i++) {
    sp_ref object = sp_pool_alloc(pool, next(&random, i) * STEP, NULL);
    if (i % pause == pause - 1)
      must(sp_update(c.manager, STEP) == SP_OK);
    if (sp_is_live(c.manager, object))
      core_recycle(&c, object);
    most = c.memory.bytes > most ? c.memory.bytes : most;
    first = i == 1000 ? c.memory.bytes : first;
  }
  ck_assert_uint_eq(sp_total_stats(c.manager).bytes, c.memory.bytes);
  ck_assert_uint_eq(sp_pool_stats(pool).created, 1);
  core_close(&c);
  return most - first;
}

static int an_hour(uint64_t *random, int i) { return (void)random, (void)i, 3600 * 64; }
static int at_random(uint64_t *random, int i) { return (void)i, 1 + (int)below(random, 3600 * 64); }
static int ever_shorter(uint64_t *random, int i) { return (void)random, 3600 * 64 - i % 200000; }
static int now_and_then(uint64_t *random, int i) { return (void)random, i % 2 ? 1 : 3600 * 64; }

TESTS(slots, one_slot_used_hundreds_of_thousands_of_times_holds_no_more_memory, 4)
{
  static int (*const nexts[])(uint64_t *, int) = {an_hour, at_random, ever_shorter, now_and_then};
  static const int pauses[] = {1000000, 1000, 2};
  for (int i = 0; i < 3; i++) {
    size_t growth = growth_of(nexts[_i], pauses[i]);
    ck_assert_msg(growth <= 300000, "grown by %zu bytes", growth);
  }
}

/* }== */

/* {== Many ================================================================ */

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

/* {== Beyond 32 bits ====================================================== */

TESTS(far, ticks_beyond_32_bits_change_nothing, 3)
{
  for (uint64_t rounds = 1; rounds <= 3; rounds++) {
    static clocked k;
    uint64_t random = rounds;
    sp_ref objects[400];
    open_clocked(&k);
    const uint64_t wrap = rounds << 32, before = (uint64_t)_i * 1500 + 40;
    begin(&k, wrap - 300); /* further than what is counted at once */
    begin(&k, wrap + 300);
    begin(&k, wrap + (1u << 30)); /* and so at a time that has no bits left */
    pass(&k, wrap - before);
    for (int i = 0; i < 400; i++) {
      objects[i] = begin(&k, 1 + below(&random, (uint32_t)_i * 3000 + 100));
      sp_ref other = objects[below(&random, (uint32_t)i + 1)];
      if (i % 5 == 0 && sp_is_live(k.c.manager, other))
        set_end(&k, other, i % 2 ? before : 30); /* at the roundest of ticks, of which the low bits mean "no end" */
      if (i % 7 == 0 && sp_is_live(k.c.manager, other))
        core_recycle(&k.c, other);
    }
    core_tick(&k.c, _i * 3000 + 400);
    ck_assert_uint_eq(sp_pool_live(k.pool), 1);
    pass(&k, 1u << 30);
    ck_assert_uint_eq(sp_pool_live(k.pool), 0);
    core_close(&k.c);
  }
}

/* }== */

/* {== Memory ============================================================== */

enum { CRAMPED = 300, TURN = 1024 };

/* Few blocks hold many lives of one turn; when it comes each needs one of its own. */
static void fill_one_turn(clocked *k, int ahead)
{
  for (int i = 0; i < CRAMPED; i++)
    begin(k, (uint64_t)(ahead * TURN + (CRAMPED - i) * 3));
}

static void pass_turn(clocked *k, int kind, int ahead)
{
  const int stride = kind == 0 ? 1 : kind == 1 ? (ahead + 1) * TURN : 100 * kind - 123;
  for (int i = 0; i < (ahead + 1) * TURN; i += stride)
    pass(k, (uint64_t)stride);
}

TESTS(memory_tests, when_memory_is_refused_for_long_every_life_still_ends_on_its_tick, 4)
{
  for (int ahead = 1; ahead <= 4; ahead++) {
    static clocked k;
    open_clocked(&k);
    for (int round = 1; round <= 2; round++) {
      fill_one_turn(&k, ahead);
      k.c.memory.fail_at = round == 1 ? k.c.memory.calls + 1 : 0;
      k.c.memory.keep_failing = round == 1;
      pass_turn(&k, _i, ahead);
      k.c.memory.fail_at = 0;
      ck_assert_uint_eq(k.ended, (uint32_t)round * CRAMPED);
    }
    core_close(&k.c);
  }
}

static void move_about(clocked *k, size_t fail_at)
{
  open_clocked(k);
  k->c.memory.calls = 0;
  k->c.memory.fail_at = fail_at;
  sp_ref objects[200];
  for (int i = 0; i < 200; i++)
    objects[i] = begin(k, (uint64_t)(2 * TURN + (200 - i) * 3));
  for (int i = 0; i < 200; i++)
    set_end(k, objects[i * 7 % 200], (uint64_t)(1500 + i * 11));
  core_tick(&k->c, 1600);
  begin(k, 90 * TURN);
  pass(k, 100 * TURN);
  ck_assert_uint_eq(k->ended, 201);
  ck_assert_uint_eq(k->c.memory.refused, fail_at > 0);
}

TEST(memory_tests, any_one_allocation_may_be_refused_while_ticks_move_lives)
{
  size_t calls = 1;
  for (size_t fail_at = 0; fail_at <= calls; fail_at++) {
    static clocked k;
    move_about(&k, fail_at);
    calls = fail_at ? calls : k.c.memory.calls;
    core_close(&k.c);
  }
  ck_assert_uint_gt(calls, 10);
}

/* }== */

SUITE(expiry, &order, &slots, &far, &memory_tests)
