/*
** See docs.h. Each test runs in a Lua state of its own, which has the modules `host` and `game`.
*/
#include "docs/docs.h"

#include "core/state.h"
#include "demo/bind/audio_lua.h"
#include "demo/game_run.h"
#include "demo/input/hotkeys.h"
#include "demo/picture.h"
#include "script/script.h"
#include "script/state/context.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the functions below work on. A test is alone in its process. */
static struct {
  char folder[256];
  sp_script *game;
  lua_State *L; /* the state of the test: `game.heard(kind, text)` there gets what the game reports */
  char warnings[8192];
  size_t warned; /* bytes of it */
  audio audio;   /* without a device; the games play sounds */
  voices voices;
  game_view view;
} it;

/* {== Command lines, pictures, facts ===================================== */

/* run(command): its status, and what it printed on both streams. */
static int host_run(lua_State *L)
{
  test_process p = test_run(PATIENCE, "%s", luaL_checkstring(L, 1));
  lua_pushinteger(L, p.timed_out ? -1 : p.status);
  lua_pushlstring(L, p.out, p.out_size);
  lua_pushstring(L, p.err);
  test_process_free(&p);
  return 3;
}

/* picture_target(shown, path), picture_renews(), picture_halve(path, half) and picture_expect(shown, path): see
   picture.h. */
static int host_picture_target(lua_State *L)
{
  lua_pushstring(L, picture_target(luaL_checkstring(L, 1), luaL_checkstring(L, 2)));
  return 1;
}

static int host_picture_renews(lua_State *L)
{
  lua_pushboolean(L, picture_renews());
  return 1;
}

static int host_picture_halve(lua_State *L)
{
  picture_halve(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  return 0;
}

static int host_picture_expect(lua_State *L)
{
  picture_expect(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  return 0;
}

static int host_skip(lua_State *L)
{
  test_skip("docs", luaL_checkstring(L, 1));
  return 0;
}

static const struct {
  const char *name;
  lua_Integer value;
} numbers[] = {
    {"SP_MAX_SLOTS", SP_MAX_SLOTS},
    {"SP_CHUNK_SLOTS", SP_CHUNK_SLOTS},
    {"SP_EXPIRY_NEAR", SP_EXPIRY_NEAR},
    {"SP_WHEEL_TURN", SP_WHEEL_TURN},
    {"SP_EXPIRY_LISTS", SP_EXPIRY_LISTS},
    {"SP_EXPIRY_BLOCK", SP_EXPIRY_BLOCK},
    {"expiry_block_size", sizeof(sp_expiry_block)},
    {"term_size", sizeof(sp_term)},
};

static void push_facts(lua_State *L)
{
  size_t count;
  const key_row *keys = hotkeys_all(&count);
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    lua_pushstring(L, keys[i].name);
    lua_seti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "keys");
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    lua_pushinteger(L, numbers[i].value);
    lua_setfield(L, -2, numbers[i].name);
  }
  const char *const texts[][2] = {
      {"folder", it.folder}, {"build", SP_BUILD_DIR}, {"cc", SP_CC}, {"cxx", SP_CXX}, {"tool", test_tool()}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    lua_pushstring(L, texts[i][1]);
    lua_setfield(L, -2, texts[i][0]);
  }
}

/* }== */

/* {== A block in a state of its own ====================================== */

static void keep_warning(void *ud, sp_report kind, const char *text)
{
  size_t size = strlen(text) + 1;
  (void)ud;
  if (kind == SP_REPORT_PRINT || size > sizeof it.warnings - it.warned)
    return;
  memcpy(it.warnings + it.warned, text, size);
  it.warned += size;
}

static int push_warnings(lua_State *L)
{
  lua_pushlstring(L, it.warnings, it.warned);
  return 1;
}

/* block(head, code): runs it by tests/docs/block.lua, beside the library; what is wrong, or nil. */
static int host_block(lua_State *L)
{
  size_t head_size, size;
  const char *head = luaL_checklstring(L, 1, &head_size), *code = luaL_checklstring(L, 2, &size);
  lua_State *B = luaL_newstate();
  luaL_openlibs(B);
  luaL_requiref(B, "spawnpool", luaopen_spawnpool, 0);
  it.warned = 0;
  sp_context_of(B)->report = keep_warning;
  bool loaded = luaL_dofile(B, "tests/docs/block.lua") == LUA_OK;
  if (loaded) {
    lua_getfield(B, -1, "run");
    lua_pushlstring(B, head, head_size);
    lua_pushlstring(B, code, size);
    lua_pushcfunction(B, push_warnings);
    lua_pcall(B, 3, 1, 0);
  }
  lua_pushstring(L, lua_tostring(B, -1));
  lua_close(B);
  return 1;
}

/* }== */

/* {== A game that is played ============================================== */

static void on_report(void *ud, sp_report kind, const char *text)
{
  static const char *const kinds[] = {"print", "warning", "error", "reload"};
  (void)ud;
  luaL_getsubtable(it.L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(it.L, -1, "game");
  lua_getfield(it.L, -1, "heard");
  lua_pushstring(it.L, kinds[kind]);
  lua_pushstring(it.L, text);
  lua_call(it.L, 2, 0);
  lua_pop(it.L, 2);
}

static void close_game(void)
{
  sp_script_close(it.game);
  it.game = NULL;
  voices_close(&it.voices);
  audio_close(&it.audio);
}

/* open(path, patience): a game; its calls are stopped after so many seconds. */
static int game_open(lua_State *L)
{
  char error[256] = "";
  sp_script_options options = {.path = luaL_checkstring(L, 1),
                               .seed = 1,
                               .reload = true,
                               .patience = luaL_optnumber(L, 2, 0),
                               .report = on_report,
                               .on_sound = audio_lua_sound,
                               .sound_ud = &it.voices};
  close_game();
  it.game = sp_script_open(&options, error, sizeof error);
  if (!it.game)
    return luaL_error(L, "%s", error);
  audio_open(&it.audio, sp_script_folder(it.game), NULL);
  voices_open(&it.voices, &it.audio, it.game, &it.view);
  bool heard = audio_lua_install(&it.voices, sp_script_state(it.game), error, sizeof error);
  return heard ? 0 : luaL_error(L, "%s", error);
}

/* run(): main.lua and its load. True when both came through. */
static int game_start(lua_State *L)
{
  lua_pushboolean(L, sp_script_start(it.game, 0, NULL));
  return 1;
}

static int push_result(lua_State *L, sp_poll_result result)
{
  static const char *const words[] = {"nothing", "reloaded", "refused", "reverted"};
  lua_pushstring(L, words[result]);
  return 1;
}

/* frame(): what the player does for one frame, but that it looks at no file. False when the game's update failed; then
   what came of reloading, in a word. */
static int game_frame(lua_State *L)
{
  bool done = sp_script_call(it.game, "update", "n", 1.0 / 60);
  done = sp_script_update(it.game, 1.0 / 60) && done;
  lua_pushboolean(L, done);
  push_result(L, sp_script_poll(it.game, SP_POLL_REST));
  return 2;
}

/* poll(): looks at all files at once. What came of it, in a word; and the line that tells of it. */
static int game_poll(lua_State *L)
{
  push_result(L, sp_script_poll(it.game, SP_POLL_NOW));
  lua_pushstring(L, sp_script_reload_line(it.game));
  return 2;
}

/* ask(code): runs `code` in the game; what it returns, as text. */
static int game_ask(lua_State *L)
{
  lua_State *game = sp_script_state(it.game);
  int top = lua_gettop(game);
  if (luaL_loadstring(game, luaL_checkstring(L, 1)) != LUA_OK || lua_pcall(game, 0, 1, 0) != LUA_OK)
    return luaL_error(L, "%s", lua_tostring(game, -1));
  lua_pushstring(L, luaL_tolstring(game, -1, NULL));
  lua_settop(game, top);
  return 1;
}

/* eval(text): as a line of the console; the answer is heard. */
static int game_eval(lua_State *L)
{
  sp_script_eval(it.game, luaL_checkstring(L, 1));
  return 0;
}

/* click(x, y). */
static int game_click(lua_State *L)
{
  sp_script_call(it.game, "mouse_pressed", "nnn", luaL_checknumber(L, 1), luaL_checknumber(L, 2), 1.0);
  return 0;
}

/* key(name): pressed. */
static int game_key(lua_State *L)
{
  sp_script_call(it.game, "key_pressed", "s", luaL_checkstring(L, 1));
  return 0;
}

/* }== */

/* {== Tests ============================================================== */

static const luaL_Reg host_functions[] = {{"run", host_run},
                                          {"picture_target", host_picture_target},
                                          {"picture_renews", host_picture_renews},
                                          {"picture_halve", host_picture_halve},
                                          {"picture_expect", host_picture_expect},
                                          {"skip", host_skip},
                                          {"block", host_block},
                                          {NULL, NULL}};
static const luaL_Reg game_functions[] = {{"open", game_open},   {"start", game_start}, {"frame", game_frame},
                                          {"poll", game_poll},   {"ask", game_ask},     {"eval", game_eval},
                                          {"click", game_click}, {"key", game_key},     {NULL, NULL}};

/* A state with what run.lua returns on top. */
static lua_State *open_state(void)
{
  lua_State *L = it.L = luaL_newstate();
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  luaL_newlib(L, host_functions);
  push_facts(L);
  lua_setfield(L, -2, "host");
  luaL_newlib(L, game_functions);
  lua_setfield(L, -2, "game");
  if (luaL_dostring(L, "package.path = 'tests/docs/?.lua;tests/lua/?.lua' return (require 'run')") != LUA_OK) {
    fprintf(stderr, "%s\n", lua_tostring(L, -1));
    abort();
  }
  return L;
}

static void setup(void) { ck_assert(test_folder_make(it.folder, sizeof it.folder)); }

static void teardown(void) { test_folder_remove(it.folder); }

static int on_error(lua_State *L)
{
  luaL_traceback(L, L, lua_tostring(L, 1), 1);
  return 1;
}

static void run_test(int index)
{
  lua_State *L = open_state();
  lua_pushcfunction(L, on_error);
  lua_getfield(L, -2, "run");
  lua_pushinteger(L, index);
  if (lua_pcall(L, 1, 0, -3) != LUA_OK)
    ck_abort_msg("%s", lua_tostring(L, -1));
  close_game();
  lua_close(L);
  mark_point();
}

#define TESTS_MOST 64

/* What Check points to as long as the process runs. */
static struct {
  TTest test;
  char name[128];
} made[2][TESTS_MOST];

Suite *docs_suite(const char *name, bool compiling)
{
  Suite *suite = suite_create(name);
  TCase *pages = tcase_create("pages");
  lua_State *L = open_state();
  tcase_add_checked_fixture(pages, setup, teardown);
  tcase_set_timeout(pages, PATIENCE);
  lua_getfield(L, -1, "tests");
  for (int i = 1; lua_geti(L, -1, i) == LUA_TTABLE; i++, lua_pop(L, 1)) {
    if (i == TESTS_MOST)
      abort(); /* no test runs yet that could fail */
    lua_getfield(L, -1, "compiling");
    lua_getfield(L, -2, "name");
    snprintf(made[compiling][i].name, sizeof made[compiling][i].name, "%s", lua_tostring(L, -1));
    made[compiling][i].test = (TTest){made[compiling][i].name, run_test, __FILE__, __LINE__};
    if (lua_toboolean(L, -2) == compiling)
      _tcase_add_test(pages, &made[compiling][i].test, 0, 0, i, i + 1);
    lua_pop(L, 2);
  }
  lua_close(L);
  suite_add_tcase(suite, pages);
  return suite;
}

/* }== */
