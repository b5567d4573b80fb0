/*
** Snapshots: a manager that is put back goes on as it did, whatever happened meanwhile, and the hash tells.
*/
#include "support/test.h"
#include "support/world.h"

#include <stdlib.h>
#include <string.h>

/* {== Rollback =========================================================== */

#define STEPS 10000
#define KEPT 16

static test_group rollback = {"rollback", .timeout = 60};
static test_group restored = {"restored"};
static test_group refusals_tests = {"refusals"};

TESTS(rollback, ten_thousand_steps_with_rollbacks_are_those_of_a_straight_run, 2)
{
  static uint64_t straight[STEPS + 1];
  struct {
    sp_snapshot *snapshot;
    int step;
  } kept[KEPT] = {{NULL, 0}};
  world w;
  world_open(&w);
  for (int i = 0; i < STEPS; i++) {
    straight[i] = sp_hash(w.c.manager);
    world_step(&w, (uint64_t)i);
  }
  straight[STEPS] = sp_hash(w.c.manager);
  core_close(&w.c);
  world_open(&w);
  uint64_t chance = 1;
  for (int step = 0, rollbacks = 0; step < STEPS; step++) {
    ck_assert_msg(sp_hash(w.c.manager) == straight[step], "step %d, after %d rollbacks", step, rollbacks);
    chance = world_mixed(chance + (uint64_t)_i);
    if (chance % 32 == 0) {
      int seat = (int)(chance / 32 % KEPT);
      kept[seat].snapshot = sp_snapshot_take(w.c.manager, kept[seat].snapshot, NULL);
      kept[seat].step = step;
      ck_assert_ptr_nonnull(kept[seat].snapshot);
    } else if (chance % 128 == 1 && rollbacks < 400) {
      int seat = (int)(chance / 128 % KEPT);
      if (kept[seat].snapshot && step - kept[seat].step < 500) {
        ck_assert_int_eq(sp_snapshot_restore(w.c.manager, kept[seat].snapshot), SP_OK);
        step = kept[seat].step;
        rollbacks++;
        core_check(w.c.manager);
        ck_assert_uint_eq(sp_hash(w.c.manager), straight[step]);
      }
    }
    world_step(&w, (uint64_t)step);
  }
  ck_assert_uint_eq(sp_hash(w.c.manager), straight[STEPS]);
  for (int i = 0; i < KEPT; i++)
    sp_snapshot_free(kept[i].snapshot);
  core_close(&w.c);
}

TEST(rollback, another_manager_goes_on_from_a_snapshot)
{
  world w, other;
  world_open(&w);
  world_open(&other);
  for (uint64_t i = 0; i < 3000; i++)
    world_step(&w, i);
  for (uint64_t i = 5000; i < 9000; i++)
    world_step(&other, i);
  sp_snapshot *s = sp_snapshot_take(w.c.manager, NULL, NULL);
  ck_assert_int_eq(sp_snapshot_restore(other.c.manager, s), SP_OK);
  core_check(other.c.manager);
  for (uint64_t i = 3000; i < 4000; i++) {
    world_step(&w, i);
    world_step(&other, i);
    ck_assert_uint_eq(sp_hash(w.c.manager), sp_hash(other.c.manager));
  }
  sp_snapshot_free(s);
  core_close(&w.c);
  core_close(&other.c);
}

TEST(rollback, a_snapshot_outlives_its_manager)
{
  sp_manager *first = sp_open(NULL, NULL), *second = sp_open(NULL, NULL);
  sp_pool_desc desc = test_desc("Cube");
  sp_ref object = sp_pool_alloc(sp_add_pool(first, &desc, NULL), 1, NULL);
  sp_add_pool(second, &desc, NULL);
  sp_snapshot *s = sp_snapshot_take(first, NULL, NULL);
  sp_close(first);
  ck_assert_int_eq(sp_snapshot_restore(second, s), SP_OK);
  ck_assert_double_eq(sp_remaining(second, object), 1);
  sp_snapshot_free(s);
  sp_close(second);
}

/* }== */

/* {== What is restored =================================================== */

TEST(restored, references_are_live_or_stale_as_they_were)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref live = core_alloc(pool), ended = core_alloc(pool);
  core_recycle(&c, ended);
  *core_float(&c, live, SP_X) = 7;
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  sp_ref later = core_alloc(pool);
  core_recycle(&c, live);
  core_alloc_many(pool, (sp_ref[600]){0}, 600);
  sp_stats before = sp_pool_stats(pool);
  ck_assert_uint_gt(before.live, 600);
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  ck_assert(sp_is_live(c.manager, live));
  ck_assert_float_eq(*core_float(&c, live, SP_X), 7);
  ck_assert(!sp_is_live(c.manager, ended));
  ck_assert(!sp_is_live(c.manager, later));
  ck_assert_uint_eq(sp_pool_live(pool), 1);
  ck_assert_uint_eq(core_alloc(pool), later); /* the same life begins again */
  core_check(c.manager);
  sp_snapshot_free(s);
  core_close(&c);
}

/* A manager that takes over the id hands out none of the references that were taken back. */
TEST(restored, references_that_were_taken_back_count_as_given_out)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  for (int i = 0; i < 100; i++)
    core_recycle(&c, core_alloc(pool));
  uint32_t next = sp_next_generation(c.manager);
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  ck_assert_uint_eq(sp_next_generation(c.manager), next);
  sp_snapshot_free(s);
  core_close(&c);
}

TEST(restored, fields_of_an_edited_class_keep_what_they_held)
{
  static const sp_field old[] = {{.name = "hp", .size = 4}, {.name = "gone", .size = 8}};
  static const uint32_t first = 9;
  static const sp_field new[] = {{.name = "added", .size = 4, .initial = &first}, {.name = "hp", .size = 4}};
  core c;
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = old;
  desc.field_count = 2;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref object = core_alloc(pool);
  *(uint32_t *)sp_cell(c.manager, object, SP_FIELDS) = 42;
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  core_recycle(&c, object);
  desc.fields = new;
  ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_OK);
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  ck_assert_uint_eq(*(const uint32_t *)sp_peek(c.manager, object, SP_FIELDS), 9);
  ck_assert_uint_eq(*(const uint32_t *)sp_peek(c.manager, object, SP_FIELDS + 1), 42);
  core_check(c.manager);
  sp_snapshot_free(s);
  core_close(&c);
}

TEST(restored, a_pool_that_came_later_is_empty)
{
  core c;
  core_open(&c);
  sp_pool *cubes = core_pool(&c, "Cube");
  core_alloc(cubes);
  uint64_t hash = sp_hash(c.manager);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  sp_pool *later = core_pool(&c, "Later");
  core_alloc_many(later, (sp_ref[300]){0}, 300);
  ck_assert_uint_ne(sp_hash(c.manager), hash);
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  ck_assert_uint_eq(sp_pool_live(later) + sp_pool_idle(later), 0);
  ck_assert_uint_eq(sp_pool_stats(later).created, 0);
  core_check(c.manager);
  core_alloc(later);
  core_check(c.manager);
  sp_snapshot_free(s);
  core_close(&c);
}

TEST(restored, a_pool_that_began_to_evict_knows_who_is_oldest)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool_limited(&c, "Cube", 4, SP_OVERFLOW_REFUSE);
  sp_ref objects[4];
  core_alloc_many(pool, objects, 4);
  core_recycle(&c, objects[0]);
  objects[0] = core_alloc(pool);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  sp_settings settings = sp_pool_settings(pool);
  settings.overflow = SP_OVERFLOW_OLDEST;
  ck_assert_int_eq(sp_pool_configure(pool, &settings), SP_OK);
  sp_pool_recycle_all(pool);
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  core_alloc(pool);
  ck_assert(!sp_is_live(c.manager, objects[1]));
  ck_assert(sp_is_live(c.manager, objects[0]));
  core_check(c.manager);
  sp_snapshot_free(s);
  core_close(&c);
}

/* }== */

/* {== Refusals and memory ================================================ */

TEST(refusals_tests, what_does_not_fit_is_refused_and_nothing_changes)
{
  core a, b;
  core_open(&a);
  core_open_with(&b, (sp_options){.id = 2});
  core_alloc(core_pool(&a, "Cube"));
  sp_snapshot *s = sp_snapshot_take(a.manager, NULL, NULL);
  core_alloc(core_pool(&b, "Cube"));
  uint64_t hash = sp_hash(b.manager);
  ck_assert_int_eq(sp_snapshot_restore(b.manager, s), SP_FOREIGN);
  ck_assert_uint_eq(sp_hash(b.manager), hash);
  ck_assert_int_eq(sp_pool_remove(sp_find_pool(a.manager, "Cube"), NULL, NULL), SP_OK);
  ck_assert_int_eq(sp_snapshot_restore(a.manager, s), SP_INVALID);
  sp_pool_desc plain = {.type = "Cube", .settings = test_desc("").settings};
  core_pool_with(&a, &plain);
  ck_assert_int_eq(sp_snapshot_restore(a.manager, s), SP_INVALID); /* it has no place any more */
  sp_snapshot_free(s);
  sp_snapshot_free(NULL);
  core_close(&a);
  core_close(&b);
}

static sp_result in_hook[2];

static bool take_inside(void *ud, sp_pool *pool, sp_ref object, bool fresh)
{
  (void)object;
  (void)fresh;
  sp_snapshot_take(sp_pool_manager(pool), NULL, &in_hook[0]);
  in_hook[1] = sp_snapshot_restore(sp_pool_manager(pool), *(sp_snapshot **)ud);
  return true;
}

TEST(refusals_tests, a_hook_can_neither_take_nor_restore)
{
  core c;
  sp_snapshot *s = NULL;
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.hooks.on_spawn = take_inside;
  desc.hooks.ud = &s;
  sp_pool *pool = core_pool_with(&c, &desc);
  s = sp_snapshot_take(c.manager, NULL, NULL);
  core_alloc(pool);
  ck_assert_int_eq(in_hook[0], SP_BUSY);
  ck_assert_int_eq(in_hook[1], SP_BUSY);
  sp_snapshot_free(s);
  core_close(&c);
}

TEST(refusals_tests, used_again_a_snapshot_allocates_nothing)
{
  world w;
  world_open(&w);
  for (uint64_t i = 0; i < 2000; i++)
    world_step(&w, i);
  sp_snapshot *s = sp_snapshot_take(w.c.manager, NULL, NULL);
  sp_snapshot_restore(w.c.manager, s);
  uint64_t before = w.c.memory.calls;
  for (int i = 0; i < 10; i++) {
    ck_assert_ptr_eq(sp_snapshot_take(w.c.manager, s, NULL), s);
    ck_assert_int_eq(sp_snapshot_restore(w.c.manager, s), SP_OK);
  }
  ck_assert_uint_eq(w.c.memory.calls, before);
  sp_snapshot_free(s);
  core_close(&w.c);
}

/* From some point on the allocator refuses, later each time, until all goes well. */
TEST(refusals_tests, refused_memory_changes_nothing)
{
  world w, other;
  world_open(&w);
  world_open(&other);
  for (uint64_t i = 0; i < 2500; i++)
    world_step(&w, i);
  sp_snapshot *s = sp_snapshot_take(w.c.manager, NULL, NULL);
  uint64_t hash = sp_hash(other.c.manager);
  sp_result why = SP_MEMORY;
  int refusals = 0;
  for (; why == SP_MEMORY; refusals++) {
    other.c.memory.fail_at = other.c.memory.calls + (size_t)refusals + 1;
    other.c.memory.keep_failing = true;
    why = sp_snapshot_restore(other.c.manager, s);
    other.c.memory.fail_at = 0;
    core_check(other.c.manager);
    ck_assert_uint_eq(sp_hash(other.c.manager), why == SP_OK ? sp_hash(w.c.manager) : hash);
  }
  ck_assert_int_eq(why, SP_OK);
  ck_assert_int_gt(refusals, 5);
  sp_snapshot_free(s);
  core_close(&w.c);
  core_close(&other.c);
}

/* }== */

SUITE(snapshot, &rollback, &restored, &refusals_tests)
