/*
** The sandbox's functions of table, string, os and debug beside Lua's own: what they answer, what they raise, and what
** they leave of their arguments. That they end is what the suites `escapes` and `reach` see to.
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

static test_group alike = {"alike"};

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

SUITE(library, &alike)
