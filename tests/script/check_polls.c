/*
** A game that is edited while it runs, as its host polls it: what a poll says, what it reports, and what it costs.
*/
#include "script/scripted.h"
#include "support/test.h"

#include <lua.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SPARK "return require('spawnpool').class('Spark', {})"
#define FRAMES_ON_PROBATION 120

static scripted g;

static void edit_main(const char *text)
{
  scripted_write(&g, "main.lua", text);
  g.told[0] = '\0';
}

static void remove_file(const char *name)
{
  char path[600];
  snprintf(path, sizeof path, "%s/%s", g.folder, name);
  ck_assert_int_eq(remove(path), 0);
}

static void start(const char *main)
{
  scripted_make(&g, main);
  g.options.reload = true;
  scripted_write(&g, "pools/Spark.lua", SPARK);
  scripted_open(&g);
  sp_script_start(g.script, 0, NULL);
}

static void stop(void) { scripted_end(&g); }

static void expect(sp_poll how, sp_poll_result expected, const char *part)
{
  sp_poll_result result = sp_script_poll(g.script, how);
  const char *told = scripted_told(&g);
  ck_assert_msg(result == expected, "%d, not %d: %s", (int)result, (int)expected, told);
  ck_assert_msg(strstr(told, part) != NULL, "'%s' is not in: %s", part, told);
}

static void expect_poll(sp_poll_result expected, const char *part) { expect(SP_POLL_NOW, expected, part); }

#define SOUND "require('spawnpool').pools:pool('Spark') return { update = function() print('sound') end }"
#define BROKEN "return {"

/* {== What mends ========================================================== */

static test_group mending = {"what mends", NULL, stop, 30};
static test_group probation = {"probation", NULL, stop, 30};
static test_group cost = {"cost", NULL, stop, 30};

TEST(mending, a_file_that_is_gone_mends_nothing)
{
  start(SOUND);
  edit_main(BROKEN);
  expect_poll(SP_POLL_REFUSED, "GAME/main.lua:1:");
  remove_file("pools/Spark.lua");
  expect_poll(SP_POLL_REFUSED, "GAME/main.lua:1:"); /* it is tried again */
  expect(SP_POLL_REST, SP_POLL_NOTHING, "warning: pools/Spark.lua is gone: its last code stays\n");
  ck_assert_ptr_nonnull(sp_script_error(g.script));
  edit_main(SOUND "--");
  expect_poll(SP_POLL_RELOADED, "reload: reloaded main.lua");
  ck_assert_ptr_null(sp_script_error(g.script));
}

TEST(mending, a_file_that_is_gone_starts_nothing)
{
  start("require('spawnpool').pools:pool('Spark') return { load = function() print('load') error('no') end }");
  remove_file("pools/Spark.lua");
  g.told[0] = '\0';
  ck_assert_int_eq(sp_script_poll(g.script, SP_POLL_NOW), SP_POLL_NOTHING);
  ck_assert_str_eq(scripted_told(&g), "warning: pools/Spark.lua is gone: its last code stays\n");
}

TEST(mending, what_is_gone_is_told_beside_what_is_edited)
{
  start(SOUND);
  edit_main(SOUND "--");
  remove_file("pools/Spark.lua");
  expect_poll(SP_POLL_RELOADED, "reload: reloaded main.lua");
  expect(SP_POLL_REST, SP_POLL_NOTHING, "warning: pools/Spark.lua is gone");
}

static void expect_sound(void)
{
  ck_assert(scripted_update(&g));
  ck_assert_str_eq(scripted_told(&g), "print: sound\n");
}

TEST(mending, a_broken_save_says_where_and_may_be_undone_or_mended)
{
  start(SOUND);
  for (int mended = 0; mended < 2; mended++) {
    ck_assert_int_eq(scripted_save(&g, "main.lua", "return {\nupdate = = 1 }"), SP_POLL_REFUSED);
    ck_assert_str_eq(scripted_told(&g), "error: GAME/main.lua:2: unexpected symbol near '='\n    update = = 1 }\n"
                                        "warning: not reloaded: main.lua; the old code goes on\n");
    ck_assert_ptr_nonnull(sp_script_error(g.script));
    expect(SP_POLL_LOOK, SP_POLL_NOTHING, ""); /* told once, and again when asked for */
    expect_poll(SP_POLL_REFUSED, "GAME/main.lua:2:");
    expect_sound();
    edit_main(mended ? SOUND "--" : SOUND);
    expect_poll(SP_POLL_RELOADED, mended ? "reload: reloaded main.lua" : "main.lua matches the running code again\n");
    ck_assert_ptr_null(sp_script_error(g.script));
    expect_sound();
  }
}

TEST(mending, undoing_one_of_two_broken_saves_mends_nothing)
{
  start(SOUND);
  edit_main(BROKEN);
  scripted_write(&g, "pools/Spark.lua", BROKEN);
  expect_poll(SP_POLL_REFUSED, "not reloaded: main.lua, pools/Spark.lua");
  edit_main(SOUND);
  expect_poll(SP_POLL_REFUSED, "pools/Spark.lua:1:");
  ck_assert_ptr_nonnull(sp_script_error(g.script));
}

TEST(mending, what_was_refused_beside_a_save_that_is_undone_comes_through)
{
  start(SOUND);
  edit_main("return { update = function() print('new') end }");
  scripted_write(&g, "pools/Spark.lua", BROKEN);
  expect_poll(SP_POLL_REFUSED, "not reloaded: main.lua, pools/Spark.lua");
  scripted_write(&g, "pools/Spark.lua", SPARK);
  expect(SP_POLL_LOOK, SP_POLL_NOTHING, "");
  for (int naps = 0; naps < 3000 && g.told[0] == '\0'; naps++) { /* F5 would try again anyway */
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    sp_script_poll(g.script, SP_POLL_LOOK);
  }
  scripted_expect(&g, "reload: reloaded main.lua in");
  expect(SP_POLL_REST, SP_POLL_NOTHING, "reload: pools/Spark.lua matches the running code again\n");
  ck_assert_ptr_null(sp_script_error(g.script));
  ck_assert(scripted_update(&g));
  ck_assert_str_eq(scripted_told(&g), "print: new\n");
}

TEST(mending, many_files_are_counted)
{
  static const char *const names[] = {"a.lua", "b.lua", "c.lua", "d.lua"};
  start("require 'a' require 'b' require 'c' require 'd' return {}");
  for (size_t i = 0; i < 4; i++)
    scripted_write(&g, names[i], "return 1");
  expect_poll(SP_POLL_RELOADED, "");
  edit_main("require 'a' require 'b' require 'c' require 'd' return nil");
  for (size_t i = 0; i < 4; i++)
    scripted_write(&g, names[i], BROKEN);
  expect_poll(SP_POLL_REFUSED, "not reloaded: a.lua, b.lua, c.lua, d.lua and 1 more; the old code goes on\n");
  for (size_t i = 0; i < 4; i++)
    remove_file(names[i]);
  sp_script_poll(g.script, SP_POLL_NOW);
  expect(SP_POLL_REST, SP_POLL_NOTHING, "a.lua, b.lua, c.lua, d.lua are gone: their last code stays\n");
}

TEST(mending, no_place_in_the_library_is_told)
{
  start("return {}");
  scripted_write(&g, "pools/Dot.lua", "return require('spawnpool').class('Dot', { limt = 3 })");
  sp_script_poll(g.script, SP_POLL_NOW);
  const char *told = scripted_told(&g);
  ck_assert_msg(strstr(told, "limt") != NULL && strstr(told, "spawnpool.") == NULL, "%s", told);
}

TEST(mending, a_module_that_is_missing_is_told_where_it_is_wanted)
{
  start("\nrequire 'nothing'");
  scripted_expect(&g, "error: GAME/main.lua:2: module 'nothing' not found");
}

TEST(mending, a_load_that_comes_late_may_take_its_time_too)
{
  scripted_make(&g, BROKEN);
  g.options.reload = true;
  g.options.patience = 0.2;
  scripted_open(&g);
  sp_script_start(g.script, 0, NULL);
  edit_main("return { load = function() local t = os.clock() while os.clock() - t < 0.4 do end print('loaded') end }");
  expect_poll(SP_POLL_RELOADED, "print: loaded\n");
}

TEST(mending, what_failed_may_be_undone_too)
{
  start(SOUND);
  edit_main("return { update = function() error('new') end }");
  expect_poll(SP_POLL_RELOADED, "reloaded main.lua");
  ck_assert(scripted_update(&g));
  scripted_expect(&g, "main.lua:1: new");
  expect_sound();
  ck_assert_int_eq(sp_script_poll(g.script, SP_POLL_REST), SP_POLL_REVERTED);
  ck_assert_str_eq(scripted_told(&g), "warning: main.lua failed: its last good version is back, until the next save\n");
  ck_assert_ptr_nonnull(sp_script_error(g.script));
  edit_main(SOUND);
  expect_poll(SP_POLL_RELOADED, "main.lua matches the running code again");
  ck_assert_ptr_null(sp_script_error(g.script));
}

/* }== */

/* {== Probation =========================================================== */

/* Its error comes when the game says so. */
#define FAULTY                                                                                                         \
  "return { update = function() if fail then error('late') end end, key_pressed = function() fail = true end }"

static void load_faulty(void)
{
  start(SOUND);
  edit_main(FAULTY);
  expect_poll(SP_POLL_RELOADED, "reloaded main.lua");
}

static bool update_with_fault(void) { return sp_script_call(g.script, "key_pressed", "s", "x") && scripted_update(&g); }

TEST(probation, polls_of_a_game_that_rests_prove_nothing)
{
  load_faulty();
  for (int i = 0; i < 2 * FRAMES_ON_PROBATION; i++)
    ck_assert_int_eq(sp_script_poll(g.script, SP_POLL_LOOK), SP_POLL_NOTHING);
  ck_assert(update_with_fault());
  expect_poll(SP_POLL_REVERTED, "its last good version is back");
}

TEST(probation, frames_prove_new_code)
{
  load_faulty();
  for (int i = 0; i < FRAMES_ON_PROBATION; i++) {
    ck_assert(scripted_update(&g));
    ck_assert(sp_script_update(g.script, 0.01));
    ck_assert_int_eq(sp_script_poll(g.script, SP_POLL_REST), SP_POLL_NOTHING);
  }
  ck_assert(!update_with_fault());
}

/* }== */

/* {== Cost, and folders =================================================== */

TEST(cost, polls_that_find_nothing_leave_no_garbage)
{
  start(SOUND);
  lua_State *L = sp_script_state(g.script);
  for (int i = 0; i < 10; i++)
    sp_script_poll(g.script, SP_POLL_LOOK);
  lua_gc(L, LUA_GCSTOP);
  size_t before = sp_script_bytes(g.script);
  for (int i = 0; i < 100; i++) {
    ck_assert_int_eq(sp_script_poll(g.script, i % 2 ? SP_POLL_LOOK : SP_POLL_REST), SP_POLL_NOTHING);
    sp_script_each_folder(g.script, NULL, NULL);
  }
  ck_assert_uint_eq(sp_script_bytes(g.script), before);
}

static void count_folder(void *ud, const char *folder)
{
  int *count = ud;
  ck_assert_int_eq(strncmp(folder, g.folder, strlen(g.folder)), 0);
  *count += 1;
}

TEST(cost, folders_come_with_a_number_that_changes_when_they_do)
{
  start(SOUND);
  lua_State *L = sp_script_state(g.script);
  int count = 0, more = 0, top = lua_gettop(L);
  lua_pushinteger(L, 7); /* the host's own */
  unsigned serial = sp_script_each_folder(g.script, count_folder, &count);
  ck_assert_int_eq(count, 2);
  ck_assert_uint_eq(sp_script_each_folder(g.script, NULL, NULL), serial);
  sp_script_wake(g.script, g.folder);
  sp_script_wake(g.script, NULL);
  ck_assert_int_eq(sp_script_poll(g.script, SP_POLL_LOOK), SP_POLL_NOTHING);
  scripted_write(&g, "parts/a.lua", "return 1");
  sp_script_poll(g.script, SP_POLL_NOW);
  ck_assert_uint_ne(sp_script_each_folder(g.script, count_folder, &more), serial);
  ck_assert_int_eq(more, 3);
  ck_assert_int_eq(lua_gettop(L), top + 1);
  ck_assert_int_eq(lua_tointeger(L, -1), 7);
  lua_pop(L, 1);
}

/* }== */

SUITE(polls, &mending, &probation, &cost)
