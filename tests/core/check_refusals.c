/*
** Invalid options and descriptions are rejected with a line that names the field; the manager is unchanged.
*/
#include "support/core_fixture.h"
#include "support/core_tape.h"
#include "support/test.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
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

static const sp_field_member members[] = {
    {SP_TYPE_INT32, 0, 2}, {SP_TYPE_INT16, 6, 0}, {SP_TYPE_FLOAT, 0, 1}, {SP_TYPE_INT8, 8, 3}, {SP_TYPE_COUNT, 16, 1}};
static const sp_field fields[] = {{.name = "a", .size = 4},
                                  {.name = "a", .size = 8},
                                  {.size = 4},
                                  {.name = "b", .size = 257},
                                  {.name = "b", .size = 4, .ref = true},
                                  {.name = "", .size = 4},
                                  {.name = "s", .size = 8, .members = members, .member_count = SP_MAX_MEMBERS + 1},
                                  {.name = "s", .size = 8, .member_count = 1},
                                  {.name = "s", .size = 8, .ref = true, .members = members, .member_count = 1},
                                  {.name = "s", .size = 8, .members = members, .member_count = 2},
                                  {.name = "s", .size = 8, .members = members + 1, .member_count = 3},
                                  {.name = "s", .size = 24, .members = members + 1, .member_count = 4}};
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
    {TEST_DESC_INIT(.fields = fields + 5, .field_count = 1), "fields[0].name is empty"},
    {TEST_DESC_INIT(.fields = fields + 6, .field_count = 1), "fields[0].member_count is 65 (0..64)"},
    {TEST_DESC_INIT(.fields = fields + 7, .field_count = 1), "fields[0].members is NULL"},
    {TEST_DESC_INIT(.fields = fields + 8, .field_count = 1), "fields[0].ref is for a field without members"},
    {TEST_DESC_INIT(.fields = fields + 9, .field_count = 1), "fields[0].members[1] overlaps another member"},
    {TEST_DESC_INIT(.fields = fields + 10, .field_count = 1),
     "fields[0].members[2] does not lie within the field's size"},
    {TEST_DESC_INIT(.fields = fields + 11, .field_count = 1), "fields[0].members[3] is 7 (0..6)"},
    {TEST_DESC_INIT(.settings.prealloc = 10, .settings.limit = 5), "settings.prealloc is above settings.limit"},
    {TEST_DESC_INIT(.angle = INFINITY), "angle is not a finite number"},
    {TEST_DESC_INIT(.look.radius = NAN), "look.radius is not a finite number"},
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
  const sp_pool_desc nameless = TEST_DESC(.spatial = true), empty = TEST_DESC(.type = ""),
                     flat = TEST_DESC(.type = "A"), bent = TEST_DESC(.type = "A", CURVE(.count = 2));
  expect_refused(c->manager, NULL, "sp_pool_desc: the pointer is NULL");
  for (size_t i = 0; i < 2; i++) {
    sp_pool_desc sized = test_desc("A");
    sized.size = i ? sizeof sized + 1 : 0;
    expect_refused(c->manager, &sized,
                   i ? "sp_pool_desc: size is that of a newer header than the library"
                     : "sp_pool_desc: size is 0: make it by the function that has the defaults");
  }
  expect_refused(c->manager, &nameless, "sp_pool_desc: type is NULL");
  expect_refused(c->manager, &empty, "sp_pool_desc: type is empty");
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
  ck_assert_ptr_nonnull(strstr(core_said, "xxxx...: field_count is -1 (0..48)"));
}

/* }== */

/* {== Arguments ========================================================== */

static test_group arguments = {"arguments"};

/* The calls are given a pool with places, one without, whose name no save takes, and an object of each. */
typedef struct given {
  sp_manager *m;
  sp_pool *places, *flat;
  sp_ref object, other;
  double number;
  sp_snapshot *taken; /* when there was another pool */
} given;

static bool never_write(void *ud, const void *bytes, size_t size)
{
  (void)ud, (void)bytes, (void)size;
  return true;
}

static sp_result alloc_started(given *g, float x, float angle, float vy, sp_ref parent)
{
  sp_result why = SP_OK;
  sp_pool_alloc(g->places, 0, &(sp_start){.x = x, .angle = angle, .vy = vy, .parent = parent}, &why);
  return why;
}

/* Each makes one call, with `number` in it. */
static sp_result update(given *g) { return sp_manager_update(g->m, g->number); }
static sp_result scale(given *g) { return sp_manager_set_time_scale(g->m, g->number); }
static sp_result scaled_update(given *g)
{
  sp_result why = sp_manager_set_time_scale(g->m, 1e6);
  return why == SP_OK ? sp_manager_update(g->m, 1e9) : why;
}
static sp_result alloc(given *g)
{
  sp_result why = SP_OK;
  sp_pool_alloc(g->places, g->number, NULL, &why);
  return why;
}
static sp_result begin(given *g)
{
  sp_result why = SP_OK;
  sp_alloc_begin(g->places, g->number, &why);
  return why;
}
static sp_result take(given *g)
{
  sp_result why = SP_OK;
  sp_object_recycle(g->m, sp_pool_alloc(g->places, 0, NULL, NULL));
  sp_pool_take(g->places, NULL, NULL, g->number, &why);
  return why;
}
static sp_result start_x(given *g) { return alloc_started(g, (float)g->number, 0, 0, SP_NULL_REF); }
static sp_result start_angle(given *g) { return alloc_started(g, 0, (float)g->number, 0, SP_NULL_REF); }
static sp_result start_vy(given *g) { return alloc_started(g, 0, 0, (float)g->number, SP_NULL_REF); }
static sp_result start_parent(given *g) { return alloc_started(g, 0, 0, 0, g->other); }
static sp_result parent(given *g) { return sp_object_set_parent(g->m, g->object, g->other); }
static sp_result child(given *g) { return sp_object_set_parent(g->m, g->other, g->object); }
static sp_result remaining(given *g) { return sp_object_set_remaining(g->m, g->object, g->number); }
static sp_result timer(given *g)
{
  sp_result why = SP_OK;
  sp_timer_start(g->m, g->object, g->number, 0, 0, &why);
  return why;
}
static sp_result own_timer(given *g)
{
  sp_result why = SP_OK;
  sp_timer_start(g->m, SP_NULL_REF, 1, g->number, 0, &why);
  return why;
}
static sp_result prewarm(given *g) { return sp_pool_prewarm(g->flat, SP_MAX_SLOTS + 1, 0, 0); }
static sp_result prewarm_late(given *g) { return sp_pool_prewarm(g->flat, 1, 1, g->number); }
static sp_result settings(given *g) { return sp_pool_set_settings(g->flat, NULL); }
static sp_result prealloc(given *g)
{
  sp_settings s = sp_pool_desc_of(g->flat)->settings;
  s.prealloc = 10;
  s.limit = 5;
  return sp_pool_set_settings(g->flat, &s);
}
static sp_result unspatial(given *g) { return sp_pool_redefine(g->places, &TEST_DESC(.type = "Places")); }
static sp_result undescribed(given *g) { return sp_pool_redefine(g->places, NULL); }
static sp_result save(given *g) { return sp_manager_save(g->m, never_write, NULL); }
static sp_result save_nowhere(given *g) { return sp_manager_save(g->m, NULL, NULL); }
static sp_result restore(given *g) { return sp_snapshot_restore(g->m, g->taken); }

static void ignore(void *ud, sp_ref object) { (void)ud, (void)object; }
static void ignore_pair(void *ud, sp_ref object, sp_ref other) { (void)ud, (void)object, (void)other; }
static sp_result near_in(sp_pool *pool, float x, float y, float radius, sp_object_fn fn)
{
  sp_result why = SP_OK;
  sp_pool_within(pool, x, y, radius, fn, NULL, &why);
  return why;
}
static sp_result within_x(given *g) { return near_in(g->places, (float)g->number, 0, 1, ignore); }
static sp_result within_y(given *g) { return near_in(g->places, 0, (float)g->number, 1, ignore); }
static sp_result within_radius(given *g) { return near_in(g->places, 0, 0, (float)g->number, ignore); }
static sp_result within_nothing(given *g) { return near_in(g->places, 0, 0, 1, NULL); }
static sp_result within_flat(given *g) { return near_in(g->flat, 0, 0, 1, ignore); }
static sp_result nearest(given *g) /* has no result */
{
  return sp_pool_nearest(g->places, 0, 0, (float)g->number, NULL) ? SP_OK : SP_INVALID;
}
static sp_result nearest_flat(given *g) { return sp_pool_nearest(g->flat, 0, 0, 0, NULL) ? SP_OK : SP_INVALID; }
static sp_result overlaps(given *g)
{
  sp_result why = SP_OK;
  sp_pool_overlaps(g->places, g->flat, ignore_pair, NULL, &why);
  return why;
}
static sp_result overlaps_nothing(given *g)
{
  sp_result why = SP_OK;
  sp_pool_overlaps(g->places, g->places, NULL, NULL, &why);
  return why;
}

#define SECONDS(call, subject, argument)                                                                               \
  {call, -1, subject ": " argument " is negative: it takes seconds from 0 up"},                                        \
      {call, -INFINITY, subject ": " argument " is negative: it takes seconds from 0 up"},                             \
      {call, NAN, subject ": " argument " is NaN: it takes seconds from 0 up"},                                        \
  {                                                                                                                    \
    call, 1.001e11, subject ": " argument " is more than 1e11 seconds: infinity is for ever"                           \
  }
#define NO_PLACES ": spatial is false: its objects have no places"
#define LONG_TYPE "FlatFlatFlatFlatFlatFlatFlatFlatFlatFlatFlatFlatFlatFlatFlatFlatFlatFlatFlatF..."

static const struct {
  sp_result (*call)(given *g);
  double number;
  const char *told;
} calls[] = {
    SECONDS(update, "sp_manager_update", "dt"),
    {update, INFINITY, "sp_manager_update: dt is infinite: it takes seconds from 0 to 1e11"},
    {scaled_update, 0, "sp_manager_update: dt times the time scale is more than 1e11 seconds"},
    {scale, -1, "sp_manager_set_time_scale: scale is out of range (0..1e6)"},
    {scale, NAN, "sp_manager_set_time_scale: scale is out of range (0..1e6)"},
    {scale, INFINITY, "sp_manager_set_time_scale: scale is out of range (0..1e6)"},
    SECONDS(alloc, "Places", "lifetime"),
    SECONDS(begin, "Places", "lifetime"),
    SECONDS(take, "Places", "lifetime"),
    {start_x, NAN, "Places: start.x is not a finite number"},
    {start_angle, INFINITY, "Places: start.angle is not a finite number"},
    {start_vy, -INFINITY, "Places: start.vy is not a finite number"},
    {start_parent, 0, LONG_TYPE NO_PLACES},
    {parent, 0, LONG_TYPE NO_PLACES},
    {child, 0, LONG_TYPE NO_PLACES},
    SECONDS(remaining, "sp_object_set_remaining", "seconds"),
    SECONDS(timer, "sp_timer_start", "seconds"),
    SECONDS(own_timer, "sp_timer_start", "period"),
    {prewarm, 0, LONG_TYPE ": count is more than 16777216 objects"},
    SECONDS(prewarm_late, LONG_TYPE, "delay"),
    {settings, 0, LONG_TYPE ": settings is NULL"},
    {prealloc, 0, LONG_TYPE ": settings.prealloc is above settings.limit"},
    {unspatial, 0, "Places: spatial cannot change"},
    {undescribed, 0, "sp_pool_desc: the pointer is NULL"},
    {within_x, NAN, "Places: x is not a finite number"},
    {within_y, INFINITY, "Places: y is not a finite number"},
    {within_radius, -1, "Places: radius is negative or NaN: it takes a distance"},
    {within_radius, NAN, "Places: radius is negative or NaN: it takes a distance"},
    {within_nothing, 0, "Places: fn is NULL"},
    {within_flat, 0, LONG_TYPE NO_PLACES},
    {nearest, -1, "Places: within is negative or NaN: it takes a distance"},
    {nearest_flat, 0, LONG_TYPE NO_PLACES},
    {overlaps, 0, LONG_TYPE NO_PLACES},
    {overlaps_nothing, 0, "Places: fn is NULL"},
    {save, 0, LONG_TYPE ": type is too long for a save, which takes less than 256 bytes"},
    {save_nowhere, 0, "sp_manager_save: write is NULL"},
    {restore, 0, "sp_snapshot_restore: Gone is no pool here: it is one of the snapshot"},
};

/* A call changes nothing, and its text is its own: the one before was of another call. */
TESTS(arguments, that_make_no_sense_are_told_by_each_call, COUNT(calls))
{
  char type[4 * SP_MAX_SAVE_NAME] = "";
  core c;
  core_open(&c);
  while (strlen(type) < SP_MAX_SAVE_NAME)
    strcat(type, "Flat");
  given g = {.m = c.manager, .places = core_pool(&c, "Places"), .number = calls[_i].number};
  core_pool(&c, "Gone");
  g.taken = sp_snapshot_take(g.m, NULL, NULL);
  sp_pool_remove(sp_manager_pool(g.m, "Gone"), NULL, NULL);
  g.flat = core_pool_with(&c, &TEST_DESC(.type = type));
  g.object = core_alloc(g.places);
  g.other = core_alloc(g.flat);
  ck_assert_int_eq(sp_manager_set_time_scale(g.m, calls[_i].call == scale ? 2e6 : -3), SP_INVALID);
  *core_said = 0;
  ck_assert_int_eq(calls[_i].call(&g), SP_INVALID);
  ck_assert_str_eq(core_said, calls[_i].told);
  ck_assert_str_eq(sp_manager_problem(g.m), calls[_i].told);
  ck_assert(sp_pool_live(g.places) == 1 && sp_pool_live(g.flat) == 1 && sp_clock_of(g.m).tick == 0);
  sp_snapshot_free(g.taken);
  core_close(&c);
}

/* A host that reads no state, another step than that of the save, and no `read`. */
CORE_TEST(arguments, of_a_load_are_told_to_on_log)
{
  static core_host state = {.size = 3};
  core with_state;
  core_open_with(&with_state, TEST_OPTIONS(.host = core_host_state(&state)));
  core_tape plain = core_save(c->manager), hosted = core_save(with_state.manager);
  sp_result why = SP_OK;
  ck_assert(!core_load(&plain, TEST_OPTIONS(.step = 1, .on_log = core_hear), NULL, &why) && why == SP_INVALID);
  ck_assert_str_eq(core_said, "sp_manager_options: step is not that of the save: 0 takes that");
  ck_assert(!core_load(&hosted, TEST_OPTIONS(.on_log = core_hear), NULL, &why) && why == SP_INVALID);
  ck_assert_str_eq(core_said, "sp_manager_options: host.read is NULL, and there is a state to be read");
  ck_assert(!sp_manager_load(&TEST_OPTIONS(.on_log = core_hear), NULL, NULL, &why) && why == SP_INVALID);
  ck_assert_str_eq(core_said, "sp_manager_load: read is NULL");
  sp_snapshot *s = sp_snapshot_take(with_state.manager, NULL, NULL);
  ck_assert_int_eq(sp_snapshot_restore(c->manager, s), SP_INVALID);
  ck_assert_str_eq(sp_manager_problem(c->manager),
                   "sp_manager_options: host.read is NULL, and there is a state to be read");
  sp_snapshot_free(s);
  core_close(&with_state);
  free(plain.bytes);
  free(hosted.bytes);
}

/* Infinity is for ever: of lives, timers and prewarms. */
POOL_TEST(arguments, that_are_infinite_are_for_ever)
{
  sp_manager *m = c->manager;
  sp_result why = SP_FAILED;
  const sp_ref endless = sp_pool_alloc(pool, (double)INFINITY, NULL, &why);
  ck_assert(endless && why == SP_OK && sp_object_lifetime(m, endless) == 0);
  const sp_ref copy = sp_pool_alloc(pool, sp_object_remaining(m, endless), NULL, NULL);
  const sp_ref opened = sp_alloc_commit(m, sp_alloc_begin(pool, (double)INFINITY, NULL), NULL);
  sp_timer never = sp_timer_start(m, endless, (double)INFINITY, 1, 0, &why);
  ck_assert(never && why == SP_OK);
  ck_assert(sp_timer_start(m, SP_NULL_REF, 1, (double)INFINITY, 0, &why) && why == SP_OK);
  ck_assert_int_eq(sp_pool_prewarm(pool, 1000, 1, (double)INFINITY), SP_OK);
  double next = 0;
  core_tape t = core_save(m); /* it comes back from a save */
  sp_manager *loaded = core_load(&t, TEST_OPTIONS(.id = 0), NULL, NULL);
  ck_assert(loaded && sp_manager_hash(loaded) == sp_manager_hash(m));
  ck_assert(sp_manager_update(m, 1e6) == SP_OK && sp_manager_update(loaded, 1e6) == SP_OK);
  ck_assert_uint_eq(sp_manager_hash(loaded), sp_manager_hash(m));
  ck_assert(sp_object_is_live(m, endless) && sp_object_is_live(m, copy) && sp_object_is_live(m, opened));
  ck_assert(sp_object_timers(m, endless, &next) == 1 && isinf(next));
  ck_assert_int_eq(sp_timer_stop(m, never), SP_OK);
  ck_assert_uint_eq(sp_stats_of(pool).total, SP_DEFAULT_GROW);
  sp_manager_close(loaded);
  free(t.bytes);
}

/* }== */

SUITE(refusals, &told, &arguments)
