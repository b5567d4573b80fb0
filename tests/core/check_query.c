/*
** Queries: what is near what, against the naive way to find out.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum { MANY = 400 };

static uint32_t seed = 1;
static float random_float(float low, float high)
{
  seed = seed * 1664525 + 1013904223;
  return low + (high - low) * (float)(seed >> 8) / (float)(1 << 24);
}

static sp_ref placed(core *c, sp_pool *pool, float x, float y, float radius)
{
  sp_ref object = core_alloc_at(pool, x, y);
  ((sp_look *)sp_cell(c->manager, object, SP_LOOK))->radius = radius;
  return object;
}

static void scatter(core *c, sp_pool *pool, sp_ref *objects, float size, float radius)
{
  for (int i = 0; i < MANY; i++)
    objects[i] = placed(c, pool, random_float(-size, size), random_float(-size, size), random_float(0, radius));
}

/* The calls, in order. */
typedef struct hits {
  sp_ref objects[5000], others[5000];
  int count;
  sp_manager *recycle_in; /* recycles what it is given */
} hits;
static hits seen;

static void forget(void) { memset(&seen, 0, sizeof seen); }

static void on_near(void *ud, sp_ref object)
{
  hits *h = ud;
  h->objects[h->count++] = object;
  if (h->recycle_in && h->count % 2)
    sp_recycle(h->recycle_in, object);
}

static void on_overlap(void *ud, sp_ref object, sp_ref other)
{
  hits *h = ud;
  must(h->count < 5000);
  h->objects[h->count] = object;
  h->others[h->count++] = other;
  if (h->recycle_in)
    sp_recycle(h->recycle_in, other);
}

static test_group finding = {"finding"};
static test_group calling = {"calling"};

POOL_TEST(finding, what_is_no_number_is_nowhere)
{
  sp_ref objects[MANY];
  static const float odd[] = {-50, NAN, -INFINITY};
  placed(c, pool, NAN, 0, 1);
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, NULL), SP_NONE_REF);
  scatter(c, pool, objects, 100, 5);
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
    ck_assert_uint_eq(seen.objects[0], b);
    ck_assert_uint_eq(sp_pool_within(pool, INFINITY, 0, INFINITY, on_near, &seen, NULL), 0);
    core_close(&c);
  }
}

CORE_TEST(finding, odd_shapes_do_no_harm)
{
  sp_pool *pool = core_pool(c, "Cube"), *empty = core_pool(c, "Empty");
  sp_pool_desc desc = test_desc("Order");
  desc.spatial = false;
  sp_pool *flat = core_pool_with(c, &desc);
  core_alloc(flat);
  static const float odd[] = {0, NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e30f, -5};
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 8; k++)
      placed(c, pool, odd[i], odd[k], odd[(i + k) % 8]);
  forget();
  sp_pool_overlaps(pool, pool, on_overlap, &seen, NULL);
  sp_pool_nearest(pool, 3e38f, -3e38f, NULL);
  sp_pool_within(pool, 3e38f, -3e38f, 3e38f, on_near, &seen, NULL);
  forget();
  ck_assert_uint_eq(sp_pool_overlaps(pool, empty, on_overlap, &seen, NULL), 0);
  ck_assert_uint_eq(sp_pool_overlaps(empty, pool, on_overlap, &seen, NULL), 0);
  ck_assert_uint_eq(sp_pool_overlaps(pool, flat, on_overlap, &seen, NULL), 0);
  ck_assert_uint_eq(sp_pool_overlaps(flat, pool, on_overlap, &seen, NULL), 0);
  ck_assert_uint_eq(sp_pool_within(flat, 0, 0, INFINITY, on_near, &seen, NULL), 0);
  ck_assert_uint_eq(sp_pool_nearest(flat, 0, 0, NULL), SP_NONE_REF);
  ck_assert_int_eq(seen.count, 0);
  core elsewhere;
  core_open_with(&elsewhere, (sp_options){.id = 2});
  sp_pool *foreign = core_pool(&elsewhere, "Cube");
  core_alloc(foreign);
  ck_assert_uint_eq(sp_pool_overlaps(pool, foreign, on_overlap, &seen, NULL), 0);
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

POOL_TEST(finding, add_changes_a_column_of_what_lives)
{
  sp_ref objects[300];
  core_alloc_many(pool, objects, 300);
  core_recycle(c, objects[5]);
  ck_assert_uint_eq(sp_pool_add(pool, SP_Y, 0, 2.5f), 299);
  ck_assert_uint_eq(sp_pool_add(pool, SP_LOOK, offsetof(sp_look, scale), 1), 299);
  for (int i = 0; i < 300; i++)
    if (i != 5) {
      ck_assert_float_eq(*core_float(c, objects[i], SP_Y), 2.5f);
      ck_assert_float_eq(((const sp_look *)sp_peek(c->manager, objects[i], SP_LOOK))->scale, 2);
    }
  *core_float(c, objects[290], SP_Y) = 3e38f;
  ck_assert_uint_eq(sp_pool_add(pool, SP_Y, 0, 1e38f), 0); /* one of them would be infinite: nothing is changed */
  ck_assert_uint_eq(sp_pool_add(pool, SP_Y, 0, INFINITY), 0);
  ck_assert_uint_eq(sp_pool_add(pool, SP_X, 0, NAN), 0);
  for (int i = 0; i < 290; i++)
    if (i != 5) {
      ck_assert_float_eq(*core_float(c, objects[i], SP_Y), 2.5f);
      ck_assert_float_eq(*core_float(c, objects[i], SP_X), 0);
    }
  *core_float(c, objects[290], SP_Y) = INFINITY; /* as it was put there */
  ck_assert_uint_eq(sp_pool_add(pool, SP_Y, 0, 1e38f), 299);
  core_recycle(c, objects[6]);
  ck_assert_float_eq(*core_float(c, core_alloc(pool), SP_Y), 0);
  ck_assert_uint_eq(sp_pool_add(pool, -1, 0, 1), 0);
  sp_pool_desc nowhere = test_desc("Word");
  nowhere.spatial = false;
  ck_assert_uint_eq(sp_pool_add(core_pool_with(c, &nowhere), SP_X, 0, 1), 0);
  ck_assert_uint_eq(sp_pool_add(pool, SP_FIELDS, 0, 1), 0);
  ck_assert_uint_eq(sp_pool_add(pool, SP_X, 4, 1), 0);
  static const size_t offsets[] = {offsetof(sp_look, layer), 3, SIZE_MAX, SIZE_MAX - 3, SIZE_MAX - 7};
  for (int i = 0; i < 5; i++)
    ck_assert_uint_eq(sp_pool_add(pool, SP_LOOK, offsets[i], 1), 0);
}

SUITE(query, &finding, &calling)
