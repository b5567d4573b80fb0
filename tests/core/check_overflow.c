/*
** Policies of a pool at its limit: evict the oldest, grow for a while, or ask a function.
*/
#include "support/core_fixture.h"
#include "support/test.h"

/* {== overflow = oldest ================================================== */

static test_group oldest_tests = {"oldest"};

CORE_TEST(oldest_tests, a_pool_without_look_evicts_too)
{
  sp_pool_desc desc = test_desc("Order");
  desc.spatial = false;
  desc.settings.limit = 1;
  desc.settings.overflow = SP_OVERFLOW_OLDEST;
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref first = core_alloc(pool);
  core_alloc(pool);
  ck_assert(!sp_is_live(c->manager, first));
}

/* Cube#1 vetoes. Then #2 ends #1, spawns one in its place, asks for one more, which all others veto, and vetoes too. */
static void veto_and_disturb(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  if (!core_is(hook, "recycle"))
    return;
  uint32_t number = sp_object_number(sp_pool_manager(pool), object);
  if (number == 2 && log->count++ == 0) {
    ck_assert_int_eq(sp_recycle(sp_pool_manager(pool), log->object), SP_OK);
    log->victim = core_alloc(pool);
    ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
    log->veto = true;
    return;
  }
  log->veto = object == log->object ? log->count == 0 : log->depth > 1;
}

CORE_TEST(oldest_tests, the_search_for_a_victim_skips_nobody_when_hooks_shorten_the_queue)
{
  core_log log = {.only = "recycle", .act = veto_and_disturb};
  sp_pool *pool = core_pool_at_limit(c, &log, 4, SP_OVERFLOW_OLDEST);
  sp_ref objects[4];
  core_alloc_many(pool, objects, 4);
  log.object = objects[0];
  sp_ref sixth = core_alloc(pool);
  ck_assert_str_eq(core_log_take(&log), "recycle 1 evicted, recycle 2 evicted, recycle 1 recycled, recycle 3 evicted, "
                                        "recycle 4 evicted, recycle 1 evicted, recycle 3 evicted");
  ck_assert(!sp_is_live(c->manager, objects[2]));
  ck_assert(sp_is_live(c->manager, objects[1]) && sp_is_live(c->manager, objects[3]));
  ck_assert(sp_is_live(c->manager, log.victim) && sp_is_live(c->manager, sixth));
  log.act = NULL;
  log.veto = false;
  core_close(c);
}

/* Cube#3 ends all others that live, asks for one more than there may be then, and vetoes. */
static void veto_and_end_the_others(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  if (!core_is(hook, "recycle"))
    return;
  sp_manager *m = sp_pool_manager(pool);
  uint32_t number = sp_object_number(m, object);
  const sp_ref *objects = log->data;
  for (int i = 0; number == 3 && i < 2; i++)
    ck_assert_int_eq(sp_recycle(m, objects[i]), SP_OK);
  if (number == 3) {
    sp_settings narrow = sp_pool_settings(pool), wide = narrow;
    narrow.limit = 1;
    ck_assert_int_eq(sp_pool_configure(pool, &narrow), SP_OK);
    ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
    ck_assert_int_eq(sp_pool_configure(pool, &wide), SP_OK);
  }
  log->veto = number <= 3 && log->depth == 1;
}

CORE_TEST(oldest_tests, the_search_for_a_victim_ends_when_a_hook_has_ended_all_others)
{
  core_log log = {.only = "recycle", .act = veto_and_end_the_others};
  sp_ref objects[3];
  sp_pool *pool = core_pool_at_limit(c, &log, 3, SP_OVERFLOW_OLDEST);
  core_alloc_many(pool, objects, 3);
  log.data = objects;
  sp_ref next = core_alloc(pool);
  ck_assert(sp_is_live(c->manager, next) && sp_is_live(c->manager, objects[2]));
  ck_assert_uint_eq(sp_pool_live(pool), 2);
  log.act = NULL;
  log.veto = false;
  core_close(c);
}

/* Every victim's hook allocates and recycles, so that the queue of ages is renewed under the search. */
static void veto_and_churn(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (!core_is(hook, "recycle") || log->depth > 1)
    return;
  sp_pool *other = log->data;
  sp_settings s = sp_pool_settings(pool);
  log->veto = false;
  s.limit++;
  sp_pool_configure(pool, &s);
  for (int i = 0; i < 200; i++) {
    sp_ref extra = core_alloc(pool);
    ck_assert_int_eq(sp_recycle(sp_pool_manager(pool), extra), SP_OK);
  }
  s.limit--;
  sp_pool_configure(pool, &s);
  core_alloc(other);
  log->veto = log->count++ < 3;
}

CORE_TEST(oldest_tests, the_search_for_a_victim_survives_a_queue_that_is_renewed_meanwhile)
{
  core_log log = {.only = "none"};
  sp_pool *pool = core_pool_at_limit(c, &log, 6, SP_OVERFLOW_OLDEST), *other = core_pool(c, "Sphere");
  sp_ref objects[6];
  core_alloc_many(pool, objects, 6);
  log.data = other;
  log.act = veto_and_churn;
  sp_ref seventh = core_alloc(pool);
  ck_assert(sp_is_live(c->manager, seventh));
  for (int i = 0; i < 6; i++)
    ck_assert_int_eq(sp_is_live(c->manager, objects[i]), i != 3); /* three vetoed, the fourth went */
  log.act = NULL;
  log.veto = false;
  core_close(c);
}

static void respawn(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (core_is(hook, "despawn"))
    log->object = sp_pool_alloc(pool, 0, &log->result);
}

CORE_TEST(oldest_tests, evictions_inside_each_other_end_before_the_stack_does)
{
  enum { MANY = 400 };
  core_log log = {.act = respawn, .only = "none"};
  sp_pool *pool = core_pool_at_limit(c, &log, MANY, SP_OVERFLOW_OLDEST);
  log.act = NULL;
  for (int i = 0; i < MANY; i++)
    core_alloc(pool);
  log.act = respawn; /* each that goes wants another, for which the next one must go */
  sp_pool_alloc(pool, 0, NULL);
  log.act = NULL;
  uint64_t evicted = sp_pool_stats(pool).evicted;
  ck_assert_uint_gt(evicted, 50);
  ck_assert_uint_lt(evicted, MANY);
  ck_assert_uint_gt(sp_pool_stats(pool).refused, 0);
  ck_assert_uint_le(sp_pool_live(pool), MANY);
  core_check(c->manager);
  core_alloc(pool);
  core_close(c);
}

/* }== */

SUITE(overflow, &oldest_tests)
