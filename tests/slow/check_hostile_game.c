/*
** A game that nobody would write (tests/fuzz/hostile): every function of the tables of what a game can reach, at
** random, with values of every kind. It plays to its end; and played again from its recorded input it is the same game.
** Then what takes for ever.
*/
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#define SEEDS 6
#define PLAY PLAYER "--headless "
/* In a window that nobody sees, whose every frame is drawn by the software renderer. */
#define UNSEEN_BY(tool) "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software SDL_AUDIODRIVER=dummy " tool PLAYER
#define UNSEEN UNSEEN_BY("")

/* The rows of the tables, as a module of the game. */
#define MAKE                                                                                                           \
  "cp tests/fuzz/hostile/*.lua %s && (echo 'return {'; sed -nE 's/^ *X\\((\\w+), (\\w+), (\\w+, )?(\"[^\"]*\")\\).*/"  \
  "{ \"\\1\", \"\\2\", \\4 },/p' src/script/bind/members.h demo/bind/reachable.h; echo '}') >%s/rows.lua; "

static test_group hostile = {"hostile", play_open, play_close, 300};

/* Exit status 1 says that a timer or a coroutine of the game has failed: it is made to. */
static void expect_its_end(int seed)
{
  ck_assert_msg(play_run.status == 0 || play_run.status == 1, "seed %d: %d: %.2000s", seed, play_run.status,
                play_run.err + (play_run.err_size > 2000 ? play_run.err_size - 2000 : 0));
  const char *differ = strstr(play_run.out, "DIFFER");
  ck_assert_msg(!differ, "seed %d: %.200s", seed, differ);
  const char *wrong = strstr(play_run.err, "Sanitizer");
  if (!wrong)
    wrong = strstr(play_run.err, "careless");
  ck_assert_msg(!wrong, "seed %d: %.2000s", seed, wrong);
}

static int seed_of(int i)
{
  const char *first = getenv("SP_HOSTILE_SEED");
  return (first ? atoi(first) : 1) + i;
}

TESTS(hostile, a_game_with_any_values_plays_to_its_end_and_plays_again, SEEDS)
{
  const int seed = seed_of(_i), frames = test_tool()[0] ? 60 : 150;
  RUN("export XDG_DATA_HOME=%s/data; " MAKE PLAY "--frames %d --seed %d --record-input %s/input %s", play_folder,
      play_folder, play_folder, frames, seed, play_folder, play_folder);
  expect_its_end(seed);
  RUN("export XDG_DATA_HOME=%s/again; " PLAY "--replay %s/input %s", play_folder, play_folder, play_folder);
  expect_its_end(seed);
  ck_assert_msg(strstr(play_run.err, "all as recorded") != NULL, "seed %d: the replay differs", seed);
}

/* It is stopped, or refused memory, at any place. */
TESTS(hostile, a_game_without_memory_plays_to_its_end, 3)
{
  const int seed = seed_of(_i);
  RUN("export XDG_DATA_HOME=%s/data; " MAKE PLAY "--memory %d --frames 60 --seed %d %s", play_folder, play_folder,
      play_folder, 3 + _i, seed, play_folder);
  expect_its_end(seed);
}

TESTS(hostile, the_module_survives_it_too, 3)
{
  const int seed = seed_of(_i);
  if (test_tool()[0])
    return; /* the interpreter is not instrumented */
  RUN(MAKE "LUA_CPATH=" SP_BUILD_DIR "/?.so lua5.4 %s/module.lua %s %d 60", play_folder, play_folder, play_folder,
      play_folder, seed);
  expect_its_end(seed);
  ck_assert_msg(strstr(play_run.out, "played to its end"), "seed %d: %.2000s", seed, play_run.err);
}

/* In the software renderer, which once read what lay beside the picture. */
TESTS(hostile, pictures_of_any_size_and_place_are_drawn, 4)
{
  const int seed = seed_of(_i);
  RUN("cp tests/fuzz/hostile/drawing.lua %s/main.lua; " UNSEEN "--frames 60 --seed %d %s", play_folder, seed,
      play_folder);
  ck_assert_msg(play_run.status == 0 && !strstr(play_run.err, "Sanitizer"), "seed %d: %d: %.2000s", seed,
                play_run.status, play_run.err);
}

/* valgrind cannot deliver a signal at the very moment when the stack grows: then it is tried again. What is slow there
   may be stopped. */
TEST(hostile, pictures_of_any_size_and_place_read_no_memory_that_is_not_theirs)
{
  if (test_tool()[0])
    return;
  RUN_FOR(240,
          "command -v valgrind >/dev/null || exit 0; cp tests/fuzz/hostile/drawing.lua %s/main.lua; for i in 1 2 3 4; "
          "do " UNSEEN_BY("valgrind -q --error-exitcode=9 ") "--frames 20 --seed 2 %s; code=$?; "
                                                             "[ $code -eq 139 ] || exit $code; done",
          play_folder, play_folder);
  ck_assert_msg(play_run.status == 0 || play_run.status == 1, "%d: %.3000s", play_run.status, play_run.err);
}

/* Lua takes time for these that grows with the square of their number. */
TEST(hostile, compiling_for_ever_is_stopped)
{
  FILE *f = fopen(play_path("main.lua"), "w");
  ck_assert_ptr_nonnull(f);
  fputs("local x = 1\nif x == 0 then\n", f);
  for (int i = 0; i < 290000; i++)
    fputs("elseif x then\n", f);
  fputs("end\nreturn {}\n", f);
  ck_assert_int_eq(fclose(f), 0);
  RUN(PLAY "--frames 2 %s", play_folder);
  ck_assert_int_eq(play_run.status, 1);
  ck_assert_msg(strstr(play_run.err, "compiling was stopped after 5 s: split it"), "%.500s", play_run.err);
}

TEST(hostile, a_source_file_of_five_megabytes_is_refused)
{
  FILE *f = fopen(play_path("main.lua"), "w");
  ck_assert_ptr_nonnull(f);
  for (int i = 0; i < 1000000; i++)
    fputs("--xx\n", f);
  ck_assert_int_eq(fclose(f), 0);
  RUN(PLAY "--frames 2 %s", play_folder);
  ck_assert_int_eq(play_run.status, 1);
  ck_assert_msg(
      strstr(play_run.err, "main.lua: a source file has up to 4 MiB; this one is larger, and is not compiled"),
      "%.500s", play_run.err);
}

/* Each of them ended the player. */
TEST(hostile, what_is_large_is_saved_or_refused_at_once)
{
  FILE *f = fopen(play_path("main.lua"), "w");
  ck_assert_ptr_nonnull(f);
  fputs("local spawnpool <const> = require 'spawnpool'\nlocal pools <const> = spawnpool.pools\n"
        "spawnpool.class('T', { fields = { bag = spawnpool.any() } })\nlocal bag <const> = {}\n"
        "for i = 1, 2e6 do bag[i] = {} end\npools:alloc('T').bag = bag\n"
        "local keys <const>, refs <const> = {}, {}\nfor i = 1, 3e5 do keys[bag[i]] = 1 end\n"
        "for i = 1, 5e4 do refs[i] = keys end\n"
        "return { update = function() print(spawnpool.storage.save('x', refs)) print(#pools:save() > 3e7) end }\n",
        f);
  ck_assert_int_eq(fclose(f), 0);
  RUN("export XDG_DATA_HOME=%s/data; " PLAY "--frames 1 %s", play_folder, play_folder);
  ck_assert_msg(play_run.status == 0 && strstr(play_run.out, "false\tx[1][table] is a key that is a table\ntrue\n"),
                "%.300s %.300s", play_run.out, play_run.err);
}

TEST(hostile, a_function_in_c_that_does_not_come_back_ends_the_player_and_its_recording)
{
  FILE *f = fopen(play_path("main.lua"), "w");
  ck_assert_ptr_nonnull(f);
  fputs("local n = 0\nreturn { update = function()\nn = n + 1\nif n == 2 then (''):rep(1 << 62) end end }\n", f);
  ck_assert_int_eq(fclose(f), 0);
  RUN(PLAY "--frames 5 --record-input %s/input %s; echo ended $?; tail -n 2 %s/input", play_folder, play_folder,
      play_folder);
  ck_assert_msg(strstr(play_run.err, "main.lua:4: 'rep' did not come back within 10 s of computing, since frame 2, and "
                                     "cannot be stopped: the player ends\n"),
                "%.500s", play_run.err);
  ck_assert_msg(strstr(play_run.out, "ended 1\n{\"kind\":\"error\",\"frame\":2,") &&
                    strstr(play_run.out, "computing\"}\n{\"kind\":\"end\",\"frame\":2}\n"),
                "%.500s", play_run.out);
}

SUITE(hostile_game, &hostile)
