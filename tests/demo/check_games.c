/*
** The games in scripts/, and the examples in README.md and docs/guide.md, from outside: they run without a complaint,
** the same seed gives the same game, and their pools stop growing.
*/
#include "support/process.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PLAY SP_BUILD_DIR "/spawnpool --headless "
#define PATIENCE 120 /* seconds, for one run: sanitizers and valgrind take their time */
#define NAME_MOST 512

static char folder[256];

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

/* {== Files ============================================================== */

/* The bytes of a file, with a final NUL; the test fails when it cannot be read. */
static char *read_file(const char *path, size_t *size)
{
  FILE *in = fopen(path, "rb");
  char *text;
  long length;
  ck_assert_msg(in != NULL, "%s: cannot be opened", path);
  fseek(in, 0, SEEK_END);
  length = ftell(in);
  rewind(in);
  text = malloc((size_t)length + 1);
  ck_assert_ptr_nonnull(text);
  *size = fread(text, 1, (size_t)length, in);
  ck_assert_uint_eq(*size, (size_t)length);
  text[*size] = '\0';
  fclose(in);
  return text;
}

static void write_file(const char *path, const char *text, size_t length)
{
  FILE *out = fopen(path, "wb");
  ck_assert_msg(out != NULL, "%s: cannot be written", path);
  ck_assert_uint_eq(fwrite(text, 1, length, out), length);
  ck_assert_int_eq(fclose(out), 0);
}

static void expect_same_files(const char *a, const char *b)
{
  size_t a_size, b_size;
  char *a_bytes = read_file(a, &a_size), *b_bytes = read_file(b, &b_size);
  ck_assert_msg(a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0, "%s and %s differ", a, b);
  free(a_bytes);
  free(b_bytes);
}

/* }== */

/* {== Runs =============================================================== */

/* The warning that a type without a class is meant to give; anything else on stderr is trouble. */
static bool is_known_warning(const char *line) { return strncmp(line, "warning: unknown type ", 22) == 0; }

static void expect_quiet(const char *what, char *err)
{
  for (char *line = strtok(err, "\n"); line; line = strtok(NULL, "\n"))
    ck_assert_msg(is_known_warning(line), "%s: %s", what, line);
}

/* Plays a game that must end well and say nothing; returns what it printed, to be freed with test_process_free. */
static test_process play(const char *game, const char *options)
{
  test_process p = test_run(PATIENCE, PLAY "%s %s", options, game);
  ck_assert_msg(p.status == 0, "%s: exit status %d\n%s", game, p.status, p.err);
  expect_quiet(game, p.err);
  return p;
}

/* The pools of the line of frame `frame`: from `"pools":[` to its end. */
static char *pools_at(const char *lines, int frame)
{
  char start[32];
  const char *line, *pools;
  snprintf(start, sizeof start, "{\"frame\":%d,", frame);
  line = strstr(lines, start);
  ck_assert_msg(line != NULL, "no line for frame %d", frame);
  pools = strstr(line, "\"pools\":[");
  ck_assert_ptr_nonnull(pools);
  return strndup(pools, strcspn(pools, "\n"));
}

/* A number of a pool, in a text that pools_at gave. */
static long number_of(const char *pools, const char *type, const char *name)
{
  char key[64];
  const char *at, *end;
  snprintf(key, sizeof key, "{\"type\":\"%s\",", type);
  at = strstr(pools, key);
  ck_assert_msg(at != NULL, "no pool '%s'", type);
  end = strchr(at, '}');
  snprintf(key, sizeof key, "\"%s\":", name);
  at = strstr(at, key);
  ck_assert_msg(at != NULL && at < end, "pool '%s' has no '%s'", type, name);
  return strtol(at + strlen(key), NULL, 10);
}

/* }== */

/* {== Games ============================================================== */

/* Calls `test` for every folder in scripts/ that has a main.lua, in no order that matters. */
static int for_each_game(void (*test)(const char *game))
{
  DIR *dir = opendir("scripts");
  const struct dirent *entry;
  int count = 0;
  ck_assert_ptr_nonnull(dir);
  while ((entry = readdir(dir)) != NULL) {
    char game[NAME_MOST], main[NAME_MOST + 16];
    struct stat info;
    snprintf(game, sizeof game, "scripts/%s", entry->d_name);
    snprintf(main, sizeof main, "%s/main.lua", game);
    if (entry->d_name[0] == '.' || stat(main, &info) != 0)
      continue;
    test(game);
    count++;
  }
  closedir(dir);
  return count;
}

static char *play_seeded(const char *game, const char *picture)
{
  char options[NAME_MOST + 64];
  test_process p;
  char *pools;
  snprintf(options, sizeof options, "--frames 600 --seed 7 --stats - --screenshot '%s'", picture);
  p = play(game, options);
  pools = pools_at(p.out, 600);
  test_process_free(&p);
  return pools;
}

static void expect_same_twice(const char *game)
{
  char first[NAME_MOST], second[NAME_MOST], *a, *b;
  snprintf(first, sizeof first, "%s/first.png", folder);
  snprintf(second, sizeof second, "%s/second.png", folder);
  a = play_seeded(game, first);
  b = play_seeded(game, second);
  ck_assert_str_eq(a, b);
  expect_same_files(first, second);
  free(a);
  free(b);
}

START_TEST(every_game_runs_and_the_same_seed_gives_the_same_game)
{
  ck_assert_int_ge(for_each_game(expect_same_twice), 2);
}
END_TEST

/* From `warm` frames on, pools hand out what they have: `total` stays, while `allocs` grows. */
static void expect_reuse(const char *game, int warm, const char *const *types, int count)
{
  test_process p = play(game, "--frames 3600 --seed 1 --stats -");
  char *early = pools_at(p.out, warm), *late = pools_at(p.out, 3600);
  for (int i = 0; i < count; i++) {
    long made = number_of(early, types[i], "total"), before = number_of(early, types[i], "allocs");
    ck_assert_msg(number_of(late, types[i], "total") == made, "%s: pool '%s' went on growing", game, types[i]);
    ck_assert_int_gt(number_of(late, types[i], "allocs"), before + made);
  }
  free(early);
  free(late);
  test_process_free(&p);
}

START_TEST(pools_stop_growing_while_allocs_go_on)
{
  static const char *const cubes[] = {"Cube", "Chip"};
  static const char *const shooter[] = {"Bullet", "Drone", "Exhaust", "Flash", "Popup", "Spark", "Star"};
  expect_reuse("scripts/cubes", 600, cubes, 2);
  expect_reuse("scripts/shooter", 60, shooter, 7);
}
END_TEST

START_TEST(the_shooter_plays_itself)
{
  test_process p = play("scripts/shooter", "--frames 3600 --seed 1 --stats -");
  char *pools = pools_at(p.out, 3600);
  ck_assert_int_ge(number_of(pools, "Drone", "allocs"), 20);
  ck_assert_int_ge(number_of(pools, "Bullet", "allocs"), 200);
  /* Points pop up for what was hit, and only then. */
  ck_assert_int_ge(number_of(pools, "Popup", "allocs"), 40);
  /* It is too good to lose all three ships in a minute. */
  ck_assert_int_le(number_of(pools, "Ship", "allocs"), 3);
  ck_assert_int_eq(number_of(pools, "Ship", "live"), 1);
  free(pools);
  test_process_free(&p);
}
END_TEST

START_TEST(the_shooter_takes_more_stars)
{
  test_process p = test_run(PATIENCE, PLAY "--frames 120 --seed 1 --stats - scripts/shooter -- 10000");
  char *pools;
  ck_assert_msg(p.status == 0, "%s", p.err);
  pools = pools_at(p.out, 120);
  ck_assert_int_ge(number_of(pools, "Star", "live"), 10000);
  free(pools);
  test_process_free(&p);
  p = test_run(PATIENCE, PLAY "--frames 1 scripts/shooter -- many");
  ck_assert_int_eq(p.status, 1);
  ck_assert_ptr_nonnull(strstr(p.err, "how many more stars?"));
  test_process_free(&p);
}
END_TEST

START_TEST(games_fit_other_windows)
{
  static const char *const sizes[] = {"160x120", "1920x1080", "600x900"};
  for (int i = 0; i < 3; i++) {
    char options[64];
    test_process p;
    snprintf(options, sizeof options, "--frames 300 --seed 1 --size %s", sizes[i]);
    p = play("scripts/shooter", options);
    test_process_free(&p);
    p = play("scripts/cubes", options);
    test_process_free(&p);
  }
}
END_TEST

/* }== */

/* {== Examples in the documents ========================================== */

/* The next block of code in `language`, and where it ends; NULL when there is none. */
static const char *next_block(const char *text, const char *language, size_t *length)
{
  char fence[16];
  const char *begin, *end;
  snprintf(fence, sizeof fence, "```%s\n", language);
  begin = strstr(text, fence);
  if (!begin)
    return NULL;
  begin += strlen(fence);
  end = strstr(begin, "```\n");
  ck_assert_ptr_nonnull(end);
  *length = (size_t)(end - begin);
  return begin;
}

static int count_lines(const char *text, size_t length)
{
  int lines = 0;
  for (size_t i = 0; i < length; i++)
    lines += text[i] == '\n';
  return lines;
}

START_TEST(the_script_of_the_readme_runs)
{
  char path[NAME_MOST];
  size_t size, length;
  char *readme = read_file("README.md", &size), *pools;
  const char *script = next_block(readme, "lua", &length);
  test_process p;
  ck_assert_ptr_nonnull(script);
  ck_assert_int_le(count_lines(script, length), 20);
  snprintf(path, sizeof path, "%s/main.lua", folder);
  write_file(path, script, length);
  p = play(folder, "--frames 600 --stats -");
  ck_assert_str_eq(p.err, "");
  pools = pools_at(p.out, 600);
  ck_assert_int_eq(number_of(pools, "Spark", "allocs"), 600);
  ck_assert_int_le(number_of(pools, "Spark", "live"), 180);
  ck_assert_int_le(number_of(pools, "Spark", "total"), 256);
  free(pools);
  test_process_free(&p);
  free(readme);
}
END_TEST

START_TEST(the_c_example_of_the_readme_runs)
{
  char path[NAME_MOST];
  size_t size, length;
  char *readme;
  const char *code;
  test_process p;
  if (strcmp(test_tool(), "") != 0) {
    test_skip("the_c_example_of_the_readme_runs", "only on a plain build");
    return;
  }
  readme = read_file("README.md", &size);
  code = next_block(readme, "c", &length);
  ck_assert_ptr_nonnull(code);
  ck_assert_int_le(count_lines(code, length), 20);
  snprintf(path, sizeof path, "%s/example.c", folder);
  write_file(path, code, length);
  p = test_run(PATIENCE, "%s -std=c11 -Wall -Werror -Isrc/core -o '%s/example' '%s' %s/libspawnpool.a -lm && '%s/example'",
               SP_CC, folder, path, SP_BUILD_DIR, folder);
  ck_assert_msg(p.status == 0, "%s", p.err);
  ck_assert_str_eq(p.out, "x is 300\nlive: no\n");
  test_process_free(&p);
  free(readme);
}
END_TEST

START_TEST(the_files_that_the_readme_points_to_are_there)
{
  size_t size;
  char *readme = read_file("README.md", &size);
  int links = 0;
  for (const char *at = readme; (at = strstr(at, "](")) != NULL;) {
    char path[NAME_MOST];
    struct stat info;
    at += 2;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(at, ")"), at);
    ck_assert_msg(stat(path, &info) == 0, "README.md points to %s", path);
    if (strstr(path, ".png"))
      ck_assert_int_lt(info.st_size, 200 * 1024);
    links++;
  }
  ck_assert_int_ge(links, 6);
  free(readme);
}
END_TEST

/* Every block of the guide is a file, named in its first line. The game must run whenever its main.lua or a class was
   written, except that a class may use one that the next block adds. */
START_TEST(the_game_of_the_guide_runs_after_every_step)
{
  size_t size, length;
  char *guide = read_file("docs/guide.md", &size);
  int blocks = 0;
  test_process p = test_run(PATIENCE, "mkdir -p '%s/rain/pools'", folder);
  test_process_free(&p);
  for (const char *at = guide, *next; (at = next_block(at, "lua", &length)) != NULL; at = next, blocks++) {
    char path[NAME_MOST], game[NAME_MOST];
    ck_assert_msg(strncmp(at, "-- rain/", 8) == 0, "a block begins with '%.20s', not with the name of a file", at);
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(at + 3, "\n"), at + 3);
    write_file(path, at, length);
    next = at + length;
    snprintf(game, sizeof game, "%s/rain", folder);
    p = play(game, "--frames 600 --seed 1");
    /* Only the first step has a type without a class, and only the class of step 5 is a block ahead of its splash. */
    ck_assert_msg((p.err[0] != '\0') == (blocks == 0 || blocks == 5), "block %d: %s", blocks, p.err);
    test_process_free(&p);
  }
  ck_assert_int_eq(blocks, 7);
  free(guide);
}
END_TEST

/* }== */

Suite *sp_suite_games(void)
{
  Suite *suite = suite_create("games");
  TCase *games = tcase_create("games"), *documents = tcase_create("documents");
  tcase_add_checked_fixture(games, setup, teardown);
  tcase_set_timeout(games, 60);
  tcase_add_test(games, every_game_runs_and_the_same_seed_gives_the_same_game);
  tcase_add_test(games, pools_stop_growing_while_allocs_go_on);
  tcase_add_test(games, the_shooter_plays_itself);
  tcase_add_test(games, the_shooter_takes_more_stars);
  tcase_add_test(games, games_fit_other_windows);
  tcase_add_checked_fixture(documents, setup, teardown);
  tcase_set_timeout(documents, 60);
  tcase_add_test(documents, the_script_of_the_readme_runs);
  tcase_add_test(documents, the_c_example_of_the_readme_runs);
  tcase_add_test(documents, the_files_that_the_readme_points_to_are_there);
  tcase_add_test(documents, the_game_of_the_guide_runs_after_every_step);
  suite_add_tcase(suite, games);
  suite_add_tcase(suite, documents);
  return suite;
}
