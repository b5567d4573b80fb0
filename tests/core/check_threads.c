/*
** A manager for each thread, and nothing shared: what one plays is what it plays alone, bit for bit. `make tsan` runs
** this with an eye on every access to memory.
*/
#include "support/test.h"
#include "support/world.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 6, STEPS = 1500 };

typedef struct game {
  world w;
  uint64_t first; /* step */
  uint64_t digest;
  bool failed;
} game;

/* From the first manager to the last byte: each thread opens and closes while others are in the middle of something.
   Nothing here asserts while threads run: the runner's asserts are for the main thread. */
static void *play(void *argument)
{
  game *g = argument;
  for (int round = 0; round < ROUNDS; round++) {
    world_open(&g->w);
    for (uint64_t i = 0; i < STEPS; i++) {
      world_step(&g->w, g->first + i);
      if (i % 100 == 0)
        g->digest = world_mixed(g->digest ^ sp_hash(g->w.c.manager));
    }
    g->failed |= sp_total_stats(g->w.c.manager).recycles < 100;
    g->failed |= sp_close(g->w.c.manager) != SP_OK || !test_memory_is_clean(&g->w.c.memory);
  }
  return g;
}

static test_group threads_tests = {"threads"};

TEST(threads_tests, managers_on_threads_play_the_games_they_play_alone)
{
  static game alone[THREADS], together[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    alone[i].first = together[i].first = (uint64_t)i / 2 * STEPS; /* two of each, so that the same is done at once */
    play(&alone[i]);
  }
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, play, &together[i]), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    ck_assert(!alone[i].failed && !together[i].failed);
    ck_assert_uint_eq(together[i].digest, alone[i].digest);
  }
  ck_assert_uint_ne(alone[0].digest, alone[THREADS - 1].digest);
}

SUITE(threads, &threads_tests)
