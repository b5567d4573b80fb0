/*
** Lists of the host's own: what ended in an update, and which objects overlap, without a callback.
*/
#include "support/core_fixture.h"
#include "support/test.h"

enum { ROOM = 8 };

/* A list with room for `most` pairs, which are 0 as long as nothing is written. */
typedef struct list {
  sp_pair pairs[ROOM];
  sp_pairs found;
} list;

static void list_begin(list *it, uint32_t most)
{
  *it = (list){.found = {.most = most}};
  it->found.list = it->pairs;
}

static test_group ends = {"ends"};
static test_group pairs = {"pairs"};

static void must_have_ended(const list *it, uint32_t i, sp_ref object, sp_why why)
{
  ck_assert_uint_lt(i, it->found.count);
  ck_assert_uint_eq(it->pairs[i].object, object);
  ck_assert_uint_eq(it->pairs[i].other, (sp_ref)why);
}

POOL_TEST(ends, an_update_lists_what_expired_in_it_and_nothing_else)
{
  list it;
  list_begin(&it, ROOM);
  sp_list_ends(c->manager, &it.found);
  sp_ref first = sp_pool_alloc(pool, STEP, NULL), second = sp_pool_alloc(pool, 3 * STEP, NULL), own = core_alloc(pool);
  core_recycle(c, own);
  core_tick(c, 1);
  ck_assert_uint_eq(it.found.count, 1);
  must_have_ended(&it, 0, first, SP_WHY_EXPIRED);
  core_tick(c, 1);
  ck_assert_uint_eq(it.found.count, 0);
  sp_ref third = sp_pool_alloc(pool, 2 * STEP, NULL);
  sp_update(c->manager, 5 * STEP); /* of several ticks */
  ck_assert_uint_eq(it.found.count, 2);
  must_have_ended(&it, 0, second, SP_WHY_EXPIRED);
  must_have_ended(&it, 1, third, SP_WHY_EXPIRED);
  sp_set_paused(c->manager, true);
  core_tick(c, 1);
  ck_assert_uint_eq(it.found.count, 0);
  ck_assert_uint_eq(sp_pool_stats(pool).expired, 3);
}

CORE_TEST(ends, what_leaves_its_bounds_takes_its_children_along)
{
  list it;
  list_begin(&it, ROOM);
  sp_pool_desc desc = test_desc("Ship");
  desc.bounds = (sp_bounds){.w = 10, .h = 10, .outside = SP_OUTSIDE_RECYCLE};
  sp_pool *ships = core_pool_with(c, &desc), *guns = core_pool(c, "Gun");
  sp_ref ship = core_alloc_at(ships, 20, 5), gun = core_alloc(guns), other = core_alloc_at(ships, 5, 5);
  ck_assert_int_eq(sp_set_parent(c->manager, gun, ship), SP_OK);
  sp_list_ends(c->manager, &it.found);
  core_tick(c, 1);
  ck_assert_uint_eq(it.found.count, 2);
  must_have_ended(&it, 0, gun, SP_WHY_PARENT);
  must_have_ended(&it, 1, ship, SP_WHY_OUTSIDE);
  ck_assert_int_eq(sp_set_parent(c->manager, gun = core_alloc(guns), other), SP_OK);
  core_recycle(c, other); /* outside of an update */
  ck_assert(!sp_is_live(c->manager, gun));
  ck_assert_uint_eq(it.found.count, 2);
}

CORE_TEST(ends, a_veto_is_no_end)
{
  list it;
  list_begin(&it, ROOM);
  core_log log = {.veto = true, .only = "recycle"};
  sp_pool *pool = core_pool(c, "Cube");
  sp_hooks hooks = core_hooks_all(&log);
  sp_pool_set_hooks(pool, &hooks);
  sp_list_ends(c->manager, &it.found);
  sp_ref object = sp_pool_alloc(pool, STEP, NULL);
  core_tick(c, 2);
  ck_assert(sp_is_live(c->manager, object));
  ck_assert_uint_eq(it.found.count, 0);
  core_close(c);
  c->manager = NULL;
}

POOL_TEST(ends, what_does_not_fit_is_counted)
{
  list it;
  list_begin(&it, 2);
  sp_list_ends(c->manager, &it.found);
  for (int i = 0; i < 5; i++)
    sp_pool_alloc(pool, STEP, NULL);
  size_t bytes = c->memory.bytes;
  core_tick(c, 1);
  ck_assert_uint_eq(it.found.count, 5);
  ck_assert_uint_ne(it.pairs[1].object, 0);
  ck_assert_uint_eq(it.pairs[2].object, 0);
  ck_assert_uint_eq(c->memory.bytes, bytes);
  sp_list_ends(c->manager, NULL);
  sp_pool_alloc(pool, STEP, NULL);
  core_tick(c, 1);
  ck_assert_uint_eq(it.found.count, 5);
}

POOL_TEST(pairs, overlaps_go_into_a_list)
{
  list it;
  list_begin(&it, 1);
  sp_ref a = core_alloc_at(pool, 0, 0), b = core_alloc_at(pool, 1, 0);
  core_alloc_at(pool, 1000, 0);
  core_alloc_at(pool, 1, 1);
  ck_assert_uint_eq(sp_pool_overlaps(pool, pool, sp_list_pair, &it.found, NULL), 3);
  ck_assert_uint_eq(it.found.count, 3);
  ck_assert(it.pairs[0].object == a || it.pairs[0].object == b);
  ck_assert_uint_eq(it.pairs[1].object, 0);
}

SUITE(ends, &ends, &pairs)
