/*
** What a program in C meets first: ids of managers, parts of a description, results and reasons, and calls that save it
** a second one.
*/
#include "core/binding.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

static void ignore_near(void *ud, sp_ref object) { (void)ud, (void)object; }
static void ignore_pair(void *ud, sp_ref object, sp_ref other) { (void)ud, (void)object, (void)other; }

static test_group managers = {"managers"};
static test_group results = {"results"};
static test_group pools = {"pools"};

/* {== Managers =========================================================== */

TEST(managers, opened_with_defaults_reject_references_of_each_other)
{
  sp_manager *a = sp_open(NULL, NULL), *b = sp_open(NULL, NULL);
  sp_pool *of_a = sp_add_pool(a, &(sp_pool_desc){.type = "A"}, NULL);
  sp_pool *of_b = sp_add_pool(b, &(sp_pool_desc){.type = "A"}, NULL);
  sp_ref one = sp_pool_alloc(of_a, 0, NULL), other = sp_pool_alloc(of_b, 0, NULL);
  ck_assert_uint_ne(one, other);
  ck_assert_int_eq(sp_recycle(b, one), SP_FOREIGN);
  ck_assert_int_eq(sp_pool_recycle(of_b, one), SP_FOREIGN);
  ck_assert(sp_is_live(a, one) && sp_hash(a) == sp_hash(b));
  sp_close(a);
  sp_close(b);
}

typedef struct bytes {
  unsigned char at[65536];
  size_t count, read;
} bytes;

static bool add_bytes(void *ud, const void *from, size_t size)
{
  bytes *to = ud;
  if (size > sizeof to->at - to->count)
    return false;
  memcpy(to->at + to->count, from, size);
  to->count += size;
  return true;
}

static size_t next_bytes(void *ud, void *to, size_t size)
{
  bytes *from = ud;
  size = size < from->count - from->read ? size : from->count - from->read;
  memcpy(to, from->at + from->read, size);
  from->read += size;
  return size;
}

/* A manager whose object names itself in a field. */
static sp_manager *open_with_a_reference(bytes *saved)
{
  const sp_field field = {.name = "self", .size = sizeof(sp_ref), .ref = true};
  sp_manager *m = sp_open(NULL, NULL);
  sp_pool *p = sp_add_pool(m, &(sp_pool_desc){.type = "A", .fields = &field, .field_count = 1}, NULL);
  sp_ref object, *cell = sp_pool_alloc_cell(p, 0, SP_FIELDS, &object, NULL);
  *cell = object;
  ck_assert_int_eq(sp_save(m, add_bytes, saved), SP_OK);
  return m;
}

TEST(managers, a_save_does_not_depend_on_an_id_that_was_not_asked_for)
{
  static bytes a, b;
  sp_result why = SP_FAILED;
  sp_manager *first = open_with_a_reference(&a), *second = open_with_a_reference(&b);
  sp_manager *loaded = sp_load(NULL, next_bytes, &a, &why);
  ck_assert_int_eq(why, SP_OK);
  ck_assert_mem_eq(a.at, b.at, sizeof a.at);
  ck_assert_uint_eq(sp_hash(loaded), sp_hash(first));
  sp_walk walk = sp_pool_walk(sp_get_pool(loaded, 0));
  sp_ref object = sp_walk_next(&walk);
  ck_assert_uint_eq(*(const sp_ref *)sp_peek(loaded, object, SP_FIELDS), object);
  ck_assert(!sp_is_live(first, object) && !sp_is_live(second, object));
  sp_close(first);
  sp_close(second);
  sp_close(loaded);
}

/* }== */

/* {== Results ============================================================ */

TEST(results, a_result_is_written_on_success_too)
{
  sp_result why = SP_FAILED;
  sp_manager *m = sp_open(NULL, &why);
  ck_assert_int_eq(why, SP_OK);
#define SUCCEEDS(call)                                                                                                 \
  do {                                                                                                                 \
    why = SP_FAILED;                                                                                                   \
    call;                                                                                                              \
    ck_assert_msg(why == SP_OK, "%s", #call);                                                                          \
  } while (0)
  sp_pool *p = NULL;
  sp_ref object = SP_NONE_REF;
  sp_snapshot *snapshot = NULL;
  SUCCEEDS(p = sp_add_pool(m, &(sp_pool_desc){.type = "A", .spatial = true}, &why));
  SUCCEEDS(sp_pool_prewarm(p, 4, &why));
  SUCCEEDS(sp_pool_alloc(p, 0, &why));
  SUCCEEDS(sp_pool_alloc(p, 1, &why));
  SUCCEEDS(sp_pool_alloc_at(p, 0, &(sp_place){0}, &why));
  SUCCEEDS(sp_pool_alloc_moving(p, 2, NULL, 1, 1, &why));
  SUCCEEDS(sp_pool_alloc_cell(p, 0, SP_X, &object, &why));
  SUCCEEDS(sp_alloc_commit(m, sp_pool_alloc_begin(p, 0, NULL), &why));
  SUCCEEDS(sp_timer_start(m, object, 1, 0, &why));
  SUCCEEDS(sp_manager_timer_start(m, 1, 0, &why));
  SUCCEEDS(sp_pool_within(p, 0, 0, 1, ignore_near, NULL, &why));
  SUCCEEDS(sp_pool_overlaps(p, p, ignore_pair, NULL, &why));
  SUCCEEDS(sp_pool_take(p, sp_pool_idle_at(p, 0), 0, &why));
  SUCCEEDS(snapshot = sp_snapshot_take(m, NULL, &why));
  sp_snapshot_free(snapshot);
  sp_close(m);
}

TEST(results, why_options_are_refused_can_be_asked_for)
{
  char text[80], little[12];
  const sp_options wrong = {.step = -1}, odd = {.first_generation = 3};
  ck_assert_ptr_null(sp_open(&wrong, NULL));
  ck_assert_str_eq(sp_options_problem(&wrong, text, sizeof text), "sp_options: step is out of range (1e-6..1e3, or 0)");
  ck_assert_str_eq(sp_options_problem(&wrong, little, sizeof little), "sp_options:");
  ck_assert_str_eq(sp_options_problem(&odd, text, sizeof text), "sp_options: first_generation is odd");
  ck_assert_str_eq(sp_options_problem(NULL, text, sizeof text), "");
  ck_assert_str_eq(sp_options_problem(&(sp_options){0}, text, sizeof text), "");
}

TEST(results, the_reason_of_a_refusal_can_be_asked_for)
{
  sp_manager *m = sp_open(NULL, NULL);
  const sp_field field = {.name = "a"};
  ck_assert_str_eq(sp_problem(m), "");
  ck_assert_ptr_null(sp_add_pool(m, &(sp_pool_desc){.type = "Bullet", .fields = &field, .field_count = 1}, NULL));
  ck_assert_str_eq(sp_problem(m), "Bullet: fields[0].size is 0 (1..256)");
  sp_close(m);
}

/* }== */

/* {== Pools ============================================================== */

TEST(pools, recycle_takes_only_its_own_objects)
{
  sp_manager *m = sp_open(NULL, NULL);
  sp_pool *a = sp_add_pool(m, &(sp_pool_desc){.type = "A"}, NULL);
  sp_pool *b = sp_add_pool(m, &(sp_pool_desc){.type = "B"}, NULL);
  sp_ref object = sp_pool_alloc(a, 0, NULL);
  ck_assert_int_eq(sp_pool_recycle(b, object), SP_FOREIGN);
  ck_assert_int_eq(sp_pool_recycle(a, SP_NONE_REF), SP_FOREIGN);
  ck_assert_int_eq(sp_pool_recycle(a, object), SP_OK);
  ck_assert_int_eq(sp_pool_recycle(a, object), SP_STALE);
  ck_assert_uint_eq(sp_pool_stats(a).recycles, 1);
  ck_assert_uint_eq(sp_pool_stats(b).recycles, 0);
  sp_close(m);
}

TEST(pools, an_object_begins_with_a_velocity)
{
  sp_manager *m = sp_open(NULL, NULL);
  sp_pool *p = sp_add_pool(m, &(sp_pool_desc){.type = "A", .spatial = true}, NULL);
  sp_ref object = sp_pool_alloc_moving(p, 0, &(sp_place){1, 2, 3}, 60, -60, NULL);
  sp_update(m, 0.5);
  ck_assert_float_eq(*(const float *)sp_peek(m, object, SP_X), 31);
  ck_assert_float_eq(*(const float *)sp_peek(m, object, SP_Y), -28);
  ck_assert_float_eq(*(const float *)sp_peek(m, object, SP_ANGLE), 3);
  sp_close(m);
}

static sp_look look_of(sp_look given)
{
  sp_manager *m = sp_open(NULL, NULL);
  sp_pool *p = sp_add_pool(m, &(sp_pool_desc){.type = "A", .spatial = true, .look = given}, NULL);
  sp_look look = *(const sp_look *)sp_peek(m, sp_pool_alloc(p, 0, NULL), SP_LOOK);
  sp_close(m);
  return look;
}

TEST(pools, a_look_given_in_part_keeps_the_other_defaults)
{
  sp_look round = look_of((sp_look){.radius = 3}), red = look_of((sp_look){.r = 1});
  sp_look none = look_of((sp_look){.exact = 1});
  ck_assert(round.radius == 3 && round.scale == 1 && round.a == 1 && round.g == 1 && round.visible);
  ck_assert(red.r == 1 && red.g == 0 && red.a == 1 && red.radius == 8);
  ck_assert(none.scale == 0 && none.a == 0 && !none.visible);
}

enum { TYPES = 300 };

/* Every other pool is removed, from the front; the others are found as before, and can be added again. */
TEST(pools, are_found_by_name_whatever_was_removed)
{
  sp_manager *m = sp_open(NULL, NULL);
  char type[16];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < TYPES; i++) {
      snprintf(type, sizeof type, "Type%d", i);
      sp_pool *p = sp_find_pool(m, type);
      ck_assert_int_eq(p != NULL, round > 0 && i % 2 == 1);
      if (!p)
        ck_assert_ptr_nonnull(sp_add_pool(m, &(sp_pool_desc){.type = type}, NULL));
    }
    ck_assert_uint_eq(sp_count_pools(m), TYPES);
    for (int i = 0; i < TYPES; i += 2) {
      snprintf(type, sizeof type, "Type%d", i);
      ck_assert_int_eq(sp_pool_remove(sp_find_pool(m, type), NULL, NULL), SP_OK);
      ck_assert_ptr_null(sp_find_pool(m, type));
    }
    ck_assert_uint_eq(sp_count_pools(m), TYPES / 2);
    ck_assert_str_eq(sp_pool_type(sp_get_pool(m, round == 0 ? 0 : TYPES / 2 - 1)), round == 0 ? "Type1" : "Type299");
    ck_assert_ptr_null(sp_get_pool(m, TYPES / 2));
  }
  sp_close(m);
}

/* }== */

SUITE(calls, &managers, &results, &pools)
