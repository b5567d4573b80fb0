/*
** The hash: equal for equal states, on every machine, and another one for whatever differs.
*/
#include "core/binding.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <string.h>

static test_group hash_tests = {"hash"};

/* Two recordings of one game, made on two machines, are compared by it. */
TEST(hash_tests, it_does_not_depend_on_the_machine)
{
  static const sp_field fields[] = {{.name = "one", .size = 1},   {.name = "two", .size = 2},
                                    {.name = "three", .size = 3}, {.name = "four", .size = 4, .keep = true},
                                    {.name = "eight", .size = 8}, {.name = "ref", .size = 8, .ref = true}};
  core c;
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = fields;
  desc.field_count = 6;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref objects[300];
  for (uint32_t i = 0; i < 300; i++) {
    objects[i] = sp_pool_alloc(pool, i % 3, NULL);
    *(uint8_t *)sp_cell(c.manager, objects[i], SP_FIELDS) = (uint8_t)(i * 5);
    *(uint16_t *)sp_cell(c.manager, objects[i], SP_FIELDS + 1) = (uint16_t)(i * 300);
    memcpy(sp_cell(c.manager, objects[i], SP_FIELDS + 2), "abc", 3);
    *(uint32_t *)sp_cell(c.manager, objects[i], SP_FIELDS + 3) = i * 70000;
    *(uint64_t *)sp_cell(c.manager, objects[i], SP_FIELDS + 4) = (uint64_t)i << 40;
    *(sp_ref *)sp_cell(c.manager, objects[i], SP_FIELDS + 5) = objects[i / 2];
    *core_float(&c, objects[i], SP_X) = (float)i * 0.5f;
  }
  sp_timer_start(c.manager, objects[7], 1, 2, NULL);
  sp_set_parent(c.manager, objects[8], objects[7]);
  core_recycle(&c, objects[9]);
  core_tick(&c, 3);
  uint64_t hash = sp_hash(c.manager);
  ck_assert_msg(hash == 0x539dfefc56560223u, "%llx", (unsigned long long)hash);
  core_close(&c);
}

/* Every byte of a cell, in each row of a chunk that is not full; and values that are exchanged. */
POOL_TEST(hash_tests, every_member_of_a_look_and_every_place_counts)
{
  sp_ref objects[7];
  core_alloc_many(pool, objects, 7);
  for (int i = 0; i < 7; i++)
    *core_float(c, objects[i], SP_X) = (float)i;
  const uint64_t before = sp_hash(c->manager);
  for (int i = 0; i < 7; i++) {
    for (int column = SP_X; column < SP_LOOK; column++) {
      float *cell = core_float(c, objects[i], column), *next = core_float(c, objects[(i + 1) % 7], column);
      const float was = *cell, other = *next;
      *cell = 9;
      ck_assert_uint_ne(sp_hash(c->manager), before);
      *cell = other, *next = was;
      ck_assert(was == other || sp_hash(c->manager) != before);
      *cell = was, *next = other;
    }
    unsigned char *look = sp_cell(c->manager, objects[i], SP_LOOK);
    for (size_t k = 0; k < offsetof(sp_look, exact); k++) {
      look[k] ^= 1;
      ck_assert_msg(sp_hash(c->manager) != before, "object %d, byte %zu of its look", i, k);
      look[k] ^= 1;
    }
  }
  ck_assert_uint_eq(sp_hash(c->manager), before);
}

typedef struct heard {
  sp_ref object;
  int calls;
  uint64_t parts[SP_PARTS];
} heard;

static void hear(void *ud, sp_ref object, int part, uint64_t number)
{
  heard *it = ud;
  must(part >= 0 && part < SP_PARTS);
  it->calls++;
  if (object == it->object)
    it->parts[part] += number;
}

POOL_TEST(hash_tests, it_tells_the_parts_of_live_objects)
{
  static const uint64_t sprites[] = {11, 22};
  sp_ref object = sp_pool_alloc(pool, 2, NULL), other = core_alloc(pool);
  heard it = {.object = object};
  const sp_hashing how = {.sprites = sprites, .sprite_count = 2, .on_part = hear, .ud = &it};
  const sp_look look = {1, 0, 0, 0, 0, 8, 5, 1, 1, 0, 0, 0};
  *(sp_look *)sp_cell(c->manager, object, SP_LOOK) = look;
  *core_float(c, object, SP_VY) = 1;
  sp_set_parent(c->manager, object, other);
  sp_timer_start(c->manager, object, 1, 0, NULL);
  uint64_t hash = sp_hash_pool(5, pool, &how), silent = sp_hash_pool(5, pool, &(sp_hashing){sprites, 2, NULL, NULL});
  ck_assert_uint_eq(hash, silent);
  ck_assert_uint_ne(hash, sp_hash_pool(5, pool, &(sp_hashing){0})); /* sprites have other numbers */
  ck_assert_uint_eq(it.parts[SP_VY], 0x3f800000);
  ck_assert_uint_eq(it.parts[SP_VX], 0);
  ck_assert_uint_eq(it.parts[SP_PART_PARENT], sp_hash_ref(c->manager, other));
  ck_assert_uint_ne(it.parts[SP_PART_BEGIN], 0);
  ck_assert_uint_ne(it.parts[SP_PART_END], 0);
  ck_assert_uint_ne(it.parts[SP_PART_TIMERS], 0);
  ck_assert_uint_eq(it.parts[SP_PART_LOOK], 0x3f800000);
  ck_assert_uint_eq(it.parts[SP_PART_LOOK + 6], 5);
  ck_assert_uint_eq(it.parts[SP_PART_LOOK + 7], 22);
  ck_assert_uint_eq(it.parts[SP_PART_LOOK + 8], 1);
  ck_assert_int_gt(it.calls, 20);
}

SUITE(hash, &hash_tests)
