/*
** docs/live-editing.md is played: its edits are made to a copy of the shooter while that runs, and what the page says
** is held to what happens. Here is the game; live_editing.lua, which reads the page, runs in a Lua state of its own.
*/
#include "demo/game_run.h"
#include "script/script.h"

#include <check.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct played {
  char folder[256]; /* holds scripts/shooter, as the repository does */
  sp_script *script;
  lua_State *driver; /* told(kind, text) there hears what the game says */
} played;

static void on_report(void *ud, sp_report kind, const char *text)
{
  static const char *const kinds[] = {"print", "warning", "error", "reload"};
  played *p = ud;
  lua_getglobal(p->driver, "told");
  lua_pushstring(p->driver, kinds[kind]);
  lua_pushstring(p->driver, text);
  lua_call(p->driver, 2, 0);
}

static played *self(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

/* start(patience): plays the copy; its calls are stopped after so many seconds. */
static int start(lua_State *L)
{
  char path[PATH_MOST], error[256] = "";
  played *p = self(L);
  snprintf(path, sizeof path, "%s/scripts/shooter", p->folder);
  sp_script_options options = {
      .path = path, .seed = 1, .reload = true, .patience = luaL_checknumber(L, 1), .report = on_report, .report_ud = p};
  p->script = sp_script_open(&options, error, sizeof error);
  ck_assert_msg(p->script != NULL, "%s", error);
  return 0;
}

/* run(): main.lua and its load. True when both came through. */
static int run(lua_State *L)
{
  lua_pushboolean(L, sp_script_start(self(L)->script, 0, NULL));
  return 1;
}

static void push_result(lua_State *L, sp_poll_result result)
{
  static const char *const words[] = {"nothing", "reloaded", "refused", "reverted"};
  lua_pushstring(L, words[result]);
}

/* frame(): what the player does for one picture, but that it looks at no file. False when the game's update failed;
   then what came of reloading, in a word. */
static int frame(lua_State *L)
{
  sp_script *script = self(L)->script;
  bool done = sp_script_call(script, "update", "n", 1.0 / 60);
  done = sp_script_update(script, 1.0 / 60) && done;
  lua_pushboolean(L, done);
  push_result(L, sp_script_poll(script, SP_POLL_REST));
  return 2;
}

/* poll(): looks at all files at once. What came of it, in a word. */
static int poll(lua_State *L)
{
  push_result(L, sp_script_poll(self(L)->script, SP_POLL_NOW));
  return 1;
}

/* ask(code): runs `code` in the game; what it returns, as text. */
static int ask(lua_State *L)
{
  lua_State *game = sp_script_state(self(L)->script);
  int top = lua_gettop(game);
  if (luaL_loadstring(game, luaL_checkstring(L, 1)) != LUA_OK || lua_pcall(game, 0, 1, 0) != LUA_OK)
    return luaL_error(L, "%s", lua_tostring(game, -1));
  lua_pushstring(L, luaL_tolstring(game, -1, NULL));
  lua_settop(game, top);
  return 1;
}

static const luaL_Reg calls[] = {{"start", start}, {"run", run}, {"frame", frame},
                                 {"poll", poll},   {"ask", ask}, {NULL, NULL}};

START_TEST(every_edit_of_the_tour_does_what_the_page_says)
{
  played p = {.driver = luaL_newstate()};
  ck_assert(test_folder_make(p.folder, sizeof p.folder));
  test_process copy =
      test_run(PATIENCE, "mkdir '%s/scripts' && cp -R scripts/shooter '%s/scripts/'", p.folder, p.folder);
  ck_assert_int_eq(copy.status, 0);
  test_process_free(&copy);
  luaL_openlibs(p.driver);
  lua_newtable(p.driver);
  lua_pushlightuserdata(p.driver, &p);
  luaL_setfuncs(p.driver, calls, 1);
  lua_setglobal(p.driver, "game");
  lua_pushstring(p.driver, p.folder);
  lua_setglobal(p.driver, "folder");
  bool passed = luaL_dofile(p.driver, "tests/demo/live_editing.lua") == LUA_OK;
  ck_assert_msg(passed, "%s", lua_tostring(p.driver, -1));
  sp_script_close(p.script);
  lua_close(p.driver);
  test_folder_remove(p.folder);
}
END_TEST

Suite *sp_suite_live_editing(void)
{
  Suite *suite = suite_create("live_editing");
  TCase *core = tcase_create("core");
  tcase_set_timeout(core, 60);
  tcase_add_test(core, every_edit_of_the_tour_does_what_the_page_says);
  suite_add_tcase(suite, core);
  return suite;
}
