/*
** A game in a folder that is edited while its host polls: what the host is told, and when.
*/
#include "script/scripted.h"
#include "support/cases.h"

#include <check.h>
#include <string.h>

static void start(scripted *g, const char *main)
{
  scripted_make(g, main);
  g->options.reload = true;
  scripted_open(g);
}

/* What is told when a reload was fine begins so; how long it took differs. */
static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

SCRIPT_TEST(the_first_load_is_no_reload)
{
  start(g, "local spawnpool = require 'spawnpool'\n"
           "local Cube = spawnpool.class('Cube', {})\n"
           "function Cube:on_reload(cube, old) print('cube', old) end\n"
           "local cube = spawnpool.pools:alloc('Cube')\n"
           "return { after_reload = function(value) print('after', value) end, cube = function() return cube end }\n");
  ck_assert(sp_script_start(g->script, 0, NULL));
  ck_assert_str_eq(scripted_told(g), "");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_NOTHING);
  scripted_write(g, "main.lua",
                 "local spawnpool = require 'spawnpool'\n"
                 "local Cube = spawnpool.class('Cube', {})\n"
                 "function Cube:on_reload(cube, old) print('cube', old) end\n"
                 "return { after_reload = function(value) print('after', value) end }\n");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_RELOADED);
  ck_assert(begins(scripted_told(g), "print: after\tnil\nprint: cube\t1\nreload: reloaded main.lua in "));
}

SCRIPT_TEST(an_error_goes_when_the_edit_is_taken_back)
{
  static const char good[] = "return { update = function() end }";
  start(g, good);
  ck_assert(sp_script_start(g->script, 0, NULL));
  scripted_write(g, "main.lua", "return {");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_REFUSED);
  ck_assert_str_eq(scripted_told(g), "error: GAME/main.lua:1: unexpected symbol near <eof>\n    return {\n"
                                     "warning: not reloaded: main.lua; the old code goes on\n");
  ck_assert_ptr_nonnull(sp_script_error(g->script));
  scripted_write(g, "main.lua", good);
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_RELOADED);
  ck_assert_str_eq(scripted_told(g), "reload: main.lua is what runs again\n");
  ck_assert_ptr_null(sp_script_error(g->script));
}

Suite *sp_suite_script_reload(void)
{
  Suite *suite = suite_create("script_reload");
  TCase *core = tcase_create("core");
  add_tests(core, the_first_load_is_no_reload, an_error_goes_when_the_edit_is_taken_back);
  suite_add_tcase(suite, core);
  return suite;
}
