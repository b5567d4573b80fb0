/*
** What README.md and docs/player.md show is run as they show it.
*/
#include "demo/game_run.h"
#include "demo/input/hotkeys.h"
#include "support/markdown.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[256];

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

START_TEST(the_script_of_the_readme_runs)
{
  char path[PATH_MOST];
  char *pools;
  markdown_page readme = markdown_open("README.md");
  markdown_block script = markdown_find(&readme, "lua", "");
  test_process p;
  ck_assert_int_le(script.lines, 20);
  snprintf(path, sizeof path, "%s/main.lua", folder);
  markdown_save(&script, path);
  p = game_run(folder, "--frames 600 --stats -");
  ck_assert_str_eq(p.err, "");
  pools = gamerun_pools(p.out, 600);
  ck_assert_int_eq(gamerun_number(pools, "Spark", "allocs"), 600);
  ck_assert_int_le(gamerun_number(pools, "Spark", "live"), 180);
  ck_assert_int_le(gamerun_number(pools, "Spark", "total"), 256);
  free(pools);
  test_process_free(&p);
  markdown_close(&readme);
}
END_TEST

/* Each option as --help has it, and each key as F1 shows it, stands on the page in the page's own form, which has a
   %.*s for the name of an option, or a %s for that of a key. Returns how many options there are. */
static int expect_options_and_keys(const char *page, const char *option_form, const char *key_form)
{
  size_t count;
  char part[64];
  const key_row *keys = hotkeys_all(&count);
  test_process p = test_run(60, SP_BUILD_DIR "/spawnpool --help");
  int options = 0;
  for (const char *line = strstr(p.out, "\n  --"); line; line = strstr(line + 1, "\n  --"), options++) {
    snprintf(part, sizeof part, option_form, (int)strcspn(line + 5, " "), line + 5);
    ck_assert_msg(strstr(page, part) != NULL, "%s is not on the page", part);
  }
  ck_assert_int_gt(options, 10);
  for (size_t i = 0; i < count; i++) {
    snprintf(part, sizeof part, key_form, keys[i].name);
    ck_assert_msg(strstr(page, part) != NULL, "%s is not on the page", part);
  }
  test_process_free(&p);
  return options;
}

START_TEST(the_man_page_has_all_options_and_keys)
{
  size_t size;
  char *page = gamerun_read("docs/spawnpool.1", &size);
  int options = expect_options_and_keys(page, "\n.It Fl Fl %.*s", "\n.It %s\n");
  for (const char *line = strstr(page, "\n.It Fl Fl "); line; line = strstr(line + 1, "\n.It Fl Fl "))
    options--;
  ck_assert_int_eq(options, 0); /* and no other */
  free(page);
}
END_TEST

START_TEST(the_man_page_can_be_formatted)
{
  test_process p = test_run(20, "if command -v mandoc; then mandoc -Tlint -Wwarning docs/spawnpool.1; "
                                "elif command -v groff; then groff -mandoc -ww -z docs/spawnpool.1; else exit 77; fi");
  if (p.status == 77)
    test_skip("the_man_page_can_be_formatted", "neither mandoc nor groff");
  else
    ck_assert_msg(p.status == 0 && p.err_size == 0, "%s%s", p.out, p.err);
  test_process_free(&p);
}
END_TEST

START_TEST(the_page_of_the_player_has_all_options_and_keys)
{
  size_t size;
  char *page = gamerun_read("docs/player.md", &size);
  expect_options_and_keys(page, "`--%.*s", "| %s |");
  free(page);
}
END_TEST

/* A brace too many, and a slip in a name, in the game that init makes. */
START_TEST(the_problems_that_the_page_of_the_player_shows_are_told_so)
{
  markdown_page page = markdown_open("docs/player.md");
  markdown_block shown = markdown_find(&page, "text", "rain/colors.lua:");
  test_process p = test_run(PATIENCE,
                            "bin=$(cd %s && pwd) && cd '%s' && $bin/spawnpool init rain >made && "
                            "sed -i.old 's/^}$/}}/' rain/colors.lua && "
                            "sed -i.old 's/prealloc/prealoc/' rain/pools/Spark.lua && $bin/spawnpool --check rain",
                            SP_BUILD_DIR, folder);
  ck_assert_int_eq(p.status, 1);
  ck_assert_msg(strlen(p.err) == shown.length && strncmp(p.err, shown.code, shown.length) == 0, "%s", p.err);
  test_process_free(&p);
  markdown_close(&page);
}
END_TEST

/* Shown is a part of a game: around it is what the reader is told to have. */
START_TEST(the_controller_example_of_the_page_of_the_player_runs)
{
  char path[PATH_MOST], *game = NULL;
  size_t size;
  FILE *f = open_memstream(&game, &size);
  markdown_page page = markdown_open("docs/player.md");
  markdown_block block;
  ck_assert(markdown_next(&page, "lua", &block));
  fprintf(f,
          "local input <const>, game <const> = require('spawnpool').input, {}\n"
          "local begun, fired = 0, 0\n"
          "local function begin() begun = begun + 1 end\n"
          "local function fire() fired = fired + 1 end\n"
          "%.*s"
          "function game.load() game.pad_pressed 'start' game.pad_pressed 'a' print(begun, fired) end\n"
          "return game\n",
          (int)block.length, block.code);
  fclose(f);
  ck_assert(!markdown_next(&page, "lua", &block));
  snprintf(path, sizeof path, "%s/main.lua", folder);
  gamerun_write(path, game, size);
  test_process p = game_run(folder, "--frames 2");
  ck_assert_str_eq(p.err, "");
  ck_assert_str_eq(p.out, "1\t0\n");
  test_process_free(&p);
  free(game);
  markdown_close(&page);
}
END_TEST

START_TEST(the_c_example_of_the_readme_runs)
{
  char path[PATH_MOST];
  test_process p;
  if (strcmp(test_tool(), "") != 0) {
    test_skip("the_c_example_of_the_readme_runs", "only on a plain build");
    return;
  }
  markdown_page readme = markdown_open("README.md");
  markdown_block code = markdown_find(&readme, "c", "");
  ck_assert_int_le(code.lines, 20);
  snprintf(path, sizeof path, "%s/example.c", folder);
  markdown_save(&code, path);
  p = test_run(PATIENCE,
               "%s -std=c11 -Wall -Werror -I%s/include -o '%s/example' '%s' %s/libspawnpool.a -lm && '%s/example'",
               SP_CC, SP_BUILD_DIR, folder, path, SP_BUILD_DIR, folder);
  ck_assert_msg(p.status == 0, "%s", p.err);
  ck_assert_str_eq(p.out, "x is 300\nlive: no\n");
  test_process_free(&p);
  markdown_close(&readme);
}
END_TEST

Suite *sp_suite_documents(void)
{
  Suite *suite = suite_create("documents");
  TCase *core = tcase_create("core");
  tcase_add_checked_fixture(core, setup, teardown);
  tcase_set_timeout(core, 60);
  tcase_add_test(core, the_script_of_the_readme_runs);
  tcase_add_test(core, the_page_of_the_player_has_all_options_and_keys);
  tcase_add_test(core, the_problems_that_the_page_of_the_player_shows_are_told_so);
  tcase_add_test(core, the_controller_example_of_the_page_of_the_player_runs);
  tcase_add_test(core, the_man_page_has_all_options_and_keys);
  tcase_add_test(core, the_man_page_can_be_formatted);
  tcase_add_test(core, the_c_example_of_the_readme_runs);
  suite_add_tcase(suite, core);
  return suite;
}
