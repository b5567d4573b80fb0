/*
** Walks: in slot order, each object that was live at the beginning, at most once, whatever is done on the way.
*/
#include "support/core_fixture.h"
#include "support/test.h"

enum { MANY = 600 }; /* more than two chunks */

static int count_rest(sp_walk *walk)
{
  int count = 0;
  while (sp_walk_next(walk) != SP_NONE_REF)
    count++;
  return count;
}

static test_group changes_on_the_way = {"changes on the way"};

CORE_TEST(changes_on_the_way, a_walk_goes_on_when_its_chunk_is_freed)
{
  for (int reuse = 0; reuse < 4; reuse++) {
    sp_pool *pool = core_pool(c, "Cube"), *other = core_pool(c, "Sphere");
    sp_ref objects[MANY];
    core_alloc_many(pool, objects, MANY);
    sp_walk walk = sp_pool_walk(pool);
    for (int i = 0; i < 256 + 10; i++)
      ck_assert_uint_eq(sp_walk_next(&walk), objects[i]);
    for (int i = reuse == 3 ? 256 : 0; i < 512; i++)
      core_recycle(c, objects[i]);
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
    core_check(c->manager);
    sp_pool_remove(pool, NULL, NULL);
    sp_pool_remove(other, NULL, NULL);
  }
}

CORE_TEST(changes_on_the_way, a_walk_goes_on_when_other_pools_come_and_go)
{
  sp_pool *before = core_pool(c, "Before"), *pool = core_pool(c, "Cube");
  core_alloc(before);
  sp_ref objects[MANY];
  core_alloc_many(pool, objects, MANY);
  sp_walk walk = sp_pool_walk(pool);
  ck_assert_uint_eq(sp_walk_next(&walk), objects[0]);
  ck_assert_int_eq(sp_pool_remove(before, NULL, NULL), SP_OK); /* the pool moves up in the list */
  core_alloc(core_pool(c, "After"));
  ck_assert_int_eq(count_rest(&walk), MANY - 1);
}

SUITE(walk, &changes_on_the_way)
