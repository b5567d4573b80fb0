/*
** Lists of the host's own: what ended in an update, of which the model knows the order, and which objects overlap.
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
