/*
** The player from outside: the built program, small games, what it says, and its exit codes.
*/
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>

/* {== Command line ======================================================= */

static test_group line = {"command line", play_open, play_close, 120};

TEST(line, version_and_help)
{
  RUN(PLAYER "--version");
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "spawnpool 0.");
  EXPECT_IN(play_run.out, "Lua 5.4");
  EXPECT_IN(play_run.out, "SDL 2.");
  EXPECT_LINES(play_run.out, 1);
  RUN(PLAYER "--help");
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "usage: spawnpool [options] PATH [-- args]");
  static const char *const names[] = {"--headless",   "--realtime", "--frames N",        "--seed N",     "--size WxH",
                                      "--screenshot", "--stats",    "--trust",           "--memory MiB", "--version",
                                      "--exec LUA",   "--check",    "spawnpool init DIR"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    EXPECT_IN(play_run.out, names[i]);
  ck_assert_str_eq(play_run.err, "");
}

TEST(line, usage_errors_exit_with_2)
{
  RUN(PLAYER);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "no game given");
  RUN(PLAYER "--hedless %s", play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "'--headless'");
  ck_assert_str_eq(play_run.out, "");
}

TEST(line, a_game_that_is_not_there_exits_with_2)
{
  RUN(HEADLESS "%s/nowhere", play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "nowhere");
  EXPECT_LINES(play_run.err, 1);
  RUN(HEADLESS "%s", play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "main.lua");
  EXPECT_LINES(play_run.err, 1);
}

TEST(line, without_a_display_it_names_headless)
{
  play_write("main.lua", "print('never') return {}");
  RUN("env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER " PLAYER "--frames 1 %s", play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "spawnpool: cannot open a window: ");
  EXPECT_IN(play_run.err, "--headless");
  ck_assert_str_eq(play_run.out, "");
}

/* }== */

/* {== Playing ============================================================ */

static test_group play = {"playing", play_open, play_close, 120};

TEST(play, callbacks_come_in_order)
{
  play_write("main.lua", "local game = {}\n"
                         "function game.load(args) print('load', #args, args[1], args[2]) end\n"
                         "function game.update(dt) print('update', dt == 1 / 60) end\n"
                         "function game.draw(g) print('draw', g.width, g.height) end\n"
                         "function game.quit() print('quit') end\n"
                         "return game\n");
  RUN(PLAYER "--headless --frames 2 --size 320x200 %s -- hard --size", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, "load\t2\thard\t--size\nupdate\ttrue\ndraw\t320\t200\nupdate\ttrue\ndraw\t320\t200\n");
  ck_assert_str_eq(play_run.err, "");
  RUN(PLAYER "--headless --frames 0 %s", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, "load\t0\tnil\tnil\n");
}

TEST(play, a_file_is_a_game_too)
{
  play_write("tiny.lua", "print('tiny') return {}");
  RUN(HEADLESS "%s/tiny.lua", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, "tiny\n");
}

TEST(play, pools_move_with_the_clock)
{
  play_write("main.lua", "local pools = require('spawnpool').pools\n"
                         "local game, o, short = {}, nil, nil\n"
                         "function game.load() o = pools:alloc('Cube') o.x, o.vx = 10, 60\n"
                         "  short = pools:alloc('Cube', 0.5) end\n"
                         "local frame = 0\n"
                         "function game.draw() frame = frame + 1\n"
                         "  if frame == 60 then print(math.floor(o.x + 0.5), short.alive, pools.time) end end\n"
                         "return game\n");
  RUN(PLAYER "--headless --frames 60 %s 2>/dev/null", play_folder);
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "70\tfalse\t1.0");
}

TEST(play, the_same_seed_is_the_same_game)
{
  char first[256];
  play_write("main.lua", "return { update = function() print(math.random(1 << 30)) end }");
  RUN(HEADLESS "%s", play_folder);
  snprintf(first, sizeof first, "%s", play_run.out);
  RUN(HEADLESS "%s", play_folder);
  ck_assert_str_eq(play_run.out, first);
  RUN(HEADLESS "--seed 7 %s", play_folder);
  ck_assert_str_ne(play_run.out, first);
  snprintf(first, sizeof first, "%s", play_run.out);
  RUN(HEADLESS "--seed=7 %s", play_folder);
  ck_assert_str_eq(play_run.out, first);
}

TEST(play, input_is_there_and_at_rest)
{
  play_write("main.lua", "local input = require('spawnpool').input\n"
                         "return { update = function() print(input.down('left', 'a'), input.mouse()) end }");
  RUN(PLAYER "--headless --frames 1 %s", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, "false\t0\t0\tfalse\tfalse\tfalse\n");
}

TEST(play, trust_opens_the_libraries)
{
  play_write("main.lua", "print(io ~= nil, os.execute ~= nil) return {}");
  RUN(HEADLESS "%s", play_folder);
  ck_assert_str_eq(play_run.out, "false\tfalse\n");
  RUN(HEADLESS "--trust %s", play_folder);
  ck_assert_str_eq(play_run.out, "true\ttrue\n");
}

TEST(play, an_interrupt_ends_it_in_good_order)
{
  play_write("main.lua",
             "return { load = function() print('ready') end, quit = function() print('bye') return true end }");
  RUN("{ " PLAYER "--headless --realtime %s >%s/out & } && p=$! && "
      "while ! grep -q ready %s/out; do sleep 0.02; done; kill -INT $p && wait $p; echo status $?; cat %s/out",
      play_folder, play_folder, play_folder, play_folder);
  ck_assert_str_eq(play_run.out, "status 0\nready\nbye\n");
}

/* }== */

/* {== Errors ============================================================= */

static void expect_script_error(const char *code, const char *part)
{
  play_write("main.lua", code);
  RUN(HEADLESS "%s", play_folder);
  EXPECT_STATUS(1);
  EXPECT_IN(play_run.err, part);
}

static test_group errors = {"errors", play_open, play_close, 120};

TEST(errors, script_errors_exit_with_1)
{
  expect_script_error("local x = = 1", "main.lua:1:");
  expect_script_error("return 5", "callbacks");
  expect_script_error("\nerror('in main')", "main.lua:2: in main");
  expect_script_error("return { load = function() local t = nil; t.x = 1 end }", "main.lua:1:");
  expect_script_error("return {\nupdate = function() error('in update') end }", "main.lua:2: in update");
  expect_script_error("return { draw = function(g)\n\ng:line(1, 2, 'a', 4) end }",
                      "main.lua:3: bad argument #3 to 'line' (number expected, got string)");
  expect_script_error("return { draw = function(g) g:txt(1, 2, 'a') end }", "the nearest is 'text'");
  expect_script_error("return { update = function() require('spawnpool').input.down('lfet') end }",
                      "no key is called 'lfet'");
}

TEST(errors, an_error_ends_a_headless_run_at_once)
{
  play_write("main.lua", "local n = 0\n"
                         "return { update = function() n = n + 1 print(n) if n == 3 then error('third') end end,\n"
                         "draw = function() print('draw') end }");
  RUN(HEADLESS "%s", play_folder);
  EXPECT_STATUS(1);
  ck_assert_str_eq(play_run.out, "1\ndraw\n2\ndraw\n3\n");
}

TEST(errors, g_is_for_draw_only)
{
  expect_script_error("local kept\n"
                      "return { draw = function(g) kept = g end, update = function()\n"
                      "if kept then kept:rect(1, 2, 3, 4) end end }",
                      "main.lua:3: g draws only while draw(g) runs");
}

TEST(errors, an_error_in_a_hook_does_not_stop_the_game)
{
  play_write("main.lua",
             "local spawnpool = require 'spawnpool'\n"
             "local A = spawnpool.class('A', {})\n"
             "function A:on_despawn() error('in the hook') end\n"
             "local n = 0\n"
             "return { load = function() spawnpool.pools:alloc('A', 0.05) end,\n"
             "update = function() n = n + 1 if n == 10 then print(spawnpool.pools:pool('A').live) end end }");
  RUN(HEADLESS "%s", play_folder);
  EXPECT_STATUS(1);
  ck_assert_str_eq(play_run.out, "0\n");
  EXPECT_IN(play_run.err, "in the hook");
}

TEST(errors, too_little_memory_is_a_script_error)
{
  play_write("main.lua", "local t = {} return { update = function() for i = 1, 1e5 do t[#t + 1] = { i } end end }");
  RUN(PLAYER "--headless --frames 100 --memory 8 %s", play_folder);
  EXPECT_STATUS(1);
  EXPECT_IN(play_run.err, "memory");
}

TEST(errors, closing_the_pools_is_survived)
{
  play_write("main.lua", "local pools = require('spawnpool').pools\n"
                         "pools:alloc('A')\n"
                         "return { load = function() pools:close() end, update = function() print('on') end }");
  RUN(PLAYER "--headless --frames 2 --stats /dev/null %s 2>/dev/null", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, "on\non\n");
}

/* }== */

SUITE(player, &line, &play, &errors)
