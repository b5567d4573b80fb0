/*
** Queries where the games of the model do not come: numbers of any size and none, and queries that are ended.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>

static test_group finding = {"finding"};

static sp_ref placed(core *c, sp_pool *pool, float x, float y, float radius)
{
  sp_ref object = core_alloc(pool);
  *(float *)sp_object_cell(c->manager, object, SP_X) = x; /* which may be one that alloc refuses */
  *(float *)sp_object_cell(c->manager, object, SP_Y) = y;
  ((sp_look *)sp_object_cell(c->manager, object, SP_LOOK))->radius = radius;
  return object;
}

static void ignore_near(void *ud, sp_ref object) { (void)ud, (void)object; }
static void ignore_pair(void *ud, sp_ref object, sp_ref other) { (void)ud, (void)object, (void)other; }

/* Squares of these distances are no floats. */
TEST(finding, distances_of_any_size_are_right)
{
  static const float units[] = {1e-40f, 1e-30f, 1e-20f, 1e18f, 1e20f, 1e38f};
  for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
    core c;
    core_open(&c);
    sp_pool *pool = core_pool(&c, "Cube");
    float found = 0;
    core_alloc_at(pool, 3 * units[k], 0);
    sp_ref b = core_alloc_at(pool, 0, 2 * units[k]);
    core_alloc_at(pool, -3 * units[k], 0);
    ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, 0, &found), b);
    ck_assert_float_eq_tol(found / units[k], 2, 1e-4f);
    ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 1.9f * units[k], ignore_near, NULL, NULL), 0);
    ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 2.1f * units[k], ignore_near, NULL, NULL), 1);
    ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 3.1f * units[k], ignore_near, NULL, NULL), 3);
    core_close(&c);
  }
}

/* They do no harm, either. */
CORE_TEST(finding, what_is_no_number_is_nowhere_and_other_managers_are_empty)
{
  enum { MANY = 400 };
  static const float odd[] = {0, NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e30f, -5};
  sp_pool *pool = core_pool(c, "Cube"), *wild = core_pool(c, "Wild"), *empty = core_pool(c, "Empty");
  placed(c, pool, NAN, 0, 1);
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, 0, NULL), SP_NULL_REF);
  for (int i = 0; i < MANY; i++)
    placed(c, pool, (float)(i % 20), (float)(i / 20), 5);
  ck_assert_uint_eq(sp_pool_nearest(pool, NAN, 0, 0, NULL), SP_NULL_REF);
  for (int i = 1; i < 8; i += 2) /* none of these is a radius */
    ck_assert_uint_eq(sp_pool_within(pool, 10, 20, odd[i], ignore_near, NULL, NULL), 0);
  ck_assert_uint_eq(sp_pool_within(pool, 10, NAN, 50, ignore_near, NULL, NULL), 0);
  ck_assert_uint_eq(sp_pool_within(pool, 10, 20, INFINITY, ignore_near, NULL, NULL), MANY);
  for (int i = 0; i < 64; i++)
    placed(c, wild, odd[i / 8], odd[i % 8], odd[(i / 8 + i) % 8]);
  sp_pool_overlaps(wild, wild, ignore_pair, NULL, NULL);
  sp_pool_nearest(wild, 3e38f, -3e38f, 0, NULL);
  sp_pool_within(wild, 3e38f, -3e38f, 3e38f, ignore_near, NULL, NULL);
  core elsewhere;
  core_open_with(&elsewhere, TEST_OPTIONS(.id = 2));
  sp_pool *foreign = core_pool(&elsewhere, "Cube");
  core_alloc(foreign);
  ck_assert_uint_eq(sp_pool_overlaps(pool, empty, ignore_pair, NULL, NULL), 0);
  ck_assert_uint_eq(sp_pool_overlaps(empty, pool, ignore_pair, NULL, NULL), 0);
  ck_assert_uint_eq(sp_pool_overlaps(pool, foreign, ignore_pair, NULL, NULL), 0);
  core_close(&elsewhere);
}

POOL_TEST(finding, queries_that_are_made_again_allocate_nothing)
{
  size_t calls = 0;
  for (int i = 0; i < 30; i++)
    placed(c, pool, 0, 0, 1);
  for (int i = 0; i < 20; i++) {
    calls = i == 1 ? c->memory.calls : calls;
    ck_assert_uint_eq(sp_pool_overlaps(pool, pool, ignore_pair, NULL, NULL), 30 * 29 / 2);
    ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 1, ignore_near, NULL, NULL), 30);
  }
  ck_assert_uint_eq(c->memory.calls, calls);
}

/* {== The grid =========================================================== */

static int below(int end)
{
  static uint32_t seed = 1;
  seed = seed * 1664525 + 1013904223;
  return (int)((uint64_t)seed * (uint32_t)end >> 32);
}

/* The searches as they are described, without a grid. */
typedef struct slow {
  sp_ref nearest;
  double least;
  uint32_t count;
  uint64_t sum; /* of the references within, in their order */
} slow;

typedef struct place {
  float x, y, radius;
} place;

static double squared(const core *c, const sp_pool *pool, sp_ref object, place at)
{
  const sp_look *look = sp_object_peek(c->manager, object, SP_LOOK);
  const float *x = sp_object_peek(c->manager, object, SP_X), *y = sp_object_peek(c->manager, object, SP_Y);
  const double size = fabsf(look->scale), w = sp_pool_desc_of(pool)->box.w / 2, h = sp_pool_desc_of(pool)->box.h / 2;
  const double dx = fmax(fabs((double)*x - at.x) - w * size, 0), dy = fmax(fabs((double)*y - at.y) - h * size, 0);
  return dx * dx + dy * dy;
}

static slow search_slowly(const core *c, const sp_pool *pool, place at)
{
  slow found = {SP_NULL_REF, INFINITY, 0, 0};
  for (sp_ref it = 0; (it = sp_next_live(c->manager, UINT64_MAX, it)) != 0;) {
    if (sp_object_pool(c->manager, it) != pool)
      continue;
    const double distance = squared(c, pool, it, at);
    if (distance < found.least)
      found.least = distance, found.nearest = it;
    if (distance <= (double)at.radius * at.radius)
      found.count++, found.sum = found.sum * 31 + it;
  }
  return found;
}

static void add_up(void *ud, sp_ref object)
{
  slow *found = ud;
  found->count++, found->sum = found->sum * 31 + object;
}

static void search_both(const core *c, sp_pool *pool, place at)
{
  slow wanted = search_slowly(c, pool, at), found = {0};
  sp_pool_within(pool, at.x, at.y, at.radius, add_up, &found, NULL);
  must(found.count == wanted.count && found.sum == wanted.sum);
  must(sp_pool_nearest(pool, at.x, at.y, 0, NULL) == wanted.nearest);
}

/* Whatever tells of a change, and what a program does with the pointers that it has kept. */
static void change_something(core *c, sp_pool *pool, sp_ref *objects, int count, float **kept)
{
  const int one = below(count);
  const float x = (float)below(4000) / 5, y = (float)below(4000) / 5;
  switch (below(10)) {
  case 0: /* objects of velocity are moved by updates from then on */
    *(float *)sp_object_cell(c->manager, objects[one], SP_VX) = x / 100;
    break;
  case 1:
    *(float *)sp_object_cell(c->manager, objects[one], SP_X) = x;
    break;
  case 2: /* another object lives in the slot, or in another one */
    core_recycle(c, objects[one]);
    objects[one] = core_alloc_at(pool, x, y);
    break;
  case 3:
    *kept = *kept ? *kept : sp_pool_column(pool, 1, SP_Y);
    (*kept)[one % 64] = y;
    break;
  case 4:
    sp_pool_add(pool, SP_X, 0, 1);
    break;
  case 5:
    core_tick(c, 1);
    break;
  case 6: /* its size, which matters where it is a box */
    ((sp_look *)sp_object_cell(c->manager, objects[one], SP_LOOK))->scale = x / 100;
    break;
  case 7:
    core_recycle(c, sp_pool_alloc(pool, 0, NULL, NULL));
    break;
  default:
    break;
  }
}

static void search_while_things_change(const sp_pool_desc *desc, bool is_exposed)
{
  enum { MANY = 700, ROUNDS = 300 };
  static sp_ref objects[MANY];
  core c;
  core_open(&c);
  sp_pool *pool = core_pool_with(&c, desc);
  float *kept = NULL;
  for (int i = 0; i < MANY; i++)
    objects[i] = core_alloc_at(pool, (float)below(4000) / 5, (float)(i % 40 ? below(800) : i * 1000));
  for (int i = 0; i < ROUNDS; i++) {
    if (is_exposed)
      change_something(&c, pool, objects, MANY, &kept);
    else if (i % 4 == 0)
      sp_pool_add(pool, SP_Y, 0, 0.5f);
    for (int k = 0; k < 4; k++)
      search_both(&c, pool,
                  (place){(float)(below(1000) - 100), (float)(below(1000) - 100), (float)below(k == 3 ? 2000 : 60)});
  }
  core_close(&c);
}

TEST(finding, the_grid_finds_what_looking_at_all_of_them_finds)
{
  sp_pool_desc circles = sp_pool_defaults("Cube"), boxes = sp_pool_defaults("Cube");
  circles.spatial = boxes.spatial = true;
  boxes.box.w = 8, boxes.box.h = 3;
  for (int i = 0; i < 2; i++) {
    search_while_things_change(&circles, i);
    search_while_things_change(&boxes, i);
  }
}

/* }== */

/* {== Progress =========================================================== */

typedef struct patience {
  uint32_t asked, most; /* questions; those that are answered with yes */
} patience;

static bool is_patient(void *ud)
{
  patience *p = ud;
  return ++p->asked <= p->most;
}

/* A callback that has said no is not asked again. */
POOL_TEST(finding, a_query_ends_when_the_progress_callback_says_so)
{
  enum { CROWD = 20000 };
  uint32_t last = 0;
  sp_result why = SP_INTERRUPTED;
  for (int i = 0; i < CROWD; i++)
    core_alloc(pool);
  for (uint32_t most = 0; why == SP_INTERRUPTED; most += 1 + most / 4) {
    patience p = {.most = most};
    core_recycle(c, core_alloc(pool)); /* a change: this search looks at all of them again */
    sp_manager_set_progress(c->manager, is_patient, &p);
    uint32_t visits = sp_pool_within(pool, 0, 0, 10, ignore_near, NULL, &why);
    ck_assert_int_eq(why, p.asked > most ? SP_INTERRUPTED : SP_OK);
    ck_assert(p.asked <= most + 1 && visits >= last && p.asked < CROWD / 10); /* it is not asked all the time */
    ck_assert_int_eq(visits == CROWD, why == SP_OK);
    last = visits;
  }
}

/* The place of each is found by way of all before it: that counts, too. */
POOL_TEST(finding, deeply_nested_parents_can_be_interrupted)
{
  enum { DEEP = 3000 };
  sp_ref last = core_alloc(pool);
  for (int i = 1; i < DEEP; i++) {
    sp_ref next = core_alloc(pool);
    must(sp_object_set_parent(c->manager, next, last) == SP_OK);
    last = next;
  }
  patience p = {.most = UINT32_MAX};
  float distance = 0;
  sp_manager_set_progress(c->manager, is_patient, &p);
  ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 1, ignore_near, NULL, NULL), DEEP);
  ck_assert_uint_gt(p.asked, 500);
  p = (patience){.most = 100};
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, 0, &distance), SP_NULL_REF);
  ck_assert(distance == INFINITY && p.asked == 101);
}

/* }== */

SUITE(query, &finding)
