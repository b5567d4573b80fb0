/*
** Walks: in slot order, each object that was live at the beginning, at most once, whatever is done on the way.
*/
#include "support/core_fixture.h"

#include <string.h>

enum { MANY = 600 }; /* more than two chunks */

static int count_rest(sp_walk *walk)
{
  int count = 0;
  while (sp_walk_next(walk) != SP_NONE_REF)
    count++;
  return count;
}

START_TEST(an_empty_pool_has_an_empty_walk)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_walk walk = sp_pool_walk(pool);
  ck_assert_uint_eq(sp_walk_next(&walk), SP_NONE_REF);
  sp_pool_prewarm(pool, 10, NULL);
  ck_assert_uint_eq(sp_walk_next(&walk), SP_NONE_REF);
  ck_assert_uint_eq(sp_walk_next(&walk), SP_NONE_REF);
  core_close(&c);
}
END_TEST

START_TEST(a_walk_goes_in_slot_order_over_what_lives)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref objects[MANY];
  core_alloc_many(pool, objects, MANY);
  for (int i = 0; i < MANY; i++)
    if (i % 7 == 0 || (i > 250 && i < 520)) /* holes, among them a whole chunk */
      core_recycle(&c, objects[i]);
  sp_walk walk = sp_pool_walk(pool);
  for (int i = 0; i < MANY; i++)
    if (i % 7 != 0 && (i <= 250 || i >= 520))
      ck_assert_uint_eq(sp_walk_next(&walk), objects[i]);
  ck_assert_uint_eq(sp_walk_next(&walk), SP_NONE_REF);
  core_close(&c);
}
END_TEST

START_TEST(each_object_may_be_recycled_as_it_is_reached)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref objects[MANY];
  core_alloc_many(pool, objects, MANY);
  sp_walk walk = sp_pool_walk(pool);
  int seen = 0;
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF; seen++)
    core_recycle(&c, object);
  ck_assert_int_eq(seen, MANY);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  core_close(&c);
}
END_TEST

START_TEST(what_is_recycled_before_it_is_reached_is_not_visited)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref objects[MANY];
  core_alloc_many(pool, objects, MANY);
  sp_walk walk = sp_pool_walk(pool);
  for (int i = 0; i < MANY; i += 3) {
    ck_assert_uint_eq(sp_walk_next(&walk), objects[i]);
    core_recycle(&c, objects[i + 1]);
    core_recycle(&c, objects[i + 2]);
  }
  ck_assert_uint_eq(sp_walk_next(&walk), SP_NONE_REF);
  core_close(&c);
}
END_TEST

START_TEST(what_is_spawned_meanwhile_is_not_visited)
{
  core c;
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.grow = 1;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref objects[10];
  core_alloc_many(pool, objects, 10);
  sp_walk walk = sp_pool_walk(pool);
  for (int i = 0; i < 9; i++) {
    ck_assert_uint_eq(sp_walk_next(&walk), objects[i]);
    core_recycle(&c, objects[9 - i % 2 * 9]); /* the last slot, or the first */
    sp_ref newcomer = core_alloc(pool);       /* gets it at once */
    ck_assert_uint_eq((uint32_t)newcomer, (uint32_t)objects[9 - i % 2 * 9]);
    objects[9 - i % 2 * 9] = newcomer;
    core_alloc(pool);
  }
  ck_assert_uint_eq(sp_walk_next(&walk), SP_NONE_REF);
  walk = sp_pool_walk(pool);
  ck_assert_int_eq(count_rest(&walk), 19);
  core_close(&c);
}
END_TEST

START_TEST(walks_may_be_nested_and_abandoned)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref objects[20];
  core_alloc_many(pool, objects, 20);
  sp_walk outer = sp_pool_walk(pool);
  int pairs = 0;
  while (sp_walk_next(&outer) != SP_NONE_REF) {
    sp_walk inner = sp_pool_walk(pool), unused = sp_pool_walk(pool);
    sp_walk_next(&unused);
    pairs += count_rest(&inner);
  }
  ck_assert_int_eq(pairs, 400);
  core_close(&c);
}
END_TEST

START_TEST(a_walk_goes_on_when_its_chunk_is_freed)
{
  core c;
  core_open(&c);
  for (int reuse = 0; reuse < 4; reuse++) {
    sp_pool *pool = core_pool(&c, "Cube"), *other = core_pool(&c, "Sphere");
    sp_ref objects[MANY];
    core_alloc_many(pool, objects, MANY);
    sp_walk walk = sp_pool_walk(pool);
    for (int i = 0; i < 256 + 10; i++)
      ck_assert_uint_eq(sp_walk_next(&walk), objects[i]);
    for (int i = reuse == 3 ? 256 : 0; i < 512; i++)
      core_recycle(&c, objects[i]);
    sp_pool_clear(pool); /* the chunk of the last object, and the one before unless objects live there */
    ck_assert_uint_eq(sp_pool_chunks(pool), reuse == 3 ? 2 : 1);
    if (reuse == 1) /* another pool takes them */
      for (int i = 0; i < 512; i++)
        core_alloc(other);
    if (reuse == 2) /* the pool gets them again */
      for (int i = 0; i < 1000; i++)
        core_alloc(pool);
    for (int i = 512; i < MANY; i++)
      ck_assert_uint_eq(sp_walk_next(&walk), objects[i]);
    ck_assert_uint_eq(sp_walk_next(&walk), SP_NONE_REF);
    core_check(c.manager);
    sp_pool_remove(pool, NULL, NULL);
    sp_pool_remove(other, NULL, NULL);
  }
  core_close(&c);
}
END_TEST

START_TEST(a_walk_goes_on_when_other_pools_come_and_go)
{
  core c;
  core_open(&c);
  sp_pool *before = core_pool(&c, "Before"), *pool = core_pool(&c, "Cube");
  core_alloc(before);
  sp_ref objects[MANY];
  core_alloc_many(pool, objects, MANY);
  sp_walk walk = sp_pool_walk(pool);
  ck_assert_uint_eq(sp_walk_next(&walk), objects[0]);
  ck_assert_int_eq(sp_pool_remove(before, NULL, NULL), SP_OK); /* the pool moves up in the list */
  core_alloc(core_pool(&c, "After"));
  ck_assert_int_eq(count_rest(&walk), MANY - 1);
  core_close(&c);
}
END_TEST

START_TEST(random_work_during_a_walk_never_shows_an_object_twice)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  uint32_t x = 12345;
  for (int round = 0; round < 50; round++) {
    static sp_ref objects[MANY];
    bool seen[MANY] = {false}, gone[MANY] = {false};
    sp_pool_recycle_all(pool);
    core_alloc_many(pool, objects, MANY);
    sp_walk walk = sp_pool_walk(pool);
    for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
      int at = 0;
      while (at < MANY && objects[at] != object)
        at++;
      ck_assert_msg(at < MANY, "not there when the walk began");
      ck_assert_msg(!seen[at] && !gone[at], "seen twice, or after its end");
      seen[at] = true;
      for (int k = 0; k < 3; k++) {
        x = x * 1664525 + 1013904223;
        int victim = (int)(x >> 8) % MANY;
        if (!gone[victim] && k < 2) {
          core_recycle(&c, objects[victim]);
          gone[victim] = true;
        } else {
          sp_pool_alloc(pool, 0, NULL);
        }
      }
      if (x >> 28 == 0)
        sp_pool_clear(pool);
    }
    for (int i = 0; i < MANY; i++)
      ck_assert(seen[i] || gone[i]);
  }
  core_close(&c);
}
END_TEST

static void recycle_next(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  sp_ref *objects = log->data;
  if (!core_is(hook, "despawn"))
    return;
  for (int i = 0; i < 9; i++)
    if (objects[i] == object)
      log->count += sp_recycle(sp_pool_manager(pool), objects[i + 1]) == SP_OK;
}

START_TEST(recycle_all_visits_what_hooks_have_not_ended)
{
  core c;
  sp_ref objects[10];
  core_log log = {.act = recycle_next, .only = "none", .data = objects};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  core_alloc_many(pool, objects, 10);
  sp_pool_recycle_all(pool);
  ck_assert_int_eq(log.count, 9); /* the first one took all others along */
  ck_assert_uint_eq(sp_pool_stats(pool).recycles, 10);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  core_close(&c);
}
END_TEST

START_TEST(idle_objects_are_listed_longest_idle_first)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_pool_prewarm(pool, 3, NULL);
  ck_assert_str_eq(core_idle_order(pool), "1 2 3");
  sp_ref object = core_alloc(pool);
  ck_assert_str_eq(core_idle_order(pool), "2 3");
  ck_assert_str_eq(core_walk_order(pool), "1");
  core_recycle(&c, object);
  ck_assert_str_eq(core_idle_order(pool), "2 3 1");
  ck_assert_uint_eq(sp_pool_idle_at(pool, 3), SP_NONE_REF);
  ck_assert_uint_eq(sp_pool_idle_at(pool, UINT32_MAX), SP_NONE_REF);
  core_close(&c);
}
END_TEST

Suite *sp_suite_walk(void)
{
  Suite *suite = suite_create("walk");
  core_case(suite, "order", an_empty_pool_has_an_empty_walk, a_walk_goes_in_slot_order_over_what_lives,
            idle_objects_are_listed_longest_idle_first);
  core_case(suite, "changes on the way", each_object_may_be_recycled_as_it_is_reached,
            what_is_recycled_before_it_is_reached_is_not_visited, what_is_spawned_meanwhile_is_not_visited,
            walks_may_be_nested_and_abandoned, a_walk_goes_on_when_its_chunk_is_freed,
            a_walk_goes_on_when_other_pools_come_and_go, random_work_during_a_walk_never_shows_an_object_twice,
            recycle_all_visits_what_hooks_have_not_ended);
  return suite;
}
