/*
** Managers: what they can be opened with, how they close, that two never meet, and the names and numbers that others
** rely on.
*/
#include "core/state.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

/* {== Opening ============================================================ */

static test_group opening = {"opening"};

TEST(opening, every_result_and_why_has_a_name_and_any_other_code_too)
{
  static const int odd[] = {SP_RESULT_COUNT, -1, INT32_MIN};
  ck_assert_str_eq(sp_result_name(SP_FULL), "full");
  ck_assert_str_eq(sp_result_text(SP_MEMORY), "the allocator refused");
  ck_assert_str_eq(sp_why_name(SP_WHY_REMOVED), "removed");
  for (int i = 0; i < 3; i++) {
    ck_assert_str_eq(sp_result_name((sp_result)odd[i]), "unknown");
    ck_assert_str_eq(sp_result_text((sp_result)odd[i]), "unknown result");
    ck_assert_str_eq(sp_why_name((sp_why)odd[i]), "unknown");
  }
}

TEST(opening, the_extremes_of_the_options_work)
{
  const sp_manager_options extremes[] = {TEST_OPTIONS(.step = 1e-6), TEST_OPTIONS(.step = 1000),
                                         TEST_OPTIONS(.id = SP_MAX_MANAGERS), TEST_OPTIONS(.lives = UINT32_MAX),
                                         TEST_OPTIONS(.lives = 2)};
  for (size_t i = 0; i < sizeof extremes / sizeof extremes[0]; i++) {
    core c;
    core_open_with(&c, extremes[i]);
    sp_pool *pool = core_pool(&c, "Cube");
    sp_ref brief = sp_pool_alloc(pool, sp_clock_of(c.manager).step, NULL, NULL),
           most = sp_pool_alloc(pool, SP_MAX_LIFETIME, NULL, NULL);
    core_tick(&c, 1);
    ck_assert(!sp_object_is_live(c.manager, brief) && sp_object_is_live(c.manager, most));
    core_close(&c);
  }
}

TEST(opening, those_with_defaults_reject_references_of_each_other)
{
  sp_result why = SP_FAILED;
  sp_manager *a = sp_manager_open(NULL, &why), *b = sp_manager_open(NULL, NULL);
  ck_assert(why == SP_OK && sp_clock_of(a).step == SP_DEFAULT_STEP && sp_clock_of(a).time == 0 &&
            sp_clock_of(a).tick == 0);
  ck_assert_str_eq(sp_version(), SP_VERSION);
  sp_pool *of_a = sp_manager_add_pool(a, &TEST_DESC(.type = "A"), NULL);
  sp_pool *of_b = sp_manager_add_pool(b, &TEST_DESC(.type = "A"), NULL);
  sp_ref one = sp_pool_alloc(of_a, 0, NULL, NULL), other = sp_pool_alloc(of_b, 0, NULL, NULL);
  ck_assert_uint_ne(one, other);
  ck_assert(sp_object_recycle(b, one) == SP_FOREIGN && sp_object_recycle_base(b, one) == SP_FOREIGN);
  ck_assert(sp_object_is_live(a, one) && sp_manager_hash(a) == sp_manager_hash(b));
  ck_assert(sp_manager_close(a) == SP_OK && sp_manager_close(b) == SP_OK && sp_manager_close(NULL) == SP_OK);
}

static void keep_idle(void *ud, sp_pool *pool, sp_ref object) { (void)pool, *(sp_ref *)ud = object; }

/* Only the generations tell them apart: see sp_manager_options.id. */
TEST(opening, a_manager_that_follows_another_knows_none_of_its_references)
{
  sp_ref old[6] = {0}, idle = 0;
  int count = 0;
  for (int round = 0; round < 3; round++) {
    core c;
    core_open_with(&c, TEST_OPTIONS(.id = 3));
    sp_manager_close(c.manager);
    c.manager = sp_manager_open(&TEST_OPTIONS(.id = 3, .memory = test_memory_fn, .memory_ud = &c.memory), NULL);
    sp_pool_desc desc = TEST_DESC(.type = "Cube", .settings.idle_limit = 0);
    desc.hooks = (sp_pool_hooks){.ud = &idle, .on_reject = keep_idle};
    sp_pool *pool = core_pool_with(&c, &desc);
    core_recycle(&c, core_alloc(pool));
    sp_ref live = core_alloc(pool);
    for (int i = 0; i < count; i++)
      ck_assert(sp_object_check(c.manager, old[i]) == SP_STALE && sp_object_recycle(c.manager, old[i]) == SP_STALE);
    core_close(&c);
    old[count++] = live;
    old[count++] = idle; /* as a hook has seen it while the manager closed */
  }
}

/* }== */

/* {== Pools and the end ================================================== */

static test_group pools = {"pools"};

static void look_at_first(void *ud, sp_pool *pool, sp_ref object)
{
  sp_result why = SP_OK;
  ck_assert(core_refusal(*(sp_pool **)ud, 0) == SP_CLOSED && object);
  ck_assert(!sp_manager_add_pool(sp_pool_manager(pool), &TEST_DESC(.type = "New"), &why) && why == SP_CLOSED);
}

CORE_TEST(pools, can_neither_be_used_nor_added_by_hooks_while_the_manager_closes)
{
  sp_pool *first = core_pool(c, "First");
  sp_pool_desc desc = TEST_DESC(.type = "Second", .hooks = {.ud = &first, .on_destroy = look_at_first});
  core_alloc(core_pool_with(c, &desc));
  core_close(c);
}

/* }== */

/* {== Edges that a test can reach only from inside ======================= */

static test_group inside = {"inside"};

POOL_TEST(inside, a_manager_without_a_free_slot_refuses_like_one_without_memory)
{
  sp_pool_prewarm_now(pool, SP_CHUNK_SLOTS * 8, NULL); /* as many chunk numbers as are reserved at first */
  for (int i = 0; i < SP_CHUNK_SLOTS * 8; i++)
    core_alloc(pool);
  const uint32_t real = c->manager->chunk_count;
  ck_assert_uint_eq(real, c->manager->chunk_capacity);
  c->manager->chunk_count = SP_MAX_SLOTS / SP_CHUNK_SLOTS; /* as if all chunk numbers were given out */
  sp_result why = core_refusal(pool, 0);
  c->manager->chunk_count = real;
  ck_assert_int_eq(why, SP_MEMORY);
}

static void note_broken(void *ud, const char *expression, const char *file, int line)
{
  *(bool *)ud = strstr(expression, "bytes") && strstr(file, "manager.c") && line > 0;
}

TEST(inside, a_broken_invariant_is_reported_to_the_hook)
{
  bool told = false;
  sp_manager *m = sp_manager_open(&TEST_OPTIONS(.on_assert = note_broken, .assert_ud = &told), NULL);
  m->memory.bytes++; /* a byte that nobody holds */
  ck_assert(sp_manager_close(m) == SP_OK && told);
}

/* }== */

SUITE(manager, &opening, &pools, &inside)
