/*
** The player with little memory (--memory) while its game is edited: an edit that asks for too much is refused and has
** changed nothing; its undo and smaller edits go through.
*/
#include "demo/edit_run.h"
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

/* Prints the state of all cubes whenever it has changed. */
static const char main_lua[] =
    "local pools <const> = require('spawnpool').pools\n"
    "local shown\n"
    "local function value(o, name) return o[name] end\n"
    "local function state()\n"
    "  local cubes <const> = pools:pool 'Cube'\n"
    "  local stats <const> = cubes:stats()\n"
    "  local line = ('cubes: %d live, %d idle, %d made, limit %s, idle_limit %s, grow %d, %s;'):format(cubes.live,\n"
    "    cubes.idle, stats.created, cubes.limit, cubes.idle_limit, cubes.grow, cubes.overflow)\n"
    "  for o in cubes:each() do\n"
    "    local there, hp = pcall(value, o, 'hp')\n"
    "    if not there then hp = 'health ' .. o.health end\n"
    "    line = ('%s #%d %s %s %.1f'):format(line, o.id, hp, o.note, o.x)\n"
    "  end\n"
    "  return line\n"
    "end\n"
    "return {\n"
    "  load = function() for i = 1, 3 do pools:alloc('Cube', 0, 20 * i, 20).hp = i end end,\n"
    "  update = function()\n"
    "    local now <const> = state()\n"
    "    if now ~= shown then print(now) end\n"
    "    shown = now\n"
    "  end,\n"
    "}\n";

static void write_cube(const char *definition)
{
  char text[512];
  snprintf(text, sizeof text, "return require('spawnpool').class('Cube', { %s })\n", definition);
  edit_write("pools/Cube.lua", text);
}

static const char usual[] = "prealloc = 5, limit = 90, fields = { hp = 9, note = 'a' }";
static const char greedy[] = "prealloc = 4000000, grow = 7, idle_limit = 5000000, overflow = 'oldest', order = 'lifo', "
                             "fields = { health = 9, note = require('spawnpool').fresh(function() return 'b' end) }";
static const char modest[] = "prealloc = 50, limit = 90, grow = 7, fields = { health = 8, note = 'c' }";

static int count(const char *text, const char *word)
{
  int found = 0;
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    found++;
  return found;
}

static test_group tcase = {"memory", edit_open, edit_close, 120};

TEST(tcase, an_edit_that_asks_for_too_much_memory_changes_nothing)
{
  RUN("mkdir '%s'", edit_path("pools"));
  EXPECT_STATUS(0);
  edit_write("main.lua", main_lua);
  write_cube(usual);
  edit_start("", "--headless --realtime --memory 64");
  edit_await("cubes: 3 live, 2 idle, 5 made, limit 90, idle_limit nil, grow 32, refuse; #1 1 a 20.0 #2 2 a 40.0");
  for (int round = 1; round <= 2; round++) {
    write_cube(greedy);
    edit_await("cannot change the pool of 'Cube': the allocator refused");
    edit_await("not reloaded: pools/Cube.lua");
    ck_assert_msg(count(edit_said(), "cubes:") == 1, "%s", edit_said());
    write_cube(usual);      /* the undo */
    edit_await("Cube.lua"); /* whatever it says of it */
    ck_assert_msg(count(edit_said(), "cubes:") == 1, "%s", edit_said());
  }
  write_cube(greedy);
  edit_await("not reloaded: pools/Cube.lua");
  write_cube(modest);
  edit_await(
      "cubes: 3 live, 47 idle, 50 made, limit 90, idle_limit nil, grow 7, refuse; #1 health 8 a 20.0 #2 health 8 a");
  write_cube(usual);
  edit_await("cubes: 3 live, 47 idle, 50 made, limit 90, idle_limit nil, grow 32, refuse; #1 9 a 20.0 #2 9 a 40.0");
  edit_end(0);
  ck_assert_int_eq(edit_stat("refused_reloads"), 3);
  ck_assert_int_eq(count(edit_said(), "cubes:"), 3);
}

SUITE(refused_edits, &tcase)
