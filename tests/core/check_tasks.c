/*
** Passes on the host's threads: the same game on none, 1, 2, 3 and 8 of them, and on a host that does the ranges in
** another order, comes out the same, bit for bit.
*/
#define SP_WORKERS
#include "core/spawnpool_tasks.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>

/* {== Hosts ============================================================== */

enum { IN_THIS_THREAD = 0, BACKWARDS = -1, NONE = -2 };

typedef struct host {
  int threads; /* besides the one that waits; or one of the above */
  uint32_t tasks;
  sp_workers workers; /* of more than no threads */
} host;

static void *enqueue(sp_task_fn fn, uint32_t count, uint32_t least, void *task, void *ud)
{
  host *h = ud;
  h->tasks++;
  must(count >= least && least > 0);
  if (h->threads >= 0)
    return h->workers.tasks.enqueue(fn, count, least, task, &h->workers);
  for (uint32_t end = count; end > 0; end -= end % 7 ? end % 7 : 7)
    fn(end - (end % 7 ? end % 7 : 7), end, task);
  return NULL;
}

static void finish(void *enqueued, void *ud)
{
  host *h = ud;
  h->workers.tasks.finish(enqueued, &h->workers);
}

/* }== */

/* {== A game ============================================================= */

enum { POOLS = 6, OBJECTS = 12000, TICKS = 12, SIDE = 400 };

typedef struct game {
  core c;
  host host;
  sp_pool *pools[POOLS];
  sp_ref some[64]; /* of the pool with a hook */
  uint64_t random, hash;
  uint32_t ended;
} game;

static uint32_t draw(game *g, uint32_t below)
{
  g->random ^= g->random << 13;
  g->random ^= g->random >> 7;
  g->random ^= g->random << 17;
  return (uint32_t)((g->random >> 32) * below >> 32);
}

static void hash_bytes(game *g, const void *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    g->hash = (g->hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
}

static void hash_ref(void *ud, sp_ref object) { hash_bytes(ud, &object, sizeof object); }

static sp_ref spawn(game *g, int pool)
{
  sp_manager *m = g->c.manager;
  sp_place place = {(float)draw(g, SIDE), (float)draw(g, SIDE), (float)draw(g, 6)};
  sp_ref object = sp_pool_alloc_at(g->pools[pool], draw(g, 3) ? draw(g, 2 * TICKS) * STEP : 0, &place, NULL);
  if (object) {
    *(float *)sp_cell(m, object, SP_VX) = (float)draw(g, 4000) - 2000;
    *(float *)sp_cell(m, object, SP_VY) = (float)draw(g, 4000) - 2000;
    *(float *)sp_cell(m, object, SP_SPIN) = (float)draw(g, 10);
  }
  return object;
}

/* Moves others, into the bounds and out of them, and spawns. */
static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  game *g = ud;
  (void)pool;
  hash_ref(g, object);
  hash_bytes(g, &why, sizeof why);
  g->ended++;
  float *x = sp_cell(g->c.manager, g->some[draw(g, 64)], SP_X);
  if (x)
    *x = (float)draw(g, 3 * SIDE) - SIDE;
  g->some[draw(g, 64)] = spawn(g, POOLS - 1);
}

static void open_pools(game *g)
{
  static const sp_curve curves[] = {
      {.column = SP_LOOK, .offset = offsetof(sp_look, a), .points = {1, 0.2f, 0}, .count = 3},
      {.column = SP_LOOK, .offset = offsetof(sp_look, scale), .points = {1, 4}, .count = 2}};
  static const sp_outside outside[POOLS] = {SP_OUTSIDE_WRAP,  SP_OUTSIDE_RECYCLE, SP_OUTSIDE_BOUNCE,
                                            SP_OUTSIDE_CLAMP, SP_OUTSIDE_IGNORE,  SP_OUTSIDE_RECYCLE};
  for (int i = 0; i < POOLS; i++) {
    sp_pool_desc desc = test_desc((const char *[]){"A", "B", "C", "D", "E", "F"}[i]);
    desc.settings.prealloc = OBJECTS;
    desc.bounds = (sp_bounds){0, 0, SIDE, SIDE, outside[i]};
    desc.motion = (sp_motion){.gravity = i == 4 ? 100 : 0, .drag = i == 2 ? 0.5f : 0, .face_velocity = i == 3};
    desc.curves = curves;
    desc.curve_count = i % 2 ? 2 : 0;
    if (i == POOLS - 1)
      desc.hooks = (sp_hooks){.ud = g, .on_despawn = on_despawn};
    g->pools[i] = core_pool_with(&g->c, &desc);
    for (int k = 0; k < OBJECTS; k++) {
      sp_ref object = spawn(g, i);
      if (i == POOLS - 1)
        g->some[k % 64] = object;
    }
  }
}

static void play_tick(game *g, int tick)
{
  must(sp_update(g->c.manager, STEP) == SP_OK);
  for (int i = 0; i < POOLS; i++) {
    float distance, x = (float)draw(g, SIDE), y = (float)draw(g, SIDE);
    uint32_t near = sp_pool_within(g->pools[i], x, y, 30, hash_ref, g, NULL);
    hash_bytes(g, &near, sizeof near);
    hash_ref(g, sp_pool_nearest(g->pools[i], x, y, &distance));
    hash_bytes(g, &distance, sizeof distance);
    uint32_t added = sp_pool_add(g->pools[i], i % 2 ? SP_VX : SP_Y, 0, tick == 7 ? (float)INFINITY : 3);
    hash_bytes(g, &added, sizeof added);
    for (int k = 0; k < 200; k++)
      spawn(g, i);
  }
}

/* Returns the hash of all that happened and of all that is there. */
static uint64_t play(int threads)
{
  static game g;
  g = (game){.random = 88172645463325252u, .hash = 14695981039346656037u, .host = {.threads = threads}};
  core_open_with(&g.c, (sp_options){0});
  const sp_tasks tasks = {enqueue, finish, &g.host};
  if (threads >= 0)
    sp_workers_start(&g.host.workers, threads);
  must(sp_set_tasks(g.c.manager, threads == NONE ? NULL : &tasks) == SP_OK);
  open_pools(&g);
  for (int i = 0; i < TICKS; i++)
    play_tick(&g, i);
  const uint64_t state = sp_hash(g.c.manager);
  hash_bytes(&g, &state, sizeof state);
  must(g.ended > 1000);
  must(threads == NONE ? g.host.tasks == 0 : g.host.tasks > TICKS * POOLS * 5);
  core_close(&g.c);
  if (threads >= 0)
    sp_workers_stop(&g.host.workers);
  return g.hash;
}

static test_group threads_tests = {"threads"};
static test_group hooks_tests = {"hooks"};
static test_group refusals = {"refusals"};

TESTS(threads_tests, any_number_of_threads_plays_the_same_game, 5)
{
  static const int threads[] = {IN_THIS_THREAD, 1, 2, 7, BACKWARDS};
  ck_assert_uint_eq(play(threads[_i]), play(NONE));
}

/* }== */

/* {== Hooks ============================================================== */

typedef struct shove {
  sp_ref last;
  uint32_t ended;
} shove;

static void shove_last(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  shove *s = ud;
  (void)object;
  float *x = sp_cell(sp_pool_manager(pool), s->last, SP_X);
  if (x)
    *x = -1;
  s->ended += why == SP_WHY_OUTSIDE;
}

/* All chunks were looked at before the hook ran. */
CORE_TEST(hooks_tests, what_a_hook_moves_out_ends_in_the_same_update)
{
  host h = {.threads = BACKWARDS};
  shove s = {0};
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.prealloc = OBJECTS;
  desc.bounds = (sp_bounds){0, 0, 100, 100, SP_OUTSIDE_RECYCLE};
  desc.hooks = (sp_hooks){.ud = &s, .on_despawn = shove_last};
  sp_pool *pool = core_pool_with(c, &desc);
  ck_assert_int_eq(sp_set_tasks(c->manager, &(sp_tasks){enqueue, finish, &h}), SP_OK);
  sp_ref first = core_alloc(pool);
  for (int i = 1; i < OBJECTS; i++)
    s.last = core_alloc(pool);
  *core_float(c, first, SP_X) = -1;
  core_tick(c, 1);
  ck_assert_uint_eq(s.ended, 2);
  ck_assert(!sp_is_live(c->manager, s.last));
  ck_assert_uint_gt(h.tasks, 0);
  core_close(c);
  c->manager = NULL;
}

/* }== */

/* {== Refusals =========================================================== */

static bool set_in_hook(void *ud, sp_pool *pool, sp_ref object, bool fresh)
{
  (void)object, (void)fresh;
  *(sp_result *)ud = sp_set_tasks(sp_pool_manager(pool), NULL);
  return true;
}

CORE_TEST(refusals, tasks_that_make_no_sense_are_refused)
{
  host h = {0};
  sp_result why = SP_OK;
  ck_assert_int_eq(sp_set_tasks(c->manager, &(sp_tasks){enqueue, NULL, &h}), SP_INVALID);
  ck_assert_int_eq(sp_set_tasks(c->manager, &(sp_tasks){NULL, finish, &h}), SP_INVALID);
  sp_pool_desc desc = test_desc("Cube");
  desc.hooks = (sp_hooks){.ud = &why, .on_spawn = set_in_hook};
  core_alloc(core_pool_with(c, &desc));
  ck_assert_int_eq(why, SP_BUSY);
}

static bool refuse(void *ud) { return ++*(int *)ud < 0; }

static void never(void *ud, sp_ref object) { ck_abort_msg("%p is told of %d", ud, (int)object); }

CORE_TEST(refusals, a_query_on_threads_asks_and_may_be_ended)
{
  host h = {.threads = BACKWARDS};
  int asked = 0;
  sp_result why = SP_OK;
  float distance;
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.prealloc = OBJECTS;
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref first = core_alloc(pool);
  for (int i = 1; i < OBJECTS; i++)
    core_alloc(pool);
  ck_assert_int_eq(sp_set_tasks(c->manager, &(sp_tasks){enqueue, finish, &h}), SP_OK);
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, &distance), first); /* of many that are as near */
  sp_set_progress(c->manager, refuse, &asked);
  ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 10, never, NULL, &why), 0);
  ck_assert_int_eq(why, SP_INTERRUPTED);
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, &distance), SP_NONE_REF);
  ck_assert_int_eq(asked, 2);
  ck_assert_uint_eq(h.tasks, 3);
}

CORE_TEST(refusals, small_pools_and_chains_of_parents_stay_on_one_thread)
{
  host h = {.threads = BACKWARDS};
  ck_assert_int_eq(sp_set_tasks(c->manager, &(sp_tasks){enqueue, finish, &h}), SP_OK);
  sp_pool *small = core_pool(c, "Small");
  sp_ref parent = core_alloc(small);
  ck_assert_uint_eq(sp_pool_nearest(small, 0, 0, NULL), parent);
  ck_assert_uint_eq(sp_pool_add(small, SP_X, 0, 1), 1);
  ck_assert_uint_eq(h.tasks, 0);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.prealloc = OBJECTS;
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref child = core_alloc(pool);
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, NULL), child);
  ck_assert_uint_eq(h.tasks, 1);
  ck_assert_int_eq(sp_set_parent(c->manager, child, parent), SP_OK);
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, NULL), child);
  ck_assert_uint_eq(h.tasks, 1);
}

/* }== */

SUITE(tasks, &threads_tests, &hooks_tests, &refusals)
