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
#define SIZE sizeof(sp_manager_options)
  static const char step[] = "step is out of range (1e-6..1e3, or 0)";
  static const struct {
    sp_manager_options options;
    const char *told;
  } cases[] = {
      {{.size = SIZE}, NULL},
      {{.size = 0}, "size is 0: make it by the function that has the defaults"},
      {{.size = SIZE + 1}, "size is that of a newer header than the library"},
      {{.size = SIZE, .step = -1}, step},
      {{.size = SIZE, .step = (double)NAN}, step},
      {{.size = SIZE, .step = 1e-7}, step},
      {{.size = SIZE, .id = SP_MAX_MANAGERS + 1}, "id is out of range (1..4095, or 0)"},
      {{.size = SIZE, .host = {.size = some_size}}, "host.write is NULL"},
      {{.size = SIZE, .host = {.write = write_nothing}}, "host.write needs host.size"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    sp_manager_options options = cases[i].options;
    sp_result why = SP_OK;
    sp_manager *m = sp_manager_open(&options, &why);
    ck_assert(!m == !!cases[i].told && (m ? SP_OK : SP_INVALID) == why);
    sp_manager_close(m);
    options.on_log = core_hear;
    core_said[0] = '\0';
    sp_manager_close(sp_manager_open(&options, NULL));
    /* One without a size may have no `on_log` either. */
    if (cases[i].told && options.size)
      ck_assert_msg(strncmp(core_said, "sp_manager_options: ", 20) == 0 && strcmp(core_said + 20, cases[i].told) == 0,
                    "case %zu: %s", i, core_said);
    else
      ck_assert_str_eq(core_said, "");
  }
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
    {TEST_DESC_INIT(.settings.grow = 0), "settings.grow is 0 (1..4294967295)"},
    {TEST_DESC_INIT(.settings.prealloc = SP_MAX_SLOTS + 1), "settings.prealloc is 16777217 (0..16777216)"},
    {TEST_DESC_INIT(.settings.overflow = (sp_overflow)UINT32_MAX), "settings.overflow is 4294967295 (0..3)"},
    {TEST_DESC_INIT(.settings.order = SP_ORDER_COUNT), "settings.order is 3 (0..2)"},
    {TEST_DESC_INIT(.fields = fields, .field_count = -1), "field_count is -1 (0..48)"},
    {TEST_DESC_INIT(.fields = fields, .field_count = SP_MAX_FIELDS + 1), "field_count is 49 (0..48)"},
    {TEST_DESC_INIT(.field_count = 1), "fields is NULL"},
    {TEST_DESC_INIT(.fields = fields, .field_count = 2), "fields[1].name is that of another field"},
    {TEST_DESC_INIT(.fields = fields + 2, .field_count = 1), "fields[0].name is NULL"},
    {TEST_DESC_INIT(.fields = fields + 3, .field_count = 1), "fields[0].size is 257 (1..256)"},
    {TEST_DESC_INIT(.fields = fields + 4, .field_count = 1), "fields[0].size is not that of a reference"},
    {TEST_DESC_INIT(.motion.gravity = NAN), "motion.gravity is not a finite number"},
    {TEST_DESC_INIT(.motion.drag = INFINITY), "motion.drag is not a finite number"},
    {TEST_DESC_INIT(.motion.drag = -1), "motion.drag is negative"},
    {TEST_DESC_INIT(BOUNDS(0, 0, 1, 1, SP_OUTSIDE_COUNT)), "bounds.outside is 5 (0..4)"},
    {TEST_DESC_INIT(BOUNDS(NAN, 0, 1, 1, SP_OUTSIDE_CLAMP)), "bounds.x is not a finite number"},
    {TEST_DESC_INIT(BOUNDS(0, INFINITY, 1, 1, SP_OUTSIDE_CLAMP)), "bounds.y is not a finite number"},
    {TEST_DESC_INIT(BOUNDS(0, 0, INFINITY, 1, SP_OUTSIDE_RECYCLE)), "bounds.w is not a finite number"},
    {TEST_DESC_INIT(BOUNDS(0, 0, 1, NAN, SP_OUTSIDE_BOUNCE)), "bounds.h is not a finite number"},
    {TEST_DESC_INIT(BOUNDS(0, 0, 0, 1, SP_OUTSIDE_WRAP)), "bounds.w is not positive"},
    {TEST_DESC_INIT(BOUNDS(0, 0, 1, -1, SP_OUTSIDE_WRAP)), "bounds.h is not positive"},
    {TEST_DESC_INIT(.box = {NAN, 1}), "box.w is not a finite number"},
    {TEST_DESC_INIT(.box = {1, INFINITY}), "box.h is not a finite number"},
    {TEST_DESC_INIT(.box = {1, 0}), "box.h is not positive"},
    {TEST_DESC_INIT(.box = {0, 1}), "box.w is not positive"},
    {TEST_DESC_INIT(.curve_count = SP_MAX_CURVES + 1), "curve_count is 17 (0..16)"},
    {TEST_DESC_INIT(.curve_count = 1), "curves is NULL"},
    {TEST_DESC_INIT(CURVE(SP_FIELDS, 0, 2, {1, 2})), "curves[0].column is 9 (0..8)"},
    {TEST_DESC_INIT(CURVE(INT32_MIN, 0, 2, {1, 2})), "curves[0].column is -2147483648 (0..8)"},
    {TEST_DESC_INIT(CURVE(SP_X, 4, 2, {1, 2})), "curves[0].offset is not that of a float"},
    {TEST_DESC_INIT(CURVE(SP_LOOK, offsetof(sp_look, layer), 2, {1, 2})), "curves[0].offset is not that of a float"},
    {TEST_DESC_INIT(CURVE(SP_LOOK, 65532, 2, {1, 2})), "curves[0].offset is not that of a float"},
    {TEST_DESC_INIT(CURVE(SP_X, 0, SP_MAX_POINTS + 1, {1, 2})), "curves[0].count is 9 (2..8)"},
    {TEST_DESC_INIT(CURVE(SP_X, 0, 2, {1, NAN})), "curves[0].points is not a finite number"},
    {TEST_DESC_INIT(.on_parent_end = SP_PARENT_END_COUNT), "on_parent_end is 2 (0..1)"},
};

/* By a new pool, by one that is there, and by its settings alone. */
static void expect_refused(sp_manager *m, const sp_pool_desc *desc, const char *expected)
{
  sp_pool *pool = pool_at(m, 0);
  const sp_settings before = sp_pool_desc_of(pool)->settings;
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
  const sp_settings after = sp_pool_desc_of(pool)->settings;
  ck_assert_mem_eq(&before, &after, sizeof before);
  ck_assert_uint_eq(count_pools(m), 1);
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
  const sp_pool_desc nameless = TEST_DESC(.spatial = true), flat = TEST_DESC(.type = "A"),
                     bent = TEST_DESC(.type = "A", CURVE(.count = 2));
  expect_refused(c->manager, NULL, "sp_pool_desc: the pointer is NULL");
  for (size_t i = 0; i < 2; i++) {
    sp_pool_desc sized = test_desc("A");
    sized.size = i ? sizeof sized + 1 : 0;
    expect_refused(c->manager, &sized,
                   i ? "sp_pool_desc: size is that of a newer header than the library"
                     : "sp_pool_desc: size is 0: make it by the function that has the defaults");
  }
  expect_refused(c->manager, &nameless, "sp_pool_desc: type is NULL");
  expect_refused(c->manager, &bent, "A: curves need a spatial pool");
  ck_assert_int_eq(sp_pool_redefine(pool_at(c->manager, 0), &flat), SP_INVALID);
  ck_assert_str_eq(core_said, "A: spatial cannot change");
  char name[2 * sizeof core_said];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  sp_result why = SP_OK;
  ck_assert(!sp_manager_add_pool(c->manager, &flat, &why) && why == SP_EXISTS);
  ck_assert(
      !sp_manager_add_pool(c->manager, &TEST_DESC(.type = name, .field_count = -1), NULL)); /* as much as has room */
  ck_assert(strlen(core_said) < sizeof core_said && strstr(core_said, "xxxx"));
}

/* }== */

SUITE(refusals, &told)
