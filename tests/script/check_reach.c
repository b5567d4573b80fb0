/*
** Every function that a game in the sandbox can reach and that the watchdog does not stop between two instructions:
** functions in C, and those of the library's own Lua code. They are found by looking through a real sandbox, metatables
** included that a game cannot see, for operators reach them. tests/lua/sandbox_bounds.lua says of each what bounds the
** time that a call takes; a function that it does not know fails the test, and so does one that it knows and that is
** not there. Then each of them is called with arguments that take long, and must come to an end.
*/
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

/* {== Looking ============================================================ */

enum { SEEN = 1, FOUND, QUEUE }; /* stack: visited values; name -> function; values to visit, names in between */

static bool is_of_library(lua_State *L)
{
  lua_Debug ar;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &ar);
  return strncmp(ar.source, "=spawnpool.", 11) == 0;
}

/* Looks at the value on top, named at -2, and pops both. Each value counts under its first name. */
static void look_at(lua_State *L)
{
  int type = lua_type(L, -1);
  bool known = type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER;
  if (!known) {
    lua_pushvalue(L, -1);
    known = lua_rawget(L, SEEN) != LUA_TNIL;
    lua_pop(L, 1);
  }
  if (known) {
    lua_pop(L, 2);
    return;
  }
  lua_pushvalue(L, -1);
  lua_pushboolean(L, 1);
  lua_rawset(L, SEEN);
  if (type == LUA_TFUNCTION && (lua_iscfunction(L, -1) || is_of_library(L)))
    lua_rawset(L, FOUND);
  else {
    lua_Integer count = (lua_Integer)lua_rawlen(L, QUEUE);
    lua_rawseti(L, QUEUE, count + 2);
    lua_rawseti(L, QUEUE, count + 1);
  }
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The entries of the table on top, in the order of their names: so that everything has the same name each time. */
static void look_at_entries(lua_State *L, const char *prefix)
{
  const char *names[1000];
  size_t count = 0;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && count < sizeof names / sizeof *names)
      names[count++] = lua_tostring(L, -2);
  qsort(names, count, sizeof *names, by_name);
  for (size_t i = 0; i < count; i++) {
    const char *dot = *prefix && prefix[strlen(prefix) - 1] != ':' ? "." : "";
    lua_pushfstring(L, "%s%s%s", prefix, dot, names[i]);
    lua_pushstring(L, names[i]);
    lua_rawget(L, -3);
    look_at(L);
  }
  size_t length = lua_rawlen(L, -1);
  for (size_t i = 1; i <= length; i++) {
    lua_pushfstring(L, "%s[]", prefix);
    lua_rawgeti(L, -2, (lua_Integer)i);
    look_at(L);
  }
}

/* The parts of the value on top, named at -2. */
static void look_inside(lua_State *L)
{
  const char *name = lua_tostring(L, -2);
  bool is_root = strcmp(name, "_G") == 0 || strcmp(name, "roots") == 0;
  if (lua_type(L, -1) == LUA_TTABLE)
    look_at_entries(L, is_root ? "" : name);
  if (lua_getmetatable(L, -1)) {
    lua_pushfstring(L, "%s:", name);
    lua_insert(L, -2);
    look_at(L);
  }
}

/* Leaves a table name -> function on the stack. */
static void find_all(lua_State *L)
{
  lua_settop(L, 0);
  for (int i = SEEN; i <= QUEUE; i++)
    lua_newtable(L);
  static const char *const roots[] = {"roots", "_G"};
  for (int i = 0; i < 2; i++) {
    lua_pushstring(L, roots[i]);
    lua_getglobal(L, roots[i]);
    look_at(L);
  }
  for (lua_Integer i = 1; i < (lua_Integer)lua_rawlen(L, QUEUE); i += 2) {
    lua_rawgeti(L, QUEUE, i);
    lua_rawgeti(L, QUEUE, i + 1);
    look_inside(L);
    lua_settop(L, QUEUE);
  }
  lua_settop(L, FOUND);
}

/* }== */

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

SCRIPT_TEST(bounds, every_function_that_can_be_reached_has_a_bound)
{
  open_game(g, 20);
  lua_State *L = sp_script_state(g->script), *checker = luaL_newstate();
  find_all(L);
  luaL_openlibs(checker);
  ck_assert_msg(luaL_dofile(checker, "tests/lua/sandbox_bounds.lua") == LUA_OK, "%s", lua_tostring(checker, -1));
  lua_newtable(checker);
  for (lua_pushnil(L); lua_next(L, FOUND); lua_pop(L, 1)) {
    lua_pushboolean(checker, 1);
    lua_setfield(checker, -2, lua_tostring(L, -2));
  }
  char *page = test_read_file("docs/sandbox.md");
  lua_pushstring(checker, page);
  free(page);
  ck_assert_msg(lua_pcall(checker, 2, 1, 0) == LUA_OK, "%s", lua_tostring(checker, -1));
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
    if (getenv("SP_REACH_TOLD") && took > 0.3)
      printf("%s, arguments %d: %.1f s\n", name, i, took);
    ck_assert_msg(took < 4, "%s with arguments %d took %.1f s", name, i, took);
    g->told[0] = '\0';
  }
}

/* A share of the functions; each gets a game of its own, for it may close or take away anything. */
enum { SHARES = 8, TUPLES = 38 };

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
