/*
** Prewarming in slices: some objects per update, from a moment on, with progress.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>

static void check_progress(sp_pool *pool, uint32_t done, uint32_t wanted, uint32_t idle)
{
  sp_stats s = sp_pool_stats(pool);
  ck_assert_uint_eq(s.prewarm_done, done);
  ck_assert_uint_eq(s.prewarm_wanted, wanted);
  ck_assert_uint_eq(s.idle, idle);
}

static test_group slices = {"slices"};

CORE_TEST(slices, the_limits_end_a_prewarm)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.limit = 5;
  sp_pool *pool = core_pool_with(c, &desc);
  sp_pool_prewarm_slowly(pool, 100, 2, 0);
  core_tick(c, 10);
  check_progress(pool, 5, 100, 5);
}

POOL_TEST(slices, refused_memory_is_asked_for_again)
{
  sp_pool_prewarm_slowly(pool, 10, 0, 0);
  c->memory.fail_at = c->memory.calls + 1;
  core_tick(c, 1);
  check_progress(pool, 0, 10, 0);
  core_tick(c, 1);
  check_progress(pool, 10, 10, 10);
}

static void try_in_removal(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (core_is(hook, "destroy"))
    log->result = sp_pool_prewarm_slowly(pool, 10, 1, 0);
}

CORE_TEST(slices, a_prewarm_that_makes_no_sense_is_refused)
{
  core_log log = {.act = try_in_removal, .only = "none"};
  sp_pool *pool = core_pool_logged(c, "Cube", &log);
  static const double bad[] = {-1, (double)NAN, (double)INFINITY, 1.01e11};
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(sp_pool_prewarm_slowly(pool, 10, 1, bad[i]), SP_INVALID);
  ck_assert_int_eq(sp_pool_prewarm_slowly(pool, SP_MAX_SLOTS + 1, 1, 0), SP_INVALID);
  core_tick(c, 2);
  ck_assert_uint_eq(sp_pool_idle(pool), 0);
  sp_pool_prewarm(pool, 1, NULL);
  sp_pool_remove(pool, NULL, NULL);
  ck_assert_int_eq(log.result, SP_CLOSED);
  core_close(c);
}

SUITE(prewarm, &slices)
