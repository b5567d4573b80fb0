/*
** The core against a naive model of it (support/core_model.h): random calls on three pools whose limits, policies,
** orders, fields and hooks change, hooks that act at random, and after every call the same answers, counts, orders,
** fields and times. A game that fails is made shorter and printed as C.
*/
#include "support/attempt.h"
#include "support/core_play.h"
#include "support/process.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 40000, GAMES = 5, QUESTIONS = 2000, PATIENCE = 120 };

typedef struct game {
  uint64_t seed;
  const shrink_item *turns;
  int count;
  bool aloud;
  char message[1024]; /* of the failure that is looked for */
} game;

static void play(void *ud, FILE *out)
{
  const game *g = ud;
  play_game(g->seed, g->turns, g->count, g->aloud ? out : NULL);
}

/* {== A game that fails ================================================== */

static bool fails_alike(void *ud, const shrink_item *turns, int count)
{
  game g = *(const game *)ud;
  char message[1024];
  g.turns = turns;
  g.count = count;
  return attempt(play, &g, PATIENCE, message, sizeof message, NULL) && attempt_is_same(message, g.message);
}

static void print_script(const game *g, const shrink_item *turns, int count)
{
  game aloud = {.seed = g->seed, .turns = turns, .count = count, .aloud = true};
  char message[1024], *script = NULL;
  attempt(play, &aloud, PATIENCE, message, sizeof message, &script);
  printf("%s\n%s/* %s */\nagain with SP_MODEL_SCRIPT=\"%llu", g->message, script ? script : "", message,
         (unsigned long long)g->seed);
  for (int i = 0; i < count; i++)
    printf(turns[i].size < SHRINK_WHOLE ? " %d:%d" : " %d", turns[i].turn, turns[i].size);
  printf("\" and the suite `model`\n");
  free(script);
}

static void play_or_explain(uint64_t seed, shrink_item *turns, int count)
{
  game g = {.seed = seed, .turns = turns, .count = count};
  const char *shortens = getenv("SP_MODEL_SHORTEN");
  if (!attempt_can() || (shortens && strcmp(shortens, "no") == 0)) {
    play(&g, NULL);
    return;
  }
  if (!attempt(play, &g, PATIENCE, g.message, sizeof g.message, NULL))
    return;
  count = shrink(turns, count, fails_alike, &g, QUESTIONS);
  print_script(&g, turns, count);
  ck_abort_msg("%s", g.message);
}

/* }== */

/* {== Games ============================================================== */

static shrink_item *all_turns(int count)
{
  shrink_item *turns = malloc((size_t)count * sizeof *turns);
  ck_assert_ptr_nonnull(turns);
  for (int i = 0; i < count; i++)
    turns[i] = (shrink_item){i, SHRINK_WHOLE};
  return turns;
}

static uint64_t first_seed(void)
{
  const char *wanted = getenv("SP_MODEL_SEED");
  return wanted && *wanted ? strtoull(wanted, NULL, 10) : 20260;
}

static long wanted_turns(void)
{
  const char *wanted = getenv("SP_MODEL_STEPS"); /* in all, instead of what is usual */
  const bool slow = strcmp(test_tool(), "valgrind") == 0;
  return wanted && *wanted ? strtol(wanted, NULL, 10) : (slow ? TURNS / 40 : TURNS) * (long)GAMES;
}

static test_group tcase = {"random", .timeout = 100000};

TEST(tcase, random_calls_and_a_naive_model_agree)
{
  long left = wanted_turns();
  shrink_item *turns = all_turns(TURNS);
  uint64_t seed = first_seed();
  for (; left > 0; left -= TURNS, seed++)
    play_or_explain(seed, turns, left < TURNS ? (int)left : TURNS);
  free(turns);
}

/* "seed turn turn:size ...", as a failure prints it. */
TEST(tcase, a_script_that_failed_once)
{
  const char *text = getenv("SP_MODEL_SCRIPT");
  if (!text)
    return;
  shrink_item *turns = all_turns(TURNS);
  int count = 0;
  char *end;
  uint64_t seed = strtoull(text, &end, 10);
  for (long turn; text = end, turn = strtol(text, &end, 10), end != text && count < TURNS; count++) {
    turns[count] = (shrink_item){(int)turn, SHRINK_WHOLE};
    if (*end == ':')
      turns[count].size = (int)strtol(end + 1, &end, 10);
  }
  play_or_explain(seed, turns, count);
  free(turns);
}

/* }== */

SUITE(model, &tcase)
