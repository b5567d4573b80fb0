/*
** What the player does besides playing, from outside: --exec, --check, init.
*/
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>
#include <sys/stat.h>

/* {== --exec ============================================================= */

static test_group exec = {"exec", play_open, play_close, 120};

TEST(exec, texts_run_in_order_after_load)
{
  EXPECT_RUNS({"return { load = function() score = 1 print 'load' end, update = function() print 'update' end }",
               PLAYER
               "--headless --frames 1 --exec 'score = score + 1' --exec 'score, pools.time' --exec='print(sel)' %s",
               0, "load\n2\t0.0\nnil\nupdate\n", ""},
              {"return {}", PLAYER "--headless --frames 1 --stats - --exec '6 * 7' %s", 0, "~{", "42\n"});
  EXPECT_LINES(play_run.out, 1);
}

TEST(exec, an_error_in_a_text_ends_a_headless_run_with_1)
{
  EXPECT_RUNS(
      {"return { update = function() print 'update' end }",
       PLAYER "--headless --frames 1 --exec 'x = = 1' --exec 'print(1)' %s", 1, "", "unexpected symbol near '='\n"},
      {NULL, PLAYER "--headless --frames 1 --exec 'error(\"my reason\")' %s", 1, NULL, "~my reason"},
      {NULL, PLAYER "--headless --frames 1 --exec 'for i = 1, 2 do' %s", 1, NULL, "--exec: the text is not complete\n"},
      {"error 'in main'", PLAYER "--headless --frames 1 --exec 'print(1)' %s", 1, "", NULL});
}

/* }== */

/* {== --check ============================================================ */

static test_group check = {"check", play_open, play_close, 120};

TEST(check, a_check_plays_nothing_and_counts)
{
  EXPECT_RUNS({NULL, PLAYER "--check", 2, "", NULL},
              {NULL, PLAYER "--check %s/nowhere", 2, "", "~no such file or folder"},
              {"print 'main' return { load = function() print 'load' end }", PLAYER "--check %s", 0,
               "main\nchecked 1 file: no problems\n", ""},
              {NULL, "for game in scripts/*/; do " PLAYER "--check $game || exit 1; done", 0, NULL, ""});
}

TEST(check, every_problem_is_a_line_on_stderr)
{
  char expected[1024];
  play_write("main.lua", "local input = require('spawnpool').input.down\nreturn 5");
  play_write("a.lua", "\nlocal x = = 1");
  play_write("b.lua", "return (");
  RUN(PLAYER "--check %s", play_folder);
  EXPECT_STATUS(1);
  ck_assert_str_eq(play_run.out, "checked 3 files: 3 problems\n");
  snprintf(expected, sizeof expected,
           "%s/main.lua:1: main.lua must return a table of callbacks (load, update, draw, ...), got number\n"
           "%s/a.lua:2: unexpected symbol near '='\n%s/b.lua:1: unexpected symbol near <eof>\n",
           play_folder, play_folder, play_folder);
  ck_assert_str_eq(play_run.err, expected);
}

/* }== */

/* {== init =============================================================== */

#define NEW "%s/new"

static test_group init = {"init", play_open, play_close, 120};

TEST(init, a_new_game_is_complete)
{
  static const char *const files[] = {"main.lua",    "colors.lua",  "pools/Ball.lua", "pools/Spark.lua",
                                      ".luarc.json", ".luacheckrc", ".gitignore",     ".spawnpool/meta.lua"};
  RUN(PLAYER "init " NEW, play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "Play it:   " PLAYER);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[512], said[600];
    struct stat info;
    snprintf(path, sizeof path, NEW "/%s", play_folder, files[i]);
    snprintf(said, sizeof said, "made %s\n", path);
    ck_assert_msg(stat(path, &info) == 0 && info.st_size > 0, "%s", path);
    EXPECT_IN(play_run.out, said);
  }
  RUN("for f in meta class.d player.d sandbox.d; do cmp " NEW "/.spawnpool/$f.lua lua/spawnpool/$f.lua || exit 1; done",
      play_folder);
  EXPECT_STATUS(0);
  RUN("cmp " NEW "/.luacheckrc lua/spawnpool/luacheck.lua", play_folder);
  EXPECT_STATUS(0);
}

TEST(init, a_new_game_plays_and_has_no_problems)
{
  RUN(PLAYER "init " NEW, play_folder);
  RUN(PLAYER "--check " NEW, play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.err, "");
  RUN(PLAYER "--headless --frames 900 --exec 'pools:stats(\"Ball\").live' " NEW, play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, "3\n");
  ck_assert_str_eq(play_run.err, "");
}

TEST(init, a_new_game_is_clean_for_luacheck)
{
  RUN("command -v luacheck");
  if (play_run.status != 0) {
    test_skip("a_new_game_is_clean_for_luacheck", "no luacheck here");
    return;
  }
  RUN(PLAYER "init " NEW, play_folder);
  RUN("cd " NEW " && luacheck -q .", play_folder);
  EXPECT_STATUS(0);
}

TEST(init, a_folder_that_is_there_must_be_empty)
{
  RUN("mkdir " NEW " && " PLAYER "init " NEW, play_folder, play_folder);
  EXPECT_STATUS(0);
  RUN(PLAYER "init " NEW, play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "the folder is not empty");
  ck_assert_str_eq(play_run.out, "");
  play_write("a_file", "here");
  RUN(PLAYER "init %s/a_file", play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "Not a directory");
  RUN(PLAYER "init %s/a_file/new", play_folder);
  EXPECT_STATUS(2);
  EXPECT_LINES(play_run.err, 1);
}

TEST(init, a_game_in_a_folder_called_init_can_still_be_played)
{
  RUN("mkdir %s/init && echo 'print(5) return {}' >%s/init/main.lua && cd %s && \"$OLDPWD\"/" PLAYER
      "--headless --frames 1 ./init",
      play_folder, play_folder, play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, "5\n");
}

/* }== */

SUITE(player_tools, &exec, &check, &init)
