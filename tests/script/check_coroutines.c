/*
** The coroutine functions that a watchdog follows are those of stock Lua in all that can be seen: one script says what
** it sees, in a state of each kind.
*/
#include "script/scripted.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#define FIXTURE "tests/lua/fixtures/coroutines.lua"

static void run_fixture(lua_State *L, bool with_debug, char *text, size_t size)
{
  int status = luaL_loadfile(L, FIXTURE);
  if (status == LUA_OK) {
    lua_pushboolean(L, with_debug);
    status = lua_pcall(L, 1, 1, 0);
  }
  snprintf(text, size, "%s", lua_tostring(L, -1));
  ck_assert_msg(status == LUA_OK, "%s", text);
}

/* Writes the output of the fixture in a state of stock Lua. */
static void say_stock(bool with_debug, char *text, size_t size)
{
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  run_fixture(L, with_debug, text, size);
  lua_close(L);
}

/* Writes its output in a watched state. */
static void say_watched(bool trust, char *text, size_t size)
{
  scripted g;
  scripted_make(&g, "return {}");
  g.options.trust = trust;
  scripted_open(&g);
  run_fixture(sp_script_state(g.script), trust, text, size);
  scripted_end(&g);
}

static test_group stock_tests = {"stock"};

TEST(stock_tests, coroutines_are_as_in_stock_lua)
{
  static char stock[32768], watched[sizeof stock];
  for (int trust = 0; trust < 2; trust++) {
    say_stock(trust, stock, sizeof stock);
    ck_assert_uint_gt(strlen(stock), 1000);
    say_watched(trust, watched, sizeof watched);
    ck_assert_str_eq(watched, stock);
  }
}

SUITE(coroutines, &stock_tests)
