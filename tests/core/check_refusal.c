/*
** One refused allocation, at every place there is, in scenes that use timers, parents, queries, curves, prewarms and
** changes of settings together. What a call could not do it says; nothing is lost, and nothing is left at the end.
*/
#include "support/core_fixture.h"

#include <math.h>
#include <stddef.h>

/* {== Tries: once more when memory was refused ============================ */

static sp_pool *try_open(core *c, const sp_pool_desc *desc)
{
  sp_result why = SP_OK;
  sp_pool *pool = sp_add_pool(c->manager, desc, &why);
  ck_assert(pool || why == SP_MEMORY);
  return pool ? pool : core_pool_with(c, desc);
}

static sp_ref try_alloc(sp_pool *pool, double lifetime)
{
  sp_result why = SP_OK;
  sp_ref object = sp_pool_alloc(pool, lifetime, &why);
  must(object || why == SP_MEMORY || why == SP_FULL);
  return object || why == SP_FULL ? object : sp_pool_alloc(pool, lifetime, NULL);
}

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

static sp_timer try_timer(core *c, sp_ref object, double seconds, double period)
{
  sp_result why = SP_OK;
  sp_timer timer = sp_timer_start(c->manager, object, seconds, period, &why);
  must(timer || why == SP_MEMORY);
  return timer ? timer : sp_timer_start(c->manager, object, seconds, period, NULL);
}

/* }== */

/* {== Scenes ============================================================= */

static const float fade[] = {1, 0};

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

static void count_near(void *ud, sp_ref object) { *(int *)ud += object != SP_NONE_REF; }
static void count_pair(void *ud, sp_ref object, sp_ref other) { *(int *)ud += object != other; }

static void queries(core *c)
{
  sp_pool_desc desc = test_desc("Cube");
  sp_pool *pool = try_open(c, &desc);
  for (int i = 0; i < 100; i++) {
    sp_ref object = try_alloc(pool, 0);
    *core_float(c, object, SP_X) = (float)(i % 10) * 4;
    *core_float(c, object, SP_Y) = (float)(i / 10) * 4;
  }
  for (int round = 0; round < 3; round++) {
    int near = 0, pairs = 0;
    sp_result why = SP_OK;
    uint32_t calls = sp_pool_within(pool, 0, 0, 1000, count_near, &near, &why);
    must(why == SP_OK ? calls == 100 && near == 100 : why == SP_MEMORY && near == 0);
    why = SP_OK;
    calls = sp_pool_overlaps(pool, pool, count_pair, &pairs, &why);
    must(why == SP_OK ? calls > 500 && pairs == (int)calls : why == SP_MEMORY && pairs == 0);
    must(sp_pool_nearest(pool, 17, 18, NULL) != SP_NONE_REF);
  }
}

static void slices(core *c)
{
  core_log log = {.only = "nothing"};
  sp_pool *pool = open_sparks(c, &log);
  ck_assert_int_eq(sp_pool_prewarm_slowly(pool, 30, 4, 2 * STEP), SP_OK);
  for (int i = 0; i < 20; i++) {
    uint32_t before = (uint32_t)sp_pool_stats(pool).created;
    core_tick(c, 1);
    ck_assert_uint_le(sp_pool_stats(pool).created, before + 4);
  }
  ck_assert_uint_eq(sp_pool_idle(pool), 30);
  sp_settings s = sp_pool_settings(pool);
  s.overflow = SP_OVERFLOW_GROW;
  s.limit = 10;
  while (sp_pool_configure(pool, &s) == SP_MEMORY)
    continue;
  for (int i = 0; i < 50; i++)
    try_alloc(pool, 1);
  s.overflow = SP_OVERFLOW_OLDEST;
  s.idle_limit = SP_NO_OBJECTS;
  while (sp_pool_configure(pool, &s) == SP_MEMORY)
    continue;
  for (int i = 0; i < 50; i++)
    try_alloc(pool, 0.5);
  core_tick(c, 100);
  ck_assert_uint_eq(sp_pool_stats(pool).total, 0);
}

/* }== */

static void play(core *c, void (*scene)(core *c))
{
  sp_options options = {.memory = test_memory_fn, .memory_ud = &c->memory, .step = STEP, .on_timer = count_timer};
  sp_result why = SP_OK;
  c->manager = sp_open(&options, &why);
  ck_assert(c->manager || why == SP_MEMORY);
  if (!c->manager) {
    ck_assert(test_memory_is_clean(&c->memory));
    return;
  }
  scene(c);
  core_close(c);
}

static void (*const scenes[])(core *c) = {families, timers, queries, slices};

START_TEST(any_call_may_be_refused)
{
  size_t calls = 1, refused = 0;
  for (size_t fail_at = 0; fail_at <= calls; fail_at++) {
    core c = {.memory = {.fail_at = fail_at}};
    play(&c, scenes[_i]);
    refused += c.memory.refused;
    if (fail_at == 0)
      calls = c.memory.calls;
  }
  ck_assert_uint_gt(calls, 5);
  ck_assert_uint_ge(refused, calls - 1); /* after a refusal fewer may be made */
}
END_TEST

START_TEST(a_repeating_timer_that_memory_is_refused_for_ends)
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
END_TEST

Suite *sp_suite_refusal(void)
{
  Suite *suite = suite_create("refusal");
  TCase *each = tcase_create("one refused call");
  tcase_add_loop_test(each, any_call_may_be_refused, 0, sizeof scenes / sizeof *scenes);
  suite_add_tcase(suite, each);
  core_case(suite, "all calls refused", a_repeating_timer_that_memory_is_refused_for_ends);
  return suite;
}
