/*
** --synctest finds what going back does not restore: a function of C that answers something else each time stands for
** it. tests/slow/synctest.lua plays every game.
*/
#include "demo/app/app.h"
#include "demo/play.h"
#include "support/test.h"

#include <lauxlib.h>
#include <stdio.h>

static test_group core = {"core", play_open, play_close, 60};

/* Counts how often it was asked; no copy of the game has its memory. */
static int ask(lua_State *L)
{
  int *count = lua_touserdata(L, lua_upvalueindex(1));
  lua_pushinteger(L, ++*count);
  return 1;
}

/* Plays 100 frames of a game that moves its second dot by the count in frame 70; returns the exit code. */
static int play(bool asks)
{
  char program[] = "spawnpool", headless[] = "--headless", twice[] = "--synctest", frames[] = "--frames=100",
       *argv[] = {program, headless, twice, frames, play_folder};
  app a = {.opened = false};
  options o;
  int count = 0;
  play_write("main.lua", "local spawnpool <const>, n = require 'spawnpool', 0\n"
                         "spawnpool.class('Dot', { fields = { hue = 0 } })\n"
                         "local dots <const> = { spawnpool.pools:alloc 'Dot', spawnpool.pools:alloc 'Dot' }\n"
                         "return { update = function() n = n + 1 dots[1].x = n\n"
                         "if n == 70 then dots[2].hue = ask and ask() or 1 end end }\n");
  ck_assert_msg(options_parse(&o, 5, argv), "%s", o.error);
  ck_assert(app_open(&a, &o));
  lua_State *L = sp_script_state(a.game.script);
  lua_pushlightuserdata(L, &count);
  lua_pushcclosure(L, ask, 1);
  if (asks)
    lua_setglobal(L, "ask");
  app_start(&a);
  while (app_frame(&a))
    continue;
  ck_assert_int_eq(count, asks ? 2 : 0);
  return app_close(&a);
}

TEST(core, a_frame_that_differs_is_named_with_its_object_and_field)
{
  char said[2048] = "";
  ck_assert_ptr_nonnull(freopen(play_path("said"), "w+", stderr));
  const int differs = play(true), same = play(false);
  rewind(stderr);
  said[fread(said, 1, sizeof said - 1, stderr)] = '\0';
  ck_assert_int_eq(differs, APP_SCRIPT_ERROR);
  ck_assert_int_eq(same, APP_FINE);
  ck_assert_str_eq(said,
                   "spawnpool: synctest: frame 70, in second 2, differs when it is played again: pool Dot: object #2, "
                   "field hue\n"
                   "spawnpool: synctest: 100 frames were played again, 1 differ; the game made 2 objects and heard 0 "
                   "inputs\n"
                   "spawnpool: synctest: 100 frames were played again, 0 differ; the game made 2 objects and heard 0 "
                   "inputs\n");
}

SUITE(synctest_difference, &core)
