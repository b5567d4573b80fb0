/*
** A manager for each thread, and nothing shared: what one plays is what it plays alone, bit for bit. `make tsan` runs
** this with an eye on every access to memory.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 6, STEPS = 400, KNOWN = 256 };

/* Nothing here asserts while threads run: the runner's asserts are for the main thread. */
typedef struct game {
  uint64_t random, digest;
  test_memory memory;
  sp_manager *manager;
  sp_pool *cubes, *sparks;
  sp_ref known[KNOWN];
  uint32_t pairs, timers;
  bool failed;
} game;

static uint32_t below(game *g, uint32_t n)
{
  g->random = g->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(g->random >> 33) % n;
}

static void note(game *g, uint64_t value) { g->digest = (g->digest ^ value) * 0x100000001b3u; }

static sp_ref *any(game *g) { return &g->known[below(g, KNOWN)]; }

/* {== Hooks ============================================================== */

static bool on_spawn(void *ud, sp_pool *pool, sp_ref object, bool fresh)
{
  game *g = ud;
  note(g, object ^ fresh);
  if (pool == g->cubes && below(g, 4) == 0)
    *any(g) = sp_pool_alloc_at(g->sparks, 1, &(sp_place){1, 2, 3}, NULL);
  return below(g, 50) != 0;
}

static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  (void)pool;
  note(ud, object ^ why);
}

static void on_timer(void *ud, sp_ref object, uint64_t timer)
{
  game *g = ud;
  note(g, object + timer);
  g->timers++;
  if (below(g, 8) == 0)
    sp_recycle(g->manager, object);
}

static void on_pair(void *ud, sp_ref object, sp_ref other)
{
  game *g = ud;
  note(g, object * 3 + other);
  g->pairs++;
}

/* }== */

/* {== A game ============================================================= */

static sp_pool *open_pool(game *g, const char *type, sp_overflow overflow, sp_order order)
{
  static const sp_curve fade = {.column = SP_SPIN, .count = 2, .points = {1, 0}};
  sp_pool_desc desc = test_desc(type);
  desc.settings.limit = 300;
  desc.settings.overflow = overflow;
  desc.settings.order = order;
  desc.curves = &fade;
  desc.curve_count = 1;
  desc.motion = (sp_motion){9.81f, 0.1f, true};
  desc.bounds = (sp_bounds){0, 0, 400, 300, order == SP_ORDER_LIFO ? SP_OUTSIDE_RECYCLE : SP_OUTSIDE_BOUNCE};
  desc.hooks = (sp_hooks){.ud = g, .on_spawn = on_spawn, .on_despawn = on_despawn};
  return sp_add_pool(g->manager, &desc, NULL);
}

static void spawn(game *g)
{
  sp_place place = {(float)below(g, 400), (float)below(g, 300), 0};
  sp_ref object = sp_pool_alloc_at(below(g, 2) ? g->cubes : g->sparks, below(g, 5) * 0.5, &place, NULL);
  float *speed = sp_cell(g->manager, object, SP_VX);
  if (speed)
    *speed = (float)below(g, 100);
  *any(g) = object;
}

static void step(game *g)
{
  switch (below(g, 8)) {
  case 0:
    note(g, sp_recycle(g->manager, *any(g)));
    break;
  case 1:
    note(g, sp_set_parent(g->manager, *any(g), *any(g)));
    break;
  case 2:
    note(g, sp_timer_start(g->manager, *any(g), 0.25, 0.125, NULL));
    break;
  case 3:
    note(g, sp_update(g->manager, 1.0 / 60));
    break;
  case 4:
    note(g, sp_pool_overlaps(g->cubes, g->sparks, on_pair, g, NULL));
    break;
  default:
    spawn(g);
    break;
  }
}

static void note_places(game *g, sp_pool *pool)
{
  sp_walk walk = sp_pool_walk(pool);
  for (sp_ref object; (object = sp_walk_next(&walk)) != 0;) {
    sp_place place = {0};
    uint32_t bits[3];
    sp_world_place(g->manager, object, &place);
    memcpy(bits, &place, sizeof bits);
    note(g, (uint64_t)bits[0] << 32 | bits[1]);
  }
}

/* From the first manager to the last byte: each thread opens and closes while others are in the middle of something. */
static void *play(void *argument)
{
  game *g = argument;
  for (int round = 0; round < ROUNDS && !g->failed; round++) {
    sp_options options = {.memory = test_memory_fn, .memory_ud = &g->memory, .on_timer = on_timer, .timer_ud = g};
    memset(g->known, 0, sizeof g->known);
    g->manager = sp_open(&options, NULL);
    g->cubes = g->manager ? open_pool(g, "Cube", SP_OVERFLOW_OLDEST, SP_ORDER_FIFO) : NULL;
    g->sparks = g->manager ? open_pool(g, "Spark", SP_OVERFLOW_REFUSE, SP_ORDER_LIFO) : NULL;
    g->failed = !g->cubes || !g->sparks;
    for (int i = 0; i < STEPS && !g->failed; i++)
      step(g);
    if (!g->failed) {
      note_places(g, g->cubes);
      note(g, sp_pool_clear(g->sparks));
    }
    g->failed |= sp_close(g->manager) != SP_OK || !test_memory_is_clean(&g->memory);
  }
  return g;
}

/* }== */

static test_group threads_tests = {"threads"};

TEST(threads_tests, managers_on_threads_play_the_games_they_play_alone)
{
  static game alone[THREADS], together[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    alone[i].random = together[i].random = (uint64_t)i / 2 + 1; /* two of each, so that the same is done at once */
    play(&alone[i]);
  }
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, play, &together[i]), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    ck_assert(!alone[i].failed && !together[i].failed);
    ck_assert_uint_gt(alone[i].pairs, 0);
    ck_assert_uint_gt(alone[i].timers, 0);
    ck_assert_uint_eq(together[i].digest, alone[i].digest);
  }
  ck_assert_uint_ne(alone[0].digest, alone[THREADS - 1].digest);
}

SUITE(threads, &threads_tests)
