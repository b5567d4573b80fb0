/*
** Hooks: their order, what they see, how an override vetoes and how a spawn fails.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <string.h>

/* {== Order ============================================================== */

static test_group order = {"order"};
static test_group veto_and_failure = {"veto and failure"};

CORE_TEST(order, a_life_runs_its_hooks_in_order)
{
  core_log log = {0};
  sp_pool *pool = core_pool_logged(c, "Cube", &log);
  sp_ref object = sp_pool_alloc(pool, STEP, NULL);
  ck_assert_str_eq(core_log_take(&log), "create 1, spawn 1 fresh");
  core_recycle(c, object);
  ck_assert_str_eq(core_log_take(&log), "recycle 1 recycled, despawn 1 recycled, end 1");
  sp_pool_alloc(pool, STEP, NULL);
  ck_assert_str_eq(core_log_take(&log), "spawn 1"); /* the same path, but not fresh */
  core_tick(c, 1);
  ck_assert_str_eq(core_log_take(&log), "recycle 1 expired, despawn 1 expired, end 1, update 0.015625");
  sp_pool_clear(pool);
  ck_assert_str_eq(core_log_take(&log), "destroy 1");
  core_close(c);
}

TEST(order, every_end_of_a_life_says_why)
{
  core c;
  core_log log = {.only = "despawn"};
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.limit = 2;
  desc.settings.grow = 2;
  desc.settings.overflow = SP_OVERFLOW_OLDEST;
  desc.hooks = core_hooks_all(&log);
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_pool_alloc(pool, 0, NULL);
  sp_pool_alloc(pool, STEP, NULL);
  sp_pool_alloc(pool, 0, NULL);
  ck_assert_str_eq(core_log_take(&log), "despawn 1 evicted");
  core_tick(&c, 1);
  ck_assert_str_eq(core_log_take(&log), "despawn 2 expired");
  sp_pool_recycle_all(pool);
  ck_assert_str_eq(core_log_take(&log), "despawn 1 cleared");
  sp_pool_alloc(pool, 0, NULL);
  sp_pool_remove(pool, NULL, NULL);
  ck_assert_str_eq(core_log_take(&log), "despawn 2 removed");
  core_alloc(core_pool_with(&c, &desc));
  core_close(&c);
  ck_assert_str_eq(core_log_take(&log), "despawn 1 removed");
}

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

CORE_TEST(order, updates_run_in_order_of_creation_after_expiry_and_before_motion)
{
  core_log log = {0};
  sp_pool *first = core_pool_logged(c, "First", &log), *second = core_pool_logged(c, "Second", &log);
  sp_ref object = sp_pool_alloc(second, STEP, NULL);
  *core_float(c, object, SP_VX) = 1;
  core_log_take(&log);
  core_tick(c, 1);
  ck_assert_str_eq(core_log_take(&log),
                   "recycle 1 expired, despawn 1 expired, end 1, update 0.015625, update 0.015625");
  sp_update(c->manager, 0);
  ck_assert_str_eq(core_log_take(&log), "update 0, update 0");
  sp_pool_remove(first, NULL, NULL);
  sp_update(c->manager, 2);
  ck_assert_str_eq(core_log_take(&log), "update 2");
  core_close(c);
}

/* }== */

/* {== Veto and failure =================================================== */

static void base_of_another(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  if (core_is(hook, "recycle") && object == log->object) {
    log->veto = true;
    sp_ref other = *(sp_ref *)log->data;
    log->result = sp_recycle(sp_pool_manager(pool), other);
  } else if (core_is(hook, "recycle")) {
    /* Inside: the outer object may be gone through with from here. */
    log->veto = false;
    ck_assert_int_eq(sp_recycle_base(sp_pool_manager(pool), log->object), SP_OK);
  }
}

CORE_TEST(veto_and_failure, the_base_of_an_outer_recycle_can_be_called_from_an_inner_one)
{
  sp_ref objects[2];
  core_log log = {.act = base_of_another, .data = &objects[1]};
  sp_pool *pool = core_pool_logged(c, "Cube", &log);
  core_alloc_many(pool, objects, 2);
  log.object = objects[0];
  core_log_take(&log);
  ck_assert_int_eq(sp_recycle(c->manager, objects[0]), SP_OK);
  ck_assert_int_eq(log.result, SP_OK);
  ck_assert_str_eq(core_log_take(&log), "recycle 1 recycled, recycle 2 recycled, despawn 1 recycled, "
                                        "despawn 2 recycled, end 2, end 1");
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  core_close(c);
}

static void replace_own(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  if (!core_is(hook, "spawn") || log->count++ > 0)
    return;
  ck_assert_int_eq(sp_recycle(sp_pool_manager(pool), object), SP_OK);
  log->object = core_alloc(pool); /* in the same slot */
}

CORE_TEST(veto_and_failure, a_hook_may_put_another_object_in_the_place_of_its_own)
{
  core_log log = {.act = replace_own};
  sp_pool *pool = core_pool_logged(c, "Cube", &log);
  ck_assert_int_eq(core_refusal(pool, 0), SP_RECYCLED);
  ck_assert(sp_is_live(c->manager, log.object));
  ck_assert_uint_eq(sp_pool_live(pool), 1);
  ck_assert_uint_eq(sp_pool_stats(pool).created, 1);
  core_close(c);
}

/* }== */

SUITE(hooks, &order, &veto_and_failure)
