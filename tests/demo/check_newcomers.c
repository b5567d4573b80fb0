/*
** The pages for those who come from somewhere else: every example in a row of a table is run, the games are played, and
** what is shown in another language is at least whole.
*/
#include "demo/game_run.h"
#include "demo/picture.h"
#include "support/markdown.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[256];

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

/* {== Rows =============================================================== */

static const struct {
  const char *page;
  int examples; /* at least */
} tables[] = {{"docs/from-other-pools.md", 60}, {"docs/from-unity.md", 25}, {"docs/from-love.md", 20}};

/* What a row's example left behind is used once more, then taken away: the hooks of the class, too. Callbacks are kept,
   and called later. */
static const char *const after_row = "local again = pools:alloc('Bullet', 1)\n"
                                     "if again then again:recycle() end\n"
                                     "pools:close_or_empty()\n"
                                     "for name, value in pairs(Bullet) do\n"
                                     "  if type(value) == 'function' then Bullet[name] = nil end\n"
                                     "end\n";

/* Leaves the section "Calls" of a page, if it has one: in other tables code is no example. */
static void keep_calls(markdown_page *page)
{
  const char *calls = strstr(page->text, "\n## Calls\n");
  char *end = calls ? strstr(calls + 1, "\n## ") : NULL;
  if (end)
    *end = '\0';
  if (calls)
    page->at = calls + 1;
}

/* The rows of the page about other pools have managers of their own, the others that of the player. */
static void write_rows(markdown_page *page, const markdown_block *head, FILE *out, int *examples)
{
  bool own = strstr(head->code, "spawnpool.new()") != NULL;
  const char *empty = own ? "pools:close()\n" : "pools:recycle_all()\n";
  const char *end = strstr(after_row, "pools:close_or_empty()\n");
  fputs("local draws, game = {}, {}\nfunction game.load()\n", out);
  for (markdown_block row; markdown_next_row_code(page, &row); ++*examples)
    fprintf(out, "do\n%.*s%.*s\n%.*s%s%s%send\n", (int)head->length, head->code, (int)row.length, row.code,
            (int)(end - after_row), after_row, empty, strchr(end, '\n') + 1,
            strstr(head->code, "local game") ? "draws[#draws + 1] = game.draw\n" : "");
  fputs("end\nfunction game.draw(g) for _, draw in ipairs(draws) do draw(g) end end\nreturn game\n", out);
}

START_TEST(every_example_of_the_tables_runs_without_a_warning)
{
  char path[PATH_MOST], *game = NULL;
  size_t size;
  int examples = 0;
  markdown_page page = markdown_open(tables[_i].page);
  markdown_block head;
  FILE *out = open_memstream(&game, &size);
  keep_calls(&page);
  ck_assert(markdown_next(&page, "lua", &head));
  write_rows(&page, &head, out, &examples);
  fclose(out);
  snprintf(path, sizeof path, "%s/main.lua", folder);
  gamerun_write(path, game, size);
  test_process p = game_run(folder, "--frames 2");
  ck_assert_str_eq(p.err, "");
  ck_assert_int_ge(examples, tables[_i].examples);
  test_process_free(&p);
  free(game);
  markdown_close(&page);
}
END_TEST

/* }== */

/* {== Games ============================================================== */

/* Saves the blocks that begin with the name of a file, all of one game. */
static void save_game(const char *page_path, const char *game)
{
  char path[PATH_MOST], begin[64];
  int files = 0;
  markdown_page page = markdown_open(page_path);
  test_process p = test_run(PATIENCE, "mkdir -p '%s/%s/pools'", folder, game);
  test_process_free(&p);
  snprintf(begin, sizeof begin, "-- %s/", game);
  for (markdown_block block; markdown_next(&page, "lua", &block);)
    if (strncmp(block.code, begin, strlen(begin)) == 0) {
      snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(block.code + 3, "\n"), block.code + 3);
      markdown_save(&block, path);
      files++;
    } else {
      ck_assert_int_eq(files, 0); /* the head of the examples comes first; nothing else is no file */
    }
  ck_assert_int_ge(files, 3);
  markdown_close(&page);
}

/* Plays it for a while, with somebody's help, and compares the end with the picture on the page; the pools of the last
   line, to be freed. */
static char *play(const char *game, int frames, const char *help, const char *said, const char *shown)
{
  char path[PATH_MOST], picture[PATH_MOST], flags[3 * PATH_MOST];
  snprintf(path, sizeof path, "%s/%s", folder, game);
  snprintf(picture, sizeof picture, "%s/picture.png", folder);
  snprintf(flags, sizeof flags, "--frames %d --seed 1 --screenshot %s --stats %s/stats --exec '%s'", frames,
           picture_target(shown, picture), folder, help);
  test_process p = game_run(path, flags);
  picture_expect(shown, picture);
  ck_assert_str_eq(p.err, "");
  ck_assert_msg(strstr(p.out, said) != NULL, "%s", p.out);
  test_process_free(&p);
  size_t size;
  snprintf(path, sizeof path, "%s/stats", folder);
  char *lines = gamerun_read(path, &size), *pools = gamerun_pools(lines, frames);
  free(lines);
  return pools;
}

/* An object that nobody sees shoots ten times a second, from anywhere. */
START_TEST(the_game_from_unity_plays)
{
  save_game("docs/from-unity.md", "turret");
  char *pools = play("turret", 900,
                     "local c = pools:alloc(\"Shot\", 0, 0, -5000, 0) c.vx = 0 "
                     "c:every(0.1, function() pools:alloc(\"Shot\", 1.5, math.random(50, 750), 580, -math.pi / 2) end) "
                     "c:after(14.5, function() print(require(\"tally\").score > 5) end)",
                     "true", "docs/from-unity.png");
  ck_assert_int_gt(gamerun_number(pools, "Shot", "recycles"), 100);
  ck_assert_int_gt(gamerun_number(pools, "Rock", "recycles"), 10);
  ck_assert_int_eq(gamerun_number(pools, "Rock", "total"), 16);
  free(pools);
}
END_TEST

START_TEST(the_game_from_love_plays)
{
  save_game("docs/from-love.md", "fireworks");
  char *pools =
      play("fireworks", 500, "pools:pool(\"Rocket\"):burst(400, 300) print(\"burst\")", "burst", "docs/from-love.png");
  ck_assert_int_ge(gamerun_number(pools, "Rocket", "expired"), 9);
  ck_assert_int_eq(gamerun_number(pools, "Spark", "allocs"), 80 * (1 + gamerun_number(pools, "Rocket", "expired")));
  ck_assert_int_eq(gamerun_number(pools, "Spark", "total"), 256);
  free(pools);
}
END_TEST

/* }== */

/* {== What is shown of the others ======================================== */

/* With the Lua that LÖVE has, where there is one. It was played once by hand. */
START_TEST(the_game_in_love_compiles)
{
  char path[PATH_MOST];
  markdown_page page = markdown_open("docs/from-love.md");
  markdown_block block = markdown_find(&page, "lua", "-- main.lua, for L");
  ck_assert_str_eq(block.info, "lua love");
  snprintf(path, sizeof path, "%s/love.lua", folder);
  markdown_save(&block, path);
  markdown_close(&page);
  test_process p = test_run(PATIENCE,
                            "if command -v luajit >/dev/null; then luajit -b '%s' '%s.out'; "
                            "elif command -v luac5.1 >/dev/null; then luac5.1 -p '%s'; else echo none; fi",
                            path, path, path);
  ck_assert_msg(p.status == 0, "%s%s", p.out, p.err);
  if (strcmp(p.out, "none\n") == 0)
    test_skip("the_game_in_love_compiles", "there is no luajit and no luac5.1");
  test_process_free(&p);
}
END_TEST

/* No compiler for C# is asked for: the brackets must match, and the class has the name of its file. */
START_TEST(the_scripts_in_csharp_are_whole)
{
  markdown_page page = markdown_open("docs/from-unity.md");
  int scripts = 0;
  for (markdown_block block; markdown_next(&page, "csharp", &block); scripts++) {
    char open[64], class[64];
    size_t depth = 0;
    for (const char *at = block.code; at < block.code + block.length; at++) {
      if (strchr("({[", *at))
        open[depth++] = *at == '(' ? ')' : (char)(*at + 2);
      else if (strchr(")}]", *at))
        ck_assert_msg(depth > 0 && open[--depth] == *at, "line %d: a bracket too many", block.line);
      ck_assert_uint_lt(depth, sizeof open);
    }
    ck_assert_msg(depth == 0, "line %d: a bracket is missing", block.line);
    snprintf(class, sizeof class, "public class %.*s :", (int)strcspn(block.code + 3, "."), block.code + 3);
    ck_assert_msg(strstr(block.code, class) != NULL, "line %d: no '%s'", block.line, class);
  }
  ck_assert_int_eq(scripts, 3);
  markdown_close(&page);
}
END_TEST

/* }== */

Suite *sp_suite_newcomers(void)
{
  Suite *suite = suite_create("newcomers");
  TCase *core = tcase_create("core");
  tcase_add_checked_fixture(core, setup, teardown);
  tcase_set_timeout(core, PATIENCE);
  tcase_add_loop_test(core, every_example_of_the_tables_runs_without_a_warning, 0,
                      (int)(sizeof tables / sizeof *tables));
  tcase_add_test(core, the_game_from_unity_plays);
  tcase_add_test(core, the_game_from_love_plays);
  tcase_add_test(core, the_game_in_love_compiles);
  tcase_add_test(core, the_scripts_in_csharp_are_whole);
  suite_add_tcase(suite, core);
  return suite;
}
