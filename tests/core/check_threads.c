/*
** A manager for each thread, and nothing shared: what one plays is what it plays alone, bit for bit. `make tsan` runs
** this with an eye on every access to memory.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 6, TICKS = 200 };

typedef struct game {
  core c;
  int objects;
  uint64_t digest;
  bool failed;
} game;

/* From the first manager to the last byte: each thread opens and closes while others are in the middle of something.
   Nothing here asserts while threads run: the runner's asserts are for the main thread. */
static void *play(void *argument)
{
  game *g = argument;
  for (int round = 0; round < ROUNDS; round++) {
    core_open(&g->c);
    core_populate(&g->c, g->objects);
    for (int i = 0; i < TICKS; i++) {
      sp_update(g->c.manager, STEP);
      g->digest = (g->digest ^ sp_hash(g->c.manager)) * 0x100000001b3u;
    }
    g->failed |= sp_total_stats(g->c.manager).recycles < 100;
    g->failed |= sp_close(g->c.manager) != SP_OK || !test_memory_is_clean(&g->c.memory);
  }
  return g;
}

static test_group threads_tests = {"threads"};

TEST(threads_tests, managers_on_threads_play_the_games_they_play_alone)
{
  static game alone[THREADS], together[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    alone[i].objects = together[i].objects = 600 + i / 2 * 100; /* two of each, so that the same is done at once */
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
