/*
** Queries: what is near what, against the naive way to find out.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>

static sp_ref placed(core *c, sp_pool *pool, float x, float y, float radius)
{
  sp_ref object = core_alloc_at(pool, x, y);
  ((sp_look *)sp_cell(c->manager, object, SP_LOOK))->radius = radius;
  return object;
}

/* The calls. */
typedef struct hits {
  sp_ref first;
  int count;
} hits;
static hits seen;

static void forget(void) { seen = (hits){.count = 0}; }

static void on_near(void *ud, sp_ref object)
{
  hits *h = ud;
  h->first = h->count++ == 0 ? object : h->first;
}

static void on_overlap(void *ud, sp_ref object, sp_ref other)
{
  (void)other;
  on_near(ud, object);
}

static test_group finding = {"finding"};
static test_group calling = {"calling"};

POOL_TEST(finding, what_is_no_number_is_nowhere)
{
  enum { MANY = 400 };
  static const float odd[] = {-50, NAN, -INFINITY};
  placed(c, pool, NAN, 0, 1);
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, NULL), SP_NONE_REF);
  for (int i = 0; i < MANY; i++)
    placed(c, pool, (float)(i % 20), (float)(i / 20), 5);
  ck_assert_uint_eq(sp_pool_nearest(pool, NAN, 0, NULL), SP_NONE_REF);
  for (int i = 0; i < 3; i++)
    ck_assert_uint_eq(sp_pool_within(pool, 10, 20, odd[i], on_near, &seen, NULL), 0);
  ck_assert_uint_eq(sp_pool_within(pool, 10, NAN, 50, on_near, &seen, NULL), 0);
  forget();
  ck_assert_uint_eq(sp_pool_within(pool, 10, 20, INFINITY, on_near, &seen, NULL), MANY);
}

/* Squares of these distances are no floats. */
TEST(finding, distances_of_any_size_are_right)
{
  static const float units[] = {1e-40f, 1e-30f, 1e-20f, 1e18f, 1e20f, 1e38f};
  for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
    core c;
    core_open(&c);
    sp_pool *pool = core_pool(&c, "Cube");
    float found = 0;
    placed(&c, pool, 3 * units[k], 0, 0);
    sp_ref b = placed(&c, pool, 0, 2 * units[k], 0);
    placed(&c, pool, -3 * units[k], 0, 0);
    ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, &found), b);
    ck_assert_float_eq_tol(found / units[k], 2, 1e-4f);
    forget();
    ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 1.9f * units[k], on_near, &seen, NULL), 0);
    ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 2.1f * units[k], on_near, &seen, NULL), 1);
    ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 3.1f * units[k], on_near, &seen, NULL), 3);
    ck_assert_uint_eq(seen.first, b);
    ck_assert_uint_eq(sp_pool_within(pool, INFINITY, 0, INFINITY, on_near, &seen, NULL), 0);
    core_close(&c);
  }
}

CORE_TEST(finding, odd_shapes_and_pools_of_other_managers_do_no_harm)
{
  static const float odd[] = {0, NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e30f, -5};
  sp_pool *pool = core_pool(c, "Cube"), *empty = core_pool(c, "Empty");
  core elsewhere;
  core_open_with(&elsewhere, (sp_options){.id = 2});
  sp_pool *foreign = core_pool(&elsewhere, "Cube");
  core_alloc(foreign);
  for (int i = 0; i < 64; i++)
    placed(c, pool, odd[i / 8], odd[i % 8], odd[(i / 8 + i) % 8]);
  sp_pool_overlaps(pool, pool, on_overlap, &seen, NULL);
  sp_pool_nearest(pool, 3e38f, -3e38f, NULL);
  sp_pool_within(pool, 3e38f, -3e38f, 3e38f, on_near, &seen, NULL);
  forget();
  ck_assert_uint_eq(sp_pool_overlaps(pool, empty, on_overlap, &seen, NULL), 0);
  ck_assert_uint_eq(sp_pool_overlaps(empty, pool, on_overlap, &seen, NULL), 0);
  ck_assert_uint_eq(sp_pool_overlaps(pool, foreign, on_overlap, &seen, NULL), 0);
  ck_assert_int_eq(seen.count, 0);
  core_close(&elsewhere);
}

typedef struct nested {
  sp_pool *pool;
  int calls;
} nested;

static void query_inside(void *ud, sp_ref object)
{
  nested *n = ud;
  (void)object;
  n->calls++;
  forget();
  ck_assert_uint_eq(sp_pool_within(n->pool, 0, 0, 1, on_near, &seen, NULL), 30);
  ck_assert_int_eq(sp_pool_remove(n->pool, NULL, NULL), SP_BUSY);
}

POOL_TEST(calling, queries_may_be_nested_and_keep_their_memory)
{
  for (int i = 0; i < 30; i++)
    placed(c, pool, 0, 0, 1);
  nested n = {pool, 0};
  ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 1, query_inside, &n, NULL), 30);
  ck_assert_int_eq(n.calls, 30);
  forget();
  sp_pool_overlaps(pool, pool, on_overlap, &seen, NULL);
  size_t calls = c->memory.calls;
  for (int i = 0; i < 100; i++) {
    forget();
    ck_assert_uint_eq(sp_pool_overlaps(pool, pool, on_overlap, &seen, NULL), 30 * 29 / 2);
    sp_pool_within(pool, 0, 0, 1, on_near, &seen, NULL);
  }
  ck_assert_uint_eq(c->memory.calls, calls);
}

/* {== Progress =========================================================== */

typedef struct patience {
  uint32_t asked, most; /* questions; those that are answered with yes */
  uint32_t calls;       /* visits */
} patience;

static bool is_patient(void *ud)
{
  patience *p = ud;
  return ++p->asked <= p->most;
}

static void visit_patiently(void *ud, sp_ref object)
{
  (void)object;
  ((patience *)ud)->calls++;
}

/* Returns whether the query came to its end; if not it must report so, with the number of visits. */
static bool ends(core *c, sp_pool *pool, uint32_t most, uint32_t all, patience *p)
{
  sp_result why = SP_OK;
  *p = (patience){.most = most};
  sp_set_progress(c->manager, is_patient, p);
  uint32_t calls = sp_pool_within(pool, 0, 0, 10, visit_patiently, p, &why);
  ck_assert_uint_eq(calls, p->calls);
  ck_assert_int_eq(why, p->asked > most ? SP_INTERRUPTED : SP_OK);
  ck_assert_uint_le(p->asked, most + 1); /* who said no is not asked again */
  ck_assert(why == SP_OK ? calls == all : calls < all);
  return why == SP_OK;
}

POOL_TEST(calling, a_query_ends_when_the_progress_callback_says_so)
{
  enum { CROWD = 20000 };
  patience p;
  uint32_t most = 0, last = 0;
  for (int i = 0; i < CROWD; i++)
    core_alloc(pool);
  for (; !ends(c, pool, most, CROWD, &p); most++) {
    ck_assert_uint_ge(p.calls, last);
    last = p.calls;
    most += most / 4;
  }
  ck_assert_uint_gt(most, 10);
  ck_assert_uint_gt(last, 0);
  ck_assert_uint_lt(p.asked, CROWD / 10); /* it is not asked all the time */
  sp_set_progress(c->manager, NULL, NULL);
}

/* The place of each is found by way of all before it: that counts, too. */
CORE_TEST(calling, deeply_nested_parents_can_be_interrupted)
{
  enum { DEEP = 3000 };
  sp_pool *pool = core_pool(c, "Cube");
  sp_ref last = core_alloc(pool);
  for (int i = 1; i < DEEP; i++) {
    sp_ref next = core_alloc(pool);
    ck_assert_int_eq(sp_set_parent(c->manager, next, last), SP_OK);
    last = next;
  }
  patience p = {.most = UINT32_MAX};
  float distance = 0;
  sp_set_progress(c->manager, is_patient, &p);
  ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 1, visit_patiently, &p, NULL), DEEP);
  ck_assert_uint_gt(p.asked, 500);
  p = (patience){.most = 100};
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, &distance), SP_NONE_REF);
  ck_assert_float_infinite(distance);
  ck_assert_uint_eq(p.asked, 101);
  p = (patience){.most = UINT32_MAX};
  ck_assert_uint_ne(sp_pool_nearest(pool, 0, 0, &distance), SP_NONE_REF);
}

/* }== */

SUITE(query, &finding, &calling)
