/*
** A game that is edited while its host runs it, from outside: sp_script_poll, and what is told.
*/
#include "script/scripted.h"
#include "support/process.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* {== A game that can be edited ========================================== */

static void open_live(scripted *g, const char *main)
{
  scripted_make(g, main);
  g->options.reload = true;
}

static void start_live(scripted *g, const char *main)
{
  open_live(g, main);
  scripted_begin(g);
}

static const char class_file[] = "local spawnpool <const> = require 'spawnpool'\n"
                                 "local Cube <const> = spawnpool.class('Cube', { limit = %d })\n"
                                 "%s\nreturn Cube\n";

static void save_class(scripted *g, int limit, const char *body)
{
  char text[1000];
  snprintf(text, sizeof text, class_file, limit, body);
  scripted_write(g, "pools/Cube.lua", text);
}

/* }== */

/* {== Reloads ============================================================ */

static test_group tcase = {"live", .timeout = 30};

SCRIPT_TEST(tcase, callbacks_and_their_locals_live_through_an_edit_of_main)
{
  start_live(g, "local n = 0\nlocal M = {}\nfunction M.update() n = n + 1 print('old', n) end\nreturn M");
  scripted_update(g);
  ck_assert_int_eq(scripted_save(g, "main.lua",
                                 "local n = 0\nlocal M = {}\nfunction M.update() n = n + 10 print('new', n) end\n"
                                 "function M.quit() return true end\nreturn M"),
                   SP_POLL_RELOADED);
  scripted_expect(g, "reload: reloaded main.lua in ");
  scripted_update(g);
  ck_assert_str_eq(scripted_told(g), "print: new\t11\n");
  ck_assert(sp_script_veto(g->script, "quit"));
  ck_assert_ptr_nonnull(strstr(sp_script_reload_line(g->script), "update"));
}

SCRIPT_TEST(tcase, the_first_load_is_no_reload)
{
  open_live(g,
            "local spawnpool = require 'spawnpool'\n"
            "local Cube = spawnpool.class('Cube', {})\n"
            "function Cube:on_reload(cube, old) print('cube', old) end\n"
            "local cube = spawnpool.pools:alloc('Cube')\n"
            "return { after_reload = function(value) print('after', value) end, cube = function() return cube end }\n");
  scripted_begin(g);
  ck_assert_str_eq(scripted_told(g), "");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_NOTHING);
  scripted_write(g, "main.lua",
                 "local spawnpool = require 'spawnpool'\n"
                 "local Cube = spawnpool.class('Cube', {})\n"
                 "function Cube:on_reload(cube, old) print('cube', old) end\n"
                 "return { after_reload = function(value) print('after', value) end }\n");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_RELOADED);
  scripted_expect(g, "print: after\tnil\nprint: cube\t1\nreload: reloaded main.lua in ");
}

SCRIPT_TEST(tcase, nothing_to_do_is_nothing_done)
{
  start_live(g, "return {}");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_LOOK), SP_POLL_NOTHING);
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_NOTHING);
  ck_assert_int_eq(scripted_save(g, "main.lua", "return {}"), SP_POLL_NOTHING);
  ck_assert_int_eq(scripted_save(g, "unused.lua", "return 1"), SP_POLL_NOTHING);
  ck_assert_ptr_null(sp_script_reload_line(g->script));
}

SCRIPT_TEST(tcase, without_the_option_nothing_is_tracked)
{
  scripted_start(g, "return { update = function() print 'old' end }");
  ck_assert_int_eq(scripted_save(g, "main.lua", "return { update = function() print 'new' end }"), SP_POLL_NOTHING);
  scripted_update(g);
  ck_assert_str_eq(scripted_told(g), "print: old\n");
  ck_assert_uint_eq(sp_script_each_folder(g->script, NULL, NULL), 0);
}

/* An error of memory leaves no trace of who made it: nobody notes the stack then. The one noted last is another's. */
SCRIPT_TEST(tcase, new_code_is_not_blamed_for_an_error_that_left_no_trace)
{
  open_live(g, "local pools <const> = require('spawnpool').pools\n"
               "require('spawnpool').class('Huge').on_spawn = function() return ('x'):rep(1 << 26) end\n"
               "return { load = function() pools:alloc 'Ball' pools:alloc 'Cube' end,\n"
               "  update = function() pools:alloc 'Cube' end, huge = function() pools:alloc 'Huge' end }");
  g->options.memory_limit = 16 << 20;
  save_class(g, 5, "function Cube:on_spawn() require('spawnpool').pools:alloc 'Ball' end");
  scripted_write(g, "pools/Ball.lua", "return require('spawnpool').class('Ball', {})");
  scripted_begin(g);
  save_class(g, 6, "function Cube:on_spawn() require('spawnpool').pools:alloc 'Ball' end");
  scripted_write(g, "pools/Ball.lua",
                 "local Ball <const> = require('spawnpool').class('Ball', {})\n"
                 "function Ball:on_spawn() error 'new' end\nreturn Ball\n");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_RELOADED);
  ck_assert(scripted_update(g)); /* Ball fails below Cube: both are on the stack, Ball is taken back */
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_REST), SP_POLL_REVERTED);
  scripted_told(g);
  ck_assert(!sp_script_call(g->script, "huge", NULL));
  scripted_expect(g, "not enough memory");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_REST), SP_POLL_NOTHING);
  sp_pool *pool = sp_find_pool(sp_script_pools(g->script), "Cube");
  ck_assert_uint_eq(sp_pool_settings(pool).limit, 6);
}

/* }== */

/* {== The first load ===================================================== */

SCRIPT_TEST(tcase, a_game_that_never_started_starts_with_the_save_that_mends_it)
{
  open_live(g, "local helper = require 'helper'\nreturn { load = function(args) print('load', args[1], helper) end }");
  scripted_write(g, "helper.lua", "return = 5");
  scripted_open(g);
  char *argv[] = {"first"};
  ck_assert(!sp_script_start(g->script, 1, argv));
  scripted_expect(g, "GAME/helper.lua:1: unexpected symbol");
  ck_assert_int_eq(scripted_save(g, "main.lua", "local = 1"), SP_POLL_REFUSED);
  ck_assert_int_eq(scripted_save(g, "helper.lua", "return 5"), SP_POLL_REFUSED);
  scripted_told(g);
  ck_assert_int_eq(
      scripted_save(
          g, "main.lua",
          "local helper = require 'helper'\nreturn { load = function(args) print('load', args[1], helper) end }"),
      SP_POLL_RELOADED);
  scripted_expect(g, "print: load\tfirst\t5\n");
}

SCRIPT_TEST(tcase, a_load_that_failed_is_called_again_with_no_objects)
{
  static const char *const text = "local pools <const> = require('spawnpool').pools\n"
                                  "return { load = function() pools:alloc 'Cube' %s end }";
  char main[300];
  snprintf(main, sizeof main, text, "error 'no'");
  open_live(g, main);
  save_class(g, 5, "");
  scripted_open(g);
  ck_assert(!sp_script_start(g->script, 0, NULL));
  snprintf(main, sizeof main, text, "error 'still no'");
  ck_assert_int_eq(scripted_save(g, "main.lua", main), SP_POLL_REFUSED);
  scripted_expect(g, "still no");
  snprintf(main, sizeof main, text, "print 'yes'");
  ck_assert_int_eq(scripted_save(g, "main.lua", main), SP_POLL_RELOADED);
  scripted_expect(g, "print: yes");
  ck_assert_uint_eq(sp_pool_live(sp_find_pool(sp_script_pools(g->script), "Cube")), 1);
}

static uint32_t live_cubes(const scripted *g)
{
  const sp_pool *pool = sp_find_pool(sp_script_pools(g->script), "Cube");
  return pool ? sp_pool_live(pool) : 0;
}

#define CUBE "require('spawnpool').pools:alloc 'Cube'\n"

SCRIPT_TEST(tcase, objects_made_as_a_file_runs_are_made_once_whether_anything_names_them_or_not)
{
  open_live(g, CUBE "require 'more'\n" CUBE "local named = " CUBE "return { update = function() return named end }");
  scripted_write(g, "more.lua", CUBE "return {}");
  save_class(g, 50, "");
  scripted_begin(g);
  ck_assert_uint_eq(live_cubes(g), 4);
  ck_assert_int_eq(scripted_save(g, "main.lua",
                                 CUBE "require 'more'\nlocal named = " CUBE CUBE CUBE
                                      "return { update = function() return named, 1 end }"),
                   SP_POLL_RELOADED);
  ck_assert_uint_eq(live_cubes(g), 4);
  scripted_write(g, "new.lua", CUBE CUBE "return {}");
  ck_assert_int_eq(scripted_save(g, "main.lua", CUBE CUBE CUBE "require 'new'\nrequire 'more'\n" CUBE "return {}"),
                   SP_POLL_RELOADED);
  ck_assert_uint_eq(live_cubes(g), 6); /* a file that is new makes its own */
  ck_assert_int_eq(scripted_save(g, "new.lua", CUBE CUBE CUBE "return {}"), SP_POLL_RELOADED);
  ck_assert_uint_eq(live_cubes(g), 6);
}

SCRIPT_TEST(tcase, objects_of_files_outlast_a_load_that_failed)
{
  open_live(g, CUBE "return { load = function() " CUBE "error 'no' end }");
  save_class(g, 50, "");
  scripted_open(g);
  ck_assert(!sp_script_start(g->script, 0, NULL));
  ck_assert_int_eq(scripted_save(g, "main.lua", CUBE "return { load = function() " CUBE CUBE "end }"),
                   SP_POLL_RELOADED);
  ck_assert_uint_eq(live_cubes(g), 3);
}

SCRIPT_TEST(tcase, objects_of_a_main_that_failed_at_first_are_there_when_it_is_mended)
{
  open_live(g, CUBE "error 'no'");
  save_class(g, 50, "");
  scripted_open(g);
  ck_assert(!sp_script_start(g->script, 0, NULL));
  ck_assert_uint_eq(live_cubes(g), 0);
  ck_assert_int_eq(scripted_save(g, "main.lua", CUBE "return { load = function() " CUBE "end }"), SP_POLL_RELOADED);
  ck_assert_uint_eq(live_cubes(g), 2);
}

/* }== */

/* {== The sandbox holds ================================================== */

SCRIPT_TEST(tcase, a_reloaded_game_is_still_confined)
{
  start_live(g, "return {}");
  ck_assert_int_eq(
      scripted_save(g, "main.lua",
                    "assert(not io and not debug.getinfo and not os.execute and not package.preload)\n"
                    "assert(require('debug').getinfo == nil)\nassert(not pcall(require, 'spawnpool.reload'))\n"
                    "assert(not pcall(require, '../x'))\nreturn {}"),
      SP_POLL_RELOADED);
}

static void count_folder(void *ud, const char *folder)
{
  (void)folder;
  *(int *)ud += 1;
}

SCRIPT_TEST(tcase, a_game_of_one_file_looks_no_further_than_the_folders_beside_it)
{
  int count = 0;
  char file[400];
  open_live(g, "return {}");
  scripted_write(g, "one.lua", "return {}");
  scripted_write(g, "pools/deep/deeper/a.lua", "return 1");
  snprintf(file, sizeof file, "%s/one.lua", g->folder);
  g->options.path = file;
  scripted_begin(g);
  sp_script_each_folder(g->script, count_folder, &count);
  ck_assert_int_eq(count, 2);
  ck_assert_int_eq(scripted_save(g, "one.lua", "return { v = 1 }"), SP_POLL_RELOADED);
}

/* }== */

SUITE(live, &tcase)
