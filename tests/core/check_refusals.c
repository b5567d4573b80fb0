/*
** Invalid options and descriptions are rejected with a line that names the field; the manager is unchanged.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static test_group told = {"told"};

/* {== Options ============================================================ */

static size_t some_size(void *ud) { return ud ? 1 : 0; }
static void write_nothing(void *ud, void *bytes, size_t size) { (void)ud, (void)bytes, (void)size; }

TEST(told, options_that_make_no_sense_are_refused)
{
  static const char step[] = "step is out of range (1e-6..1e3, or 0)", odd[] = "first_generation is odd",
                    late[] = "first_generation is not below last_generation";
  static const struct {
    sp_manager_options options;
    const char *told;
  } cases[] = {
      {{.step = -1}, step},
      {{.step = (double)NAN}, step},
      {{.step = 1e-7}, step},
      {{.first_generation = 1}, odd},
      {{.last_generation = 3}, "last_generation is odd"},
      {{.first_generation = 0xfffffffe}, late},
      {{.first_generation = 6, .last_generation = 4}, late},
      {{.host = {.size = some_size}}, "host.write is NULL"},
      {{.host = {.write = write_nothing}}, "host.write needs host.size"},
  };
  char asked[80];
  for (size_t i = 0; i < COUNT(cases); i++) {
    sp_manager_options options = cases[i].options;
    sp_result why = SP_OK;
    ck_assert_ptr_null(sp_manager_open(&options, &why));
    ck_assert_int_eq(why, SP_INVALID);
    options.on_log = core_hear;
    ck_assert_ptr_null(sp_manager_open(&options, NULL));
    ck_assert_msg(strncmp(core_said, "sp_manager_options: ", 20) == 0 && strcmp(core_said + 20, cases[i].told) == 0,
                  "case %zu: %s", i, core_said);
    ck_assert_str_eq(sp_options_problem(&options, asked, sizeof asked), core_said);
    ck_assert_str_eq(sp_options_problem(&options, asked, 20), "sp_manager_options:");
  }
  ck_assert_str_eq(sp_options_problem(NULL, asked, sizeof asked), "");
  ck_assert_str_eq(sp_options_problem(&(sp_manager_options){0}, asked, sizeof asked), "");
}

/* }== */

/* {== Descriptions ======================================================= */

static const sp_field fields[] = {{.name = "a", .size = 4},
                                  {.name = "a", .size = 8},
                                  {.size = 4},
                                  {.name = "b", .size = 257},
                                  {.name = "b", .size = 4, .ref = true}};
#define CURVE(...)                                                                                                     \
  .curve_count = 1, .curves = &(const sp_curve) { __VA_ARGS__ }
#define BOUNDS(...) .bounds = {__VA_ARGS__}

/* Of a spatial pool "A". */
static const struct {
  sp_pool_desc desc;
  const char *told;
} descriptions[] = {
    {{.settings.prealloc = SP_MAX_SLOTS + 1}, "settings.prealloc is 16777217 (0..16777216)"},
    {{.settings.overflow = (sp_overflow)UINT32_MAX}, "settings.overflow is 4294967295 (0..3)"},
    {{.settings.order = SP_ORDER_COUNT}, "settings.order is 2 (0..1)"},
    {{.fields = fields, .field_count = -1}, "field_count is -1 (0..48)"},
    {{.fields = fields, .field_count = SP_MAX_FIELDS + 1}, "field_count is 49 (0..48)"},
    {{.field_count = 1}, "fields is NULL"},
    {{.fields = fields, .field_count = 2}, "fields[1].name is that of another field"},
    {{.fields = fields + 2, .field_count = 1}, "fields[0].name is NULL"},
    {{.fields = fields + 3, .field_count = 1}, "fields[0].size is 257 (1..256)"},
    {{.fields = fields + 4, .field_count = 1}, "fields[0].size is not that of a reference"},
    {{.motion.gravity = NAN}, "motion.gravity is not a finite number"},
    {{.motion.drag = INFINITY}, "motion.drag is not a finite number"},
    {{.motion.drag = -1}, "motion.drag is negative"},
    {{BOUNDS(0, 0, 1, 1, SP_OUTSIDE_COUNT)}, "bounds.outside is 5 (0..4)"},
    {{BOUNDS(NAN, 0, 1, 1, SP_OUTSIDE_CLAMP)}, "bounds.x is not a finite number"},
    {{BOUNDS(0, INFINITY, 1, 1, SP_OUTSIDE_CLAMP)}, "bounds.y is not a finite number"},
    {{BOUNDS(0, 0, INFINITY, 1, SP_OUTSIDE_RECYCLE)}, "bounds.w is not a finite number"},
    {{BOUNDS(0, 0, 1, NAN, SP_OUTSIDE_BOUNCE)}, "bounds.h is not a finite number"},
    {{BOUNDS(0, 0, 0, 1, SP_OUTSIDE_WRAP)}, "bounds.w is not positive"},
    {{BOUNDS(0, 0, 1, -1, SP_OUTSIDE_WRAP)}, "bounds.h is not positive"},
    {{.box = {NAN, 1}}, "box.w is not a finite number"},
    {{.box = {1, INFINITY}}, "box.h is not a finite number"},
    {{.box = {1, 0}}, "box.h is not positive"},
    {{.box = {0, 1}}, "box.w is not positive"},
    {{.curve_count = SP_MAX_CURVES + 1}, "curve_count is 17 (0..16)"},
    {{.curve_count = 1}, "curves is NULL"},
    {{CURVE(SP_FIELDS, 0, 2, {1, 2})}, "curves[0].column is 9 (0..8)"},
    {{CURVE(SP_X, 4, 2, {1, 2})}, "curves[0].offset is not that of a float"},
    {{CURVE(SP_LOOK, offsetof(sp_look, layer), 2, {1, 2})}, "curves[0].offset is not that of a float"},
    {{CURVE(SP_LOOK, 65532, 2, {1, 2})}, "curves[0].offset is not that of a float"},
    {{CURVE(SP_X, 0, SP_MAX_POINTS + 1, {1, 2})}, "curves[0].count is 9 (2..8)"},
    {{CURVE(SP_X, 0, 2, {1, NAN})}, "curves[0].points is not a finite number"},
    {{.on_parent_end = SP_PARENT_END_COUNT}, "on_parent_end is 2 (0..1)"},
};

/* By a new pool, by one that is there, and by its settings alone. */
static void expect_refused(sp_manager *m, const sp_pool_desc *desc, const char *expected)
{
  sp_pool *pool = sp_get_pool(m, 0);
  const sp_settings before = sp_pool_settings(pool);
  sp_result why = SP_OK;
  const int ways = strstr(expected, "settings") ? 3 : 2;
  for (int i = 0; i < ways; i++) {
    core_said[0] = '\0';
    if (i == 0)
      ck_assert_ptr_null(sp_manager_add_pool(m, desc, &why));
    else
      why = i == 1 ? sp_pool_redefine(pool, desc) : sp_pool_set_settings(pool, &desc->settings);
    ck_assert_msg(why == SP_INVALID && strcmp(core_said, expected) == 0, "%s, not: %s", core_said, expected);
    ck_assert_str_eq(sp_manager_problem(m), expected);
  }
  const sp_settings after = sp_pool_settings(pool);
  ck_assert_mem_eq(&before, &after, sizeof before);
  ck_assert_uint_eq(sp_count_pools(m), 1);
}

CORE_TEST(told, descriptions_that_make_no_sense_are_refused)
{
  sp_ref object = core_alloc(core_pool(c, "A"));
  ck_assert_str_eq(sp_manager_problem(c->manager), "");
  char expected[sizeof core_said];
  for (size_t i = 0; i < COUNT(descriptions); i++) {
    sp_pool_desc desc = descriptions[i].desc;
    desc.type = "A";
    desc.spatial = true;
    snprintf(expected, sizeof expected, "A: %s", descriptions[i].told);
    expect_refused(c->manager, &desc, expected);
  }
  ck_assert(sp_object_is_live(c->manager, object));
  const sp_pool_desc nameless = {.spatial = true}, flat = {.type = "A"}, bent = {.type = "A", CURVE(.count = 2)};
  expect_refused(c->manager, NULL, "sp_pool_desc: the pointer is NULL");
  expect_refused(c->manager, &nameless, "sp_pool_desc: type is NULL");
  expect_refused(c->manager, &bent, "A: curves need a spatial pool");
  ck_assert_int_eq(sp_pool_redefine(sp_get_pool(c->manager, 0), &flat), SP_INVALID);
  ck_assert_str_eq(core_said, "A: spatial cannot change");
  char name[2 * sizeof core_said];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  sp_result why = SP_OK;
  ck_assert(!sp_manager_add_pool(c->manager, &flat, &why) && why == SP_EXISTS);
  ck_assert(!sp_manager_add_pool(c->manager, &(sp_pool_desc){.type = name, .field_count = -1},
                                 NULL)); /* as much as has room */
  ck_assert(strlen(core_said) < sizeof core_said && strstr(core_said, "xxxx"));
}

/* }== */

SUITE(refusals, &told)
