/*
** Every function that a game in the sandbox can reach and that the watchdog does not stop between two instructions,
** found by looking through a real sandbox (tests/lua/sandbox_find.lua): each is Lua's own, or a row of the tables of
** what a game can reach. Then each of ours is called with arguments that take long, and must come to an end.
*/
#include "script/bind/members.h"
#include "script/scripted.h"
#include "support/process.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FOUND = 1 }; /* in the stack of the game's state: name -> function */

static void find_all(lua_State *L)
{
  lua_settop(L, 0);
  ck_assert_int_eq(luaL_loadfile(L, "tests/lua/sandbox_find.lua"), LUA_OK);
  lua_pushcfunction(L, luaopen_debug);
  lua_call(L, 0, 1);
  ck_assert_msg(lua_pcall(L, 1, 1, 0) == LUA_OK, "%s", lua_tostring(L, -1));
}

static void open_game(scripted *g, double patience)
{
  char *game = test_read_file("tests/lua/sandbox_reach.lua");
  scripted_make(g, game);
  free(game);
  g->options.patience = patience;
  g->options.memory_limit = (size_t)512 << 20;
  scripted_begin(g);
}

static test_group bounds = {"bounds", .timeout = 300};

static bool has_row(lua_CFunction function)
{
  const sp_reach *row = sp_reachable;
  while (row->owner && row->function != function)
    row++;
  return row->owner != NULL;
}

SCRIPT_TEST(bounds, every_function_that_can_be_reached_has_a_row)
{
  open_game(g, 20);
  lua_State *L = sp_script_state(g->script), *checker = luaL_newstate();
  find_all(L);
  luaL_openlibs(checker);
  ck_assert_msg(luaL_dofile(checker, "tests/lua/sandbox_rows.lua") == LUA_OK, "%s", lua_tostring(checker, -1));
  lua_newtable(checker);
  for (lua_pushnil(L); lua_next(L, FOUND); lua_pop(L, 1)) {
    const char *kind = !lua_iscfunction(L, -1) ? "Lua" : has_row(lua_tocfunction(L, -1)) ? "row" : "C";
    lua_pushstring(checker, kind);
    lua_setfield(checker, -2, lua_tostring(L, -2));
  }
  ck_assert_msg(lua_pcall(checker, 1, 1, 0) == LUA_OK, "%s", lua_tostring(checker, -1));
  ck_assert_msg(*lua_tostring(checker, -1) == '\0', "%.3000s", lua_tostring(checker, -1));
  lua_close(checker);
}

/* {== Trying ============================================================= */

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Calls the function on top with each set of arguments, in a call of `update` each, and pops it. */
static void try_function(scripted *g, lua_State *L, const char *name, int tuples)
{
  lua_setglobal(L, "tried");
  for (int i = 1; i <= tuples; i++) {
    lua_pushinteger(L, i);
    lua_setglobal(L, "which");
    double before = seconds();
    scripted_update(g);
    double took = seconds() - before;
    ck_assert_msg(took < 4, "%s with arguments %d took %.1f s", name, i, took);
    g->told[0] = '\0';
  }
}

/* A share of the functions; each gets a game of its own, for it may close or take away anything. */
enum { SHARES = 4, TUPLES = 38 };

TESTS(bounds, every_function_comes_to_an_end, SHARES)
{
  if (test_tool()[0])
    return;
  scripted g;
  open_game(&g, 20);
  lua_State *L = sp_script_state(g.script);
  find_all(L);
  char *names[1000];
  int count = 0;
  for (lua_pushnil(L); lua_next(L, FOUND); lua_pop(L, 1))
    if (has_row(lua_tocfunction(L, -1)))
      names[count++] = strdup(lua_tostring(L, -2));
  scripted_end(&g);
  for (int i = 0; i < count; i++) {
    if (i % SHARES == _i) {
      open_game(&g, 0.03);
      L = sp_script_state(g.script);
      find_all(L);
      lua_getfield(L, FOUND, names[i]);
      ck_assert_msg(!lua_isnil(L, -1), "%s", names[i]);
      try_function(&g, L, names[i], TUPLES);
      scripted_end(&g);
    }
    free(names[i]);
  }
}

/* }== */

SUITE(reach, &bounds)
