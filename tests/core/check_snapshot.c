/*
** Snapshots: a manager that is put back goes on as it did, whatever happened meanwhile, and the hash tells.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <stdlib.h>

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
  sp_manager *m = sp_open(NULL, NULL);
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
  core_check(m);
  sp_snapshot_free(s);
  sp_snapshot_free(both);
  ck_assert_int_eq(sp_close(m), SP_OK);
}

TEST(restored, a_pool_that_cannot_be_used_again_for_lack_of_memory_still_counts_for_nothing)
{
  core c;
  core_open(&c);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  uint64_t before = sp_hash(c.manager);
  sp_pool *pool = sp_add_pool(c.manager, &(sp_pool_desc){.type = "Since", .settings = {.prealloc = 500}}, NULL);
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  c.memory.fail_at = c.memory.calls + 1;
  c.memory.keep_failing = true;
  sp_result why = SP_OK;
  ck_assert_uint_eq(sp_pool_alloc(pool, 0, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_MEMORY);
  ck_assert_int_eq(sp_pool_prewarm_slowly(pool, 10, 1, 0), SP_MEMORY);
  ck_assert_uint_eq(sp_hash(c.manager), before);
  ck_assert_uint_eq(sp_count_pools(c.manager), 0);
  c.memory.fail_at = 0;
  ck_assert_int_eq(sp_pool_prewarm_slowly(pool, 600, 1, 0), SP_OK);
  ck_assert_uint_eq(sp_pool_stats(pool).total, 500);
  ck_assert_uint_eq(sp_count_pools(c.manager), 1);
  sp_snapshot_free(s);
  core_close(&c);
}

static void count_destroyed(void *ud, sp_pool *pool, sp_ref object)
{
  (void)pool;
  (void)object;
  ++*(int *)ud;
}

TEST(restored, idle_objects_beyond_the_limit_of_today_are_destroyed_without_a_hook)
{
  int told = 0;
  sp_pool_desc desc = {.type = "Cube", .settings = {.prealloc = 200}};
  desc.hooks = (sp_hooks){.ud = &told, .on_destroy = count_destroyed};
  sp_manager *m = sp_open(NULL, NULL);
  sp_pool *pool = sp_add_pool(m, &desc, NULL);
  sp_ref object = sp_pool_alloc(pool, 0, NULL);
  sp_snapshot *s = sp_snapshot_take(m, NULL, NULL);
  uint64_t before = sp_hash(m);
  const sp_settings settings[] = {{.idle_limit = 5}, {.idle_limit = SP_NO_OBJECTS}, {.idle_limit = 199}};
  const uint32_t idle[] = {5, 0, 199};
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(sp_pool_configure(pool, &settings[i]), SP_OK);
    told = 0;
    ck_assert_int_eq(sp_snapshot_restore(m, s), SP_OK);
    core_check(m);
    ck_assert_int_eq(told, 0);
    ck_assert(sp_is_live(m, object));
    ck_assert_uint_eq(sp_pool_stats(pool).idle, idle[i]);
    ck_assert_uint_eq(sp_pool_stats(pool).created - sp_pool_stats(pool).destroyed, idle[i] + 1);
  }
  ck_assert_uint_eq(sp_hash(m), before);
  ck_assert_uint_ne(sp_pool_alloc(pool, 0, NULL), SP_NONE_REF);
  core_check(m);
  sp_snapshot_free(s);
  sp_close(m);
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

enum { MANY = 2000 };

static void set_order(sp_pool *pool, sp_order order)
{
  sp_settings settings = sp_pool_settings(pool);
  settings.order = order;
  ck_assert_int_eq(sp_pool_configure(pool, &settings), SP_OK);
}

/* Takes one out of the middle, unless `index` is 0, and allocates the others. */
static void use_all(sp_pool *pool, uint32_t index, sp_ref *objects)
{
  objects[0] = sp_pool_take(pool, sp_pool_idle_at(pool, index), 0, NULL);
  core_alloc_many(pool, objects + 1, MANY - 1);
}

/* Long runs of idle slots, up and down, are not copied until they are used. */
TESTS(restored, idle_objects_are_used_in_the_order_that_they_had_then, 8)
{
  static sp_ref objects[MANY], before[MANY], after[MANY];
  const sp_order now = _i & 1 ? SP_ORDER_LIFO : SP_ORDER_FIFO, other = _i & 1 ? SP_ORDER_FIFO : SP_ORDER_LIFO;
  const uint32_t index = _i & 2 ? 700 : 0;
  core c;
  core_open(&c);
  sp_pool_desc desc = {.type = "Cube", .settings.order = _i & 4 ? now : other};
  sp_pool *pool = core_pool_with(&c, &desc);
  core_alloc_many(pool, objects, MANY);
  for (int i = 0; i < MANY; i++)
    core_recycle(&c, objects[i < 900 ? i : i < 1500 ? 2399 - i : 1500 + (i - 1500) * 7 % 500]);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  const uint64_t hash = sp_hash(c.manager);
  set_order(pool, now);
  use_all(pool, index, before);
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
    ck_assert_uint_eq(sp_hash(c.manager), hash);
    if (i == 1)
      set_order(pool, other);
    set_order(pool, now);
    use_all(pool, index, after);
    ck_assert_mem_eq(after, before, sizeof after);
  }
  sp_snapshot_free(s);
  core_close(&c);
}

/* One live object in each chunk: what lies between them is not copied. */
TEST(restored, a_few_live_objects_keep_their_cells_also_where_these_lie_otherwise_now)
{
  core c;
  core_open(&c);
  const sp_field fields[] = {{.name = "kept", .size = 4, .keep = true}, {.name = "own", .size = 4}};
  sp_pool_desc desc = {.type = "Cube", .spatial = true, .fields = fields, .field_count = 2};
  for (int kept = 0; kept < 2; kept++, desc.type = "Sphere") {
    sp_ref objects[SP_CHUNK_SLOTS * 4];
    desc.fields = fields + !kept;
    desc.field_count = 1 + kept;
    sp_pool *pool = core_pool_with(&c, &desc);
    core_alloc_many(pool, objects, SP_CHUNK_SLOTS * 4);
    for (int i = 0; i < SP_CHUNK_SLOTS * 4; i++) {
      *(float *)sp_cell(c.manager, objects[i], SP_VX) = (float)i;
      *(int *)sp_cell(c.manager, objects[i], SP_FIELDS) = i;
      *(int *)sp_cell(c.manager, objects[i], SP_FIELDS + kept) = i;
      if (i % 61 != 0)
        core_recycle(&c, objects[i]);
    }
    sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
    for (int other = 0; other < 2; other++) {
      const int column = other ? SP_FIELDS : SP_FIELDS + kept;
      desc.fields = other ? fields + 1 : desc.fields;
      desc.field_count = other ? 1 : desc.field_count;
      ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_OK);
      sp_pool_recycle_all(pool);
      *(int *)sp_cell(c.manager, sp_pool_idle_at(pool, 40), SP_FIELDS) = -1;
      ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
      ck_assert_uint_eq(sp_pool_live(pool), 5);
      if (kept && !other)
        ck_assert_int_eq(*(const int *)sp_peek(c.manager, sp_pool_idle_at(pool, 40), SP_FIELDS), 41);
      for (int i = 0; i < SP_CHUNK_SLOTS * 4; i += 61) {
        ck_assert_float_eq(core_peek(&c, objects[i], SP_VX), (float)i);
        ck_assert_int_eq(*(const int *)sp_peek(c.manager, objects[i], column), i);
      }
      ck_assert_float_eq(core_peek(&c, sp_pool_idle_at(pool, 0), SP_VX), 0); /* idle objects rest */
    }
    sp_snapshot_free(s);
  }
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

TEST(refusals_tests, a_snapshot_that_finds_no_memory_is_as_it_was)
{
  core c;
  core_open(&c);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  uint64_t hash = sp_hash(c.manager);
  core_populate(&c, 700);
  for (size_t n = 1; n <= 2; n++) { /* a new one is two blocks */
    sp_result why = SP_OK;
    c.memory.fail_at = c.memory.calls + n;
    ck_assert_ptr_null(sp_snapshot_take(c.manager, NULL, &why));
    ck_assert_int_eq(why, SP_MEMORY);
  }
  c.memory.fail_at = c.memory.calls + 1;
  ck_assert_ptr_null(sp_snapshot_take(c.manager, s, NULL));
  c.memory.fail_at = 0;
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  ck_assert_uint_eq(sp_hash(c.manager), hash);
  sp_snapshot_free(s);
  core_close(&c);
}

/* }== */

SUITE(snapshot, &rollback, &restored, &refusals_tests)
