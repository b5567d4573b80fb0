/*
** Snapshots: a manager that is put back goes on as it did, whatever happened meanwhile, and the hash tells.
*/
#include "support/core_fixture.h"
#include "support/test.h"

/* {== Rollback =========================================================== */

static test_group rollback = {"rollback"};
static test_group restored = {"restored"};
static test_group refusals_tests = {"refusals"};

TEST(rollback, a_snapshot_outlives_its_manager)
{
  const sp_options options = {.id = 1};
  sp_manager *first = sp_open(&options, NULL), *second = sp_open(&options, NULL);
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

/* Rollback meets this when a type is used for the first time. */
TEST(restored, a_pool_made_since_counts_for_nothing_until_it_is_used_again)
{
  static const sp_pool_desc then = {.type = "Then"}, since = {.type = "Since", .settings = {.prealloc = 70, .grow = 3}};
  core k;
  core_open(&k);
  sp_manager *m = k.manager;
  sp_pool *a = sp_add_pool(m, &then, NULL);
  sp_pool_alloc(a, 0, NULL);
  sp_snapshot *s = sp_snapshot_take(m, NULL, NULL);
  uint64_t before = sp_hash(m);
  sp_pool *b = sp_add_pool(m, &since, NULL);
  sp_ref first = sp_pool_alloc(b, 2, NULL);
  sp_pool *c = sp_add_pool(m, &(sp_pool_desc){.type = "Last"}, NULL);
  sp_pool_alloc(c, 0, NULL);
  uint64_t after = sp_hash(m);
  sp_snapshot *both = sp_snapshot_take(m, NULL, NULL);

  ck_assert_int_eq(sp_snapshot_restore(m, s), SP_OK);
  ck_assert_uint_eq(sp_hash(m), before);
  ck_assert_uint_eq(sp_count_pools(m), 1);
  ck_assert_ptr_eq(sp_find_pool(m, "Since"), b);
  ck_assert_uint_eq(sp_pool_stats(b).total, 0);
  ck_assert_int_eq(sp_pool_configure(b, &since.settings), SP_OK);
  ck_assert_uint_eq(sp_hash(m), before);
  k.memory.fail_at = k.memory.calls + 1;
  k.memory.keep_failing = true;
  ck_assert_int_eq(core_refusal(b, 0), SP_MEMORY);
  ck_assert_int_eq(sp_pool_prewarm_slowly(b, 10, 1, 0), SP_MEMORY);
  ck_assert(sp_hash(m) == before && sp_count_pools(m) == 1);
  k.memory.fail_at = 0;
  ck_assert_uint_eq(sp_pool_alloc(b, 2, NULL), first);
  ck_assert_uint_eq(sp_pool_stats(b).total, 70);
  ck_assert_uint_ne(sp_pool_alloc(c, 0, NULL), SP_NONE_REF);
  ck_assert_uint_eq(sp_hash(m), after);

  ck_assert_int_eq(sp_snapshot_restore(m, s), SP_OK);
  ck_assert_int_eq(sp_snapshot_restore(m, both), SP_OK);
  ck_assert_uint_eq(sp_hash(m), after);
  ck_assert_int_eq(sp_snapshot_restore(m, s), SP_OK);
  ck_assert_int_eq(sp_pool_remove(b, NULL, NULL), SP_OK);
  ck_assert_ptr_nonnull(sp_add_pool(m, &(sp_pool_desc){.type = "New"}, NULL));
  ck_assert_str_eq(sp_pool_type(sp_get_pool(m, 1)), "New");
  sp_snapshot_free(s);
  sp_snapshot_free(both);
  core_close(&k);
}

TEST(restored, references_that_were_taken_back_count_as_given_out)
{
  core c;
  core_open(&c);
  core_recycle(&c, core_alloc(core_pool(&c, "Sphere")));
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

TEST(refusals_tests, used_again_a_snapshot_allocates_nothing)
{
  core c;
  core_open(&c);
  core_populate(&c, 700);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  sp_snapshot_restore(c.manager, s);
  uint64_t before = c.memory.calls;
  for (int i = 0; i < 10; i++) {
    ck_assert_ptr_eq(sp_snapshot_take(c.manager, s, NULL), s);
    ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  }
  ck_assert_uint_eq(c.memory.calls, before);
  sp_snapshot_free(s);
  core_close(&c);
}

/* From some point on the allocator refuses, later each time, until all goes well. A manager that has failed keeps what
   it got until then and asks for less the next time, so each time it is a new one. */
TEST(refusals_tests, refused_memory_changes_nothing)
{
  core c;
  core_open(&c);
  core_populate(&c, 700);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  sp_result why = SP_MEMORY;
  int refusals = 0;
  for (; why == SP_MEMORY; refusals++) {
    core other;
    core_open(&other);
    core_populate(&other, 0);
    uint64_t hash = sp_hash(other.manager);
    other.memory.fail_at = other.memory.calls + (size_t)refusals + 1;
    other.memory.keep_failing = true;
    why = sp_snapshot_restore(other.manager, s);
    other.memory.fail_at = 0;
    core_check(other.manager);
    ck_assert_uint_eq(sp_hash(other.manager), why == SP_OK ? sp_hash(c.manager) : hash);
    core_close(&other);
  }
  ck_assert_int_eq(why, SP_OK);
  ck_assert_int_gt(refusals, 5);
  sp_snapshot_free(s);
  core_close(&c);
}

/* }== */

SUITE(snapshot, &rollback, &restored, &refusals_tests)
