/*
** Memory: an allocator that refuses while a tick passes, and one that counts. The programs of the model have each of
** their allocations refused.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* {== Refusals ============================================================ */

static const int one = 1;
static const sp_field fields[] = {{"a", &one, 4, false, false}, {"b", NULL, 8, true, false}};

static int fired;
static void count_timer(void *ud, sp_ref object, uint64_t timer)
{
  (void)ud;
  (void)object;
  (void)timer;
  fired++;
}

static test_group refusal = {"refusal"};
static test_group counting = {"counting"};

TEST(refusal, a_repeating_timer_that_memory_is_refused_for_ends)
{
  core c;
  sp_options options = {.on_timer = count_timer};
  core_open_with(&c, options);
  sp_pool *pool = core_pool(&c, "Cube");
  fired = 0;
  for (int i = 0; i < 100; i++)
    must(sp_timer_start(c.manager, core_alloc(pool), STEP, STEP, NULL) != 0);
  c.memory.fail_at = c.memory.calls + 1;
  c.memory.keep_failing = true;
  core_tick(&c, 50);
  ck_assert_int_ge(fired, 100);
  core_check(c.manager);
  core_close(&c);
}

/* }== */

/* {== Counting =========================================================== */

/* As malloc may, and realloc. */
static void *filled_memory(void *ud, void *ptr, size_t old_size, size_t new_size)
{
  (void)ud;
  if (new_size == 0) {
    free(ptr);
    return NULL;
  }
  unsigned char *block = realloc(ptr, new_size);
  if (block && new_size > old_size)
    memset(block + old_size, 0xa5, new_size - old_size);
  return block;
}

TEST(counting, new_memory_may_hold_anything)
{
  sp_options options = {.memory = filled_memory};
  sp_manager *m = sp_open(&options, NULL);
  sp_pool_desc desc = {.type = "Cube", .fields = fields, .field_count = 2, .settings = {.prealloc = 2}};
  sp_pool *pool = sp_add_pool(m, &desc, NULL);
  for (int i = 0; i < 300; i++) {
    sp_ref object;
    int *cell = sp_pool_alloc_cell(pool, i % 3 == 0 ? STEP : 0, SP_FIELDS, &object, NULL);
    ck_assert_int_eq(*cell, 1);
    *cell = 2;
    ck_assert_int_eq(sp_pool_recycle(pool, object), SP_OK);
  }
  ck_assert_int_eq(sp_close(m), SP_OK);
}

CORE_TEST(counting, no_life_allocates_memory_once_the_pool_is_warm)
{
  sp_pool *pools[4];
  for (int i = 0; i < 4; i++) {
    sp_pool_desc desc = test_desc((const char *[]){"Fifo", "Lifo", "Oldest", "Grow"}[i]);
    desc.settings = (sp_settings){0, 32, i < 2 ? SP_UNLIMITED : 64, SP_UNLIMITED, SP_OVERFLOW_REFUSE, SP_ORDER_FIFO};
    desc.settings.order = i == 1 ? SP_ORDER_LIFO : SP_ORDER_FIFO;
    desc.settings.overflow = i == 2 ? SP_OVERFLOW_OLDEST : i == 3 ? SP_OVERFLOW_GROW : SP_OVERFLOW_REFUSE;
    desc.fields = fields;
    desc.field_count = 2;
    pools[i] = core_pool_with(c, &desc);
  }
  size_t warm = 0;
  for (int i = 0; i < 120000; i++) {
    if (i == 20000)
      warm = c->memory.calls;
    sp_ref timed = sp_pool_alloc(pools[i % 4], (1 + i % 50) * STEP, NULL),
           endless = sp_pool_alloc(pools[i % 4], 0, NULL);
    if (timed)
      *(float *)sp_cell(c->manager, timed, SP_VX) = 1;
    if (i % 3 == 0)
      sp_recycle(c->manager, timed);
    sp_recycle(c->manager, endless);
    if (i % 8 == 0)
      sp_update(c->manager, STEP);
  }
  ck_assert_uint_eq(c->memory.calls, warm);
  ck_assert_uint_gt(sp_total_stats(c->manager).recycles, 200000);
}

POOL_TEST(counting, the_bytes_in_the_statistics_are_the_bytes_held)
{
  for (int i = 0; i < 3000; i++) {
    sp_pool_alloc(pool, i % 2, NULL);
    if (i % 100 == 0)
      ck_assert_uint_eq(sp_total_stats(c->manager).bytes, c->memory.bytes);
  }
  size_t many = sp_pool_stats(pool).bytes;
  sp_pool_recycle_all(pool);
  sp_pool_clear(pool);
  ck_assert_uint_lt(sp_pool_stats(pool).bytes, many / 10);
}

CORE_TEST(counting, an_idle_slot_costs_no_more_than_its_columns_and_32_bytes)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.spatial = false;
  desc.fields = fields;
  desc.field_count = 2;
  size_t before = c->memory.bytes;
  desc.settings.prealloc = 1 << 16;
  core_pool_with(c, &desc);
  size_t life = 32, own = 4 + 8; /* the first column says what is known of the life */
  ck_assert_uint_le(c->memory.bytes - before, desc.settings.prealloc * (own + life + 32));
}

/* }== */

SUITE(memory, &refusal, &counting)
