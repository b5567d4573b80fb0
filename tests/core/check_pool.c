/*
** Pools: opening and finding them, making objects in steps, and giving storage back.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <stdio.h>
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
static test_group growth = {"growth"};
static test_group giving_back = {"giving back"};

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
  ck_assert_float_eq(look.scale, 0);
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

POOL_TEST(opening, a_second_pool_of_a_type_is_refused)
{
  sp_pool_desc desc = test_desc("Cube");
  sp_result why = SP_OK;
  ck_assert_ptr_null(sp_add_pool(c->manager, &desc, &why));
  ck_assert_int_eq(why, SP_EXISTS);
  ck_assert_ptr_null(sp_add_pool(c->manager, &desc, NULL));
  ck_assert_ptr_eq(sp_find_pool(c->manager, "Cube"), pool);
  ck_assert_uint_eq(sp_count_pools(c->manager), 1);
}

typedef struct nonsense {
  uint32_t prealloc, grow;
  int overflow, order, field_count;
  const sp_field *fields;
} nonsense;

static const sp_field twins[] = {
    {"a", NULL, 4, false, false}, {"b", NULL, 4, false, false}, {"a", NULL, 8, false, false}};
static const sp_field nameless[] = {{NULL, NULL, 4, false, false}};
static const sp_field empty[] = {{"a", NULL, 0, false, false}};
static const sp_field huge[] = {{"a", NULL, 257, false, false}};
static const nonsense cases[] = {
    {SP_MAX_SLOTS + 1, 1, 0, 0, 0, NULL},
    {UINT32_MAX, 1, 0, 0, 0, NULL},
    {0, 1, SP_OVERFLOW_COUNT, 0, 0, NULL},
    {0, 1, -1, 0, 0, NULL},
    {0, 1, 0, SP_ORDER_COUNT, 0, NULL},
    {0, 1, 0, -1, 0, NULL},
    {0, 1, 0, 0, -1, twins},
    {0, 1, 0, 0, 1, NULL},
    {0, 1, 0, 0, 3, twins},
    {0, 1, 0, 0, 1, nameless},
    {0, 1, 0, 0, 1, empty},
    {0, 1, 0, 0, 1, huge},
    {0, 1, 0, 0, SP_MAX_FIELDS + 1, crowd},
};

static sp_pool_desc describe(const nonsense *n)
{
  sp_pool_desc desc = test_desc("Odd");
  desc.settings.prealloc = n->prealloc;
  desc.settings.grow = n->grow;
  desc.settings.overflow = (sp_overflow)n->overflow;
  desc.settings.order = (sp_order)n->order;
  desc.fields = n->fields;
  desc.field_count = n->field_count;
  return desc;
}

CORE_TEST(opening, a_description_that_makes_no_sense_is_refused)
{
  sp_pool *pool = core_pool(c, "Sound");
  sp_ref object = core_alloc(pool);
  sp_settings before = sp_pool_settings(pool);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sp_pool_desc desc = describe(&cases[i]);
    sp_result why = SP_OK;
    ck_assert_ptr_null(sp_add_pool(c->manager, &desc, &why));
    ck_assert_int_eq(why, SP_INVALID);
    ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_INVALID);
    if (desc.field_count == 0)
      ck_assert_int_eq(sp_pool_configure(pool, &desc.settings), SP_INVALID);
  }
  sp_pool_desc desc = test_desc(NULL);
  sp_result why = SP_OK;
  ck_assert_ptr_null(sp_add_pool(c->manager, &desc, &why));
  ck_assert_int_eq(why, SP_INVALID);
  ck_assert_ptr_null(sp_add_pool(c->manager, NULL, &why));
  ck_assert_int_eq(sp_pool_redefine(pool, NULL), SP_INVALID);
  desc = test_desc("Sound");
  desc.spatial = false;
  ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_INVALID);
  sp_settings after = sp_pool_settings(pool);
  ck_assert_mem_eq(&before, &after, sizeof before);
  ck_assert(sp_is_live(c->manager, object));
  ck_assert_uint_eq(sp_count_pools(c->manager), 1);
}

static void keep_text(void *ud, const char *text) { snprintf(ud, 200, "%s", text); }

/* Opens a pool of the description, which is wrong, and compares what the log says. */
static void expect_log(sp_manager *m, char *said, const sp_pool_desc *desc, const char *expected)
{
  sp_result why = SP_OK;
  said[0] = '\0';
  ck_assert_ptr_null(sp_add_pool(m, desc, &why));
  ck_assert_int_eq(why, SP_INVALID);
  ck_assert_str_eq(said, expected);
}

TEST(opening, the_log_names_the_field_that_is_wrong)
{
  char said[200] = "";
  const sp_options odd = {.on_log = keep_text, .log_ud = said, .step = 1e-9},
                   options = {.on_log = keep_text, .log_ud = said};
  ck_assert_ptr_null(sp_open(&odd, NULL));
  ck_assert_str_eq(said, "sp_options: step is out of range (1e-6..1e3, or 0)");
  sp_manager *m = sp_open(&options, NULL);
  const sp_field fields[] = {{.name = "a", .size = 4}, {.name = "b"}, {.name = "a", .size = 1}};
  expect_log(m, said, NULL, "sp_pool_desc: the pointer is NULL");
  expect_log(m, said, &(sp_pool_desc){0}, "sp_pool_desc: type is NULL");
  expect_log(m, said, &(sp_pool_desc){.type = "Bullet", .fields = fields, .field_count = 2},
             "Bullet: fields[1].size is 0 (1..256)");
  expect_log(m, said, &(sp_pool_desc){.type = "Bullet", .fields = (sp_field[]){fields[0], fields[2]}, .field_count = 2},
             "Bullet: fields[1].name is that of another field");
  expect_log(m, said, &(sp_pool_desc){.type = "Bullet", .field_count = -1}, "Bullet: field_count is -1 (0..48)");
  expect_log(m, said, &(sp_pool_desc){.type = "Bullet", .motion.drag = -1}, "Bullet: motion.drag is negative");
  expect_log(m, said, &(sp_pool_desc){.type = "Bullet", .settings.overflow = SP_OVERFLOW_COUNT},
             "Bullet: settings.overflow is 4 (0..3)");
  expect_log(m, said, &(sp_pool_desc){.type = "Bullet", .curve_count = 1, .curves = &(sp_curve){.count = 2}},
             "Bullet: curves need a spatial pool");
  const sp_curve curve = {.count = 9};
  expect_log(m, said, &(sp_pool_desc){.type = "Bullet", .spatial = true, .curve_count = 1, .curves = &curve},
             "Bullet: curves[0].count is 9 (2..8)");
  char name[400];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  const sp_pool_desc endless = {.type = name, .field_count = -1};
  ck_assert_ptr_null(sp_add_pool(m, &endless, NULL));
  ck_assert_uint_lt(strlen(said), 200);
  sp_pool *pool = sp_add_pool(m, &(sp_pool_desc){.type = "Bullet"}, NULL);
  ck_assert_int_eq(sp_pool_redefine(pool, &(sp_pool_desc){.type = "Bullet", .spatial = true}), SP_INVALID);
  ck_assert_str_eq(said, "Bullet: spatial cannot change");
  ck_assert_int_eq(sp_pool_configure(pool, &(sp_settings){.prealloc = UINT32_MAX}), SP_INVALID);
  ck_assert_str_eq(said, "Bullet: settings.prealloc is 4294967295 (0..16777216)");
  sp_close(m);
}

/* }== */

/* {== Growth ============================================================= */

CORE_TEST(growth, the_limits_cap_what_is_made_up_front)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.prealloc = 10;
  desc.settings.limit = 7;
  ck_assert_uint_eq(sp_pool_idle(core_pool_with(c, &desc)), 7);
  desc.type = "Sphere";
  desc.settings.idle_limit = 3;
  ck_assert_uint_eq(sp_pool_idle(core_pool_with(c, &desc)), 3);
  desc.type = "Ring";
  desc.settings.idle_limit = SP_NO_OBJECTS;
  ck_assert_uint_eq(sp_pool_idle(core_pool_with(c, &desc)), 0);
}

/* }== */

/* {== Giving back ======================================================== */

CORE_TEST(giving_back, another_pool_reuses_the_chunk_and_old_references_stay_stale)
{
  sp_pool *cubes = core_pool(c, "Cube");
  sp_ref cube = core_alloc(cubes), idle = sp_pool_idle_at(cubes, 0);
  ck_assert_int_eq(sp_pool_remove(cubes, NULL, NULL), SP_OK);
  ck_assert_int_eq(sp_recycle(c->manager, cube), SP_STALE);
  ck_assert_int_eq(sp_check(c->manager, cube), SP_STALE);
  ck_assert_ptr_null(sp_owner(c->manager, cube));
  sp_pool *spheres = core_pool(c, "Sphere");
  sp_ref sphere = core_alloc(spheres);
  ck_assert_uint_eq((uint32_t)sphere, (uint32_t)cube); /* the same slot */
  ck_assert_uint_ne(sphere, cube);
  ck_assert_uint_eq(sp_object_number(c->manager, sphere), 1);
  ck_assert_int_eq(sp_recycle(c->manager, cube), SP_STALE);
  ck_assert_ptr_null(sp_cell(c->manager, cube, SP_X));
  ck_assert_ptr_null(sp_cell(c->manager, idle, SP_X));
  ck_assert(sp_is_live(c->manager, sphere));
}

CORE_TEST(giving_back, walks_go_in_slot_order_when_chunks_come_back_out_of_order)
{
  sp_pool *first = core_pool(c, "First"), *second = core_pool(c, "Second");
  sp_pool_prewarm(first, 1, NULL);
  sp_pool_prewarm(second, 1, NULL);
  ck_assert_uint_eq(sp_pool_clear(first), 1); /* chunk 0 waits for a new owner */
  sp_ref objects[258];
  core_alloc_many(second, objects, 258); /* chunk 1, then chunk 0, then chunk 2 */
  ck_assert_uint_eq(sp_pool_chunks(second), 2);
  ck_assert_uint_eq(core_number(c, objects[0]), 1);
  ck_assert_uint_eq(core_number(c, objects[256]), 257);
  ck_assert_uint_lt((uint32_t)objects[256], (uint32_t)objects[0]);
  sp_walk walk = sp_pool_walk(second);
  ck_assert_uint_eq(sp_walk_next(&walk), objects[256]);
  ck_assert_uint_eq(sp_walk_next(&walk), objects[257]);
  ck_assert_uint_eq(sp_walk_next(&walk), objects[0]);
}

/* }== */

SUITE(pool, &opening, &growth, &giving_back)
