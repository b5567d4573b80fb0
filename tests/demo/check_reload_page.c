/*
** The programs that docs/hot-reload.md shows run as they are shown, and reload what is edited while they run. So does
** the game of docs/guide.md, from its first step on.
*/
#include "demo/game_run.h"
#include "script/script.h"
#include "support/markdown.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE "docs/hot-reload.md"
#define LUA "$(command -v lua5.4 || command -v lua)"
#define SERVER LUA " -e \"io.stdout:setvbuf 'line'\" server.lua"

static char folder[256];
static markdown_page page;

static void setup(void)
{
  ck_assert(test_folder_make(folder, sizeof folder));
  test_process p = test_run(PATIENCE, "mkdir '%s/game'", folder);
  test_process_free(&p);
  page = markdown_open(PAGE);
}

static void teardown(void)
{
  markdown_close(&page);
  test_folder_remove(folder);
}

/* The block of code that begins with the line `-- NAME` or the like goes into a file of that name in the folder. */
static void write_block(const char *language, const char *first_line, const char *name)
{
  char path[PATH_MOST];
  markdown_block block = markdown_find(&page, language, first_line);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  markdown_save(&block, path);
}

/* Runs `program` in the folder until it has said `said`; then makes the edit, and waits for `said_then`. All that it
   said, to be freed with test_process_free. */
static test_process edit_while_it_runs(const char *program, const char *said, const char *edit, const char *said_then)
{
  test_process p =
      test_run(PATIENCE,
               "build=$(cd %s && pwd) && cd '%s' && export LUA_CPATH=\"$build/?.so\" && "
               "await() { i=0; until grep -q \"$1\" out || [ $i -gt 800 ]; do sleep 0.05; i=$((i + 1)); done; } && "
               "{ %s >out 2>&1 & } && pid=$! && await '%s' && %s && await '%s'; kill $pid; cat out",
               SP_BUILD_DIR, folder, program, said, edit, said_then);
  ck_assert_msg(strstr(p.out, said_then) != NULL, "'%s' is not in:\n%s%s", said_then, p.out, p.err);
  return p;
}

static bool is_plain_build(const char *test)
{
  bool plain = strcmp(test_tool(), "") == 0;
  if (!plain)
    test_skip(test, "only on a plain build");
  return plain;
}

START_TEST(the_program_in_lua_reloads_and_its_count_goes_on)
{
  if (!is_plain_build("the_program_in_lua_reloads_and_its_count_goes_on"))
    return;
  write_block("lua", "-- server.lua", "server.lua");
  write_block("lua", "-- game/greeter.lua", "game/greeter.lua");
  test_process p =
      edit_while_it_runs(SERVER, "hello you, 3", "sed -i.old s/hello/welcome/ game/greeter.lua", "welcome you");
  char *line = strstr(p.out, "reloaded greeter.lua in "), *then = strstr(p.out, "welcome you, ");
  ck_assert_ptr_nonnull(line);
  *line = '\0';
  int last = 0;
  for (const char *at = p.out; (at = strstr(at, "hello you, ")) != NULL; at++)
    last = atoi(at + strlen("hello you, "));
  ck_assert_int_ge(last, 3);
  ck_assert_int_eq(atoi(then + strlen("welcome you, ")), last + 1);
  test_process_free(&p);
}
END_TEST

START_TEST(the_program_in_c_reloads)
{
  static const char game[] = "return { update = function() print(('before '):rep(200)) end }\n";
  char path[PATH_MOST];
  if (!is_plain_build("the_program_in_c_reloads"))
    return;
  write_block("c", "/* host.c */", "host.c");
  snprintf(path, sizeof path, "%s/game/main.lua", folder);
  gamerun_write(path, game, strlen(game));
  test_process p = test_run(PATIENCE,
                            "%s -std=c11 -Wall -Werror -I%s/include -o '%s/host' '%s/host.c' "
                            "%s/libspawnpool_script.a "
                            "$(pkg-config --cflags --libs lua5.4 2>/dev/null || pkg-config --cflags --libs lua) -lm",
                            SP_CC, SP_BUILD_DIR, folder, folder, SP_BUILD_DIR);
  ck_assert_msg(p.status == 0, "%s", p.err);
  test_process_free(&p);
  p = edit_while_it_runs("./host", "before", "sed -i.old s/before/after/ game/main.lua", "after");
  test_process_free(&p);
}
END_TEST

/* What the page says about counter.lua, with the edits of its text. */
START_TEST(file_locals_keep_what_was_not_edited)
{
  static const char try[] = "local reload = require 'spawnpool.reload'\n"
                            "reload.watch 'game' package.path = 'game/?.lua;' .. package.path\n"
                            "local counter = require 'counter'\n"
                            "local function edit(from, to)\n"
                            "  local f = io.open 'game/counter.lua' local text = f:read 'a' f:close()\n"
                            "  local edited, n = text:gsub(from, to) assert(n == 1)\n"
                            "  f = io.open('game/counter.lua', 'w') f:write(edited) f:close()\n"
                            "  assert(reload.now().ok)\n"
                            "end\n"
                            "for _ = 1, 41 do counter.add 'a' end\n"
                            "edit('step <const> = 1', 'step <const> = 10') print(counter.add 'b')\n"
                            "edit('count = 0', 'count = 5') print(counter.add 'c')\n";
  char path[PATH_MOST];
  if (!is_plain_build("file_locals_keep_what_was_not_edited"))
    return;
  write_block("lua", "-- counter.lua", "game/counter.lua");
  snprintf(path, sizeof path, "%s/try.lua", folder);
  gamerun_write(path, try, strlen(try));
  test_process p = test_run(PATIENCE, "build=$(cd %s && pwd) && cd '%s' && LUA_CPATH=\"$build/?.so\" " LUA " try.lua",
                            SP_BUILD_DIR, folder);
  ck_assert_msg(p.status == 0, "%s", p.err);
  ck_assert_str_eq(p.out, "51\t42\n15\t43\n");
  test_process_free(&p);
}
END_TEST

/* What they come to is for make bench-reload and the specs to say. */
START_TEST(the_page_names_every_scenario)
{
  test_process p = test_run(PATIENCE, "LUA_PATH='tests/lua/?.lua' " LUA " -e "
                                      "'for _, it in ipairs(require \"reload_scenarios\") do print(it.name) end'");
  int rows = 0;
  ck_assert_msg(p.status == 0, "%s", p.err);
  for (char *name = strtok(p.out, "\n"); name; name = strtok(NULL, "\n"), rows++) {
    char row[PATH_MOST];
    snprintf(row, sizeof row, "\n| %s | ", name);
    ck_assert_msg(strstr(page.text, row) != NULL, "%s has no row '%s'", PAGE, name);
  }
  ck_assert_int_eq(rows, 24);
  test_process_free(&p);
}
END_TEST

/* Saves the next block of the guide in the folder; with it the one after a module, which nobody requires before. False
   when there is none. */
static bool save_step(markdown_page *guide)
{
  char path[PATH_MOST];
  markdown_block block;
  if (!markdown_next(guide, "lua", &block))
    return false;
  snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(block.code + 3, "\n"), block.code + 3);
  markdown_save(&block, path);
  return strstr(path, "/pools/") || strstr(path, "/main.lua") ? true : save_step(guide);
}

static void play(sp_script *script, int frames)
{
  for (int i = 0; i < frames; i++) {
    ck_assert_msg(sp_script_call(script, "update", "n", 1.0 / 60), "%s", sp_script_error(script));
    ck_assert(sp_script_update(script, 1.0 / 60));
    ck_assert_int_eq(sp_script_poll(script, SP_POLL_REST), SP_POLL_NOTHING);
  }
}

static void hear_nothing(void *ud, sp_report kind, const char *text)
{
  ck_assert_msg(kind != SP_REPORT_ERROR, "%s", text);
  (void)ud;
}

static uint32_t live_drops(const sp_script *script)
{
  return sp_pool_live(sp_find_pool(sp_script_pools(script), "Drop"));
}

START_TEST(the_game_of_the_guide_grows_while_it_runs)
{
  markdown_page guide = markdown_open("docs/guide.md");
  char path[PATH_MOST], error[256] = "";
  test_process p = test_run(PATIENCE, "mkdir -p '%s/rain/pools'", folder);
  test_process_free(&p);
  ck_assert(save_step(&guide));
  snprintf(path, sizeof path, "%s/rain", folder);
  sp_script_options options = {.path = path, .seed = 1, .reload = true, .report = hear_nothing};
  sp_script *script = sp_script_open(&options, error, sizeof error);
  ck_assert_msg(script && sp_script_start(script, 0, NULL), "%s", error);
  play(script, 120);
  for (bool first = true; save_step(&guide); first = false) {
    uint32_t drops = live_drops(script);
    ck_assert_int_eq(sp_script_poll(script, SP_POLL_NOW), SP_POLL_RELOADED);
    if (first) /* a class that is new is named */
      ck_assert_msg(strstr(sp_script_reload_line(script), ": new: Drop; "), "%s", sp_script_reload_line(script));
    ck_assert_uint_eq(live_drops(script), drops);
    ck_assert_uint_gt(drops, 0);
    play(script, 300);
  }
  ck_assert_uint_gt(sp_pool_stats(sp_find_pool(sp_script_pools(script), "Splash")).allocs, 0);
  ck_assert_uint_gt(sp_pool_stats(sp_find_pool(sp_script_pools(script), "Hail")).allocs, 0);
  sp_script_close(script);
  markdown_close(&guide);
}
END_TEST

Suite *sp_suite_reload_page(void)
{
  Suite *suite = suite_create("reload_page");
  TCase *core = tcase_create("core");
  tcase_add_checked_fixture(core, setup, teardown);
  tcase_set_timeout(core, 120);
  tcase_add_test(core, the_program_in_lua_reloads_and_its_count_goes_on);
  tcase_add_test(core, the_program_in_c_reloads);
  tcase_add_test(core, file_locals_keep_what_was_not_edited);
  tcase_add_test(core, the_page_names_every_scenario);
  tcase_add_test(core, the_game_of_the_guide_grows_while_it_runs);
  suite_add_tcase(suite, core);
  return suite;
}
