/*
** Pools: opening and finding them.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <string.h>

/* {== Opening ============================================================ */

static sp_field crowd[SP_MAX_FIELDS + 1];

static void name_crowd(void)
{
  for (int i = 0; i <= SP_MAX_FIELDS; i++) {
    static char names[SP_MAX_FIELDS + 1][4];
    names[i][0] = 'f';
    names[i][1] = (char)('0' + i / 10);
    names[i][2] = (char)('0' + i % 10);
    crowd[i] = (sp_field){names[i], NULL, 1, false, false};
  }
}

static test_group opening = {"opening", name_crowd, NULL};

TEST(opening, a_description_of_zeros_opens_a_pool)
{
  core c;
  core_open(&c);
  const sp_pool_desc desc = {.type = "Cube"};
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_settings s = sp_pool_settings(pool);
  ck_assert_uint_eq(s.prealloc, 0);
  ck_assert_uint_eq(s.grow, SP_DEFAULT_GROW);
  ck_assert_uint_eq(s.limit, SP_UNLIMITED);
  ck_assert_uint_eq(s.idle_limit, SP_UNLIMITED);
  ck_assert_int_eq(s.overflow, SP_OVERFLOW_REFUSE);
  ck_assert_int_eq(s.order, SP_ORDER_FIFO);
  ck_assert_ptr_null(sp_cell(c.manager, core_alloc(pool), SP_X));
  const sp_settings given = {.limit = SP_NO_OBJECTS, .idle_limit = SP_NO_OBJECTS};
  ck_assert_int_eq(sp_pool_configure(pool, &given), SP_OK);
  s = sp_pool_settings(pool);
  ck_assert_uint_eq(s.limit, SP_NO_OBJECTS);
  ck_assert_uint_eq(s.idle_limit, SP_NO_OBJECTS);
  ck_assert_int_eq(sp_pool_configure(pool, &s), SP_OK);
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
  core_close(&c);
}

static sp_look look_of_first(core *c, sp_look given)
{
  const sp_pool_desc desc = {.type = "Cube", .spatial = true, .look = given};
  sp_pool *pool = core_pool_with(c, &desc);
  const sp_look look = *(const sp_look *)sp_peek(c->manager, core_alloc(pool), SP_LOOK);
  sp_pool_remove(pool, NULL, NULL);
  return look;
}

TEST(opening, a_look_of_zeros_is_the_default_one_unless_it_is_exact)
{
  core c;
  core_open(&c);
  const sp_look standard = SP_DEFAULT_LOOK, zeros = {0};
  sp_look look = look_of_first(&c, zeros);
  ck_assert_mem_eq(&look, &standard, sizeof look);
  look = look_of_first(&c, (sp_look){.exact = 1});
  ck_assert_mem_eq(&look, &zeros, sizeof look);
  look = look_of_first(&c, (sp_look){.layer = 3});
  ck_assert_int_eq(look.layer, 3);
  ck_assert_float_eq(look.scale, 1);
  core_close(&c);
}

CORE_TEST(opening, a_pool_knows_its_type_manager_and_user)
{
  char type[] = "Cube";
  sp_pool_desc desc = test_desc(type);
  desc.user = c;
  sp_pool *pool = core_pool_with(c, &desc);
  memset(type, 'x', sizeof type - 1);
  ck_assert_str_eq(sp_pool_type(pool), "Cube"); /* a copy */
  ck_assert_ptr_eq(sp_pool_user(pool), c);
  ck_assert_ptr_eq(sp_pool_manager(pool), c->manager);
  ck_assert(sp_pool_is_spatial(pool));
}

CORE_TEST(opening, pools_are_found_by_type_and_listed_in_order_of_creation)
{
  ck_assert_uint_eq(sp_count_pools(c->manager), 0);
  ck_assert_ptr_null(sp_get_pool(c->manager, 0));
  sp_pool *pools[20];
  char name[] = "A";
  for (int i = 0; i < 20; i++, name[0]++)
    pools[i] = core_pool(c, name);
  ck_assert_uint_eq(sp_count_pools(c->manager), 20);
  ck_assert_ptr_eq(sp_find_pool(c->manager, "C"), pools[2]);
  ck_assert_ptr_null(sp_find_pool(c->manager, "c"));
  ck_assert_ptr_null(sp_find_pool(c->manager, ""));
  ck_assert_int_eq(sp_pool_remove(pools[2], NULL, NULL), SP_OK);
  ck_assert_ptr_null(sp_find_pool(c->manager, "C"));
  ck_assert_uint_eq(sp_count_pools(c->manager), 19);
  for (uint32_t i = 0; i < 19; i++)
    ck_assert_ptr_eq(sp_get_pool(c->manager, i), pools[i < 2 ? i : i + 1]);
  ck_assert_ptr_null(sp_get_pool(c->manager, 19));
  sp_pool *again = core_pool(c, "C");
  ck_assert_ptr_eq(sp_get_pool(c->manager, 19), again);
}

/* }== */

SUITE(pool, &opening)
