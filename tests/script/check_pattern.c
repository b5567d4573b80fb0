/*
** The sandbox's string.find, match, gmatch and gsub beside Lua's own: what they answer, what they raise, and that they
** can be stopped.
*/
#include "script/guard/pattern.h"
#include "script/guard/pattern_library.h"
#include "script/scripted.h"
#include "support/process.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <string.h>

/* Runs a chunk that has both libraries: `string` is Lua's, `ours` that of the sandbox. */
static void expect_alike(const char *chunk)
{
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_newtable(L);
  sp_pattern_open(L);
  lua_setglobal(L, "ours");
  bool fine = luaL_loadfile(L, "tests/lua/pattern_pairs.lua") == LUA_OK && lua_pcall(L, 0, 0, 0) == LUA_OK &&
              luaL_dostring(L, chunk) == LUA_OK;
  ck_assert_msg(fine, "%s", lua_tostring(L, -1));
  lua_close(L);
}

static test_group core = {"core", .timeout = 60};

TEST(core, they_answer_as_luas_own) { expect_alike("known()"); }

TEST(core, they_complain_as_luas_own) { expect_alike("wrong()"); }

TEST(core, at_random_they_answer_and_complain_as_luas_own)
{
  expect_alike(test_tool()[0] ? "random(2000)" : "random(60000)");
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
  g.options.patience = *test_tool() ? 0.2 : 0.05;
  scripted_begin(&g);
  ck_assert(!scripted_update(&g));
  const char *text = scripted_told(&g);
  ck_assert_msg(strstr(text, "GAME/main.lua:2: stopped: it ran for more than") != NULL, "%s: %s", go, text);
  scripted_end(&g);
}

static void on_foreign_signal(int number) { (void)number; }

TEST(core, one_that_never_ends_is_stopped)
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
TEST(core, one_that_never_ends_is_stopped_without_ticks_too)
{
  signal(SIGURG, on_foreign_signal);
  expect_stop("return a:find(('a?'):rep(40) .. a)");
  signal(SIGURG, SIG_DFL);
}

SUITE(pattern, &core)
