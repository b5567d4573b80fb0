/*
** Re-entry: every hook may alloc and recycle anything, anywhere, and cannot remove what it runs in.
*/
#include "support/core_fixture.h"
#include "support/test.h"

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

static void disturb_closing(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  sp_manager *m = sp_pool_manager(pool);
  sp_pool_desc desc = test_desc("New");
  sp_result why = SP_OK;
  (void)object;
  if (!core_is(hook, "despawn"))
    return;
  ck_assert_int_eq(core_refusal(pool, 0), SP_CLOSED);
  ck_assert_uint_eq(sp_pool_prewarm(pool, 5, &why), 0);
  ck_assert_int_eq(why, SP_CLOSED);
  ck_assert_int_eq(core_refusal(pool, -1), SP_CLOSED);
  sp_pool *next = sp_find_pool(m, "Later");
  if (next) { /* the whole manager closes */
    ck_assert_ptr_null(sp_add_pool(m, &desc, &why));
    ck_assert_int_eq(why, SP_CLOSED);
    ck_assert_int_eq(core_refusal(next, 0), SP_CLOSED);
    ck_assert_int_eq(sp_pool_remove(next, NULL, NULL), SP_BUSY);
    ck_assert_int_eq(sp_recycle(m, log->object), SP_OK); /* but lives may end */
  }
  log->count++;
}

static void look_at_first(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  sp_pool *first = log->data;
  (void)object;
  if (!core_is(hook, "despawn") && !core_is(hook, "destroy"))
    return;
  ck_assert_ptr_eq(sp_find_pool(sp_pool_manager(pool), "First"), first);
  ck_assert_uint_eq(sp_pool_live(first), 0);
  ck_assert_int_eq(core_refusal(first, 0), SP_CLOSED);
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

TEST(refused, a_pool_that_goes_takes_nothing_more)
{
  core c;
  core_log log = {.act = disturb_closing, .only = "none"};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  core_alloc(pool);
  ck_assert_int_eq(sp_pool_remove(pool, NULL, NULL), SP_OK);
  pool = core_pool_logged(&c, "Cube", &log);
  core_alloc(pool);
  log.object = core_alloc(core_pool(&c, "Later"));
  core_close(&c);
  ck_assert_int_eq(log.count, 2);
}

/* }== */

SUITE(reentry, &everything, &refused)
