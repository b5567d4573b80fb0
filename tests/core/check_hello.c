/*
** A tour of the core in the order in which a game meets it. The other suites of this folder take one noun each.
*/
#include "support/core_fixture.h"

#include <check.h>
#include <math.h>

START_TEST(hello_pools)
{
  /* A manager owns pools and one clock. NULL asks for the defaults: 60 ticks a second, memory from realloc. */
  sp_manager *game = sp_open(NULL, NULL);
  ck_assert_ptr_nonnull(game);

  /* A pool keeps the objects of one type. */
  sp_pool_desc desc = {.type = "Cube", .spatial = true};
  sp_pool *cubes = sp_add_pool(game, &desc, NULL);
  ck_assert_ptr_nonnull(cubes);

  /* The first object makes `grow` of them: one is handed out, the others wait. */
  sp_ref cube = sp_pool_alloc(cubes, 0, NULL);
  ck_assert(sp_is_live(game, cube));
  ck_assert_uint_eq(sp_pool_live(cubes), 1);
  ck_assert_uint_eq(sp_pool_idle(cubes), SP_DEFAULT_GROW - 1u);

  /* recycle gives it back. The reference is stale from now on, and whatever is done with it is refused. */
  ck_assert_int_eq(sp_recycle(game, cube), SP_OK);
  ck_assert(!sp_is_live(game, cube));
  ck_assert_int_eq(sp_recycle(game, cube), SP_STALE);
  ck_assert_ptr_null(sp_cell(game, cube, SP_X));

  ck_assert_int_eq(sp_close(game), SP_OK);
}
END_TEST

START_TEST(hello_lifetimes)
{
  sp_manager *game = sp_open(NULL, NULL);
  sp_pool_desc desc = {.type = "Spark", .spatial = true};
  sp_pool *sparks = sp_add_pool(game, &desc, NULL);

  /* A lifetime above 0 recycles by itself, 0 never does. */
  sp_ref brief = sp_pool_alloc(sparks, 0.5, NULL), endless = sp_pool_alloc(sparks, 0, NULL);

  for (int frame = 0; frame < 29; frame++)
    sp_update(game, 1.0 / 60);
  ck_assert(sp_is_live(game, brief));
  sp_update(game, 1.0 / 60); /* half a second has passed */
  ck_assert(!sp_is_live(game, brief));
  ck_assert(sp_is_live(game, endless));
  ck_assert_uint_eq(sp_pool_stats(sparks).expired, 1);

  /* What is left of a life can be read and changed. */
  ck_assert_int_eq(sp_set_remaining(game, endless, 2), SP_OK);
  ck_assert_double_eq(sp_remaining(game, endless), 2);
  ck_assert_int_eq(sp_set_remaining(game, endless, INFINITY), SP_OK);
  sp_update(game, 10);
  ck_assert(sp_is_live(game, endless));

  ck_assert_int_eq(sp_close(game), SP_OK);
}
END_TEST

START_TEST(hello_fields)
{
  /* A type has the built-in columns (place, motion, look) and fields of its own. */
  const int full = 3;
  const sp_field fields[] = {{"health", &full, sizeof full, false, false}};
  sp_manager *game = sp_open(NULL, NULL);
  sp_pool_desc desc = {.type = "Enemy", .spatial = true};
  desc.fields = fields;
  desc.field_count = 1;
  desc.settings.grow = 1;
  sp_pool *enemies = sp_add_pool(game, &desc, NULL);
  const int health = SP_FIELDS + 0;

  sp_ref enemy = sp_pool_alloc_at(enemies, 0, &(sp_place){10, 20, 0}, NULL);
  *(int *)sp_cell(game, enemy, health) -= 2;
  *(float *)sp_cell(game, enemy, SP_VX) = 100;
  sp_update(game, 0.5); /* velocities move what is live */
  ck_assert_float_eq(*(const float *)sp_peek(game, enemy, SP_X), 60);
  ck_assert_int_eq(*(const int *)sp_peek(game, enemy, health), 1);

  /* The next life in that slot starts from the description, not from what the last one left. */
  sp_recycle(game, enemy);
  sp_ref next = sp_pool_alloc(enemies, 0, NULL);
  ck_assert_uint_eq(sp_object_number(game, next), sp_object_number(game, enemy));
  ck_assert_uint_ne(next, enemy);
  ck_assert_int_eq(*(const int *)sp_peek(game, next, health), 3);
  ck_assert_float_eq(*(const float *)sp_peek(game, next, SP_X), 0);

  ck_assert_int_eq(sp_close(game), SP_OK);
}
END_TEST

START_TEST(hello_limits)
{
  /* `limit` caps the live objects; `overflow` says what happens there. */
  sp_manager *game = sp_open(NULL, NULL);
  sp_pool_desc desc = {.type = "Decal", .spatial = true};
  desc.settings.limit = 2;
  sp_pool *decals = sp_add_pool(game, &desc, NULL);
  sp_ref first = sp_pool_alloc(decals, 0, NULL);
  sp_ref second = sp_pool_alloc(decals, 0, NULL);
  sp_result why = SP_OK;
  ck_assert_uint_eq(sp_pool_alloc(decals, 0, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_FULL);

  desc.settings.overflow = SP_OVERFLOW_OLDEST;
  ck_assert_int_eq(sp_pool_configure(decals, &desc.settings), SP_OK);
  sp_ref third = sp_pool_alloc(decals, 0, NULL);
  ck_assert(!sp_is_live(game, first)); /* it made room */
  ck_assert(sp_is_live(game, second));
  ck_assert(sp_is_live(game, third));

  ck_assert_int_eq(sp_close(game), SP_OK);
}
END_TEST

START_TEST(hello_walks)
{
  sp_manager *game = sp_open(NULL, NULL);
  sp_pool_desc desc = {.type = "Bullet", .spatial = true};
  sp_pool *bullets = sp_add_pool(game, &desc, NULL);
  for (int i = 0; i < 10; i++)
    *(float *)sp_cell(game, sp_pool_alloc(bullets, 0, NULL), SP_X) = (float)i;

  /* A walk sees what was live when it began. Recycling on the way is fine, and so is spawning. */
  int seen = 0;
  sp_walk walk = sp_pool_walk(bullets);
  for (sp_ref bullet; (bullet = sp_walk_next(&walk)) != SP_NONE_REF; seen++)
    if (*(const float *)sp_peek(game, bullet, SP_X) >= 5)
      sp_recycle(game, bullet);
    else
      sp_pool_alloc(bullets, 0, NULL);
  ck_assert_int_eq(seen, 10);
  ck_assert_uint_eq(sp_pool_live(bullets), 10);

  ck_assert_int_eq(sp_close(game), SP_OK);
}
END_TEST

/* A hook is a function of the type; `ud` is yours. This one lets every ghost leave another behind, once. */
static void haunt(void *ud, sp_pool *ghosts, sp_ref ghost, sp_why why)
{
  int *left = ud;
  (void)ghost;
  if (why == SP_WHY_EXPIRED && (*left)-- > 0)
    sp_pool_alloc(ghosts, 1, NULL);
}

START_TEST(hello_hooks)
{
  int left = 3;
  sp_manager *game = sp_open(NULL, NULL);
  sp_pool_desc desc = {.type = "Ghost", .spatial = true};
  desc.hooks = (sp_hooks){.ud = &left, .on_despawn = haunt};
  sp_pool *ghosts = sp_add_pool(game, &desc, NULL);
  sp_pool_alloc(ghosts, 1, NULL);
  for (int second = 1; second <= 3; second++) {
    sp_update(game, 1);
    ck_assert_uint_eq(sp_pool_live(ghosts), 1);
  }
  sp_update(game, 1);
  ck_assert_uint_eq(sp_pool_live(ghosts), 0);
  ck_assert_uint_eq(sp_pool_stats(ghosts).allocs, 4);
  ck_assert_int_eq(sp_close(game), SP_OK);
}
END_TEST

Suite *sp_suite_hello(void)
{
  Suite *suite = suite_create("hello");
  core_case(suite, "tour", hello_pools, hello_lifetimes, hello_fields, hello_limits, hello_walks, hello_hooks);
  return suite;
}
