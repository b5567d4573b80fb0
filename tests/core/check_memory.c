/*
** Memory: an allocator that refuses one call, at every place there is, and one that counts.
*/
#include "support/core_play.h"
#include "support/test.h"

#include <stddef.h>

/* {== One refusal, everywhere ============================================ */

/* A refused call changes nothing that can be seen; this tells. */
static sp_stats seen(sp_pool *pool)
{
  sp_stats s = sp_pool_stats(pool);
  s.bytes = 0;
  s.refused = 0;
  return s;
}

static void check_unchanged(sp_pool *pool, sp_stats before, sp_result why)
{
  sp_stats after = seen(pool);
  ck_assert_int_eq(why, SP_MEMORY);
  ck_assert_uint_eq(after.live, before.live);
  ck_assert_uint_eq(after.allocs, before.allocs);
  ck_assert_uint_eq(after.recycles, before.recycles);
  ck_assert_uint_eq(after.evicted, before.evicted);
  core_check(sp_pool_manager(pool));
}

static sp_ref try_alloc(sp_pool *pool, double lifetime)
{
  sp_stats before = seen(pool);
  sp_result why = SP_OK;
  sp_ref object = sp_pool_alloc(pool, lifetime, &why);
  if (object)
    return object;
  check_unchanged(pool, before, why);
  ck_assert_uint_le(sp_pool_idle(pool), sp_pool_settings(pool).idle_limit);
  object = sp_pool_alloc(pool, lifetime, NULL); /* only one call is refused: the next one works */
  must(object != SP_NONE_REF);
  return object;
}

static sp_pool *try_open(core *c, const sp_pool_desc *desc)
{
  uint32_t count = sp_count_pools(c->manager);
  sp_result why = SP_OK;
  sp_pool *pool = sp_add_pool(c->manager, desc, &why);
  if (pool)
    return pool;
  ck_assert_int_eq(why, SP_MEMORY);
  ck_assert_uint_eq(sp_count_pools(c->manager), count);
  ck_assert_ptr_null(sp_find_pool(c->manager, desc->type));
  core_check(c->manager);
  pool = sp_add_pool(c->manager, desc, NULL);
  ck_assert_ptr_nonnull(pool);
  return pool;
}

static const int one = 1;
static const sp_field fields[] = {{"a", &one, 4, false, false}, {"b", NULL, 8, true, false}};

static void prewarming(core *c)
{
  sp_pool_desc desc = test_desc("Cube");
  sp_pool *pool = try_open(c, &desc);
  sp_result why = SP_OK;
  uint32_t made = sp_pool_prewarm(pool, 1000, &why);
  ck_assert_uint_eq(made, sp_pool_idle(pool));
  ck_assert_int_eq(why, made < 1000 ? SP_MEMORY : SP_OK); /* what was made is kept */
  ck_assert_uint_eq(sp_pool_prewarm(pool, 1000, NULL), 1000 - made);
  why = SP_OK;
  sp_settings s = sp_pool_settings(pool);
  s.prealloc = 1500;
  why = sp_pool_configure(pool, &s);
  ck_assert(why == SP_OK ? sp_pool_idle(pool) == 1500 : why == SP_MEMORY);
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  ck_assert_uint_eq(sp_pool_idle(pool), 1500);
  s.prealloc = 2000;
  sp_pool_configure(pool, &s);
}

/* A prewarm in slices that is refused goes on with the next update. */
static void slowly(core *c)
{
  sp_pool_desc desc = test_desc("Cube");
  sp_pool *pool = try_open(c, &desc);
  ck_assert_int_eq(sp_pool_prewarm_slowly(pool, 1000, 300, STEP), SP_OK);
  core_tick(c, 8);
  ck_assert_uint_eq(sp_pool_idle(pool), 1000);
  ck_assert_uint_eq(sp_pool_stats(pool).prewarm_done, 1000);
}

static const float fade[] = {1, 0};

static void try_parent(core *c, sp_ref child, sp_ref parent)
{
  sp_ref before = sp_parent(c->manager, child);
  sp_result why = sp_set_parent(c->manager, child, parent);
  must(why == SP_OK || why == SP_MEMORY);
  if (why == SP_MEMORY) {
    must(sp_parent(c->manager, child) == before);
    must(sp_set_parent(c->manager, child, parent) == SP_OK);
  }
  must(sp_parent(c->manager, child) == parent);
}

static sp_pool *open_sparks(core *c, core_log *log)
{
  sp_curve curve = {.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 2, .points = {fade[0], fade[1]}};
  sp_pool_desc desc = test_desc("Spark");
  desc.curves = &curve;
  desc.curve_count = 1;
  desc.settings = (sp_settings){3, 5, 200, 40, SP_OVERFLOW_OLDEST, SP_ORDER_FIFO};
  desc.bounds = (sp_bounds){0, 0, 100, 100, SP_OUTSIDE_RECYCLE};
  desc.motion = (sp_motion){10, 0.1f, true};
  desc.hooks = core_hooks(log);
  return try_open(c, &desc);
}

static void families(core *c)
{
  core_log log = {.only = "nothing"};
  sp_pool *sparks = open_sparks(c, &log);
  sp_pool_desc desc = test_desc("Ship");
  desc.on_parent_end = SP_PARENT_END_DETACH;
  sp_pool *ships = try_open(c, &desc);
  sp_ref last = try_alloc(ships, 0), root = last;
  for (int i = 0; i < 500; i++) { /* deeper than the stack is used for */
    sp_ref object = try_alloc(i % 3 ? sparks : ships, i % 5 ? 0 : 1 + i * STEP);
    must(object != SP_NONE_REF);
    if (sp_is_live(c->manager, last))
      try_parent(c, object, last);
    last = object;
    if (i % 100 == 99)
      core_tick(c, 3);
  }
  sp_recycle(c->manager, root);
  core_check(c->manager);
  sp_pool_recycle_all(ships);
  core_tick(c, 200);
  sp_pool_clear(sparks);
}

static int fired;
static void count_timer(void *ud, sp_ref object, uint64_t timer)
{
  (void)ud;
  (void)object;
  (void)timer;
  fired++;
}

static sp_timer try_timer(core *c, sp_ref object, double seconds, double period)
{
  sp_result why = SP_OK;
  sp_timer timer = sp_timer_start(c->manager, object, seconds, period, &why);
  must(timer || why == SP_MEMORY);
  return timer ? timer : sp_timer_start(c->manager, object, seconds, period, NULL);
}

static void timers(core *c)
{
  sp_pool_desc desc = test_desc("Cube");
  sp_pool *pool = try_open(c, &desc);
  sp_timer stopped[300];
  for (int i = 0; i < 300; i++) {
    sp_ref object = try_alloc(pool, 2);
    stopped[i] = try_timer(c, object, 10 * i, 0);
    try_timer(c, object, i % 50 * STEP, i % 3 ? 0 : 5 * STEP);
    must(stopped[i] != 0);
  }
  core_tick(c, 20);
  for (int i = 0; i < 300; i += 2)
    sp_timer_stop(c->manager, stopped[i]);
  core_tick(c, 200);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  core_check(c->manager);
}

/* Plays `scene` once to count the calls, then once for each of them with that one refused. */
static void refuse_each_call_of(void (*scene)(core *c))
{
  size_t calls = 1, refused = 0;
  for (size_t fail_at = 0; fail_at <= calls; fail_at++) {
    core c = {.memory = {.fail_at = fail_at}};
    sp_options options = {.memory = test_memory_fn, .memory_ud = &c.memory, .step = STEP, .on_timer = count_timer};
    sp_result why = SP_OK;
    c.manager = sp_open(&options, &why);
    if (!c.manager) {
      ck_assert_int_eq(why, SP_MEMORY);
      ck_assert_uint_eq(fail_at, 1);
      refused++;
      continue;
    }
    scene(&c);
    core_close(&c);
    refused += c.memory.refused;
    if (fail_at == 0)
      calls = c.memory.calls;
  }
  ck_assert_uint_gt(calls, 5);
  ck_assert_uint_eq(refused, calls); /* each of them had its turn */
}

static void (*const scenes[])(core *c) = {families, timers, prewarming, slowly};

static test_group refusal = {"refusal", .timeout = 60};
static test_group counting = {"counting"};

TESTS(refusal, any_call_may_be_refused, (int)(sizeof scenes / sizeof scenes[0])) { refuse_each_call_of(scenes[_i]); }

enum { GAMES = 5, TURNS = 250 };

/* Once, and from each call on to the end of its turn: the model knows what must be as it was. */
TESTS(refusal, any_call_of_a_random_game_may_be_refused, 2 * GAMES)
{
  const uint64_t seed = 20260 + (uint64_t)_i / 2;
  const size_t calls = play_refused(seed, TURNS, 0, false);
  ck_assert_uint_gt(calls, 50);
  for (size_t fail_at = 1; fail_at <= calls; fail_at++)
    play_refused(seed, TURNS, fail_at, _i % 2);
}

POOL_TEST(refusal, nothing_works_without_memory_and_everything_says_so)
{
  sp_pool_desc desc = test_desc("Sphere");
  sp_ref object = core_alloc(pool);
  while (sp_pool_idle(pool) > 0)
    core_alloc(pool);
  for (int i = 32; i < SP_CHUNK_SLOTS; i++) /* the chunk is full */
    core_alloc(pool);
  size_t bytes = c->memory.bytes;
  c->memory.fail_at = c->memory.calls + 1;
  c->memory.keep_failing = true;
  sp_result why = SP_OK;
  ck_assert_int_eq(core_refusal(pool, 0), SP_MEMORY);
  ck_assert_int_eq(core_refusal(pool, 1), SP_MEMORY);
  ck_assert_ptr_null(sp_add_pool(c->manager, &desc, &why));
  ck_assert_int_eq(why, SP_MEMORY);
  ck_assert_int_eq(sp_set_remaining(c->manager, object, 1), SP_MEMORY);
  ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_MEMORY);
  ck_assert_uint_eq(sp_pool_prewarm(pool, 1000, &why), 0);
  ck_assert_uint_eq(sp_pool_prewarm(pool, 1000, NULL), 0);
  ck_assert_uint_eq(c->memory.bytes, bytes);
  core_recycle(c, object); /* what needs none goes on */
  ck_assert_int_eq(sp_update(c->manager, 1), SP_OK);
  core_alloc(pool);
}

TEST(refusal, a_repeating_timer_that_memory_is_refused_for_ends)
{
  core c;
  sp_options options = {.on_timer = count_timer};
  core_open_with(&c, options);
  sp_pool *pool = core_pool(&c, "Cube");
  fired = 0;
  for (int i = 0; i < 100; i++)
    must(sp_timer_start(c.manager, core_alloc(pool), STEP, STEP, NULL) != 0);
  c.memory.fail_at = c.memory.calls + 1;
  c.memory.keep_failing = true;
  core_tick(&c, 50);
  ck_assert_int_ge(fired, 100);
  core_check(c.manager);
  core_close(&c);
}

/* }== */

/* {== Counting =========================================================== */

CORE_TEST(counting, no_life_allocates_memory_once_the_pool_is_warm)
{
  sp_pool *pools[4];
  for (int i = 0; i < 4; i++) {
    sp_pool_desc desc = test_desc((const char *[]){"Fifo", "Lifo", "Oldest", "Grow"}[i]);
    desc.settings = (sp_settings){0, 32, i < 2 ? SP_UNLIMITED : 64, SP_UNLIMITED, SP_OVERFLOW_REFUSE, SP_ORDER_FIFO};
    desc.settings.order = i == 1 ? SP_ORDER_LIFO : SP_ORDER_FIFO;
    desc.settings.overflow = i == 2 ? SP_OVERFLOW_OLDEST : i == 3 ? SP_OVERFLOW_GROW : SP_OVERFLOW_REFUSE;
    desc.fields = fields;
    desc.field_count = 2;
    pools[i] = core_pool_with(c, &desc);
  }
  size_t warm = 0;
  for (int i = 0; i < 120000; i++) {
    if (i == 20000)
      warm = c->memory.calls;
    sp_ref timed = sp_pool_alloc(pools[i % 4], (1 + i % 50) * STEP, NULL),
           endless = sp_pool_alloc(pools[i % 4], 0, NULL);
    if (timed)
      *(float *)sp_cell(c->manager, timed, SP_VX) = 1;
    if (i % 3 == 0)
      sp_recycle(c->manager, timed);
    sp_recycle(c->manager, endless);
    if (i % 8 == 0)
      sp_update(c->manager, STEP);
  }
  ck_assert_uint_eq(c->memory.calls, warm);
  ck_assert_uint_gt(sp_total_stats(c->manager).recycles, 200000);
}

POOL_TEST(counting, the_bytes_in_the_statistics_are_the_bytes_held)
{
  for (int i = 0; i < 3000; i++) {
    sp_pool_alloc(pool, i % 2, NULL);
    if (i % 100 == 0)
      ck_assert_uint_eq(sp_total_stats(c->manager).bytes, c->memory.bytes);
  }
  size_t many = sp_pool_stats(pool).bytes;
  sp_pool_recycle_all(pool);
  sp_pool_clear(pool);
  ck_assert_uint_lt(sp_pool_stats(pool).bytes, many / 10);
}

CORE_TEST(counting, an_idle_slot_costs_no_more_than_its_columns_and_32_bytes)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.spatial = false;
  desc.fields = fields;
  desc.field_count = 2;
  size_t before = c->memory.bytes;
  desc.settings.prealloc = 1 << 16;
  core_pool_with(c, &desc);
  size_t life = 32, own = 4 + 8; /* the first column says what is known of the life */
  ck_assert_uint_le(c->memory.bytes - before, desc.settings.prealloc * (own + life + 32));
}

/* }== */

SUITE(memory, &refusal, &counting)
