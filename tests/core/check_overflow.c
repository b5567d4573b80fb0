/*
** What a pool does at its limit: evict the oldest, grow for a while, or ask a function.
*/
#include "support/core_fixture.h"

enum { CAP = 4 };

/* {== overflow = oldest ================================================== */

START_TEST(oldest_evicts_in_order_of_spawning)
{
  core c;
  core_open(&c);
  for (uint32_t limit = 1; limit <= CAP; limit++) {
    sp_pool *pool = core_pool_limited(&c, "Cube", limit, SP_OVERFLOW_OLDEST);
    sp_ref objects[200];
    for (uint32_t i = 0; i < 200; i++) {
      objects[i] = core_alloc(pool);
      if (i >= limit)
        ck_assert(!sp_is_live(c.manager, objects[i - limit]));
      for (uint32_t k = i >= limit ? i - limit + 1 : 0; k <= i; k++)
        ck_assert(sp_is_live(c.manager, objects[k]));
    }
    sp_stats s = sp_pool_stats(pool);
    ck_assert_uint_eq(s.evicted, 200 - limit);
    ck_assert_uint_eq(s.recycles, 200 - limit);
    ck_assert_uint_eq(s.total, limit);
    sp_pool_remove(pool, NULL, NULL);
  }
  sp_pool *none = core_pool_limited(&c, "Cube", 0, SP_OVERFLOW_OLDEST);
  ck_assert_int_eq(core_refusal(none, 0), SP_FULL);
  core_close(&c);
}
END_TEST

START_TEST(oldest_is_by_age_not_by_slot)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool_limited(&c, "Cube", 3, SP_OVERFLOW_OLDEST);
  sp_ref objects[3];
  core_alloc_many(pool, objects, 3);
  core_recycle(&c, objects[0]);
  objects[0] = core_alloc(pool); /* slot 0 is the youngest now */
  core_alloc(pool);
  ck_assert(!sp_is_live(c.manager, objects[1]));
  core_alloc(pool);
  ck_assert(!sp_is_live(c.manager, objects[2]));
  ck_assert(sp_is_live(c.manager, objects[0]));
  core_close(&c);
}
END_TEST

START_TEST(pinned_objects_are_never_evicted)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool_limited(&c, "Cube", 3, SP_OVERFLOW_OLDEST);
  sp_ref objects[3];
  core_alloc_many(pool, objects, 3);
  sp_look *first = sp_cell(c.manager, objects[0], SP_LOOK), *third = sp_cell(c.manager, objects[2], SP_LOOK);
  first->pinned = third->pinned = 1;
  for (int i = 0; i < 5; i++) {
    sp_ref object = core_alloc(pool);
    ck_assert(sp_is_live(c.manager, objects[0]));
    ck_assert(sp_is_live(c.manager, objects[2]));
    ck_assert(!sp_is_live(c.manager, objects[1]));
    objects[1] = object;
  }
  ((sp_look *)sp_cell(c.manager, objects[1], SP_LOOK))->pinned = 1;
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL); /* all are pinned */
  first->pinned = 0;
  core_alloc(pool);
  ck_assert(!sp_is_live(c.manager, objects[0]));
  core_close(&c);
}
END_TEST

START_TEST(a_pool_without_look_evicts_too)
{
  core c;
  core_open(&c);
  sp_pool_desc desc = test_desc("Order");
  desc.spatial = false;
  desc.settings.limit = 1;
  desc.settings.overflow = SP_OVERFLOW_OLDEST;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref first = core_alloc(pool);
  core_alloc(pool);
  ck_assert(!sp_is_live(c.manager, first));
  core_close(&c);
}
END_TEST

static void veto_below(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  if (core_is(hook, "recycle"))
    log->veto = sp_object_number(sp_pool_manager(pool), object) < (uint32_t)log->count;
}

START_TEST(a_victim_that_vetoes_is_passed_over)
{
  core c;
  core_log log = {.act = veto_below, .count = 3, .only = "recycle"};
  core_open(&c);
  sp_pool *pool = core_pool_at_limit(&c, &log, 3, SP_OVERFLOW_OLDEST);
  sp_ref objects[3];
  core_alloc_many(pool, objects, 3);
  ck_assert_uint_eq(core_number(&c, core_alloc(pool)), 3);
  ck_assert_str_eq(core_log_take(&log), "recycle 1 evicted, recycle 2 evicted, recycle 3 evicted");
  ck_assert_uint_eq(sp_pool_stats(pool).vetoed, 2);
  ck_assert_uint_eq(sp_pool_stats(pool).evicted, 1);
  log.count = 99;
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
  ck_assert_uint_eq(sp_pool_stats(pool).vetoed, 5);
  log.count = 0;
  core_close(&c);
}
END_TEST

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

START_TEST(the_search_for_a_victim_skips_nobody_when_hooks_shorten_the_queue)
{
  core c;
  core_log log = {.only = "recycle", .act = veto_and_disturb};
  core_open(&c);
  sp_pool *pool = core_pool_at_limit(&c, &log, 4, SP_OVERFLOW_OLDEST);
  sp_ref objects[4];
  core_alloc_many(pool, objects, 4);
  log.object = objects[0];
  sp_ref sixth = core_alloc(pool);
  ck_assert_str_eq(core_log_take(&log), "recycle 1 evicted, recycle 2 evicted, recycle 1 recycled, recycle 3 evicted, "
                                        "recycle 4 evicted, recycle 1 evicted, recycle 3 evicted");
  ck_assert(!sp_is_live(c.manager, objects[2]));
  ck_assert(sp_is_live(c.manager, objects[1]) && sp_is_live(c.manager, objects[3]));
  ck_assert(sp_is_live(c.manager, log.victim) && sp_is_live(c.manager, sixth));
  log.act = NULL;
  log.veto = false;
  core_close(&c);
}
END_TEST

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

START_TEST(the_search_for_a_victim_ends_when_a_hook_has_ended_all_others)
{
  core c;
  core_log log = {.only = "recycle", .act = veto_and_end_the_others};
  sp_ref objects[3];
  core_open(&c);
  sp_pool *pool = core_pool_at_limit(&c, &log, 3, SP_OVERFLOW_OLDEST);
  core_alloc_many(pool, objects, 3);
  log.data = objects;
  sp_ref next = core_alloc(pool);
  ck_assert(sp_is_live(c.manager, next) && sp_is_live(c.manager, objects[2]));
  ck_assert_uint_eq(sp_pool_live(pool), 2);
  log.act = NULL;
  log.veto = false;
  core_close(&c);
}
END_TEST

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

START_TEST(the_search_for_a_victim_survives_a_queue_that_is_renewed_meanwhile)
{
  core c;
  core_log log = {.only = "none"};
  core_open(&c);
  sp_pool *pool = core_pool_at_limit(&c, &log, 6, SP_OVERFLOW_OLDEST), *other = core_pool(&c, "Sphere");
  sp_ref objects[6];
  core_alloc_many(pool, objects, 6);
  log.data = other;
  log.act = veto_and_churn;
  sp_ref seventh = core_alloc(pool);
  ck_assert(sp_is_live(c.manager, seventh));
  for (int i = 0; i < 6; i++)
    ck_assert_int_eq(sp_is_live(c.manager, objects[i]), i != 3); /* three vetoed, the fourth went */
  log.act = NULL;
  log.veto = false;
  core_close(&c);
}
END_TEST

static void respawn(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (core_is(hook, "despawn"))
    log->object = sp_pool_alloc(pool, 0, &log->result);
}

START_TEST(an_object_that_is_being_evicted_still_counts)
{
  core c;
  core_log log = {.act = respawn, .only = "despawn"};
  core_open(&c);
  sp_pool *pool = core_pool_at_limit(&c, &log, 1, SP_OVERFLOW_OLDEST);
  core_alloc(pool);
  sp_ref second = core_alloc(pool); /* the first one's hook found no room */
  ck_assert_str_eq(core_log_take(&log), "despawn 1 evicted");
  ck_assert_uint_eq(log.object, SP_NONE_REF);
  ck_assert_int_eq(log.result, SP_FULL);
  ck_assert(sp_is_live(c.manager, second));
  ck_assert_uint_eq(sp_pool_live(pool), 1);
  log.act = NULL;
  core_close(&c);
}
END_TEST

START_TEST(evictions_inside_each_other_end_before_the_stack_does)
{
  enum { MANY = 400 };
  core c;
  core_log log = {.act = respawn, .only = "none"};
  core_open(&c);
  sp_pool *pool = core_pool_at_limit(&c, &log, MANY, SP_OVERFLOW_OLDEST);
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
  core_check(c.manager);
  core_alloc(pool);
  core_close(&c);
}
END_TEST

static void use_the_idle_one(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (!core_is(hook, "despawn") || log->count++ > 0)
    return;
  sp_settings settings = sp_pool_settings(pool);
  settings.limit = 10;
  must(sp_pool_configure(pool, &settings) == SP_OK);
  sp_manager *m = sp_pool_manager(pool);
  must(sp_recycle(m, sp_pool_take(pool, log->object, 0, NULL)) == SP_OK);
}

START_TEST(who_is_taken_and_back_while_room_is_made_is_no_longer_the_one_that_was_chosen)
{
  core c;
  core_log log = {.act = use_the_idle_one, .only = "none"};
  core_open(&c);
  sp_pool *pool = core_pool_at_limit(&c, &log, 2, SP_OVERFLOW_OLDEST);
  core_alloc(pool);
  sp_ref second = core_alloc(pool);
  sp_settings settings = sp_pool_settings(pool);
  log.count = 1;
  core_recycle(&c, second);
  settings.limit = 1;
  ck_assert_int_eq(sp_pool_configure(pool, &settings), SP_OK);
  log.count = 0;
  log.object = sp_pool_idle_at(pool, 0);
  sp_result why = SP_OK;
  ck_assert_uint_eq(sp_pool_take(pool, log.object, 0, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_NONE);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  core_check(c.manager);
  core_close(&c);
}
END_TEST

START_TEST(a_pool_that_may_not_remember_ages_stays_as_it_was)
{
  static const sp_field field = {"more", NULL, 64, false, false};
  for (int oldest = 0; oldest < 2; oldest++)
    for (size_t fail_at = 1; fail_at < 20; fail_at++) {
      core c;
      core_open(&c);
      sp_pool *pool = core_pool_limited(&c, "Cube", 2, oldest ? SP_OVERFLOW_OLDEST : SP_OVERFLOW_REFUSE);
      sp_ref objects[2];
      core_alloc_many(pool, objects, 2);
      sp_pool_desc desc = test_desc("Cube");
      desc.settings = sp_pool_settings(pool);
      desc.settings.overflow = SP_OVERFLOW_OLDEST;
      desc.fields = &field;
      desc.field_count = 1;
      c.memory.fail_at = c.memory.calls + fail_at;
      sp_result result = sp_pool_redefine(pool, &desc);
      bool refused = c.memory.refused > 0;
      ck_assert_int_eq(result, refused ? SP_MEMORY : SP_OK);
      ck_assert_int_eq(sp_pool_alloc(pool, 0, NULL) != SP_NONE_REF, oldest || !refused);
      ck_assert_int_eq(sp_is_live(c.manager, objects[0]), !oldest && refused);
      ck_assert(sp_is_live(c.manager, objects[1]));
      core_close(&c);
      if (!refused)
        break;
      ck_assert_uint_lt(fail_at, 19);
    }
}
END_TEST

START_TEST(lowering_the_limit_kills_nobody_and_then_one_goes_when_one_comes)
{
  core c;
  core_open(&c);
  for (int keep = 0; keep < 2; keep++) {
    sp_pool_desc desc = test_desc("Cube");
    desc.settings.limit = 5;
    desc.settings.overflow = SP_OVERFLOW_OLDEST;
    desc.settings.idle_limit = keep ? SP_UNLIMITED : SP_NO_OBJECTS;
    sp_pool *pool = core_pool_with(&c, &desc);
    sp_ref objects[5];
    core_alloc_many(pool, objects, 5);
    desc.settings.limit = 2;
    ck_assert_int_eq(sp_pool_configure(pool, &desc.settings), SP_OK);
    ck_assert_uint_eq(sp_pool_live(pool), 5);
    core_alloc(pool);
    ck_assert_uint_eq(sp_pool_live(pool), 5);
    ck_assert(!sp_is_live(c.manager, objects[0]));
    ck_assert(sp_is_live(c.manager, objects[1]));
    sp_pool_remove(pool, NULL, NULL);
  }
  core_close(&c);
}
END_TEST

/* }== */

/* {== overflow = grow ==================================================== */

START_TEST(grow_goes_over_and_the_surplus_is_destroyed_when_it_comes_back)
{
  core c;
  core_open(&c);
  for (uint32_t limit = 0; limit <= CAP; limit++) {
    sp_pool *pool = core_pool_limited(&c, "Cube", limit, SP_OVERFLOW_GROW);
    sp_ref objects[CAP + 3];
    core_alloc_many(pool, objects, CAP + 3);
    ck_assert_uint_eq(sp_pool_live(pool), CAP + 3);
    for (int i = 0; i < CAP + 3; i++)
      core_recycle(&c, objects[i]);
    sp_stats s = sp_pool_stats(pool);
    ck_assert_uint_eq(s.idle, limit);
    ck_assert_uint_eq(s.destroyed, CAP + 3 - limit);
    ck_assert_uint_eq(s.refused + s.evicted, 0);
    sp_pool_remove(pool, NULL, NULL);
  }
  core_close(&c);
}
END_TEST

/* }== */

/* {== overflow = function ================================================ */

START_TEST(a_function_chooses_the_victim)
{
  core c;
  core_log log = {.only = "overflow"};
  core_open(&c);
  sp_pool *pool = core_pool_at_limit(&c, &log, 3, SP_OVERFLOW_FUNCTION);
  sp_ref objects[3];
  core_alloc_many(pool, objects, 3);
  ck_assert_str_eq(core_log_take(&log), "");
  log.victim = objects[1];
  sp_ref object = core_alloc(pool);
  ck_assert_str_eq(core_log_take(&log), "overflow");
  ck_assert(!sp_is_live(c.manager, objects[1]));
  ck_assert_uint_eq((uint32_t)object, (uint32_t)objects[1]);
  ck_assert_uint_eq(sp_pool_stats(pool).evicted, 1);
  core_close(&c);
}
END_TEST

START_TEST(a_victim_that_is_not_a_live_object_of_the_pool_means_refused)
{
  core c;
  core_log log = {.only = "overflow"};
  core_open(&c);
  sp_pool *pool = core_pool_at_limit(&c, &log, 2, SP_OVERFLOW_FUNCTION), *other = core_pool(&c, "Sphere");
  sp_ref objects[2], elsewhere = core_alloc(other);
  core_alloc_many(pool, objects, 2);
  core_recycle(&c, objects[0]);
  sp_ref idle = sp_pool_idle_at(pool, 0), stale = objects[0];
  objects[0] = core_alloc(pool);
  sp_pool_prewarm(pool, 1, NULL);
  const sp_ref victims[] = {SP_NONE_REF, stale, idle, elsewhere, UINT64_MAX, objects[0] + ((sp_ref)2 << 32)};
  for (int i = 0; i < 6; i++) {
    log.victim = victims[i];
    ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
  }
  ck_assert(sp_is_live(c.manager, elsewhere));
  ck_assert_uint_eq(sp_pool_live(pool), 2);
  log.veto = true;
  log.victim = objects[0];
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
  ck_assert_uint_eq(sp_pool_stats(pool).vetoed, 1);
  log.veto = false;
  core_close(&c);
}
END_TEST

START_TEST(a_missing_function_means_refused)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool_limited(&c, "Cube", 1, SP_OVERFLOW_FUNCTION);
  core_alloc(pool);
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
  core_close(&c);
}
END_TEST

/* }== */

Suite *sp_suite_overflow(void)
{
  Suite *suite = suite_create("overflow");
  core_case(suite, "oldest", oldest_evicts_in_order_of_spawning, oldest_is_by_age_not_by_slot,
            pinned_objects_are_never_evicted, a_pool_without_look_evicts_too, a_victim_that_vetoes_is_passed_over,
            the_search_for_a_victim_skips_nobody_when_hooks_shorten_the_queue,
            the_search_for_a_victim_ends_when_a_hook_has_ended_all_others,
            the_search_for_a_victim_survives_a_queue_that_is_renewed_meanwhile,
            an_object_that_is_being_evicted_still_counts, evictions_inside_each_other_end_before_the_stack_does,
            a_pool_that_may_not_remember_ages_stays_as_it_was,
            who_is_taken_and_back_while_room_is_made_is_no_longer_the_one_that_was_chosen,
            lowering_the_limit_kills_nobody_and_then_one_goes_when_one_comes);
  core_case(suite, "grow", grow_goes_over_and_the_surplus_is_destroyed_when_it_comes_back);
  core_case(suite, "function", a_function_chooses_the_victim,
            a_victim_that_is_not_a_live_object_of_the_pool_means_refused, a_missing_function_means_refused);
  return suite;
}
