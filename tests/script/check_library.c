/*
** The sandbox's functions that stand for some of Lua's, beside those: what they answer, what they raise, and what they
** leave of their arguments.
*/
#include "script/guard/pattern.h"
#include "script/guard/sandbox.h"
#include "script/scripted.h"
#include "support/process.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

/* Runs a chunk that has what the file defines: the libraries are Lua's, those in `ours` the sandbox's. */
static void expect_alike(const char *file, const char *chunk)
{
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_getglobal(L, "table");
  lua_getfield(L, -1, "sort");
  sp_sandbox_steady_sort(L);
  lua_newtable(L);
  lua_getfield(L, 1, "sort");
  lua_setfield(L, -2, "sort");
  lua_newtable(L);
  sp_pattern_open(L);
  lua_setfield(L, -2, "string");
  lua_setglobal(L, "ours");
  lua_setfield(L, 1, "sort");
  lua_settop(L, 0);
  bool fine = luaL_dofile(L, file) == LUA_OK && luaL_dostring(L, chunk) == LUA_OK;
  ck_assert_msg(fine, "%.1500s", lua_tostring(L, -1));
  lua_close(L);
}

static test_group alike = {"alike"};

#define PATTERNS "tests/lua/pattern_pairs.lua"

TEST(alike, a_sorted_list_is_that_of_lua_with_equal_elements_in_their_order)
{
  expect_alike("tests/lua/sort_pairs.lua", test_tool()[0] ? "random_calls(100)" : "random_calls(1500)");
}

TEST(alike, sorting_complains_as_luas_own_and_loses_nothing) { expect_alike("tests/lua/sort_pairs.lua", "wrong()"); }

TEST(alike, patterns_answer_as_luas_own) { expect_alike(PATTERNS, "known()"); }

TEST(alike, patterns_complain_as_luas_own) { expect_alike(PATTERNS, "wrong()"); }

TEST(alike, at_random_patterns_answer_and_complain_as_luas_own)
{
  expect_alike(PATTERNS, test_tool()[0] ? "random(2000)" : "random(30000)");
}

SUITE(library, &alike)
