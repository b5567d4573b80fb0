/*
** The player from outside: the built program, small games, what it says, and its exit codes.
*/
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

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
  static const char *const names[] = {
      "--headless", "--realtime",   "--frames N", "--seed N",   "--size WxH", "--screenshot",       "--stats",
      "--trust",    "--memory MiB", "--version",  "--exec LUA", "--check",    "spawnpool init DIR", "spawnpool games"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    EXPECT_IN(play_run.out, names[i]);
  ck_assert_str_eq(play_run.err, "");
}

/* Puts the player where it is installed, with its games; its name is in the environment, for later commands. */
static void install_player(void)
{
  char path[512];
  snprintf(path, sizeof path, "%s/bin/spawnpool", play_folder);
  RUN("cd %s && mkdir -p bin share/spawnpool && ln -s \"$OLDPWD/scripts\" share/spawnpool && cp \"$OLDPWD\"/" PLAYER
      "bin",
      play_folder);
  EXPECT_STATUS(0);
  setenv("SP_TEST_PLAYER", path, 1);
}

TEST(line, games_are_listed_with_what_they_are)
{
  install_player();
  RUN("$SP_TEST_PLAYER games");
  EXPECT_STATUS(0);
  EXPECT_IN(play_run.out, "\nshooter          one ship, four kinds of enemies");
  RUN("[ $($SP_TEST_PLAYER games | grep -c '^[a-z_]* *[a-z].*[.?]$') = $(ls -d scripts/*/main.lua | wc -l) ]");
  EXPECT_STATUS(0);
  RUN("rm -r %s/share && $SP_TEST_PLAYER games", play_folder);
  EXPECT_STATUS(2);
  EXPECT_IN(play_run.err, "no games were installed");
}

/* The command that it prints is run. */
TEST(line, a_new_game_is_played_by_the_command_that_init_prints)
{
  RUN("cd %s && p=$OLDPWD/" PLAYER "&& $p init \"it's a game\" | sed -n 's/^Play it: *//p' >play && "
      "sh -c \"$(cat play) --headless --frames 3\"",
      play_folder);
  EXPECT_STATUS(0);
}

#define COMPLETE                                                                                                       \
  "bash --norc -c 'shopt -s progcomp; . demo/completion/spawnpool.bash; COMP_WORDS=(x \"$@\"); COMP_CWORD=$#; "        \
  "_spawnpool $SP_TEST_PLAYER \"${COMP_WORDS[-1]}\" \"${COMP_WORDS[-2]}\" 2>/dev/null; echo \"${COMPREPLY[@]}\"' x "

TEST(line, bash_completes_options_games_and_files)
{
  install_player();
  EXPECT_RUNS({NULL, COMPLETE "--head", 0, "--headless\n", ""}, {NULL, COMPLETE "--si", 0, "--size\n", ""},
              {NULL, COMPLETE "sho", 0, "shooter\n", ""}, {NULL, COMPLETE "i", 0, "init\n", ""},
              {NULL, COMPLETE "--seed i", 0, "\n", ""}, {NULL, COMPLETE "shooter -- sho", 0, "\n", ""},
              {NULL, COMPLETE "scripts/shooter/ses", 0, "scripts/shooter/session.lua\n", ""});
}

#define NO_DISPLAY "env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER "

/* Without a display it names the way out. */
TEST(line, usage_errors_exit_with_2)
{
  EXPECT_RUNS(
      {NULL, NO_DISPLAY PLAYER, 2, "", "~no game given"}, {NULL, NO_DISPLAY PLAYER, 2, "", "~no display was found"},
      {NULL, NO_DISPLAY PLAYER, 2, "", "~spawnpool games lists them"},
      {NULL, PLAYER "--hedless %s", 2, "", "~'--headless'"}, {NULL, HEADLESS "%s", 2, "", "~main.lua"},
      {NULL, HEADLESS "%s/nowhere", 2, "", "~nowhere"},
      {"print('never') return {}", NO_DISPLAY PLAYER "--frames 1 %s", 2, "", "~spawnpool: cannot open a window: "});
  EXPECT_IN(play_run.err, "--headless");
  RUN(HEADLESS "%s/nowhere", play_folder);
  EXPECT_LINES(play_run.err, 1);
}

/* }== */

/* {== Playing ============================================================ */

static test_group play = {"playing", play_open, play_close, 120};

TEST(play, callbacks_come_in_order_and_pools_move_with_the_clock)
{
  EXPECT_RUNS({"local game = {}\n"
               "function game.load(args) print('load', #args, args[1], args[2]) end\n"
               "function game.update(dt) print('update', dt == 1 / 60) end\n"
               "function game.draw(g) print('draw', g.width, g.height) end\n"
               "function game.quit() print('quit') end\n"
               "return game\n",
               PLAYER "--headless --frames 2 --size 320x200 %s -- hard --size", 0,
               "load\t2\thard\t--size\nupdate\ttrue\ndraw\t320\t200\nupdate\ttrue\ndraw\t320\t200\n", ""},
              {NULL, PLAYER "--headless --frames 0 %s", 0, "load\t0\tnil\tnil\n", ""},
              {"local pools = require('spawnpool').pools\n"
               "local game, o, short = {}, nil, nil\n"
               "function game.load() o = pools:alloc('Cube') o.x, o.vx = 10, 60\n"
               "  short = pools:alloc('Cube', 0.5) end\n"
               "local frame = 0\n"
               "function game.draw() frame = frame + 1\n"
               "  if frame == 60 then print(math.floor(o.x + 0.5), short.alive, pools.time) end end\n"
               "return game\n",
               PLAYER "--headless --frames 60 %s", 0, "~70\tfalse\t1.0", NULL});
  play_write("tiny.lua", "print('tiny') return {}");
  EXPECT_RUNS({NULL, HEADLESS "%s/tiny.lua", 0, "tiny\n", ""}); /* a file is a game too */
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

TEST(play, input_is_at_rest_and_trust_opens_the_libraries)
{
  EXPECT_RUNS({"local input = require('spawnpool').input\n"
               "return { update = function() print(input.down('left', 'a'), input.mouse()) end }",
               PLAYER "--headless --frames 1 %s", 0, "false\t0\t0\tfalse\tfalse\tfalse\n", ""},
              {"print(io ~= nil, os.execute ~= nil) return {}", HEADLESS "%s", 0, "false\tfalse\n", ""},
              {NULL, HEADLESS "--trust %s", 0, "true\ttrue\n", ""});
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

static test_group errors = {"errors", play_open, play_close, 120};

TEST(errors, script_errors_exit_with_1)
{
  EXPECT_RUNS(
      {"local x = = 1", HEADLESS "%s", 1, NULL, "~main.lua:1:"}, {"return 5", HEADLESS "%s", 1, NULL, "~callbacks"},
      {"\nerror('in main')", HEADLESS "%s", 1, NULL, "~main.lua:2: in main"},
      {"return { load = function() local t = nil; t.x = 1 end }", HEADLESS "%s", 1, NULL, "~main.lua:1:"},
      {"return {\nupdate = function() error('in update') end }", HEADLESS "%s", 1, NULL, "~main.lua:2: in update"},
      {"return { draw = function(g)\n\ng:line(1, 2, 'a', 4) end }", HEADLESS "%s", 1, NULL,
       "~main.lua:3: bad argument #3 to 'line' (number expected, got string)"},
      {"return { draw = function(g) g:txt(1, 2, 'a') end }", HEADLESS "%s", 1, NULL, "~the nearest is 'text'"},
      {"return { update = function() require('spawnpool').input.down('lfet') end }", HEADLESS "%s", 1, NULL,
       "~no key is called 'lfet'"},
      {"local kept\n"
       "return { draw = function(g) kept = g end, update = function()\n"
       "if kept then kept:rect(1, 2, 3, 4) end end }",
       HEADLESS "%s", 1, NULL, "~main.lua:3: g draws only while draw(g) runs"},
      {"local n = 0\n"
       "return { update = function() n = n + 1 print(n) if n == 3 then error('third') end end,\n"
       "draw = function() print('draw') end }",
       HEADLESS "%s", 1, "1\ndraw\n2\ndraw\n3\n", "~third"},
      {"local t = {} return { update = function() for i = 1, 1e5 do t[#t + 1] = { i } end end }",
       PLAYER "--headless --frames 100 --memory 8 %s", 1, NULL, "~memory"});
}

TEST(errors, the_game_goes_on_after_an_error_in_a_hook_and_without_pools)
{
  EXPECT_RUNS({"local spawnpool = require 'spawnpool'\n"
               "local A = spawnpool.class('A', {})\n"
               "function A:on_despawn() error('in the hook') end\n"
               "local n = 0\n"
               "return { load = function() spawnpool.pools:alloc('A', 0.05) end,\n"
               "update = function() n = n + 1 if n == 10 then print(spawnpool.pools:pool('A').live) end end }",
               HEADLESS "%s", 1, "0\n", "~in the hook"},
              {"local pools = require('spawnpool').pools\n"
               "pools:alloc('A')\n"
               "return { load = function() pools:close() end, update = function() print('on') end }",
               PLAYER "--headless --frames 2 --stats /dev/null %s", 0, "on\non\n", NULL});
}

/* }== */

SUITE(player, &line, &play, &errors)
