/*
** Programs of random bytes: three pools whose limits, policies, orders, fields and hooks change, hooks that act, calls
** by C and by Lua, and a naive model that must agree with every answer. A program that fails is made shorter, written
** down, and kept in a file that plays it again.
*/
#include "model/game.h"
#include "support/attempt.h"
#include "support/process.h"
#include "support/test.h"

#include <ctype.h>
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
  printf("%s%s\nagain with SP_MODEL_PROGRAM=%s and the suite `model`\n", said ? said : "", f.message,
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

TEST(games, a_program_that_failed_once_is_played_again)
{
  const char *path = getenv("SP_MODEL_PROGRAM");
  if (!path)
    return;
  FILE *in = fopen(path, "rb");
  program p = {malloc((TURNS + 1) * RECORD), 0};
  ck_assert(in && p.bytes);
  p.count = fread(p.bytes, RECORD, TURNS + 1, in);
  fclose(in);
  ck_assert_uint_gt(p.count, 0);
  play_or_explain(&p);
  free(p.bytes);
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

/* {== Reach ============================================================== */

/* Every public call is made in these files, or stands below with the reason why it need not be. */
static const char *const drivers[] = {"tests/model/play_c.c", "tests/model/game.c", "tests/model/decode.c",
                                      "tests/model/compare.c", "tests/support/core_fixture.c"};

static const char *const exceptions[][2] = {
    {"sp_result_name", "a table: check_header.c goes through all of it"},
    {"sp_result_text", "a table: check_header.c goes through all of it"},
    {"sp_why_name", "a table: check_header.c goes through all of it"},
    {"sp_version", "a constant: the header has it"},
    {"sp_is_busy", "check_manager.c"},
    {"sp_next_generation", "needs a second manager: check_manager.c"},
    {"sp_pool_alloc_moving", "sp_pool_alloc_at with two floats more: check_calls.c"},
    {"sp_problem", "a text: check_calls.c"},
    {"sp_options_problem", "a text: check_calls.c"},
    {"sp_pool_is_spatial", "never changes: check_pool.c"},
    {"sp_pool_user", "never changes: check_pool.c"},
};

/* Returns whether the text calls `name`: the whole word, before a bracket. */
static bool calls(const char *text, const char *name)
{
  size_t length = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at += length)
    if (at[length] == '(' && at > text && !isalnum((unsigned char)at[-1]) && at[-1] != '_')
      return true;
  return false;
}

static bool is_driven(const char *name)
{
  bool driven = false;
  for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
    driven = driven || strcmp(exceptions[i][0], name) == 0;
  for (size_t i = 0; i < sizeof drivers / sizeof drivers[0] && !driven; i++) {
    char *text = test_read_file(drivers[i]);
    ck_assert_ptr_nonnull(text);
    driven = calls(text, name);
    free(text);
  }
  return driven;
}

/* The name of the function that a line declares: what stands before its first bracket. */
static void declared(const char *line, char *name, size_t size)
{
  const char *end = strchr(line, '('), *begin = end;
  while (begin && begin > line && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
    begin--;
  ck_assert(begin && (size_t)(end - begin) < size);
  snprintf(name, size, "%.*s", (int)(end - begin), begin);
}

static test_group reach = {"reach"};

TESTS(reach, every_public_call_is_in_the_model_or_excepted, 3)
{
  static const char *const headers[] = {"src/core/spawnpool.h", "src/core/spawnpool_save.h",
                                        "src/core/spawnpool_tools.h"};
  char *header = test_read_file(headers[_i]), name[64];
  int count = 0;
  ck_assert_ptr_nonnull(header);
  for (const char *at = header; (at = strstr(at, "\nSP_API ")) != NULL; count++) {
    at += strlen("\nSP_API ");
    declared(at, name, sizeof name);
    ck_assert_msg(is_driven(name), "%s is not driven", name);
  }
  ck_assert_int_ge(count, _i == 0 ? 70 : 6);
  free(header);
}

/* }== */

SUITE(model, &games, &reach)
