/*
** A game that is looked over instead of played.
*/
#include "script/scripted.h"

#include <lua.h>
#include <stdio.h>
#include <string.h>

static scripted it;
static char problems[8192];
static size_t files;

static void tell(void *ud, const char *problem)
{
  const char *rest = problem;
  (void)ud;
  ck_assert_ptr_null(strchr(problem, '\n'));
  if (strncmp(problem, it.folder, strlen(it.folder)) == 0)
    rest = problem + strlen(it.folder) + 1;
  snprintf(problems + strlen(problems), sizeof problems - strlen(problems), "%s\n", rest);
}

/* How many there are; their texts, without the folder, are in `problems`. */
static size_t check_game(void)
{
  size_t count;
  problems[0] = '\0';
  scripted_open(&it);
  count = sp_script_check(it.script, tell, NULL, &files);
  ck_assert_int_eq(lua_gettop(sp_script_state(it.script)), 0);
  return count;
}

static void expect_problems(size_t count, const char *expected)
{
  ck_assert_uint_eq(check_game(), count);
  ck_assert_str_eq(problems, expected);
}

static void end(void) { scripted_end(&it); }

static test_group core = {"core", NULL, end};

TEST(core, a_game_without_problems_is_loaded_and_not_started)
{
  scripted_make(&it, "print 'main'\nlocal m = require 'part'\nreturn { load = function() print 'load' end }");
  scripted_write(&it, "part.lua", "print 'part' return {}");
  scripted_write(&it, "other/unused.lua", "print 'unused'");
  scripted_write(&it, ".hidden/a.lua", "return ("); /* what begins with a dot is left out */
  scripted_write(&it, ".b.lua", "return (");
  scripted_write(&it, "pools/Cube.lua", "print 'cube' return require('spawnpool').class('Cube', { limit = 3 })");
  expect_problems(0, "");
  ck_assert_uint_eq(files, 4);
  ck_assert_str_eq(scripted_told(&it), "print: main\nprint: part\nprint: cube\n");
}

TEST(core, no_file_keeps_the_others_from_being_checked)
{
  scripted_make(&it, "local part = require 'part'\nreturn {}");
  scripted_write(&it, "part.lua", "local x = = 1");
  scripted_write(&it, "other/unused.lua", "\nlocal y = (");
  scripted_write(&it, "pools/A.lua", "nothing.x = 1");
  scripted_write(&it, "pools/B.lua", "return require('spawnpool').class('B', { limit = -1 })");
  scripted_write(&it, "pools/C.lua", "return require('spawnpool').class('D', {})");
  scripted_write(&it, "pools/E.lua", "return require('spawnpool').class('E', { extends = 'Nobody' })");
  scripted_write(&it, "pools/F.lua", "return 5");
  ck_assert_uint_eq(check_game(), 7);
  ck_assert_uint_eq(files, 8);
  static const char *const parts[] = {
      "part.lua:1: unexpected symbol near '='\n",
      "other/unused.lua:2: unexpected symbol near <eof>\n",
      "pools/A.lua:1: attempt to index a nil value (global 'nothing')\n",
      "pools/B.lua:1: class 'B': limit must be an integer",
      "pools/C.lua:1: the file declares class 'D', not class 'C'",
      "pools/E.lua:1: class 'E' extends 'Nobody', which is not declared\n",
      "pools/F.lua:1: the file declares no class, not class 'F'",
  };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    ck_assert_msg(strstr(problems, parts[i]) != NULL, "'%s' is not in:\n%s", parts[i], problems);
}

TEST(core, what_several_files_require_is_one_problem)
{
  scripted_make(&it, "require 'part' return {}");
  scripted_write(&it, "part.lua", "return (");
  scripted_write(&it, "pools/A.lua", "require 'part'");
  scripted_write(&it, "pools/B.lua", "require 'part'");
  expect_problems(1, "part.lua:1: unexpected symbol near <eof>\n");
}

/* A main.lua, its problem, and its warnings. */
static const struct {
  const char *main, *problem, *told;
} mains[] = {
    {"return 5", "main.lua:1: main.lua must return a table of callbacks (load, update, draw, ...), got number\n", ""},
    {"return { update = 5, upadte = function() end, load = function() end, of_its_own = 3 }",
     "main.lua:1: the callback 'update' must be a function, got a number\n",
     "warning: GAME/main.lua:1: nothing calls 'upadte' (did you mean 'update'?)\n"},
    {"return { update = setmetatable({}, { __call = print }), draw = setmetatable({}, {}) }",
     "main.lua:1: the callback 'draw' must be a function, got a table\n", ""},
    {"return { pause_unfocussed = true, paused = true }", "",
     "warning: GAME/main.lua:1: nothing reads 'pause_unfocussed' (did you mean 'pause_unfocused'?)\n"},
    {"local game = {}\nfunction game.load() game.resize() end\nfunction game.resize() end\n"
     "game.keypressed = function() end\nfunction game.tick() end\ngame.widht = 3\nreturn game",
     "",
     "warning: GAME/main.lua:4: nothing calls 'keypressed' (did you mean 'key_pressed'?)\n"
     "warning: GAME/main.lua:6: nothing reads 'widht' (did you mean 'width'?)\n"},
    {"local x = 1\nerror 'in main'", "main.lua:2: in main\n", ""},
};

TESTS(core, main_and_its_callbacks_are_looked_at, sizeof mains / sizeof *mains)
{
  scripted_make(&it, mains[_i].main);
  expect_problems(*mains[_i].problem ? 1 : 0, mains[_i].problem);
  ck_assert_str_eq(scripted_told(&it), mains[_i].told);
}

TEST(core, a_file_that_takes_too_much_is_a_problem)
{
  scripted_make(&it, "return {}");
  scripted_write(&it, "pools/A.lua", "\nwhile true do end");
  scripted_write(&it, "pools/B.lua", "local t = {} for i = 1, 1e7 do t[i] = { i } end");
  it.options.patience = 0.2;
  it.options.memory_limit = 4 << 20;
  ck_assert_uint_eq(check_game(), 2);
  ck_assert_ptr_nonnull(strstr(problems, "pools/A.lua:2: stopped: it ran for more than 0.2 s"));
  ck_assert_ptr_nonnull(strstr(problems, "not enough memory"));
}

TEST(core, a_game_of_one_file_is_checked_with_what_it_requires)
{
  scripted_make(&it, NULL);
  scripted_write(&it, "tiny.lua", "require 'part' return {}");
  scripted_write(&it, "part.lua", "error 'in part'");
  scripted_write(&it, "of_another_game.lua", "return (");
  it.options.path = scripted_path(&it, "tiny.lua");
  expect_problems(1, "part.lua:1: in part\n");
  ck_assert_uint_eq(files, 1);
}

SUITE(checkup, &core)
