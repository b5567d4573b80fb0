/*
** References: each names one life, for ever. What is stale stays stale, what is foreign is refused, and a slot that ran
** out of generations is never used again.
*/
#include "support/core_fixture.h"
#include "support/test.h"

/* {== Stale ============================================================== */

static test_group stale = {"stale"};
static test_group foreign_tests = {"foreign"};
static test_group last_generation_tests = {"last generation"};

POOL_TEST(stale, the_number_of_a_stale_reference_is_known_after_its_chunk_is_gone)
{
  sp_ref objects[300];
  core_alloc_many(pool, objects, 300);
  for (uint32_t i = 0; i < 300; i++)
    ck_assert_uint_eq(sp_object_number(c->manager, objects[i]), i + 1);
  sp_pool_recycle_all(pool);
  sp_pool_clear(pool);
  ck_assert_ptr_null(sp_owner(c->manager, objects[299]));
  ck_assert_uint_eq(sp_object_number(c->manager, objects[299]), 300);
  ck_assert_int_eq(sp_check(c->manager, objects[299]), SP_STALE);
  ck_assert_int_eq(sp_recycle(c->manager, objects[299]), SP_STALE);
  ck_assert_uint_eq(core_number(c, core_alloc(pool)), 513); /* numbers are not given twice */
}

/* }== */

/* {== Foreign ============================================================ */

static void refuse_everywhere(core *c, sp_pool *pool, sp_ref object, sp_result expected)
{
  sp_stats before = sp_pool_stats(pool);
  sp_result why = SP_OK;
  ck_assert(!sp_is_live(c->manager, object));
  ck_assert_int_eq(sp_check(c->manager, object), expected);
  ck_assert_int_eq(sp_recycle(c->manager, object), expected);
  ck_assert_int_eq(sp_recycle_base(c->manager, object), expected);
  ck_assert_int_eq(sp_alloc_undo(c->manager, object), SP_STALE);
  ck_assert_int_eq(sp_set_remaining(c->manager, object, 1), expected);
  ck_assert_uint_eq(sp_alloc_commit(c->manager, object, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_STALE);
  ck_assert_uint_eq(sp_alloc_commit(c->manager, object, NULL), SP_NONE_REF);
  sp_alloc_cancel(c->manager, object);
  ck_assert_uint_eq(sp_pool_take(pool, object, 0, &why), SP_NONE_REF);
  ck_assert_int_eq(why, SP_NONE);
  ck_assert_ptr_null(sp_cell(c->manager, object, SP_X));
  ck_assert_ptr_null(sp_peek(c->manager, object, SP_X));
  ck_assert_double_eq(sp_age(c->manager, object), 0);
  ck_assert_double_eq(sp_lifetime(c->manager, object), 0);
  ck_assert_double_eq(sp_remaining(c->manager, object), 0);
  sp_stats after = sp_pool_stats(pool);
  ck_assert_uint_eq(after.live, before.live);
  ck_assert_uint_eq(after.idle, before.idle);
  if (expected != SP_FOREIGN)
    return;
  ck_assert_ptr_null(sp_owner(c->manager, object));
  ck_assert_uint_eq(sp_object_number(c->manager, object), 0);
  ck_assert_uint_eq(after.double_recycles, before.double_recycles);
  ck_assert_uint_eq(after.stale_uses, before.stale_uses);
}

TEST(foreign_tests, foreign_references_are_refused_by_every_call)
{
  core c, other;
  core_open(&c);
  core_open_with(&other, (sp_options){.id = 2});
  sp_pool *pool = core_pool(&c, "Cube"), *theirs = core_pool(&other, "Cube");
  refuse_everywhere(&c, pool, SP_NONE_REF, SP_FOREIGN); /* also while nothing exists */
  sp_ref mine = core_alloc(pool), foreign = core_alloc(theirs);
  refuse_everywhere(&c, pool, foreign, SP_FOREIGN);
  refuse_everywhere(&c, pool, sp_pool_idle_at(theirs, 0), SP_FOREIGN);
  refuse_everywhere(&c, pool, SP_NONE_REF, SP_FOREIGN);
  refuse_everywhere(&c, pool, UINT64_MAX, SP_FOREIGN);
  refuse_everywhere(&c, pool, mine ^ (sp_ref)3 << 24, SP_FOREIGN);    /* another id */
  refuse_everywhere(&c, pool, mine | (SP_MAX_SLOTS - 1), SP_FOREIGN); /* no such slot */
  refuse_everywhere(&c, pool, mine | 4 * SP_CHUNK_SLOTS, SP_FOREIGN); /* just past the end */
  refuse_everywhere(&c, pool, mine | (SP_CHUNK_SLOTS - 1), SP_STALE); /* never made */
  refuse_everywhere(&c, pool, mine + ((sp_ref)1 << 32), SP_STALE);    /* a life to come */
  refuse_everywhere(&c, pool, mine + ((sp_ref)2 << 32), SP_STALE);
  refuse_everywhere(&c, pool, mine | (sp_ref)UINT32_MAX << 32, SP_STALE);
  ck_assert(sp_is_live(c.manager, mine));
  ck_assert(sp_is_live(other.manager, foreign));
  core_close(&c);
  core_close(&other);
}

POOL_TEST(foreign_tests, random_bits_are_never_taken_for_an_object)
{
  sp_ref mine = core_alloc(pool);
  uint64_t x = 88172645463325252u;
  for (int i = 0; i < 100000; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    sp_ref guess = i % 2 ? x : (x & ~(uint64_t)UINT32_MAX) | 1u << 24 | (x & 511);
    if (guess == mine)
      continue;
    ck_assert(!sp_is_live(c->manager, guess));
    ck_assert_int_ne(sp_recycle(c->manager, guess), SP_OK);
    ck_assert(sp_check(c->manager, guess) == SP_FOREIGN || guess >> 56 || sp_check(c->manager, guess) == SP_STALE);
  }
  ck_assert_uint_eq(sp_pool_live(pool), 1);
}

TEST(foreign_tests, the_bits_of_a_reference_are_as_documented)
{
  core c;
  core_open_with(&c, (sp_options){.id = 200, .first_generation = 40});
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref objects[2];
  core_alloc_many(pool, objects, 2);
  ck_assert_uint_eq(objects[0], (sp_ref)41 << 32 | 200u << 24 | 0);
  ck_assert_uint_eq(objects[1], (sp_ref)41 << 32 | 200u << 24 | 1);
  core_close(&c);
}

/* }== */

/* {== The last generation ================================================ */

TEST(last_generation_tests, a_pool_goes_on_when_whole_chunks_are_retired)
{
  core c;
  core_open_with(&c, (sp_options){.last_generation = 2});
  sp_pool *pool = core_pool(&c, "Cube");
  for (uint32_t i = 0; i < 1000; i++)
    core_recycle(&c, core_alloc(pool));
  ck_assert_uint_eq(sp_pool_stats(pool).retired, 1000);
  sp_pool_clear(pool); /* the worn out chunks are free to be given to anyone */
  ck_assert_uint_eq(sp_pool_chunks(pool), 0);
  sp_ref object = core_alloc(pool);
  ck_assert(sp_is_live(c.manager, object));
  ck_assert_uint_ge((uint32_t)object & (SP_MAX_SLOTS - 1), 1000);
  core_close(&c);
}

TEST(last_generation_tests, the_last_generations_of_the_range_work)
{
  core c;
  core_open_with(&c, (sp_options){.first_generation = 0xfffffffau});
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.grow = 1;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref first = core_alloc(pool);
  ck_assert_uint_eq(first >> 32, 0xfffffffbu);
  core_recycle(&c, first);
  sp_ref last = core_alloc(pool);
  ck_assert_uint_eq(last >> 32, 0xfffffffdu);
  core_recycle(&c, last);
  ck_assert_uint_eq(sp_pool_stats(pool).retired, 1);
  ck_assert_uint_eq(core_number(&c, core_alloc(pool)), 2);
  core_close(&c);
}

/* }== */

POOL_TEST(stale, a_reference_to_an_idle_object_is_not_live)
{
  sp_pool_prewarm(pool, 2, NULL);
  sp_ref idle = sp_pool_idle_at(pool, 0);
  ck_assert(!sp_is_live(c->manager, idle));
  ck_assert_int_eq(sp_check(c->manager, idle), SP_OK);
  ck_assert_int_eq(sp_recycle(c->manager, idle), SP_STALE);
  ck_assert_int_eq(sp_recycle_base(c->manager, idle), SP_STALE);
  ck_assert_int_eq(sp_alloc_undo(c->manager, idle), SP_STALE);
  ck_assert_ptr_nonnull(sp_cell(c->manager, idle, SP_X)); /* idle objects have cells too */
  ck_assert_int_eq(sp_set_remaining(c->manager, idle, 1), SP_OK);
  core_tick(c, 65); /* which arms nothing */
  ck_assert_uint_eq(sp_pool_idle(pool), 2);
  sp_ref object = core_alloc(pool);
  ck_assert_uint_eq((uint32_t)object, (uint32_t)idle);
  ck_assert_int_eq(sp_check(c->manager, idle), SP_STALE); /* used: the next life has another name */
  ck_assert_ptr_null(sp_cell(c->manager, idle, SP_X));
  ck_assert_double_eq(sp_lifetime(c->manager, object), 0);
  sp_ref other = sp_pool_idle_at(pool, 0);
  sp_pool_clear(pool);
  ck_assert_int_eq(sp_check(c->manager, other), SP_STALE); /* destroyed */
}

TEST(last_generation_tests, references_to_a_retired_slot_stay_stale)
{
  core c;
  core_log log = {0};
  core_open_with(&c, (sp_options){.last_generation = 2});
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  sp_ref keeper = core_alloc(pool), object = core_alloc(pool), idle;
  core_recycle(&c, object);
  idle = object + ((sp_ref)1 << 32); /* what on_destroy was given */
  ck_assert_uint_eq(sp_pool_stats(pool).retired, 1);
  refuse_everywhere(&c, pool, object, SP_STALE);
  refuse_everywhere(&c, pool, idle, SP_STALE);
  core_recycle(&c, keeper);
  ck_assert_uint_eq(sp_pool_clear(pool), 0);
  ck_assert_uint_eq(sp_pool_chunks(pool), 0);
  refuse_everywhere(&c, pool, idle, SP_STALE);
  sp_pool *other = core_pool(&c, "Sphere"); /* gets the chunk, but not its worn out slots */
  sp_ref third = core_alloc(other);
  ck_assert_uint_eq((uint32_t)third & (SP_MAX_SLOTS - 1), 2);
  refuse_everywhere(&c, other, idle, SP_STALE);
  refuse_everywhere(&c, other, object, SP_STALE);
  core_close(&c);
}

SUITE(reference, &stale, &foreign_tests, &last_generation_tests)
