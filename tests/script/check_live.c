/*
** A game that is edited while its host runs it, from outside: what a poll says, what it reports, and what it costs.
*/
#include "script/scripted.h"

#include <lua.h>
#include <stdio.h>
#include <string.h>

#define SPARK "return require('spawnpool').class('Spark', {})"
#define SOUND "require('spawnpool').pools:pool('Spark') return { update = function() print('sound') end }"
#define NEW "return { update = function() print('new') end }"
#define BROKEN "return {"
#define GONE "warning: pools/Spark.lua was deleted: its last code stays\n"
#define UNDONE " matches the running code again\n"
#define FRAMES_ON_PROBATION 120

static scripted g;

static void stop(void) { scripted_end(&g); }

static test_group edits = {"edits", NULL, stop};
static test_group first_load = {"the first load", NULL, stop};
static test_group probation = {"probation", NULL, stop};
static test_group cost = {"cost", NULL, stop};

static void make(const char *main)
{
  scripted_make(&g, main);
  g.options.reload = true;
  scripted_write(&g, "pools/Spark.lua", SPARK);
}

static void start(const char *main)
{
  make(main);
  scripted_begin(&g);
}

/* With an error of main or load; what is told of it is `part`. */
static void start_in_vain(const char *main, const char *part)
{
  make(main);
  scripted_open(&g);
  ck_assert(!sp_script_start(g.script, 0, NULL));
  scripted_expect(&g, part);
}

static void save(const char *name, const char *text)
{
  scripted_write(&g, name, text);
  g.told[0] = '\0';
}

static void remove_file(const char *name) { ck_assert_int_eq(remove(scripted_path(&g, name)), 0); }

static void expect(sp_poll how, sp_poll_result expected, const char *part)
{
  sp_poll_result result = sp_script_poll(g.script, how);
  const char *told = scripted_told(&g);
  ck_assert_msg(result == expected, "%d, not %d: %s", (int)result, (int)expected, told);
  ck_assert_msg(strstr(told, part) != NULL, "'%s' is not in: %s", part, told);
}

/* The save of a file, and what comes of it at once. */
static void edit(const char *name, const char *text, sp_poll_result expected, const char *part)
{
  save(name, text);
  expect(SP_POLL_NOW, expected, part);
}

static void expect_update(const char *told)
{
  ck_assert_msg(scripted_update(&g), "%s", g.told);
  ck_assert_str_eq(scripted_told(&g), told);
}

/* Expects that the last error is still shown by a player, or not. */
static void expect_error(bool stands) { ck_assert_int_eq(sp_script_error(g.script) != NULL, stands); }

static uint32_t live_sparks(void)
{
  const sp_pool *pool = sp_find_pool(sp_script_pools(g.script), "Spark");
  return pool ? sp_pool_live(pool) : 0;
}

/* {== Edits ============================================================== */

TEST(edits, callbacks_and_their_locals_live_through_an_edit_of_main)
{
  start("local n = 0\nlocal M = {}\nfunction M.update() n = n + 1 print('old', n) end\nreturn M");
  expect_update("print: old\t1\n");
  edit("main.lua",
       "local n = 0\nlocal M = {}\nfunction M.update() n = n + 10 print('new', n) end\n"
       "function M.quit() return true end\nreturn M",
       SP_POLL_RELOADED, "reload: reloaded main.lua in ");
  expect_update("print: new\t11\n");
  ck_assert(sp_script_veto(g.script, "quit"));
  ck_assert_ptr_nonnull(strstr(sp_script_reload_line(g.script), "update"));
}

TEST(edits, nothing_to_do_is_nothing_done)
{
  start(SOUND);
  expect(SP_POLL_LOOK, SP_POLL_NOTHING, "");
  edit("main.lua", SOUND, SP_POLL_NOTHING, "");
  edit("unused.lua", "return 1", SP_POLL_NOTHING, "");
  ck_assert_ptr_null(sp_script_reload_line(g.script));
  stop();
  scripted_start(&g, "return { update = function() print 'old' end }");
  edit("main.lua", NEW, SP_POLL_NOTHING, ""); /* nothing is tracked without the option */
  expect_update("print: old\n");
}

TEST(edits, a_file_that_is_gone_mends_nothing)
{
  start(SOUND);
  edit("main.lua", BROKEN, SP_POLL_REFUSED, "GAME/main.lua:1:");
  remove_file("pools/Spark.lua");
  expect(SP_POLL_NOW, SP_POLL_REFUSED, "GAME/main.lua:1:"); /* it is tried again */
  expect(SP_POLL_REST, SP_POLL_NOTHING, GONE);
  expect_error(true);
  edit("main.lua", SOUND "--", SP_POLL_RELOADED, "reload: reloaded main.lua");
  expect_error(false);
}

TEST(edits, a_broken_save_says_where_and_may_be_undone_or_mended)
{
  start(SOUND);
  for (int mended = 0; mended < 2; mended++) {
    edit("main.lua", "return {\nupdate = = 1 }", SP_POLL_REFUSED,
         "error: GAME/main.lua:2: unexpected symbol near '='\n    update = = 1 }\n"
         "warning: not reloaded: main.lua; still running the previous version\n");
    expect_error(true);
    expect(SP_POLL_LOOK, SP_POLL_NOTHING, ""); /* told once, and again when asked for */
    expect(SP_POLL_NOW, SP_POLL_REFUSED, "GAME/main.lua:2:");
    expect_update("print: sound\n");
    edit("main.lua", mended ? SOUND "--" : SOUND, SP_POLL_RELOADED, mended ? "reloaded main.lua" : "main.lua" UNDONE);
    expect_error(false);
    expect_update("print: sound\n");
  }
}

TEST(edits, a_reloaded_game_is_still_confined)
{
  start("return {}");
  edit("main.lua",
       "assert(not io and not debug.getinfo and not os.execute and not package.preload)\n"
       "assert(require('debug').getinfo == nil)\nassert(not pcall(require, 'spawnpool.reload'))\n"
       "assert(not pcall(require, '../x'))\nreturn {}",
       SP_POLL_RELOADED, "");
}

/* }== */

/* {== The first load ===================================================== */

TEST(first_load, a_load_that_comes_late_may_take_its_time_too)
{
  make(BROKEN);
  g.options.patience = 0.2;
  scripted_open(&g);
  sp_script_start(g.script, 0, NULL);
  edit("main.lua",
       "return { load = function() local t = os.clock() while os.clock() - t < 0.4 do end print('loaded') end }",
       SP_POLL_RELOADED, "print: loaded\n");
}

TEST(first_load, a_game_that_never_started_starts_with_the_save_that_mends_it)
{
  static const char main[] = "local helper = require 'helper'\n"
                             "return { load = function(args) print('load', args[1], helper) end }";
  make(main);
  scripted_write(&g, "helper.lua", "return = 5");
  scripted_open(&g);
  char *argv[] = {"first"};
  ck_assert(!sp_script_start(g.script, 1, argv));
  scripted_expect(&g, "GAME/helper.lua:1: unexpected symbol");
  edit("main.lua", "local = 1", SP_POLL_REFUSED, "");
  edit("helper.lua", "return 5", SP_POLL_REFUSED, "");
  edit("main.lua", main, SP_POLL_RELOADED, "print: load\tfirst\t5\n");
}

#define ONE "require('spawnpool').pools:alloc 'Spark'\n"

TEST(first_load, a_load_that_failed_is_called_again_with_the_objects_of_files_alone)
{
  start_in_vain(ONE "return { load = function() " ONE "error 'no' end }", "no");
  edit("main.lua", ONE "return { load = function() " ONE "error 'still no' end }", SP_POLL_REFUSED, "still no");
  edit("main.lua", ONE "return { load = function() " ONE ONE "print 'yes' end }", SP_POLL_RELOADED, "print: yes");
  ck_assert_uint_eq(live_sparks(), 3);
}

TEST(first_load, objects_made_as_a_file_runs_are_made_once_whether_anything_names_them_or_not)
{
  make(ONE "require 'more'\n" ONE "local named = " ONE "return { update = function() return named end }");
  scripted_write(&g, "more.lua", ONE "return {}");
  scripted_begin(&g);
  ck_assert_uint_eq(live_sparks(), 4);
  edit("main.lua",
       ONE "require 'more'\nlocal named = " ONE ONE ONE "return { update = function() return named, 1 end }",
       SP_POLL_RELOADED, "");
  ck_assert_uint_eq(live_sparks(), 4);
}

/* }== */

/* {== Probation =========================================================== */

/* Its error comes when the game says so. */
#define FAULTY                                                                                                         \
  "return { update = function() if fail then error('late') end end, key_pressed = function() fail = true end }"

static void load_faulty(void)
{
  start(SOUND);
  edit("main.lua", FAULTY, SP_POLL_RELOADED, "reloaded main.lua");
}

static bool update_with_fault(void) { return sp_script_call(g.script, "key_pressed", "s", "x") && scripted_update(&g); }

TEST(probation, what_failed_is_reverted_and_may_be_undone_too)
{
  load_faulty();
  for (int i = 0; i < 2 * FRAMES_ON_PROBATION; i++) /* polls of a game that rests prove nothing */
    expect(SP_POLL_LOOK, SP_POLL_NOTHING, "");
  ck_assert(update_with_fault());
  scripted_expect(&g, "main.lua:1: late");
  expect_update("print: sound\n");
  expect(SP_POLL_REST, SP_POLL_REVERTED, "warning: main.lua is reverted to the version before ");
  expect_error(true);
  edit("main.lua", SOUND, SP_POLL_RELOADED, "main.lua" UNDONE);
  expect_error(false);
}

TEST(probation, frames_prove_new_code)
{
  load_faulty();
  for (int i = 0; i < FRAMES_ON_PROBATION; i++) {
    ck_assert(scripted_update(&g) && sp_script_update(g.script, 0.01));
    expect(SP_POLL_REST, SP_POLL_NOTHING, "");
  }
  ck_assert(!update_with_fault());
}

/* }== */

/* {== Cost, and folders =================================================== */

TEST(cost, polls_that_find_nothing_leave_no_garbage)
{
  start(SOUND);
  for (int i = 0; i < 10; i++)
    sp_script_poll(g.script, SP_POLL_LOOK);
  lua_gc(sp_script_state(g.script), LUA_GCSTOP);
  size_t before = sp_script_bytes(g.script);
  for (int i = 0; i < 100; i++)
    ck_assert_int_eq(sp_script_poll(g.script, i % 2 ? SP_POLL_LOOK : SP_POLL_REST), SP_POLL_NOTHING);
  ck_assert_uint_eq(sp_script_bytes(g.script), before);
}

TEST(cost, a_game_of_one_file_looks_no_further_than_the_folders_beside_it)
{
  make("return {}");
  scripted_write(&g, "one.lua", "require 'parts.b' require 'parts.deep.a' return {}");
  scripted_write(&g, "parts/b.lua", "return 1");
  scripted_write(&g, "parts/deep/a.lua", "return 1");
  g.options.path = scripted_path(&g, "one.lua");
  scripted_begin(&g);
  edit("parts/deep/a.lua", "return 2", SP_POLL_NOTHING, "");
  edit("parts/b.lua", "return 2", SP_POLL_RELOADED, "");
  edit("one.lua", "return { v = 1 }", SP_POLL_RELOADED, "");
}

/* }== */

SUITE(live, &edits, &first_load, &probation, &cost)
