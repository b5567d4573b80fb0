/*
** Fields: built-in columns and own ones. Every alloc starts from the description; kept fields survive; a pool may be
** described anew while its objects live.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

enum { A = SP_FIELDS, B, C };

static sp_pool *pool_of_fields(core *c, const char *type, const sp_field *fields, int count, bool spatial)
{
  sp_pool_desc desc = test_desc(type);
  desc.spatial = spatial;
  desc.fields = fields;
  desc.field_count = count;
  desc.settings.grow = 1;
  return core_pool_with(c, &desc);
}

static sp_ref next_life(core *c, sp_pool *pool, sp_ref object)
{
  core_recycle(c, object);
  sp_ref next = core_alloc(pool);
  ck_assert_uint_eq((uint32_t)next, (uint32_t)object);
  return next;
}

/* {== Reset ============================================================== */

static test_group reset = {"reset"};
static test_group access = {"access"};

CORE_TEST(reset, every_built_in_field_starts_from_the_description)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.grow = 1;
  desc.x = 1, desc.y = 2, desc.vx = 3, desc.vy = 4, desc.ax = 5, desc.ay = 6, desc.angle = 7, desc.spin = 8;
  desc.look = (sp_look){.scale = 9, .r = 0.1f, .g = 0.2f, .b = 0.3f, .a = 0.4f, .radius = 10, .layer = -3};
  desc.look.sprite = 7;
  desc.look.visible = 1;
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref object = core_alloc(pool);
  for (int life = 0; life < 3; life++, object = next_life(c, pool, object)) {
    for (int column = SP_X; column < SP_LOOK; column++) {
      ck_assert_float_eq(*(const float *)sp_peek(c->manager, object, column), (float)column + 1);
      *core_float(c, object, column) = -99;
    }
    ck_assert_mem_eq(sp_peek(c->manager, object, SP_LOOK), &desc.look, sizeof desc.look);
    memset(sp_cell(c->manager, object, SP_LOOK), 0xff, sizeof(sp_look));
  }
}

CORE_TEST(reset, own_fields_of_every_size_are_copied_and_restored)
{
  unsigned char initial[256], other[256];
  for (int i = 0; i < 256; i++)
    initial[i] = (unsigned char)(i * 7 + 1), other[i] = (unsigned char)~initial[i];
  for (uint16_t size = 1; size <= 256; size++) {
    const sp_field fields[] = {
        {"a", initial, size, false, false}, {"b", NULL, 1, false, false}, {"c", initial, size, false, false}};
    sp_pool *pool = pool_of_fields(c, "Cube", fields, 3, size % 2);
    sp_ref object = core_alloc(pool), neighbour = core_alloc(pool);
    ck_assert_mem_eq(sp_peek(c->manager, object, A), initial, size);
    ck_assert_mem_eq(sp_peek(c->manager, object, B), "", 1);
    ck_assert_mem_eq(sp_peek(c->manager, object, C), initial, size);
    memcpy(sp_cell(c->manager, object, A), other, size);
    memcpy(sp_cell(c->manager, object, C), other, size);
    *(char *)sp_cell(c->manager, object, B) = 9;
    ck_assert_mem_eq(sp_peek(c->manager, neighbour, A), initial, size);
    object = next_life(c, pool, object);
    ck_assert_mem_eq(sp_peek(c->manager, object, A), initial, size);
    ck_assert_mem_eq(sp_peek(c->manager, object, B), "", 1);
    ck_assert_mem_eq(sp_peek(c->manager, object, C), initial, size);
    sp_pool_remove(pool, NULL, NULL);
  }
}

CORE_TEST(reset, cells_are_aligned_to_what_their_size_allows)
{
  const sp_field fields[] = {{"a", NULL, 3, false, false}, {"b", NULL, 8, false, false}, {"c", NULL, 24, false, false}};
  sp_pool *pool = pool_of_fields(c, "Cube", fields, 3, true);
  for (int i = 0; i < 300; i++) {
    sp_ref object = core_alloc(pool);
    ck_assert_uint_eq((uintptr_t)sp_cell(c->manager, object, SP_X) % sizeof(float), 0);
    ck_assert_uint_eq((uintptr_t)sp_cell(c->manager, object, B) % 8, 0);
    ck_assert_uint_eq((uintptr_t)sp_cell(c->manager, object, C) % 8, 0);
  }
}

CORE_TEST(reset, the_most_fields_there_may_be)
{
  static char names[SP_MAX_FIELDS][16];
  static int initial[SP_MAX_FIELDS];
  sp_field fields[SP_MAX_FIELDS];
  for (int i = 0; i < SP_MAX_FIELDS; i++) {
    snprintf(names[i], sizeof names[i], "f%d", i);
    initial[i] = 1000 + i;
    fields[i] = (sp_field){names[i], &initial[i], sizeof(int), i % 5 == 0, false};
  }
  sp_pool *pool = pool_of_fields(c, "Cube", fields, SP_MAX_FIELDS, true);
  sp_ref object = core_alloc(pool);
  for (int i = 0; i < SP_MAX_FIELDS; i++) {
    ck_assert_int_eq(*(int *)sp_cell(c->manager, object, SP_FIELDS + i), 1000 + i);
    *(int *)sp_cell(c->manager, object, SP_FIELDS + i) = -i;
  }
  object = next_life(c, pool, object);
  for (int i = 0; i < SP_MAX_FIELDS; i++)
    ck_assert_int_eq(*(const int *)sp_peek(c->manager, object, SP_FIELDS + i), i % 5 == 0 ? -i : 1000 + i);
  ck_assert_ptr_null(sp_cell(c->manager, object, SP_FIELDS + SP_MAX_FIELDS));
}

/* }== */

/* {== Access ============================================================= */

CORE_TEST(access, columns_that_do_not_exist_have_no_cells)
{
  const sp_field fields[] = {{"a", NULL, 4, false, false}};
  sp_pool *pool = pool_of_fields(c, "Order", fields, 1, false);
  sp_ref object = core_alloc(pool);
  static const int none[] = {-1, INT32_MIN, INT32_MAX, SP_X, SP_LOOK, SP_FIELDS + 1, SP_FIELDS + SP_MAX_FIELDS,
                             64, 100};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    ck_assert_ptr_null(sp_cell(c->manager, object, none[i]));
    ck_assert_ptr_null(sp_peek(c->manager, object, none[i]));
    ck_assert_ptr_null(sp_pool_column(pool, 0, none[i]));
    ck_assert_ptr_null(sp_pool_peek(pool, 0, none[i]));
  }
  ck_assert_ptr_nonnull(sp_cell(c->manager, object, A));
  ck_assert_ptr_null(sp_pool_column(pool, 1, A));
  ck_assert_ptr_null(sp_pool_peek(pool, 1, A));
  ck_assert_ptr_null(sp_pool_live_bits(pool, 1));
  ck_assert_ptr_null(sp_pool_column(pool, UINT32_MAX, A));
}

POOL_TEST(access, whole_columns_are_the_cells_side_by_side)
{
  sp_ref objects[300];
  core_alloc_many(pool, objects, 300);
  core_recycle(c, objects[10]);
  ck_assert_uint_eq(sp_pool_chunks(pool), 5);
  for (uint32_t i = 0; i < 300; i++) {
    uint32_t chunk = i / SP_CHUNK_SLOTS, slot = i % SP_CHUNK_SLOTS;
    bool live = sp_pool_live_bits(pool, chunk)[slot / 64] >> slot % 64 & 1;
    ck_assert_int_eq(live, i != 10);
    if (live)
      ck_assert_ptr_eq((float *)sp_pool_column(pool, chunk, SP_Y) + slot, sp_cell(c->manager, objects[i], SP_Y));
    ck_assert_ptr_eq(sp_pool_peek(pool, chunk, SP_Y), sp_pool_column(pool, chunk, SP_Y));
  }
}

/* }== */

SUITE(field, &reset, &access)
