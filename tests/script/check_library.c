/*
** The sandbox's functions that stand for some of Lua's, beside those: what they answer, what they raise, and what they
** leave of their arguments.
*/
#include "script/guard/pattern.h"
#include "script/guard/sandbox.h"
#include "script/scripted.h"
#include "support/process.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

/* Runs so many random calls: the libraries are Lua's, those in `ours` the sandbox's. */
static void expect_alike(const char *calls, int count)
{
  char chunk[64];
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
  snprintf(chunk, sizeof chunk, "%s(%d)", calls, test_tool()[0] ? count / 15 : count);
  bool fine = luaL_dofile(L, "tests/lua/library_pairs.lua") == LUA_OK && luaL_dostring(L, chunk) == LUA_OK;
  ck_assert_msg(fine, "%.1500s", lua_tostring(L, -1));
  lua_close(L);
}

static test_group alike = {"alike"};

TEST(alike, a_sorted_list_is_that_of_lua_with_equal_elements_in_their_order) { expect_alike("sorts", 3000); }

TEST(alike, patterns_answer_and_complain_as_luas_own) { expect_alike("patterns", 60000); }

SUITE(library, &alike)
