/*
** Bounds in cases that the games of the model do not reach: NaN, hooks that change what is outside, and chunks that are
** freed.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>

static test_group bounds_tests = {"bounds"};

static sp_pool *bounded(core *c, sp_outside outside, core_log *log)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.bounds = (sp_bounds){10, 20, 100, 50, outside};
  if (log)
    desc.hooks = core_hooks_all(log);
  return core_pool_with(c, &desc);
}

TEST(bounds_tests, what_is_nowhere_comes_back_too)
{
  for (int outside = SP_OUTSIDE_WRAP; outside < SP_OUTSIDE_COUNT; outside++) {
    static const float nowhere[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f};
    for (int i = 0; i < 5; i++) {
      core c;
      core_open(&c);
      sp_ref object = core_alloc_at(bounded(&c, (sp_outside)outside, NULL), nowhere[i], 30);
      sp_update(c.manager, 0);
      ck_assert(core_peek(&c, object, SP_X) >= 10 && core_peek(&c, object, SP_X) <= 110);
      core_close(&c);
    }
  }
}

/* Opens a core with so many objects that the next update recycles. */
static sp_pool *open_outside(core *c, core_log *log, float y, sp_ref *objects, int count)
{
  core_open(c);
  sp_pool *pool = bounded(c, SP_OUTSIDE_RECYCLE, log);
  for (int i = 0; i < count; i++)
    objects[i] = core_alloc_at(pool, -50, y);
  return pool;
}

static void move_others(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  sp_manager *m = sp_pool_manager(pool);
  const sp_ref *others = log->data;
  if (!core_is(hook, "despawn") || log->count++ > 0)
    return;
  *(float *)sp_cell(m, others[0], SP_X) = 50;            /* back inside */
  must(sp_recycle(m, others[1]) == SP_OK);               /* gone */
  must(sp_set_parent(m, others[2], others[0]) == SP_OK); /* no longer the world's */
  log->object = sp_pool_alloc_at(pool, 0, &(sp_place){-70, 50, 0}, NULL);
}

TEST(bounds_tests, a_hook_decides_anew_who_is_outside)
{
  core c;
  core_log log = {.act = move_others, .only = "despawn"};
  sp_ref objects[4];
  open_outside(&c, &log, 50, objects, 4);
  log.data = objects + 1;
  sp_update(c.manager, 0);
  ck_assert_str_eq(core_log_take(&log), "despawn 1 outside, despawn 3 recycled");
  ck_assert(sp_is_live(c.manager, objects[1]));
  ck_assert(sp_is_live(c.manager, objects[3]));
  ck_assert(sp_is_live(c.manager, log.object)); /* it came too late for this update */
  sp_update(c.manager, 0);
  ck_assert(!sp_is_live(c.manager, log.object));
  core_close(&c);
}

static void lift_bounds(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (!core_is(hook, "despawn") || log->count++ > 0)
    return;
  sp_pool_desc desc = test_desc("Cube");
  desc.hooks = core_hooks_all(log);
  must(sp_pool_redefine(pool, &desc) == SP_OK);
}

TEST(bounds_tests, a_hook_that_removes_the_bounds_ends_the_pass)
{
  core c;
  core_log log = {.act = lift_bounds, .only = "none"};
  sp_ref objects[400];
  sp_pool *pool = open_outside(&c, &log, 170, objects, 400);
  sp_update(c.manager, 0);
  ck_assert_uint_eq(sp_pool_live(pool), 399);
  for (int i = 1; i < 400; i++)
    must(*core_float(&c, objects[i], SP_X) == -50 && *core_float(&c, objects[i], SP_Y) == 170);
  core_close(&c);
}

CORE_TEST(bounds_tests, a_hair_outside_wraps_to_an_edge_and_not_beyond)
{
  sp_pool *pool = bounded(c, SP_OUTSIDE_WRAP, NULL);
  sp_ref object = core_alloc_at(pool, nextafterf(10, 0), 50); /* a width further on is the far edge, rounded */
  sp_update(c->manager, 0);
  ck_assert_float_eq(core_peek(c, object, SP_X), 10);
}

/* Empties the first chunk, whose place in the list the others then take. */
static void clear_first(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (!core_is(hook, "despawn") || log->depth > 1 || log->count++ > 0)
    return;
  const sp_ref *objects = log->data;
  for (int i = 0; i < SP_CHUNK_SLOTS; i++)
    must(sp_recycle(sp_pool_manager(pool), objects[i]) == SP_OK);
  sp_pool_clear(pool);
}

TEST(bounds_tests, chunks_that_go_meanwhile_put_nothing_off_beyond_the_next_update)
{
  for (int chunks = 2; chunks <= 3; chunks++) {
    core c;
    core_log log = {.act = clear_first, .only = "none"};
    static sp_ref objects[3 * SP_CHUNK_SLOTS];
    core_open(&c);
    sp_pool *pool = bounded(&c, SP_OUTSIDE_RECYCLE, &log);
    int count = chunks * SP_CHUNK_SLOTS;
    for (int i = 0; i < count; i++)
      objects[i] = core_alloc_at(pool, i == 300 || i == 301 || i == 600 ? 0 : 50, 50);
    log.data = objects;
    sp_update(c.manager, 0);
    ck_assert(!sp_is_live(c.manager, objects[300]));
    sp_update(c.manager, 0);
    for (int i = 0; i < count; i++)
      must(sp_is_live(c.manager, objects[i]) == (i >= SP_CHUNK_SLOTS && i != 300 && i != 301 && i != 600));
    core_check(c.manager);
    core_close(&c);
  }
}

SUITE(bounds, &bounds_tests)
