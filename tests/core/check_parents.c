/*
** Parents: a child's place is relative to its parent, and its life ends with it, or it goes its own way.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>

static sp_pool *pool_with_end(core *c, const char *type, sp_parent_end end, core_log *log)
{
  sp_pool_desc desc = test_desc(type);
  desc.on_parent_end = end;
  if (log)
    desc.hooks = core_hooks_all(log);
  return core_pool_with(c, &desc);
}

static sp_ref placed(sp_pool *pool, float x, float y, float angle)
{
  return sp_pool_alloc_at(pool, 0, &(sp_place){x, y, angle}, NULL);
}

static void check_place(core *c, sp_ref object, float x, float y, float angle)
{
  sp_place place = {0, 0, 0};
  ck_assert(sp_world_place(c->manager, object, &place));
  ck_assert_float_eq_tol(place.x, x, 1e-4f);
  ck_assert_float_eq_tol(place.y, y, 1e-4f);
  ck_assert_float_eq_tol(place.angle, angle, 1e-5f);
}

static test_group places = {"places"};
static test_group none = {"none"};
static test_group ends = {"ends"};

POOL_TEST(places, a_child_is_placed_relative_to_its_parent)
{
  const float quarter = 1.57079633f;
  sp_ref parent = placed(pool, 10, 20, quarter), child = placed(pool, 5, 0, 0.5f), grandchild = placed(pool, 1, 2, 0);
  check_place(c, child, 5, 0, 0.5f);
  ck_assert_uint_eq(sp_parent(c->manager, child), SP_NONE_REF);
  ck_assert(!sp_pool_has_parents(pool));
  ck_assert_int_eq(sp_set_parent(c->manager, child, parent), SP_OK);
  ck_assert_uint_eq(sp_parent(c->manager, child), parent);
  ck_assert(sp_pool_has_parents(pool));
  check_place(c, child, 10, 25, 0.5f + quarter);
  *core_float(c, child, SP_ANGLE) = -quarter;
  ck_assert_int_eq(sp_set_parent(c->manager, grandchild, child), SP_OK);
  check_place(c, grandchild, 11, 27, 0);
  *core_float(c, parent, SP_X) = 110;
  check_place(c, grandchild, 111, 27, 0);
  ck_assert_float_eq(*core_float(c, grandchild, SP_X), 1);
}

POOL_TEST(places, a_detached_child_stays_where_it_is_in_the_world)
{
  sp_ref parent = placed(pool, 10, 20, 1), child = placed(pool, 5, 6, 2);
  sp_set_parent(c->manager, child, parent);
  sp_place before;
  sp_world_place(c->manager, child, &before);
  ck_assert_int_eq(sp_set_parent(c->manager, child, SP_NONE_REF), SP_OK);
  ck_assert_uint_eq(sp_parent(c->manager, child), SP_NONE_REF);
  check_place(c, child, before.x, before.y, before.angle);
  ck_assert_float_eq(*core_float(c, child, SP_X), before.x);
  ck_assert_int_eq(sp_set_parent(c->manager, child, SP_NONE_REF), SP_OK); /* again: nothing happens */
  core_recycle(c, parent);
  ck_assert(sp_is_live(c->manager, child));
}

CORE_TEST(places, what_cannot_be_a_parent_is_refused)
{
  sp_pool_desc desc = test_desc("Order");
  desc.spatial = false;
  sp_pool *pool = core_pool(c, "Cube"), *flat = core_pool_with(c, &desc);
  sp_ref a = core_alloc(pool), b = core_alloc(pool), d = core_alloc(pool), order = core_alloc(flat);
  sp_ref stale = core_alloc(pool), idle = sp_pool_idle_at(pool, 0);
  core_recycle(c, stale);
  ck_assert_int_eq(sp_set_parent(c->manager, a, a), SP_CYCLE);
  ck_assert_int_eq(sp_set_parent(c->manager, b, a), SP_OK);
  ck_assert_int_eq(sp_set_parent(c->manager, d, b), SP_OK);
  ck_assert_int_eq(sp_set_parent(c->manager, a, d), SP_CYCLE);
  ck_assert_int_eq(sp_set_parent(c->manager, a, stale), SP_STALE);
  ck_assert_int_eq(sp_set_parent(c->manager, stale, a), SP_STALE);
  ck_assert_int_eq(sp_set_parent(c->manager, a, idle), SP_STALE);
  ck_assert_int_eq(sp_set_parent(c->manager, idle, a), SP_STALE);
  ck_assert_int_eq(sp_set_parent(c->manager, a, UINT64_MAX), SP_FOREIGN);
  ck_assert_int_eq(sp_set_parent(c->manager, UINT64_MAX, a), SP_FOREIGN);
  ck_assert_int_eq(sp_set_parent(c->manager, order, a), SP_INVALID);
  ck_assert_int_eq(sp_set_parent(c->manager, a, order), SP_INVALID);
  ck_assert_uint_eq(sp_parent(c->manager, a), SP_NONE_REF);
  ck_assert_uint_eq(sp_parent(c->manager, stale), SP_NONE_REF);
  sp_place place;
  ck_assert(!sp_world_place(c->manager, stale, &place));
  ck_assert(!sp_world_place(c->manager, order, &place));
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

static void remove_ships(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  sp_pool *ships = sp_find_pool(sp_pool_manager(pool), "Ship");
  (void)object;
  if (core_is(hook, "despawn"))
    log->result = sp_pool_remove(ships, NULL, NULL);
}

CORE_TEST(ends, a_pool_cannot_go_while_children_of_its_objects_end)
{
  core_log log = {.act = remove_ships};
  sp_pool *ships = core_pool(c, "Ship"), *flames = pool_with_end(c, "Flame", SP_PARENT_END_RECYCLE, &log);
  sp_ref ship = core_alloc(ships), flame = core_alloc(flames);
  sp_set_parent(c->manager, flame, ship);
  core_recycle(c, ship);
  ck_assert_int_eq(log.result, SP_BUSY);
  ck_assert_uint_eq(sp_pool_live(ships), 0);
  log.act = NULL;
  core_close(c);
}

POOL_TEST(ends, memory_that_is_refused_leaves_no_half_link)
{
  sp_ref objects[257];
  core_alloc_many(pool, objects, 257); /* two chunks, so two tables */
  for (int i = 0; i < 2; i++) {        /* first the child's table, then the parent's */
    c->memory.fail_at = c->memory.calls + 1 + (size_t)i;
    ck_assert_int_eq(sp_set_parent(c->manager, objects[0], objects[256]), SP_MEMORY);
    ck_assert_uint_eq(sp_parent(c->manager, objects[0]), SP_NONE_REF);
    core_check(c->manager);
  }
  ck_assert_int_eq(sp_set_parent(c->manager, objects[0], objects[256]), SP_OK);
}

POOL_TEST(ends, links_survive_children_that_come_and_go)
{
  sp_ref parents[2], children[6];
  core_alloc_many(pool, parents, 2);
  core_alloc_many(pool, children, 6);
  for (int i = 0; i < 6; i++)
    sp_set_parent(c->manager, children[i], parents[0]);
  core_recycle(c, children[5]);                                                /* the first of the list */
  core_recycle(c, children[2]);                                                /* from the middle */
  core_recycle(c, children[0]);                                                /* the last */
  ck_assert_int_eq(sp_set_parent(c->manager, children[3], parents[1]), SP_OK); /* a new parent */
  sp_ref again = core_alloc(pool);
  ck_assert_uint_eq(sp_parent(c->manager, again), SP_NONE_REF);
  core_recycle(c, parents[0]);
  ck_assert(!sp_is_live(c->manager, children[1]) && !sp_is_live(c->manager, children[4]));
  ck_assert(sp_is_live(c->manager, children[3]) && sp_is_live(c->manager, again));
  core_recycle(c, parents[1]);
  ck_assert_uint_eq(sp_pool_live(pool), 1);
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
  sp_ref ship = placed(ships, 100, 0, 0), flame = placed(flames, 1, 0, 0);
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
