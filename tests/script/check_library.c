/*
** The sandbox's functions of table, string, os and debug beside Lua's own: what they answer, what they raise, and what
** they leave of their arguments. That they end is what the suites `escapes` and `bounds` see to.
*/
#include "script/guard/base_library.h"
#include "script/guard/string_library.h"
#include "script/guard/table_library.h"
#include "support/process.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

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

static void expect_alike(const char *chunk)
{
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_newtable(L);
  add_library(L, "table", sp_tables_open);
  add_library(L, "string", sp_texts_open);
  add_library(L, "os", sp_dates_open);
  lua_setglobal(L, "ours");
  bool fine = luaL_loadfile(L, "tests/lua/library_pairs.lua") == LUA_OK && lua_pcall(L, 0, 0, 0) == LUA_OK &&
              luaL_dostring(L, chunk) == LUA_OK;
  ck_assert_msg(fine, "%.1500s", lua_tostring(L, -1));
  lua_close(L);
}

static test_group alike = {"alike", .timeout = 60};

TEST(alike, tables_are_treated_as_by_luas_own) { expect_alike(test_tool()[0] ? "tables(500)" : "tables(5000)"); }

TEST(alike, texts_and_days_are_treated_as_by_luas_own) { expect_alike("others()"); }

SUITE(library, &alike)
