/*
** Memory, counted in bytes and calls: a pool grows in small steps without moving anything, a small one is small, one
** that was large costs what its live objects cost, and lives that come and go leave nothing behind. The games of the
** model have allocations refused.
*/
#include "support/core_fixture.h"
#include "support/core_tape.h"
#include "support/test.h"

#include <stddef.h>
#include <stdlib.h>

/* {== Growth ============================================================= */

static test_group growth = {"growth"};

/* A memory hook that notes what it gave. */
typedef struct meter {
  size_t used, largest; /* of one block */
} meter;

static void *measured(void *ud, void *ptr, size_t old_size, size_t new_size)
{
  meter *m = ud;
  m->used += new_size - old_size;
  m->largest = new_size > m->largest ? new_size : m->largest;
  if (new_size > 0)
    return realloc(ptr, new_size);
  free(ptr);
  return NULL;
}

enum { MANY = 300000 };

/* With lifetimes there is one more list that grows. */
TESTS(growth, no_alloc_waits_for_a_large_block_and_no_cell_moves, 2)
{
  meter used = {0};
  sp_manager *m = sp_manager_open(&TEST_OPTIONS(.memory = measured, .memory_ud = &used), NULL);
  sp_pool *p = sp_manager_add_pool(m, &TEST_DESC(.type = "Grain", .spatial = true, .settings.grow = 1), NULL);
  const sp_ref first = sp_pool_alloc(p, 0, NULL, NULL);
  const void *cell = sp_object_peek(m, first, SP_X);
  for (int i = 1; i < MANY; i++)
    must(sp_pool_alloc(p, _i ? 1 + i % 50 : 0, NULL, NULL) != SP_NULL_REF);
  ck_assert_uint_le(used.largest, 2 * MANY); /* two bytes an object: the list of chunks, with room for as many again */
  ck_assert_uint_le(used.used, (size_t)MANY * (80 + 16 * (size_t)_i) * 5 / 4);
  ck_assert_ptr_eq(sp_object_peek(m, first, SP_X), cell);
  sp_manager_close(m);
}

POOL_TEST(growth, a_parent_that_finds_no_memory_is_not_set)
{
  const sp_ref child = core_alloc(pool), parent = core_alloc(pool);
  const uint64_t hash = sp_manager_hash(c->manager);
  c->memory.fail_at = c->memory.calls + 1;
  ck_assert(sp_object_set_parent(c->manager, child, parent) == SP_MEMORY && sp_manager_hash(c->manager) == hash);
  ck_assert_int_eq(sp_object_set_parent(c->manager, child, parent), SP_OK);
}

CORE_TEST(growth, a_small_pool_is_small)
{
  sp_pool_desc desc = TEST_DESC(.type = "Grain", .spatial = true, .settings.grow = 1);
  core_alloc(core_pool_with(c, &desc));
  ck_assert_uint_le(c->memory.bytes, 16 * 1024);
  const size_t before = c->memory.bytes;
  desc.type = "Other";
  core_alloc(core_pool_with(c, &desc));
  ck_assert_uint_le(c->memory.bytes - before, 8 * 1024);
}

static const int one = 1;
static const sp_field fields[] = {{"a", &one, 4, false, false}, {"b", NULL, 8, true, false}};

CORE_TEST(growth, an_idle_slot_costs_no_more_than_its_columns_and_32_bytes)
{
  sp_pool_desc desc = TEST_DESC(.type = "Cube", .fields = fields, .field_count = 2, .settings.prealloc = 1 << 16);
  const size_t before = c->memory.bytes, life = 32, own = 4 + 8; /* the first column says what is known of the life */
  sp_pool *pool = core_pool_with(c, &desc);
  ck_assert_uint_le(c->memory.bytes - before, desc.settings.prealloc * (own + life + 32));
  const size_t all = sp_stats_of(pool).bytes;
  sp_pool_trim(pool, 0);
  ck_assert_uint_lt(sp_stats_of(pool).bytes, all / 10);
}

/* The bytes of a save of ten live objects in a pool that once had `peak`. */
static size_t saved_size(uint32_t peak)
{
  core c;
  core_open(&c);
  sp_pool *p = core_pool(&c, "Grain");
  for (uint32_t i = 0; i < peak; i++)
    sp_pool_alloc(p, i % (peak / 10) ? STEP : 0, NULL, NULL);
  core_tick(&c, 1);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  core_tape t = core_save(c.manager);
  for (uint32_t i = 0; i < peak; i++) /* the snapshot has all the same */
    sp_pool_alloc(p, 1, NULL, NULL);
  const uint64_t hash = sp_manager_hash(c.manager);
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  ck_assert(sp_pool_live(p) == 10 && sp_manager_hash(c.manager) != hash);
  sp_snapshot_free(s);
  free(t.bytes);
  core_close(&c);
  return t.size;
}

TEST(growth, a_save_of_ten_of_a_hundred_thousand_is_hardly_larger_than_one_of_ten)
{
  ck_assert_uint_le(saved_size(100000), 2 * saved_size(10));
}

/* }== */

/* {== Lives that come and go ============================================= */

static test_group lives = {"lives"};

CORE_TEST(lives, allocate_no_memory_once_the_pool_is_warm)
{
  sp_pool *pools[5];
  for (int i = 0; i < 5; i++) {
    sp_pool_desc desc = test_desc((const char *[]){"Compact", "Fifo", "Lifo", "Oldest", "Grow"}[i]);
    desc.settings.limit = i < 3 ? SP_UNLIMITED : 64;
    desc.settings.order = (sp_order)(i % 3);
    desc.settings.overflow = i == 3 ? SP_OVERFLOW_OLDEST : i == 4 ? SP_OVERFLOW_GROW : SP_OVERFLOW_REFUSE;
    desc.fields = fields;
    desc.field_count = 2;
    pools[i] = core_pool_with(c, &desc);
  }
  size_t warm = 0;
  for (int i = 0; i < 60000; i++) {
    warm = i == 20000 ? c->memory.calls : warm;
    sp_ref timed = sp_pool_alloc(pools[i % 5], (1 + i % 50) * STEP, NULL, NULL),
           endless = sp_pool_alloc(pools[i % 5], 0, NULL, NULL);
    if (timed)
      *(float *)sp_object_cell(c->manager, timed, SP_VX) = 1;
    if (i % 3 == 0)
      sp_object_recycle(c->manager, timed);
    sp_object_recycle(c->manager, endless);
    if (i % 8 == 0)
      sp_manager_update(c->manager, STEP);
    must(i % 1000 || sp_total_of(c->manager).bytes == c->memory.bytes);
  }
  ck_assert_uint_eq(c->memory.calls, warm);
  ck_assert_uint_gt(sp_total_of(c->manager).recycles, 100000);
}

/* }== */

SUITE(memory, &growth, &lives)
