/*
** tests/lua/border.lua checks the sources against the rules at the head of src/script/state/border.h: they are kept,
** and a function that breaks one is found.
*/
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

/* The chunk returns a list, which must be empty. */
static void expect_none(const char *chunk)
{
  lua_State *L = luaL_newstate();
  ck_assert_ptr_nonnull(L);
  luaL_openlibs(L);
  bool done = !luaL_dostring(L, "package.path = 'tests/lua/?.lua'") && !luaL_dostring(L, chunk);
  ck_assert_msg(done, "%s", lua_tostring(L, -1));
  if (lua_rawgeti(L, -1, 1) != LUA_TNIL)
    ck_abort_msg("%s, of %d", lua_tostring(L, -1), (int)lua_rawlen(L, -2));
  lua_close(L);
}

static test_group rules = {"rules"};

TEST(rules, every_function_of_the_binding_keeps_the_rules) { expect_none("return require('border').complaints()"); }

TEST(rules, a_function_that_breaks_a_rule_is_found) { expect_none("return require('border_planted')()"); }

SUITE(border, &rules)
