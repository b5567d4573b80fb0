/*
** What README.md, docs/guide.md and docs/from-other-pools.md show is run as they show it.
*/
#include "demo/game_run.h"
#include "demo/keys.h"
#include "support/markdown.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* Each option as --help has it, each key as F1 shows it, and nothing else. */
START_TEST(the_man_page_has_all_options_and_keys)
{
  size_t size, count;
  char *page = gamerun_read("docs/spawnpool.1", &size), part[64];
  const key_row *keys = keys_all(&count);
  test_process p = test_run(60, SP_BUILD_DIR "/spawnpool --help");
  int options = 0;
  for (const char *line = strstr(p.out, "\n  --"); line; line = strstr(line + 1, "\n  --"), options++) {
    snprintf(part, sizeof part, "\n.It Fl Fl %.*s", (int)strcspn(line + 5, " "), line + 5);
    ck_assert_msg(strstr(page, part) != NULL, "%s is not on the page", part);
  }
  for (const char *line = strstr(page, "\n.It Fl Fl "); line; line = strstr(line + 1, "\n.It Fl Fl "))
    options--;
  ck_assert_int_eq(options, 0);
  for (size_t i = 0; i < count; i++) {
    snprintf(part, sizeof part, "\n.It %s\n", keys[i].name);
    ck_assert_msg(strstr(page, part) != NULL, "%s is not on the page", part);
  }
  test_process_free(&p);
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

/* Each option as --help has it, each key as F1 shows it. */
START_TEST(the_page_of_the_player_has_all_options_and_keys)
{
  size_t size, count;
  char *page = gamerun_read("docs/player.md", &size), part[64];
  const key_row *keys = keys_all(&count);
  test_process p = test_run(60, SP_BUILD_DIR "/spawnpool --help");
  int options = 0;
  for (const char *line = strstr(p.out, "\n  --"); line; line = strstr(line + 1, "\n  --"), options++) {
    snprintf(part, sizeof part, "`%.*s", (int)strcspn(line + 3, " "), line + 3);
    ck_assert_msg(strstr(page, part) != NULL, "%s is not on the page", part);
  }
  ck_assert_int_gt(options, 10);
  for (size_t i = 0; i < count; i++) {
    snprintf(part, sizeof part, "| %s |", keys[i].name);
    ck_assert_msg(strstr(page, part) != NULL, "%s is not on the page", part);
  }
  test_process_free(&p);
  free(page);
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

START_TEST(the_files_that_the_readme_points_to_are_there)
{
  size_t size;
  char *readme = gamerun_read("README.md", &size);
  int links = 0;
  for (const char *at = readme; (at = strstr(at, "](")) != NULL;) {
    char path[PATH_MOST];
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
  markdown_page guide = markdown_open("docs/guide.md");
  int blocks = 0;
  test_process p = test_run(PATIENCE, "mkdir -p '%s/rain/pools'", folder);
  test_process_free(&p);
  for (markdown_block block; markdown_next(&guide, "lua", &block); blocks++) {
    char path[PATH_MOST], game[PATH_MOST];
    const char *name = block.code + 3;
    ck_assert_msg(strncmp(name, "rain/", 5) == 0, "line %d is not the name of a file", block.line);
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(name, "\n"), name);
    markdown_save(&block, path);
    snprintf(game, sizeof game, "%s/rain", folder);
    p = game_run(game, "--frames 600 --seed 1");
    /* Only the first step has a type without a class, and only the class of step 5 is a block ahead of its splash. */
    ck_assert_msg((p.err[0] != '\0') == (blocks == 0 || blocks == 5), "block %d: %s", blocks, p.err);
    test_process_free(&p);
  }
  ck_assert_int_eq(blocks, 7);
  markdown_close(&guide);
}
END_TEST

/* The code that ends the last cell of a table row, without its backticks; NULL when there is none. */
static const char *row_code(const char *line, size_t length, size_t *code_length)
{
  const char *begin, *end;
  if (length < 8 || line[0] != '|' || strncmp(line + length - 3, "` |", 3) != 0)
    return NULL;
  end = line + length - 3;
  for (begin = end; begin[-1] != '`';)
    begin--;
  *code_length = (size_t)(end - begin);
  return begin;
}

/* What a row's example left behind is used once more, then taken away: the hooks of the class, too. */
static const char *after_row = "local again = pools:alloc('Bullet', 1)\n"
                               "if again then again:recycle() end\n"
                               "pools:close()\n"
                               "for name, value in pairs(Bullet) do\n"
                               "  if type(value) == 'function' then Bullet[name] = nil end\n"
                               "end\n";

/* Every row's example runs after the lines that the page begins with, in a manager of its own, and without a warning. */
START_TEST(the_examples_for_those_who_come_from_other_pools_run)
{
  char path[PATH_MOST], *game = NULL;
  size_t size, code_length;
  int examples = 0;
  FILE *f = open_memstream(&game, &size);
  markdown_page page = markdown_open("docs/from-other-pools.md");
  markdown_block head, other;
  const char *code;
  ck_assert(markdown_next(&page, "lua", &head));
  ck_assert(!markdown_next(&page, "lua", &other)); /* all other examples are rows */
  for (const char *line = page.text; *line; line += strcspn(line, "\n") + 1)
    if ((code = row_code(line, strcspn(line, "\n"), &code_length)) != NULL) {
      fprintf(f, "do\n%.*s%.*s\n%send\n", (int)head.length, head.code, (int)code_length, code, after_row);
      examples++;
    }
  fputs("return {}\n", f);
  fclose(f);
  snprintf(path, sizeof path, "%s/main.lua", folder);
  gamerun_write(path, game, size);
  test_process p = game_run(folder, "--frames 1");
  ck_assert_str_eq(p.err, "");
  ck_assert_int_ge(examples, 60);
  test_process_free(&p);
  free(game);
  markdown_close(&page);
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
  tcase_add_test(core, the_man_page_has_all_options_and_keys);
  tcase_add_test(core, the_man_page_can_be_formatted);
  tcase_add_test(core, the_c_example_of_the_readme_runs);
  tcase_add_test(core, the_files_that_the_readme_points_to_are_there);
  tcase_add_test(core, the_game_of_the_guide_runs_after_every_step);
  tcase_add_test(core, the_examples_for_those_who_come_from_other_pools_run);
  suite_add_tcase(suite, core);
  return suite;
}
