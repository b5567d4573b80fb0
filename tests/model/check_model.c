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

static bool is_slow(void) { return strcmp(test_tool(), "valgrind") == 0; }

static test_group games = {"games", .timeout = 100000};

TEST(games, c_and_lua_and_a_naive_model_agree_about_random_programs)
{
  long left = number_of("SP_MODEL_STEPS", (is_slow() ? TURNS / 40 : TURNS) * (long)GAMES);
  for (long seed = number_of("SP_MODEL_SEED", 20260); left > 0; left -= TURNS, seed++) {
    program p = program_random((uint64_t)seed, (size_t)(left < TURNS ? left : TURNS));
    ck_assert_ptr_nonnull(p.bytes);
    play_or_explain(&p);
    free(p.bytes);
  }
}

/* Once, and from each call on to the end of its turn: the model knows what must be as it was. */
TESTS(games, any_allocation_of_a_random_program_may_be_refused, 10)
{
  program p = program_random(20260 + (uint64_t)_i / 2, 250);
  ck_assert_ptr_nonnull(p.bytes);
  game_without_lua(&p);
  const size_t calls = game_refused(&p, 0, false);
  ck_assert_uint_gt(calls, 50);
  for (size_t fail_at = 1; fail_at <= calls; fail_at += is_slow() ? 40 : 1)
    game_refused(&p, fail_at, _i % 2);
  free(p.bytes);
}

/* }== */

static test_group reach = {"reach"};

/* But for names and texts, what never changes, and what needs another manager: suites of the core have these. */
TEST(reach, every_public_call_is_made_by_the_games)
{
  test_process p = test_run(
      30, "sed -n 's/^SP_API .*[ *]\\(sp_[a-z_0-9]*\\)(.*/\\1/p' src/core/spawnpool.h src/core/spawnpool_save.h "
          "src/core/spawnpool_tools.h >'" SP_BUILD_DIR "/calls'; wc -l <'" SP_BUILD_DIR "/calls'; grep -vxE "
          "'sp_(version|result_text|is_busy|next_generation|problem|options_problem|pool_is_spatial|pool_user)' "
          "'" SP_BUILD_DIR "/calls' | while read -r name; do "
          "grep -qE \"(^|[^a-z_])$name\\(\" tests/model/*.c tests/support/core_fixture.c || echo \"$name\"; done");
  ck_assert_int_gt(atoi(p.out), 90);
  ck_assert_msg(strchr(p.out, '\n') == p.out + p.out_size - 1 && p.err_size == 0, "%s%s", p.out, p.err);
  test_process_free(&p);
}

SUITE(model, &games, &reach)
