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
