/*
** The sandbox's functions of table, string, os and debug beside Lua's own: what they answer, what they raise, and what
** they leave of their arguments. That they end is what the suites `escapes` and `bounds` see to; that patterns do, also
** without ticks, is here.
*/
#include "script/guard/base_library.h"
#include "script/guard/pattern_library.h"
#include "script/guard/string_library.h"
#include "script/guard/table_library.h"
#include "script/scripted.h"
#include "support/process.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ours.NAME: a copy of a library with our functions in it. */
static void add_library(lua_State *L, const char *name, void (*open)(lua_State *))
{
  lua_newtable(L);
  lua_getglobal(L, name);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_settable(L, -6);
  }
  lua_pop(L, 1);
  open(L);
  lua_setfield(L, -2, name);
}

/* Runs a chunk that has what the file defines: the libraries are Lua's, those in `ours` the sandbox's. */
static void expect_alike(const char *file, const char *chunk)
{
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_newtable(L);
  add_library(L, "table", sp_tables_open);
  add_library(L, "string", sp_texts_open);
  add_library(L, "os", sp_dates_open);
  lua_pushvalue(L, -1);
  lua_setglobal(L, "ours");
  lua_getfield(L, -1, "string");
  sp_pattern_open(L);
  lua_settop(L, 0);
  bool fine = luaL_dofile(L, file) == LUA_OK && luaL_dostring(L, chunk) == LUA_OK;
  ck_assert_msg(fine, "%.1500s", lua_tostring(L, -1));
  lua_close(L);
}

static test_group alike = {"alike", .timeout = 60};

#define PAIRS "tests/lua/library_pairs.lua"
#define PATTERNS "tests/lua/pattern_pairs.lua"

TEST(alike, tables_are_treated_as_by_luas_own) { expect_alike(PAIRS, test_tool()[0] ? "tables(500)" : "tables(5000)"); }

TEST(alike, texts_and_days_are_treated_as_by_luas_own) { expect_alike(PAIRS, "others()"); }

TEST(alike, patterns_answer_as_luas_own) { expect_alike(PATTERNS, "known()"); }

TEST(alike, patterns_complain_as_luas_own) { expect_alike(PATTERNS, "wrong()"); }

TEST(alike, at_random_patterns_answer_and_complain_as_luas_own)
{
  expect_alike(PATTERNS, test_tool()[0] ? "random(2000)" : "random(30000)");
}

static void expect_stop(const char *go)
{
  char main[1024];
  scripted g;
  snprintf(main, sizeof main,
           "local a, ab = ('a'):rep(40), ('a'):rep(1 << 22)\n"
           "return { update = function() print(pcall(function() %s end)) end }",
           go);
  scripted_make(&g, main);
  g.options.patience = *test_tool() ? 0.2 : 0.025;
  scripted_begin(&g);
  ck_assert(!scripted_update(&g));
  const char *text = scripted_told(&g);
  ck_assert_msg(strstr(text, "GAME/main.lua:2: stopped: it ran for more than") != NULL, "%s: %s", go, text);
  scripted_end(&g);
}

static void on_foreign_signal(int number) { (void)number; }

TEST(alike, a_pattern_that_never_ends_is_stopped)
{
  static const char *const endless[] = {
      "return a:find(('a?'):rep(40) .. a)",
      "return a:match(('.-'):rep(20) .. 'b')",
      "return a:gsub(('a*'):rep(20) .. 'b', '')",
      "for _ in a:gmatch(('a-'):rep(20) .. 'b') do end",
      "return ab:find(ab:sub(1, 1 << 21) .. 'b', 1, true)",
      "return ('('):rep(1 << 20):find('%b()')",
  };
  for (size_t i = 0; i < sizeof endless / sizeof *endless; i++)
    expect_stop(endless[i]);
}

/* Somebody else has the signal of the ticks: then looks are at the clock. */
TEST(alike, a_pattern_that_never_ends_is_stopped_without_ticks_too)
{
  signal(SIGURG, on_foreign_signal);
  expect_stop("return a:find(('a?'):rep(40) .. a)");
  signal(SIGURG, SIG_DFL);
}

SUITE(library, &alike)
