/*
** Pools larger than the caches near a processor: other code hands out their objects, and it does what it does for a
** small one.
*/
#include "core/config.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <stdlib.h>

enum { MANY = SP_FAR + 1000, FEW = 2000 };

static sp_pool *open_pool(core *c, sp_order order, uint32_t prealloc)
{
  sp_pool_desc desc = test_desc("Grain");
  desc.spatial = false;
  desc.settings.order = order;
  desc.settings.prealloc = prealloc;
  core_open(c);
  return core_pool_with(c, &desc);
}

/* Past the peak of before there is something to count: the plain ways of alloc begin below it. */
static void reach_a_peak(core *c, sp_pool *pool, sp_ref *objects, int count)
{
  core_alloc_many(pool, objects, count);
  for (int i = 0; i < count; i++)
    core_recycle(c, objects[i]);
}

static test_group tcase = {"far"};

TESTS(tcase, everybody_of_a_large_pool_comes_once, SP_ORDER_COUNT)
{
  core c;
  sp_pool *pool = open_pool(&c, (sp_order)_i, MANY);
  sp_ref *objects = malloc(MANY * sizeof *objects);
  unsigned char *seen = calloc(MANY + 1, 1);
  ck_assert(objects && seen);
  reach_a_peak(&c, pool, objects, MANY);
  for (int i = 0; i < MANY; i++) {
    objects[i] = sp_pool_alloc(pool, i % 3 == 0 ? 1 + i % 100 * STEP : 0, NULL);
    uint32_t number = sp_object_number(c.manager, objects[i]);
    must(number >= 1 && number <= MANY && !seen[number]);
    seen[number] = 1;
  }
  ck_assert_uint_eq(sp_pool_live(pool), MANY);
  core_tick(&c, 164);
  ck_assert_uint_eq(sp_pool_live(pool), MANY - (MANY + 2) / 3);
  ck_assert_uint_eq(sp_pool_stats(pool).expired, (MANY + 2) / 3);
  core_check(c.manager);
  free(seen);
  free(objects);
  core_close(&c);
}

/* A field that is kept is never reset, which is another way of alloc. */
TESTS(tcase, a_cell_of_a_large_pool_is_that_of_its_object, 2 * SP_ORDER_COUNT)
{
  static sp_ref objects[MANY];
  const sp_field field = {.name = "mark", .size = sizeof(uint32_t), .keep = _i >= SP_ORDER_COUNT};
  core c;
  sp_pool_desc desc = test_desc("Grain");
  desc.spatial = false;
  desc.settings.order = (sp_order)(_i % SP_ORDER_COUNT);
  desc.settings.prealloc = MANY;
  desc.fields = &field;
  desc.field_count = 1;
  core_open(&c);
  sp_pool *pool = core_pool_with(&c, &desc);
  reach_a_peak(&c, pool, objects, MANY);
  for (int i = 0; i < MANY; i++) {
    uint32_t *cell = sp_pool_alloc_cell(pool, 0, SP_FIELDS, &objects[i], NULL);
    must(cell && *cell == 0 && cell == sp_peek(c.manager, objects[i], SP_FIELDS));
    if (i >= MANY / 2)
      *cell = (uint32_t)i;
  }
  ck_assert_uint_eq(sp_pool_live(pool), MANY);
  core_check(c.manager);
  core_close(&c);
}

/* The order in which idle objects come back is that of a small pool. */
TESTS(tcase, a_large_pool_keeps_the_order_of_a_small_one, SP_ORDER_COUNT)
{
  static sp_ref objects[MANY];
  static uint32_t orders[2][FEW];
  for (int large = 0; large < 2; large++) {
    core c;
    sp_pool *pool = open_pool(&c, (sp_order)_i, large ? MANY : FEW);
    int count = large ? MANY : FEW;
    reach_a_peak(&c, pool, objects, count);
    core_alloc_many(pool, objects, count);
    uint32_t base = sp_object_number(c.manager, objects[count - FEW]);
    for (int i = 0; i < FEW; i++)
      core_recycle(&c, objects[count - FEW + i * 7 % FEW]);
    for (int i = 0; i < FEW - 100; i++) {
      sp_ref object = i % 2 ? sp_pool_alloc(pool, 5, NULL) : core_alloc(pool);
      orders[large][i] = sp_object_number(c.manager, object) - base;
      if (i % 4 == 0)
        core_recycle(&c, object);
    }
    core_close(&c);
  }
  for (int i = 0; i < FEW - 100; i++)
    must(orders[0][i] == orders[1][i]);
}

SUITE(far, &tcase)
