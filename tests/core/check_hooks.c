/*
** What hooks and walks meet where random games do not come: evictions inside each other, parents by the thousand, and
** chunks that are freed on the way.
*/
#include "support/core_fixture.h"
#include "support/test.h"

static test_group deep = {"deep"};

static void respawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  (void)object;
  if (*(bool *)ud && why == SP_WHY_EVICTED)
    sp_pool_alloc(pool, 0, NULL, NULL);
}

CORE_TEST(deep, evictions_inside_each_other_end_before_the_stack_does)
{
  enum { MANY = 400 };
  bool again = true; /* each that goes wants another, for which the next one must go */
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.limit = MANY;
  desc.settings.overflow = SP_OVERFLOW_OLDEST;
  desc.hooks = (sp_pool_hooks){.ud = &again, .on_despawn = respawn};
  sp_pool *pool = core_pool_with(c, &desc);
  for (int i = 0; i < MANY; i++)
    core_alloc(pool);
  sp_pool_alloc(pool, 0, NULL, NULL);
  again = false;
  const sp_stats stats = sp_stats_of(pool);
  ck_assert(stats.evicted > 50 && stats.evicted < MANY && stats.refused > 0 && stats.live <= MANY);
  core_close(c);
}

POOL_TEST(deep, a_chain_of_any_length_ends_without_deep_recursion)
{
  static sp_ref chain[20000];
  core_alloc_many(pool, chain, 20000);
  for (int i = 1; i < 2000; i++)
    must(sp_object_set_parent(c->manager, chain[i], chain[i - 1]) == SP_OK);
  core_recycle(c, chain[0]);
  ck_assert_uint_eq(sp_pool_live(pool), 18000);
  for (int i = 0; i < 2000; i++)
    must(!sp_object_is_live(c->manager, chain[i]));
  ck_assert(sp_object_is_live(c->manager, chain[2000]));
}

/* {== Chunks that go ===================================================== */

static test_group freed = {"freed"};
enum { MANY = 600, REGION = 4 * SP_CHUNK_SLOTS }; /* slots of chunks that are freed together */

/* Nobody, another pool, or the pool itself gets them again; or an object still lives in those before (_i). */
TESTS(freed, a_walk_goes_on_when_its_chunk_is_freed, 4)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube"), *other = core_pool(&c, "Sphere");
  sp_ref objects[MANY];
  core_alloc_many(pool, objects, MANY);
  sp_walk walk = sp_pool_walk(pool);
  for (int i = 0; i < REGION + 10; i++)
    ck_assert_uint_eq(sp_walk_next(&walk), objects[i]);
  for (int i = _i == 3 ? REGION : 0; i < 2 * REGION; i++)
    core_recycle(&c, objects[i]);
  uint32_t before = sp_pool_chunks(pool);
  sp_pool_trim(pool, 0);
  ck_assert_uint_eq(sp_pool_chunks(pool), before - (_i == 3 ? 4 : 8));
  for (int i = 0; i < 1000 && (_i == 1 || _i == 2); i++)
    core_alloc(_i == 1 ? other : pool);
  for (int i = 2 * REGION; i < MANY; i++)
    ck_assert_uint_eq(sp_walk_next(&walk), objects[i]);
  ck_assert_uint_eq(sp_walk_next(&walk), SP_NULL_REF);
  core_close(&c);
}

/* }== */

SUITE(hooks, &deep, &freed)
