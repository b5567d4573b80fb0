/*
** Changes of a pool where the games of the model do not come (its programs refuse their memory): what idle objects
** begin with, and two pools at once.
*/
#include "core/binding.h"
#include "support/core_fixture.h"
#include "support/test.h"

static const int one = 1, five = 5, nine = 9;
static const double half = 0.5;

static const sp_field first[] = {
    {"a", &one, 4, false, false}, {"b", &half, 8, true, false}, {"t", &five, 4, false, true}};
static const sp_field renamed[] = {
    {"c", &nine, 4, false, false}, {"b", NULL, 8, true, false}, {"t", &nine, 4, false, true}};

static void count_hook(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)hook, (void)pool, (void)object;
  log->count++;
}

/* {== What idle objects begin with ======================================= */

static void name_some(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)log;
  if (core_is(hook, "create") && sp_object_number(sp_pool_manager(pool), object) % 2)
    *(int *)sp_cell(sp_pool_manager(pool), object, SP_FIELDS) = 77;
}

static void redefine(core_log *log, sp_pool *pool, const int *initial, bool keep, int extra)
{
  sp_pool_desc desc = test_desc("Cube");
  const sp_field two[] = {{"a", initial, 4, keep, false}, {"b", NULL, 4, false, false}};
  desc.fields = two;
  desc.field_count = 1 + extra;
  desc.hooks = core_hooks(log);
  desc.settings = sp_pool_settings(pool);
  ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_OK);
}

static int value_of(core *c, sp_ref object) { return *(const int *)sp_peek(c->manager, object, SP_FIELDS); }

static test_group each = {"idle"};
static test_group open_and_two = {"open and two"};

/* Cells move or not (_i): either way the first life of an object begins with the current value of its field, unless
   on_create has set another; so does a field that becomes a kept one. */
TESTS(each, idle_objects_keep_what_is_theirs_and_begin_anew_with_the_rest, 2)
{
  core c;
  core_log log = {.act = name_some, .only = "none"};
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = first;
  desc.field_count = 1;
  desc.settings.prealloc = 300;
  desc.hooks = core_hooks(&log);
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref object = core_alloc(pool);
  *(int *)sp_cell(c.manager, object, SP_FIELDS) = 5;
  core_recycle(&c, object); /* it is the last one in the ring */
  redefine(&log, pool, &nine, true, _i);
  for (int i = 1; i < 300; i++)
    must(value_of(&c, core_alloc(pool)) == 9); /* no life has kept what on_create wrote into a plain field */
  object = core_alloc(pool);
  ck_assert_int_eq(value_of(&c, object), 9);
  *(int *)sp_cell(c.manager, object, SP_FIELDS) = 5;
  core_recycle(&c, object);
  ck_assert_uint_eq(sp_pool_prewarm(pool, 400, NULL), 100);
  redefine(&log, pool, &one, true, 1 - _i);
  ck_assert_int_eq(value_of(&c, core_alloc(pool)), 5); /* kept by its life */
  for (int i = 0; i < 100; i++) {
    object = core_alloc(pool);
    must(value_of(&c, object) == (sp_object_number(c.manager, object) % 2 ? 77 : 1));
  }
  core_close(&c);
}

/* }== */

TEST(open_and_two, a_pool_that_is_not_opened_calls_no_hook)
{
  core c;
  core_log log = {.act = count_hook, .only = "none"};
  core_open(&c);
  core_alloc(core_pool(&c, "Sphere"));
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = renamed;
  desc.field_count = 3;
  desc.settings = (sp_settings){2000, 9, 5000, SP_UNLIMITED, SP_OVERFLOW_OLDEST, SP_ORDER_LIFO};
  desc.hooks = core_hooks(&log);
  size_t n = 0;
  for (sp_result why = SP_MEMORY; why == SP_MEMORY;) {
    const uint32_t chunks = sp_pool_chunks(sp_get_pool(c.manager, 0));
    why = SP_OK;
    c.memory.fail_at = c.memory.calls + ++n;
    sp_pool *pool = sp_add_pool(c.manager, &desc, &why);
    c.memory.fail_at = 0;
    ck_assert_int_eq(why, pool ? SP_OK : SP_MEMORY);
    ck_assert_int_eq(log.count, pool ? 2000 : 0);
    ck_assert_uint_eq(sp_count_pools(c.manager), pool ? 2 : 1);
    ck_assert_uint_eq(sp_pool_chunks(sp_get_pool(c.manager, 0)), chunks);
  }
  ck_assert_uint_gt(n, 10);
  core_close(&c);
}

/* {== Two at once ======================================================== */

/* As a binding changes several pools: both need chunks, and the second one those after the first one's. */
CORE_TEST(open_and_two, changes_of_two_pools_are_made_together_or_cancelled)
{
  static const sp_field field = {.name = "hp", .size = 8};
  sp_pool *pools[2] = {core_pool(c, "Cube"), core_pool(c, "Sphere")};
  sp_pool_desc descs[2] = {test_desc("Cube"), test_desc("Sphere")};
  sp_change *changes[2];
  sp_ref object = core_alloc(pools[0]);
  const uint32_t before = sp_pool_chunks(pools[0]);
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 2; i++) {
      sp_result why = SP_OK;
      descs[i].fields = &field;
      descs[i].field_count = 1;
      descs[i].settings.prealloc = 3000;
      changes[i] = sp_change_new(pools[i], &descs[i], &why);
      ck_assert_msg(changes[i] != NULL, "%s", sp_result_text(why));
    }
    ck_assert_ptr_null(sp_cell(c->manager, object, SP_FIELDS));
    for (int i = 0; i < 2 && round == 0; i++)
      sp_change_cancel(changes[i]);
    ck_assert(round == 1 || sp_pool_chunks(pools[0]) == before);
  }
  uint32_t made[2];
  for (int i = 0; i < 2; i++)
    made[i] = sp_change_commit(changes[i]);
  for (int i = 0; i < 2; i++) {
    sp_change_settle(pools[i], made[i]);
    ck_assert_uint_eq(sp_pool_stats(pools[i]).total, 3000);
  }
  ck_assert_ptr_nonnull(sp_cell(c->manager, object, SP_FIELDS));
  core_check(c->manager);
}

/* }== */

SUITE(changes, &each, &open_and_two)
