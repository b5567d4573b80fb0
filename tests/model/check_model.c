/*
** Programs of random bytes: three pools whose limits, policies, orders, fields and hooks change, hooks that act, calls
** by C and by Lua, and a naive model that must agree with every answer. A program that fails is made shorter, written
** down, and kept in a file that plays it again.
*/
#include "model/game.h"
#include "support/attempt.h"
#include "support/process.h"
#include "support/test.h"

#include <string.h>
#include <time.h>

enum { TURNS = 10000, GAMES = 20, QUESTIONS = 2000, PATIENCE = 120 };
#define PROGRAM_FILE SP_BUILD_DIR "/model-program"

static long number_of(const char *variable, long usual)
{
  const char *wanted = getenv(variable);
  return wanted && *wanted ? strtol(wanted, NULL, 10) : usual;
}

/* {== A program that fails =============================================== */

typedef struct failure {
  const program *p;
  bool aloud;
  char message[1024];
} failure;

static void play(void *ud, FILE *out)
{
  const failure *f = ud;
  game_play(f->p, f->aloud ? out : NULL);
}

static bool fails_alike(void *ud, const program *p)
{
  failure f = {.p = p};
  return attempt(play, &f, PATIENCE, f.message, sizeof f.message, NULL) &&
         attempt_is_same(f.message, ((const failure *)ud)->message);
}

static void print_program(const program *p)
{
  failure f = {.p = p, .aloud = true};
  char *said = NULL;
  attempt(play, &f, PATIENCE, f.message, sizeof f.message, &said);
  FILE *out = fopen(PROGRAM_FILE, "wb");
  bool kept = out && fwrite(p->bytes, RECORD, p->count, out) == p->count;
  printf("%s%s\nagain with SP_FUZZ_TARGET=model SP_FUZZ_INPUT=%s and the suite `fuzz`\n", said ? said : "", f.message,
         kept && fclose(out) == 0 ? PROGRAM_FILE : "?");
  free(said);
}

static void play_or_explain(program *p)
{
  failure f = {.p = p};
  if (!attempt_can() || number_of("SP_MODEL_QUESTIONS", 1) == 0) {
    play(&f, NULL);
    return;
  }
  if (!attempt(play, &f, PATIENCE, f.message, sizeof f.message, NULL))
    return;
  program_shorten(p, fails_alike, &f, (int)number_of("SP_MODEL_QUESTIONS", QUESTIONS));
  print_program(p);
  ck_abort_msg("%s", f.message);
}

/* }== */

/* {== Games ============================================================== */

static test_group games = {"games", .timeout = 100000};

TEST(games, c_and_lua_and_a_naive_model_agree_about_random_programs)
{
  const long turns = strcmp(test_tool(), "valgrind") == 0 ? TURNS / 40 : TURNS;
  const long seconds = number_of("SP_MODEL_SECONDS", 0); /* instead of steps */
  const time_t end = time(NULL) + seconds;
  long left = number_of("SP_MODEL_STEPS", turns * GAMES);
  for (long seed = number_of("SP_MODEL_SEED", 20260); seconds ? time(NULL) < end : left > 0; left -= TURNS, seed++) {
    program p = program_random((uint64_t)seed, (size_t)(seconds || left > TURNS ? TURNS : left));
    ck_assert_ptr_nonnull(p.bytes);
    play_or_explain(&p);
    free(p.bytes);
  }
}

/* }== */

SUITE(model, &games)
