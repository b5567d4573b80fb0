/*
** Time where the games of the model do not come: thousands of lives in all lists, very far ahead, with memory that is
** refused for long; and an hour of updates.
*/
#include "support/core_fixture.h"
#include "support/test.h"

/* {== Lives that know their tick ========================================= */

static test_group lives = {"lives"};
enum { SLOTS = 1024, TURN = 1024 };

/* A pool whose hook finds that lives end on their tick, and those of one tick in the order in which they began. */
typedef struct due {
  uint64_t tick, birth;
} due;

typedef struct clocked {
  core c;
  sp_pool *pool;
  due dues[SLOTS];
  due last; /* that ended */
  uint64_t births, random;
  uint32_t ended;
} clocked;

typedef struct plan {
  uint64_t begin; /* tick */
  uint32_t horizon, lives, turns;
  bool together;   /* all lives begin and end at one moment, and no end is set again */
  bool starved;    /* memory is refused while they end */
  uint32_t stride; /* ticks of an update, then; 0: 1 */
} plan;

static due *due_of(clocked *k, sp_ref object) { return &k->dues[sp_pool_slot_of(k->pool, object)]; }

static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  clocked *k = ud;
  (void)pool;
  if (why != SP_WHY_EXPIRED)
    return;
  const due it = *due_of(k, object);
  must(it.tick == sp_clock_of(k->c.manager).tick);
  must(it.tick != k->last.tick || it.birth > k->last.birth || k->c.memory.refused > 0);
  k->last = it;
  k->ended++;
}

static void open_clocked(clocked *k, uint64_t seed)
{
  *k = (clocked){.random = seed};
  core_open(&k->c);
  sp_pool_desc desc =
      TEST_DESC(.type = "Cube", .settings.order = SP_ORDER_LIFO, .hooks = {.ud = k, .on_despawn = on_despawn});
  k->pool = core_pool_with(&k->c, &desc);
}

static uint32_t below(clocked *k, uint32_t n)
{
  k->random = k->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((k->random >> 33) % n);
}

/* Ends at a multiple of 2^32 ticks come one tick later. */
static uint64_t tick_in(const clocked *k, uint64_t ticks)
{
  const uint64_t tick = sp_clock_of(k->c.manager).tick + ticks;
  return (uint32_t)tick ? tick : tick + 1;
}

/* Memory may be refused once. */
static sp_ref begin(clocked *k, uint64_t ticks)
{
  sp_ref object = SP_NULL_REF;
  for (int tries = 0; !object && tries < 2; tries++)
    object = sp_pool_alloc(k->pool, (double)ticks * STEP, NULL, NULL);
  must(object && sp_pool_slot_of(k->pool, object) < SLOTS);
  *due_of(k, object) = (due){tick_in(k, ticks), ++k->births};
  return object;
}

static void set_end(clocked *k, sp_ref object, uint64_t ticks)
{
  if (sp_object_set_remaining(k->c.manager, object, (double)ticks * STEP) != SP_OK)
    must(sp_object_set_remaining(k->c.manager, object, (double)ticks * STEP) == SP_OK);
  due_of(k, object)->tick = tick_in(k, ticks);
}

static void pass(clocked *k, uint64_t ticks) { must(sp_manager_update(k->c.manager, (double)ticks * STEP) == SP_OK); }

/* A moment that many share, also those that begin later, or next to a turn of the wheel, or any. */
static uint64_t some_ticks(clocked *k, const plan *it)
{
  static const uint32_t nears[] = {1, 2, TURN - 1, TURN, TURN + 1, 2 * TURN - 1, 2 * TURN, 2 * TURN + 1};
  const uint32_t now = (uint32_t)sp_clock_of(k->c.manager).tick, kind = below(k, 6), to_turn = TURN - now % TURN;
  if (kind == 0 || it->together)
    return it->horizon;
  if (kind > 3)
    return 16 - now % 16 + 16 * below(k, 3);
  if (kind == 1)
    return nears[below(k, 8)];
  return kind == 2 ? to_turn + TURN * below(k, 4) + below(k, 2) : 1 + below(k, it->horizon);
}

/* Returns how often memory was asked for. */
static size_t play(const plan *it, size_t fail_at)
{
  static clocked k;
  sp_ref objects[SLOTS] = {0};
  open_clocked(&k, it->horizon);
  const size_t first = k.c.memory.calls;
  k.c.memory.fail_at = fail_at ? first + fail_at : 0;
  const uint64_t last = (((it->begin >> 32) + 1) << 32) + (1u << 30);
  begin(&k, it->begin + 1 + it->horizon / 2); /* further than what is counted at once */
  pass(&k, it->begin);
  begin(&k, last - it->begin); /* and so at a time that has no bits left */
  for (uint32_t i = 0; i < it->turns; i++) {
    const uint32_t at = below(&k, it->lives);
    const bool lives_now = sp_object_is_live(k.c.manager, objects[at]);
    if (lives_now && i % 3 == 0 && !it->together)
      set_end(&k, objects[at], some_ticks(&k, it));
    else if (lives_now)
      core_recycle(&k.c, objects[at]); /* the next life has a slot that was listed before */
    if (!sp_object_is_live(k.c.manager, objects[at]))
      objects[at] = begin(&k, some_ticks(&k, it));
    if (below(&k, it->lives) < 4 && !it->together)
      pass(&k, 1 + below(&k, 3));
  }
  k.c.memory.fail_at = it->starved ? k.c.memory.calls + 1 : k.c.memory.fail_at;
  k.c.memory.keep_failing = it->starved;
  const uint32_t most = it->horizon + 5 * TURN, jump = most > 12 * TURN ? most - 12 * TURN : 0;
  pass(&k, jump);
  for (uint32_t i = jump; i < most; i += it->stride ? it->stride : 1)
    pass(&k, it->stride ? it->stride : 1);
  k.c.memory.fail_at = 0;
  ck_assert_uint_eq(sp_pool_live(k.pool), 1);
  pass(&k, last - sp_clock_of(k.c.manager).tick);
  ck_assert_uint_eq(sp_pool_live(k.pool), 0);
  ck_assert_uint_gt(k.ended, it->lives / 2);
  ck_assert(it->starved || (k.c.memory.refused > 0) == (fail_at > 0));
  const size_t calls = k.c.memory.calls - first;
  core_close(&k.c);
  return calls;
}

static const plan plans[] = {
    {.horizon = 100, .lives = 60, .turns = 2000, .together = true},
    {.horizon = TURN - 1, .lives = 60, .turns = 2000, .together = true},
    {.horizon = 1500, .lives = 60, .turns = 2000, .together = true},
    {.horizon = 1500, .lives = 900, .turns = 20000},
    {.horizon = 5000, .lives = 400, .turns = 4000},
    {.horizon = 1 << 20, .lives = 400, .turns = 4000},
    {((uint64_t)1 << 32) - 40, 300, 400, 4000},
    {((uint64_t)1 << 32) - 1540, 3000, 400, 4000},
    {((uint64_t)3 << 32) - 3040, 6000, 400, 4000},
    {.horizon = 3000, .lives = 900, .turns = 6000, .starved = true},
    {.horizon = 4000, .lives = 900, .turns = 6000, .starved = true, .stride = 5 * TURN},
    {700, 5000, 900, 6000, .starved = true, .stride = 77},
};

TESTS(lives, of_thousands_each_ends_on_its_tick_in_the_order_in_which_they_began, sizeof plans / sizeof *plans)
{
  play(&plans[_i], 0);
}

TEST(lives, end_on_their_tick_whichever_allocation_is_refused)
{
  const plan few = {.horizon = 3000, .lives = 200, .turns = 400};
  const size_t calls = play(&few, 0);
  ck_assert_uint_gt(calls, 10);
  for (size_t fail_at = 1; fail_at <= calls; fail_at++)
    play(&few, fail_at);
}

/* Slots that are used again for ever sooner ends leave entries behind. They are swept before they take much memory,
   here while half of the next turn has been moved to its ticks. */
CORE_TEST(lives, are_not_lost_when_what_others_left_behind_is_swept)
{
  sp_ref lasting[100], churn[100];
  sp_pool *pool = core_pool_with(c, &TEST_DESC(.type = "Cube"));
  for (int i = 0; i < 100; i++) {
    lasting[i] = sp_pool_alloc(pool, (2 * TURN + 10 * i) * STEP, NULL, NULL);
    must(lasting[i] && (churn[i] = sp_pool_alloc(pool, 0, NULL, NULL)) != SP_NULL_REF);
  }
  core_tick(c, TURN + 50);
  for (int sooner = 900; sooner > 0; sooner--) {
    for (int i = 0; i < 100; i++)
      must(sp_object_recycle(c->manager, churn[i]) == SP_OK);
    for (int i = 0; i < 100; i++)
      must((churn[i] = sp_pool_alloc(pool, (70 + sooner) * STEP, NULL, NULL)) != SP_NULL_REF);
    if (sooner % 100 == 0)
      core_tick(c, 1);
  }
  ck_assert_uint_lt(c->memory.peak, 400000);
  for (uint64_t tick = sp_clock_of(c->manager).tick, end = tick + 71; tick < 3 * TURN; tick++) {
    for (uint32_t i = 0; i < 100; i++) {
      must(sp_object_is_live(c->manager, lasting[i]) == (tick < 2 * TURN + 10 * i));
      must(sp_object_is_live(c->manager, churn[i]) == (tick < end));
    }
    core_tick(c, 1);
  }
}

/* }== */

/* {== The clock =========================================================== */

static test_group clock_tests = {"clock"};

static void count_timer(void *ud, sp_ref object, sp_timer timer, uint64_t tag)
{
  (void)tag;
  (void)object, (void)timer;
  ++*(uint64_t *)ud;
}

/* In updates of a video frame, and of an hour: no sum of fractions loses a tick. */
TESTS(clock_tests, an_hour_of_updates_is_an_hour_to_the_tick, 2)
{
  static const uint32_t updates[] = {215784 /* 59.94 Hz */, 1}, periods[] = {1, 7, 60};
  uint64_t fired = 0, expected = 0;
  core c;
  core_open_with(&c, TEST_OPTIONS(.step = 1.0 / 60, .on_timer = count_timer, .timer_ud = &fired));
  sp_ref whole = sp_pool_alloc(core_pool(&c, "Hour"), 3600, NULL, NULL);
  for (int i = 0; i < 3; i++) {
    must(sp_timer_start(c.manager, whole, periods[i] / 60.0, periods[i] / 60.0, 0, NULL) != 0);
    expected += 215999 / periods[i]; /* the hour ends before the last one */
  }
  for (uint32_t i = 0; i < updates[_i]; i++)
    must(sp_object_is_live(c.manager, whole) && sp_manager_update(c.manager, 3600.0 / updates[_i]) == SP_OK);
  ck_assert(sp_clock_of(c.manager).tick == 216000 && !sp_object_is_live(c.manager, whole));
  ck_assert_double_eq_tol(sp_clock_of(c.manager).time, 3600, 1e-9);
  ck_assert_uint_eq(fired, expected);
  core_close(&c);
}

/* Room for them is made again and again while earlier ones wait. Without a callback nothing is called (_i: 1). Those
   that repeat may come late while memory is refused, but go on (_i: 2). */
TESTS(clock_tests, each_of_thousands_of_timers_fires_at_its_tick, 3)
{
  core c;
  uint64_t fired = 0;
  core_open_with(&c, TEST_OPTIONS(.on_timer = _i == 1 ? NULL : count_timer, .timer_ud = &fired));
  sp_ref object = core_alloc(core_pool(&c, "Cube"));
  for (int i = 0; i < 3000; i++)
    must(sp_timer_start(c.manager, object, (1 + i % 1000) * STEP, _i == 2 ? STEP : 0, 0, NULL) != 0);
  c.memory.fail_at = _i == 2 ? c.memory.calls + 1 : 0;
  c.memory.keep_failing = true;
  for (uint64_t tick = 1; tick <= 1000; tick++) {
    core_tick(&c, 1);
    must(_i == 2 ? fired >= tick : fired == (_i ? 0 : 3 * tick));
    must(_i == 2 || sp_object_timers(c.manager, object, NULL) == 3000 - 3 * tick);
  }
  core_close(&c);
}

/* }== */

SUITE(time, &lives, &clock_tests)
