/*
** The host's threads: one game on none, 1, 2, 3 and 8 of them, and on a host that does the ranges in another order,
** comes out the same, bit for bit; and so do games of managers that each have a thread. `make tsan` runs this with an
** eye on every access to memory.
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
  uint32_t objects, ended;
  bool failed;
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
  const sp_place place = {(float)draw(g, SIDE), (float)draw(g, SIDE), (float)draw(g, 6)};
  const double lifetime = draw(g, 3) ? draw(g, 2 * TICKS) * STEP : 0;
  const float vx = (float)draw(g, 4000) - 2000, vy = (float)draw(g, 4000) - 2000;
  return sp_pool_alloc_moving(g->pools[pool], lifetime, &place, vx, vy, NULL);
}

/* Moves others, into the bounds and out of them, and spawns. */
static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  game *g = ud;
  (void)pool;
  hash_ref(g, object);
  hash_bytes(g, &why, sizeof why);
  g->ended++;
  float *x = sp_object_cell(g->c.manager, g->some[draw(g, 64)], SP_X);
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
    desc.settings.prealloc = g->objects;
    desc.spin = (float)i;
    desc.bounds = (sp_bounds){0, 0, SIDE, SIDE, outside[i]};
    desc.motion = (sp_motion){.gravity = i == 4 ? 100 : 0, .drag = i == 2 ? 0.5f : 0, .face_velocity = i == 3};
    desc.curves = curves;
    desc.curve_count = i % 2 ? 2 : 0;
    if (i == POOLS - 1)
      desc.hooks = (sp_pool_hooks){.ud = g, .on_despawn = on_despawn};
    g->pools[i] = core_pool_with(&g->c, &desc);
    for (uint32_t k = 0; k < g->objects; k++) {
      sp_ref object = spawn(g, i);
      if (i == POOLS - 1)
        g->some[k % 64] = object;
    }
  }
}

static void play_tick(game *g, int tick)
{
  g->failed |= sp_manager_update(g->c.manager, STEP) != SP_OK;
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
  const uint64_t state = sp_manager_hash(g->c.manager);
  hash_bytes(g, &state, sizeof state);
}

/* From the first manager to the last byte; in `hash` is all that happened. Nothing here asserts in a thread of a test:
   the runner's asserts are for the main thread. */
static void *play(void *argument)
{
  game *g = argument;
  const sp_tasks tasks = {enqueue, finish, &g->host};
  g->random = 88172645463325252u;
  g->hash = 14695981039346656037u;
  core_open(&g->c);
  if (g->host.threads >= 0)
    sp_workers_start(&g->host.workers, g->host.threads);
  g->failed |= sp_set_tasks(g->c.manager, g->host.threads == NONE ? NULL : &tasks) != SP_OK;
  open_pools(g);
  for (int i = 0; i < TICKS; i++)
    play_tick(g, i);
  g->failed |= g->ended < g->objects / 12 || (g->host.threads == NONE) != (g->host.tasks == 0);
  g->failed |= sp_manager_close(g->c.manager) != SP_OK || !test_memory_is_clean(&g->c.memory);
  if (g->host.threads >= 0)
    sp_workers_stop(&g->host.workers);
  return g;
}

static test_group threads_tests = {"threads"};
static test_group hosts = {"hosts"};

TESTS(threads_tests, any_number_of_threads_plays_the_same_game, 5)
{
  static const int threads[] = {IN_THIS_THREAD, 1, 2, 7, BACKWARDS};
  static game alone = {.host.threads = NONE, .objects = OBJECTS}, together = {.objects = OBJECTS};
  together.host.threads = threads[_i];
  play(&alone);
  play(&together);
  ck_assert(!alone.failed && !together.failed);
  ck_assert_uint_gt(together.host.tasks, TICKS * POOLS * 5);
  ck_assert_uint_eq(together.hash, alone.hash);
}

/* Each opens and closes while others are in the middle of something. */
TEST(threads_tests, managers_on_threads_play_the_games_they_play_alone)
{
  enum { THREADS = 4, ROUNDS = 3 };
  static game alone[THREADS], together[THREADS];
  pthread_t threads[THREADS];
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < THREADS; i++) {
      alone[i] = together[i] = (game){.host.threads = NONE, .objects = 600 + (uint32_t)i / 2 * 100};
      play(&alone[i]);
    }
    for (int i = 0; i < THREADS; i++)
      ck_assert_int_eq(pthread_create(&threads[i], NULL, play, &together[i]), 0);
    for (int i = 0; i < THREADS; i++)
      ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
      ck_assert(!alone[i].failed && !together[i].failed && together[i].hash == alone[i].hash);
    ck_assert_uint_ne(alone[0].hash, alone[THREADS - 1].hash);
  }
}

/* }== */

/* {== Hosts that are asked =============================================== */

/* A pool that is large enough for threads, of a host that works backwards. */
static sp_pool *open_large(core *c, host *h, sp_pool_hooks hooks, sp_outside outside)
{
  sp_pool_desc desc = test_desc("Large");
  desc.settings.prealloc = OBJECTS;
  desc.bounds = (sp_bounds){0, 0, 100, 100, outside};
  desc.hooks = hooks;
  *h = (host){.threads = BACKWARDS};
  must(sp_set_tasks(c->manager, &(sp_tasks){enqueue, finish, h}) == SP_OK);
  return core_pool_with(c, &desc);
}

static void shove_last(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  float *x = sp_object_cell(sp_pool_manager(pool), *(sp_ref *)ud, SP_X);
  (void)object;
  if (x && why == SP_WHY_OUTSIDE)
    *x = -1;
}

/* All chunks were looked at before the hook ran. */
CORE_TEST(hosts, end_what_a_hook_moves_out_in_the_same_update)
{
  host h;
  sp_ref last = SP_NULL_REF;
  sp_pool *pool = open_large(c, &h, (sp_pool_hooks){.ud = &last, .on_despawn = shove_last}, SP_OUTSIDE_RECYCLE);
  sp_ref first = core_alloc_at(pool, -1, 0);
  for (int i = 1; i < OBJECTS; i++)
    last = core_alloc(pool);
  core_tick(c, 1);
  ck_assert(!sp_object_is_live(c->manager, first) && !sp_object_is_live(c->manager, last) && h.tasks > 0);
  ck_assert_uint_eq(sp_pool_live(pool), OBJECTS - 2);
  core_close(c);
}

CORE_TEST(hosts, that_make_no_sense_are_refused)
{
  host h = {0};
  ck_assert_int_eq(sp_set_tasks(c->manager, &(sp_tasks){enqueue, NULL, &h}), SP_INVALID);
  ck_assert_int_eq(sp_set_tasks(c->manager, &(sp_tasks){NULL, finish, &h}), SP_INVALID);
}

static bool refuse(void *ud) { return ++*(int *)ud < 0; }

static void never(void *ud, sp_ref object) { ck_abort_msg("%p is told of %d", ud, (int)object); }

CORE_TEST(hosts, get_large_pools_without_parents_and_queries_that_can_be_ended)
{
  host h;
  int asked = 0;
  sp_result why = SP_OK;
  float distance;
  sp_pool *pool = open_large(c, &h, (sp_pool_hooks){0}, SP_OUTSIDE_IGNORE), *small = core_pool(c, "Small");
  sp_ref parent = core_alloc(small), first = core_alloc(pool);
  for (int i = 1; i < OBJECTS; i++)
    core_alloc(pool);
  ck_assert(sp_pool_nearest(small, 0, 0, NULL) == parent && sp_pool_add(small, SP_X, 0, 1) == 1 && h.tasks == 0);
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, &distance), first); /* of many that are as near */
  sp_manager_set_progress(c->manager, refuse, &asked);
  ck_assert_uint_eq(sp_pool_within(pool, 0, 0, 10, never, NULL, &why), 0);
  ck_assert_int_eq(why, SP_INTERRUPTED);
  ck_assert_uint_eq(sp_pool_nearest(pool, 0, 0, &distance), SP_NULL_REF);
  ck_assert(asked == 2 && h.tasks == 3);
  sp_manager_set_progress(c->manager, NULL, NULL);
  ck_assert_int_eq(sp_object_set_parent(c->manager, first, parent), SP_OK);
  ck_assert_uint_ne(sp_pool_nearest(pool, 0, 0, NULL), SP_NULL_REF);
  ck_assert_uint_eq(h.tasks, 3);
}

/* }== */

SUITE(tasks, &threads_tests, &hosts)
