/*
** How much memory and work a pool takes: it grows in small steps without moving anything, a small one is small, and one
** that was large costs what its live objects cost. Counted in bytes; nothing is timed.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <stdlib.h>

static test_group growth = {"growth"};
static test_group living = {"living"};

/* {== Growth ============================================================= */

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

static sp_pool *open_measured(meter *m, sp_manager **manager)
{
  *m = (meter){0};
  *manager = sp_open(&(sp_options){.memory = measured, .memory_ud = m}, NULL);
  return sp_add_pool(*manager, &(sp_pool_desc){.type = "Grain", .spatial = true, .settings.grow = 1}, NULL);
}

enum { MANY = 300000 };

/* With lifetimes there is one more list that grows. */
TESTS(growth, no_alloc_waits_for_a_large_block_and_no_cell_moves, 2)
{
  meter used;
  sp_manager *m;
  sp_pool *p = open_measured(&used, &m);
  const sp_ref first = sp_pool_alloc(p, 0, NULL);
  const void *cell = sp_peek(m, first, SP_X);
  for (int i = 1; i < MANY; i++)
    must(sp_pool_alloc(p, _i ? 1 + i % 50 : 0, NULL) != SP_NONE_REF);
  ck_assert_uint_le(used.largest, MANY); /* a byte an object: the list of chunks, which has room for as many again */
  ck_assert_uint_le(used.used, (size_t)MANY * (84 + 16 * (size_t)_i) * 5 / 4);
  ck_assert_ptr_eq(sp_peek(m, first, SP_X), cell);
  sp_close(m);
}

TEST(growth, a_small_pool_is_small)
{
  meter used;
  sp_manager *m;
  sp_pool *p = open_measured(&used, &m);
  sp_pool_alloc(p, 0, NULL);
  ck_assert_uint_le(used.used, 16 * 1024);
  const size_t before = used.used;
  p = sp_add_pool(m, &(sp_pool_desc){.type = "Other", .spatial = true, .settings.grow = 1}, NULL);
  sp_pool_alloc(p, 0, NULL);
  ck_assert_uint_le(used.used - before, 8 * 1024);
  sp_close(m);
}

/* }== */

/* {== What lives ========================================================= */

typedef struct costs {
  size_t snapshot, save;
  uint64_t hash;
} costs;

static bool count_bytes(void *ud, const void *bytes, size_t size)
{
  (void)bytes;
  *(size_t *)ud += size;
  return true;
}

/* Ten live objects, with lifetimes if `timed`, of a pool that once had `peak`. */
static costs costs_of(uint32_t peak, bool timed)
{
  core c;
  core_open(&c);
  sp_pool *p = core_pool(&c, "Grain");
  sp_ref *objects = malloc(peak * sizeof *objects);
  ck_assert_ptr_nonnull(objects);
  for (uint32_t i = 0; i < peak; i++)
    objects[i] = sp_pool_alloc(p, timed ? 1000 : 0, NULL);
  for (uint32_t i = 0; i < peak; i++)
    if (i % (peak / 10) != 0)
      core_recycle(&c, objects[i]);
  costs of = {.hash = sp_hash(c.manager)};
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  of.snapshot = sp_snapshot_bytes(s);
  ck_assert_int_eq(sp_save(c.manager, count_bytes, &of.save), SP_OK);
  for (uint32_t i = 0; i < peak; i++) /* the snapshot has all the same */
    sp_pool_alloc(p, 1, NULL);
  core_tick(&c, 70);
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  ck_assert_uint_eq(sp_hash(c.manager), of.hash);
  core_check(c.manager);
  sp_snapshot_free(s);
  free(objects);
  core_close(&c);
  return of;
}

TEST(living, ten_of_a_hundred_thousand_are_copied_like_ten)
{
  costs small = costs_of(10, false), large = costs_of(100000, false);
  ck_assert_uint_le(large.snapshot, 20 * small.snapshot);
  ck_assert_uint_le(large.save, 20 * small.save);
}

TEST(living, objects_with_an_end_are_restored_among_those_that_rest)
{
  costs once = costs_of(5000, true), again = costs_of(5000, true);
  ck_assert_uint_eq(once.hash, again.hash);
}

/* A walk and an update leave out what has no life, and find what has it again. */
TEST(living, a_chunk_that_rested_moves_again)
{
  core c;
  core_open(&c);
  sp_pool *p = core_pool(&c, "Grain");
  static sp_ref objects[1000];
  core_alloc_many(p, objects, 1000);
  for (int i = 0; i < 1000; i++)
    core_recycle(&c, objects[i]);
  core_tick(&c, 2);
  core_alloc_many(p, objects, 1000);
  for (int i = 0; i < 1000; i++)
    *core_float(&c, objects[i], SP_VX) = 64;
  core_tick(&c, 1);
  int count = 0;
  sp_walk walk = sp_pool_walk(p);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF; count++)
    ck_assert_float_eq(core_peek(&c, object, SP_X), 1);
  ck_assert_int_eq(count, 1000);
  core_close(&c);
}

/* }== */

SUITE(growth, &growth, &living)
