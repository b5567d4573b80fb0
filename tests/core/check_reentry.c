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

SUITE(reentry, &everything, &refused)
