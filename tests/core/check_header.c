/*
** The header: names, texts and numbers that others rely on.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

static test_group names = {"names"};
static test_group numbers = {"numbers"};

TEST(names, every_result_has_a_name_and_a_text_of_its_own)
{
  for (int i = 0; i < SP_RESULT_COUNT; i++) {
    ck_assert_uint_gt(strlen(sp_result_name((sp_result)i)), 1);
    ck_assert_uint_gt(strlen(sp_result_text((sp_result)i)), 3);
    for (int k = 0; k < i; k++) {
      ck_assert_str_ne(sp_result_name((sp_result)i), sp_result_name((sp_result)k));
      ck_assert_str_ne(sp_result_text((sp_result)i), sp_result_text((sp_result)k));
    }
  }
  ck_assert_str_eq(sp_result_name(SP_OK), "ok");
  ck_assert_str_eq(sp_result_name(SP_FULL), "full");
  ck_assert_str_eq(sp_result_text(SP_MEMORY), "the allocator refused");
}

TEST(names, every_why_has_a_name_of_its_own)
{
  for (int i = 0; i < SP_WHY_COUNT; i++)
    for (int k = 0; k < i; k++)
      ck_assert_str_ne(sp_why_name((sp_why)i), sp_why_name((sp_why)k));
  ck_assert_str_eq(sp_why_name(SP_WHY_RECYCLED), "recycled");
  ck_assert_str_eq(sp_why_name(SP_WHY_EVICTED), "evicted");
  ck_assert_str_eq(sp_why_name(SP_WHY_REMOVED), "removed");
}

TEST(names, a_code_out_of_range_has_a_name_too)
{
  static const int odd[] = {SP_RESULT_COUNT, 1000, -1, INT32_MIN};
  for (int i = 0; i < 4; i++) {
    ck_assert_str_eq(sp_result_name((sp_result)odd[i]), "unknown");
    ck_assert_str_eq(sp_result_text((sp_result)odd[i]), "unknown result");
    ck_assert_str_eq(sp_why_name((sp_why)odd[i]), "unknown");
  }
}

TEST(numbers, the_version_is_said_once)
{
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", SP_VERSION_MAJOR, SP_VERSION_MINOR, SP_VERSION_PATCH);
  ck_assert_str_eq(text, SP_VERSION);
}

TEST(numbers, the_shapes_that_bulk_code_relies_on)
{
  ck_assert_uint_eq(sizeof(sp_ref), 8);
  ck_assert_uint_eq(sizeof(sp_look), 32);
  ck_assert_uint_eq(SP_MAX_SLOTS % SP_CHUNK_SLOTS, 0);
  ck_assert_int_eq(SP_X, 0);
  ck_assert_int_eq(SP_LOOK + 1, SP_FIELDS);
  ck_assert_int_le(SP_FIELDS + SP_MAX_FIELDS, 64); /* columns fit a word of bits */
  ck_assert_uint_eq(SP_NONE_REF, 0);
}

SUITE(header, &names, &numbers)
