/*
** Parents where the games of the model do not come: objects without a place, idle ones, long chains, and a child that
** ends its parent.
*/
#include "support/core_fixture.h"
#include "support/test.h"

static test_group places = {"places"};
static test_group none = {"none"};
static test_group ends = {"ends"};

CORE_TEST(places, what_has_no_place_or_is_idle_has_no_parent)
{
  sp_pool_desc desc = test_desc("Order");
  desc.spatial = false;
  sp_pool *cubes = core_pool(c, "Cube");
  sp_ref cube = core_alloc(cubes), idle = sp_pool_idle_at(cubes, 0), order = core_alloc(core_pool_with(c, &desc));
  sp_place place;
  ck_assert_int_eq(sp_set_parent(c->manager, cube, idle), SP_STALE);
  ck_assert_int_eq(sp_set_parent(c->manager, idle, cube), SP_STALE);
  ck_assert_int_eq(sp_set_parent(c->manager, order, cube), SP_INVALID);
  ck_assert_int_eq(sp_set_parent(c->manager, cube, order), SP_INVALID);
  ck_assert(!sp_world_place(c->manager, order, &place));
  core_recycle(c, cube);
  ck_assert(!sp_world_place(c->manager, cube, &place));
  ck_assert_uint_eq(sp_parent(c->manager, cube), SP_NONE_REF);
}

POOL_TEST(none, an_alloc_may_be_cancelled_where_nobody_has_kin)
{
  sp_ref parent = core_alloc(pool), child = core_alloc(pool), object;
  ck_assert_int_eq(sp_set_parent(c->manager, child, parent), SP_OK);
  for (int i = 2; i < SP_CHUNK_SLOTS; i++)
    core_alloc(pool);
  object = sp_pool_alloc_begin(pool, 0, NULL); /* the first of another chunk */
  ck_assert_uint_eq(sp_pool_chunks(pool), 2);
  sp_alloc_cancel(c->manager, object);
  ck_assert(!sp_is_live(c->manager, object));
  ck_assert_uint_eq(sp_parent(c->manager, child), parent);
}

POOL_TEST(ends, a_chain_of_any_length_ends_without_deep_recursion)
{
  static sp_ref chain[20000];
  core_alloc_many(pool, chain, 20000);
  for (int i = 1; i < 2000; i++)
    must(sp_set_parent(c->manager, chain[i], chain[i - 1]) == SP_OK);
  core_recycle(c, chain[0]);
  ck_assert_uint_eq(sp_pool_live(pool), 18000);
  for (int i = 0; i < 2000; i++)
    must(!sp_is_live(c->manager, chain[i]));
  ck_assert(sp_is_live(c->manager, chain[2000]));
}

static sp_pool *pool_with_end(core *c, const char *type, sp_parent_end end, core_log *log)
{
  sp_pool_desc desc = test_desc(type);
  desc.on_parent_end = end;
  if (log)
    desc.hooks = core_hooks_all(log);
  return core_pool_with(c, &desc);
}

static void recycle_parent(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  if (core_is(hook, "despawn"))
    log->result = sp_recycle(sp_pool_manager(pool), sp_parent(sp_pool_manager(pool), object));
}

CORE_TEST(ends, a_child_may_end_its_parent_while_it_ends)
{
  core_log log = {.only = "despawn", .act = recycle_parent, .result = SP_FAILED};
  sp_pool *ships = core_pool(c, "Ship"), *flames = pool_with_end(c, "Flame", SP_PARENT_END_RECYCLE, &log);
  sp_ref ship = core_alloc_at(ships, 100, 0), flame = core_alloc_at(flames, 1, 0);
  sp_set_parent(c->manager, flame, ship);
  core_recycle(c, flame);
  ck_assert_str_eq(core_log_take(&log), "despawn 1 recycled"); /* once */
  ck_assert_int_eq(log.result, SP_OK);
  ck_assert(!sp_is_live(c->manager, ship));
  ck_assert_uint_eq(sp_pool_stats(flames).recycles, 1);
  core_check(c->manager);
  core_close(c);
}

SUITE(parents, &places, &none, &ends)
