/*
** Hooks: what they can read of the object that they run for, and what they may do meanwhile.
*/
#include "support/core_fixture.h"
#include "support/test.h"

static test_group order = {"order"};

static void look_at_bits(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  uint32_t slot = (uint32_t)object & (SP_CHUNK_SLOTS - 1);
  bool bit = sp_pool_live_bits(pool, 0)[slot / 64] >> slot % 64 & 1;
  ck_assert_int_eq(bit, sp_is_live(sp_pool_manager(pool), object));
  ck_assert_int_eq(bit, core_is(hook, "spawn"));
  ck_assert_str_eq(core_walk_order(pool), core_is(hook, "spawn") ? "1 2" : "1");
  log->count++;
}

CORE_TEST(order, an_object_that_opens_or_dies_is_not_among_the_living)
{
  core_log log = {.only = "none"};
  sp_pool *pool = core_pool_logged(c, "Cube", &log);
  core_alloc(pool);
  log.act = look_at_bits;
  sp_ref object = sp_pool_alloc_begin(pool, 0, NULL);
  ck_assert_uint_eq(sp_pool_live_bits(pool, 0)[0], 1);
  ck_assert_str_eq(core_walk_order(pool), "1");
  sp_alloc_commit(c->manager, object, NULL);
  ck_assert_uint_eq(sp_pool_live_bits(pool, 0)[0], 3);
  core_recycle(c, object);
  ck_assert_int_eq(log.count, 5); /* create, spawn, recycle, despawn, end */
  log.act = NULL;
  core_close(c);
}

static void read_everywhere(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  sp_manager *m = sp_pool_manager(pool);
  if (core_is(hook, "update") || core_is(hook, "overflow"))
    return;
  const float *x = sp_peek(m, object, SP_X);
  ck_assert_msg(x != NULL, "unreadable in %s", hook);
  bool living = core_is(hook, "spawn");
  ck_assert_int_eq(sp_is_live(m, object), living);
  ck_assert_int_eq(sp_check(m, object), SP_OK);
  ck_assert_ptr_eq(sp_owner(m, object), pool);
  if (core_is(hook, "recycle") || core_is(hook, "despawn") || core_is(hook, "end")) {
    ck_assert_float_eq(*x, 7);
    ck_assert_double_eq(sp_remaining(m, object), 4 * STEP);
    ck_assert_double_eq(sp_age(m, object), STEP);
    ck_assert_int_eq(sp_recycle(m, object), SP_DYING);
    ck_assert_int_eq(sp_alloc_undo(m, object), SP_STALE);
  } else if (!living) {
    ck_assert_int_eq(sp_recycle(m, object), SP_STALE); /* idle */
  }
  log->count++;
}

CORE_TEST(order, the_object_is_readable_in_every_hook)
{
  core_log log = {.act = read_everywhere};
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.idle_limit = SP_NO_OBJECTS;
  desc.hooks = core_hooks_all(&log);
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref object = sp_pool_alloc(pool, 5 * STEP, NULL);
  *core_float(c, object, SP_X) = 7;
  core_tick(c, 1);
  core_recycle(c, object);
  ck_assert_int_eq(log.count, 7); /* create spawn recycle despawn end reject destroy */
  ck_assert_uint_eq(sp_pool_stats(pool).double_recycles, 6);
  core_close(c);
}

/* {== Re-entry =========================================================== */

static void refill(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (core_is(hook, "destroy") && log->count-- > 0)
    sp_recycle(sp_pool_manager(pool), sp_pool_alloc(pool, 0, NULL));
}

static test_group everything = {"everything"};
static test_group refused = {"refused"};

CORE_TEST(everything, clear_ends_although_a_hook_refills_the_pool)
{
  core_log log = {.act = refill, .count = 1000, .only = "none"};
  sp_pool *pool = core_pool_logged(c, "Cube", &log);
  sp_pool_prewarm(pool, 5, NULL);
  ck_assert_uint_eq(sp_pool_clear(pool), 5);
  ck_assert_int_ge(log.count, 990);
  ck_assert_uint_eq(sp_pool_stats(pool).destroyed, 5);
  ck_assert_int_eq(sp_pool_remove(pool, NULL, NULL), SP_OK);
  core_close(c);
}

/* }== */

/* {== What a hook may not do ============================================= */

static void look_at_first(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  sp_pool *first = log->data;
  sp_pool_desc another = test_desc("Another");
  sp_result why;
  (void)object;
  if (!core_is(hook, "despawn") && !core_is(hook, "destroy"))
    return;
  ck_assert_ptr_eq(sp_find_pool(sp_pool_manager(pool), "First"), first);
  ck_assert_uint_eq(sp_pool_live(first), 0);
  ck_assert_int_eq(core_refusal(first, 0), SP_CLOSED);
  ck_assert_ptr_null(sp_add_pool(sp_pool_manager(pool), &another, &why));
  ck_assert_int_eq(why, SP_CLOSED);
  log->count++;
}

TEST(refused, hooks_may_look_at_every_pool_while_the_manager_closes)
{
  core c;
  core_log log = {.act = look_at_first, .only = "none"};
  core_open(&c);
  log.data = core_pool(&c, "First");
  core_alloc(log.data);
  core_alloc(core_pool_logged(&c, "Second", &log));
  core_close(&c);
  ck_assert_int_eq(log.count, 2);
}

/* }== */

SUITE(hooks, &order, &everything, &refused)
