/*
** sp_pool_alloc_cell: an object and its memory in one call.
*/
#include "support/core_fixture.h"
#include "support/test.h"

enum { COUNT = SP_FIELDS, KEPT };

static sp_pool *pool_of(core *c, const char *type, const sp_field *fields, int count, bool spatial)
{
  sp_pool_desc desc = test_desc(type);
  desc.spatial = spatial;
  desc.fields = fields;
  desc.field_count = count;
  return core_pool_with(c, &desc);
}

static test_group alloc_cell = {"alloc_cell"};
static test_group redefined = {"redefined"};

CORE_TEST(alloc_cell, alloc_cell_is_alloc_and_tells_where_the_cell_lies)
{
  const int seven = 7;
  const sp_field fields[] = {{"count", &seven, sizeof seven, false, false}, {"kept", NULL, 64, true, false}};
  for (int spatial = 0; spatial < 2; spatial++) {
    sp_pool *pool = pool_of(c, spatial ? "Spatial" : "Plain", fields, 2, spatial);
    for (int i = 0; i < 600; i++) {
      sp_ref object;
      sp_result why = SP_OK;
      double lifetime = i % 3 == 0 ? 0 : i;
      int column = i % 2 ? COUNT : KEPT;
      void *cell = sp_pool_alloc_cell(pool, lifetime, column, &object, &why);
      ck_assert_ptr_nonnull(cell);
      ck_assert_ptr_eq(cell, sp_cell(c->manager, object, column));
      ck_assert(sp_is_live(c->manager, object));
      ck_assert_double_eq(sp_lifetime(c->manager, object), lifetime);
      ck_assert_int_eq(*(const int *)sp_peek(c->manager, object, COUNT), 7);
      *(int *)sp_cell(c->manager, object, COUNT) = i;
      if (i % 5)
        core_recycle(c, object);
    }
  }
}

CORE_TEST(alloc_cell, a_cell_that_is_kept_is_handed_out_as_it_was_left)
{
  const sp_field field = {"bytes", NULL, 8, true, false};
  sp_pool *pool = pool_of(c, "Block", &field, 1, false);
  sp_ref objects[320], object;
  for (int round = 0; round < 4; round++) {
    for (uint64_t i = 0; i < 320; i++) {
      uint64_t *cell = sp_pool_alloc_cell(pool, 0, COUNT, &objects[i], NULL);
      ck_assert_ptr_nonnull(cell);
      ck_assert_ptr_eq(cell, sp_cell(c->manager, objects[i], COUNT));
      ck_assert(sp_is_live(c->manager, objects[i]));
      ck_assert_uint_eq(*cell, round == 0 ? 0 : sp_object_number(c->manager, objects[i]));
      *cell = sp_object_number(c->manager, objects[i]);
    }
    core_check(c->manager);
    for (int i = 0; i < 320; i++)
      core_recycle(c, objects[i]);
    ck_assert_uint_eq(sp_pool_stats(pool).allocs, 320u * (unsigned)(round + 1));
  }
  ck_assert_ptr_nonnull(sp_pool_alloc_cell(pool, 0, COUNT, &object, NULL));
  ck_assert_ptr_null(sp_pool_alloc_cell(pool, 0, KEPT, &object, NULL)); /* there is no such column */
}

static bool recycle_at_once(void *ud, sp_pool *pool, sp_ref object, bool fresh)
{
  (void)ud, (void)fresh;
  return sp_recycle(sp_pool_manager(pool), object) == SP_OK;
}

CORE_TEST(alloc_cell, alloc_cell_that_is_refused_gives_neither)
{
  const sp_field field = {"bytes", NULL, 64, true, false};
  sp_pool *pool = pool_of(c, "Plain", &field, 1, false);
  const int wrong[] = {-1, SP_X, SP_FIELDS + 1, SP_FIELDS + SP_MAX_FIELDS, 1 << 20};
  sp_ref object;
  sp_result why;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    object = 1, why = SP_OK;
    ck_assert_ptr_null(sp_pool_alloc_cell(pool, 0, wrong[i], &object, &why));
    ck_assert_int_eq(why, SP_INVALID);
    ck_assert_uint_eq(object, SP_NONE_REF);
  }
  ck_assert_ptr_null(sp_pool_alloc_cell(pool, -1, COUNT, &object, &why));
  ck_assert_int_eq(why, SP_INVALID);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  sp_pool_set_hooks(pool, &(sp_hooks){.on_spawn = recycle_at_once});
  ck_assert_ptr_null(sp_pool_alloc_cell(pool, 0, COUNT, &object, &why));
  ck_assert_int_eq(why, SP_RECYCLED);
  ck_assert_uint_eq(object, SP_NONE_REF);
}

/* Takes the column away that is asked for, or makes it smaller. */
static bool redefine_it(void *ud, sp_pool *pool, sp_ref object, bool fresh)
{
  const sp_field byte = {"byte", NULL, 1, false, false};
  sp_pool_desc desc = test_desc("Plain");
  (void)object, (void)fresh;
  desc.spatial = false;
  desc.fields = &byte;
  desc.field_count = *(const int *)ud;
  return sp_pool_redefine(pool, &desc) == SP_OK;
}

TESTS(redefined, alloc_cell_hands_out_no_column_that_on_spawn_took_away, 2)
{
  core c;
  core_open(&c);
  const sp_field fields[] = {{"bytes", NULL, 64, true, false}, {"more", NULL, 64, true, false}};
  sp_pool *pool = pool_of(&c, "Plain", fields, 2, false);
  int left = _i;
  sp_pool_set_hooks(pool, &(sp_hooks){.ud = &left, .on_spawn = redefine_it});
  sp_ref object = 1;
  sp_result why = SP_OK;
  ck_assert_ptr_null(sp_pool_alloc_cell(pool, 0, SP_FIELDS, &object, &why));
  ck_assert_int_eq(why, SP_INVALID);
  ck_assert_uint_eq(object, SP_NONE_REF);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  ck_assert_uint_eq(sp_pool_stats(pool).allocs, 0);
  core_close(&c);
}

SUITE(alloc_cell, &alloc_cell, &redefined)
