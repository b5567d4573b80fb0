/*
** The library for LuaJIT (lua/spawnpool/ffi.lua), in LuaJIT: tests of what it alone has; and random calls, after each
** of which Lua 5.4 and LuaJIT must have the same results and the same hash.
*/
#include "script/script.h"
#include "script/state/context.h"
#include "script/state/handles.h"
#include "support/process.h"
#include "support/shell.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>

#define JIT "LUA_PATH='" SP_BUILD_DIR "/lua/?.lua;;' luajit "
#define RUN " tests/lua/luajit/run.lua "

static test_group alone = {"alone"};
static test_group shared = {"shared"};

static bool has_luajit(const char *test) { return is_here(test, "no luajit", "command -v luajit"); }

/* {== LuaJIT ============================================================= */

/* Each file of tests: compiled, interpreted, and while the collector runs again and again. */
static const char *const runs[] = {
    JIT RUN "own",
    JIT "-joff" RUN "own",
    "STRESS=1 " JIT RUN "own",
};

TESTS(alone, luajit_runs_its_tests, sizeof runs / sizeof *runs)
{
  if (is_plain_build("luajit_runs_its_tests") && has_luajit("luajit_runs_its_tests"))
    EXPECT_STATUS(0, "%s", runs[_i]);
}

/* The file alone in a folder, and what a program there says: it has `preparation` behind it, done in that folder. */
static const struct search {
  const char *preparation, *environment, *said;
} searches[] = {
    {"true", "", "no libspawnpool.so of spawnpool " SP_VERSION " in "},
    {"true", "", ": put it beside the game, or set SPAWNPOOL_LIB to its path"},
    {"true", "SPAWNPOOL_LIB=/nowhere", " at SPAWNPOOL_LIB=/nowhere: put it"},
    {"echo text >libspawnpool.so", "", "(./libspawnpool.so: "},
    {"cp \"$BUILD/libspawnpool.so\" .", "", "found " SP_VERSION},
    {"cp \"$BUILD/libspawnpool.so\" spawnpool", "", "found " SP_VERSION},
    {"true", "SPAWNPOOL_LIB=\"$BUILD\"", "found " SP_VERSION},
    {"cp \"$BUILD/libspawnpool.so\" other.so", "SPAWNPOOL_LIB=./other.so", "found " SP_VERSION},
    {"mkdir lib && cp \"$BUILD/libspawnpool.so\" lib", "LD_LIBRARY_PATH=lib", "found " SP_VERSION},
    {"echo 'const char *sp_version(void) { return \"9.8.7\"; }' | $CC -shared -fPIC -x c -o libspawnpool.so -", "",
     "the library is of spawnpool 9.8.7, and this file of " SP_VERSION ": take both from one"},
    {"echo 'int nothing;' | $CC -shared -fPIC -x c -o libspawnpool.so -", "", "is of spawnpool before 0.1, and"},
};

TESTS(alone, the_library_is_found_or_the_way_to_it_is_told, sizeof searches / sizeof *searches)
{
  const struct search *it = &searches[_i];
  char folder[256];
  if (!is_plain_build("the_library_is_found") || !has_luajit("the_library_is_found"))
    return;
  ck_assert(test_folder_make(folder, sizeof folder));
  test_process p =
      test_run(20,
               "BUILD=\"$PWD/" SP_BUILD_DIR "\" CC='" SP_CC "' && cd '%s' && mkdir spawnpool && "
               "cp \"$BUILD/lua/spawnpool/ffi.lua\" spawnpool && %s && "
               "echo 'print(\"found \" .. require(\"spawnpool.ffi\").VERSION)' >main.lua && %s luajit main.lua 2>&1",
               folder, it->preparation, it->environment);
  ck_assert_msg(strstr(p.out, it->said) != NULL, "%s%s", p.out, p.err);
  test_process_free(&p);
  test_folder_remove(folder);
}

/* }== */

/* {== Lua 5.4 ============================================================ */

typedef struct said {
  char *text;
  size_t size;
} said;

/* say(line) */
static int note(lua_State *L)
{
  said *it = lua_touserdata(L, lua_upvalueindex(1));
  size_t length;
  const char *line = luaL_checklstring(L, 1, &length);
  it->text = realloc(it->text, it->size + length + 2);
  snprintf(it->text + it->size, length + 2, "%s\n", line);
  it->size += length + 1;
  return 0;
}

/* core_hash(pools): that of the core alone, which has no names of sprites. */
static int core_hash(lua_State *L)
{
  const sp_lua_manager *m = lua_touserdata(L, 1);
  char digits[24];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)sp_hash(m->core));
  lua_pushstring(L, digits);
  return 1;
}

/* Ignores the errors that overrides raise on purpose. */
static void hear_nothing(void *ud, sp_report kind, const char *text)
{
  (void)ud;
  (void)kind;
  (void)text;
}

/* A state with the library, in which `body` is run; what it hands to `say`. */
static said in_lua(const char *body)
{
  said it = {0};
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  sp_context_of(L)->report = hear_nothing;
  lua_pushlightuserdata(L, &it);
  lua_pushcclosure(L, note, 1);
  lua_setglobal(L, "say");
  lua_pushcfunction(L, core_hash);
  lua_setglobal(L, "core_hash");
  if (luaL_dostring(L, "package.path = 'tests/lua/luajit/?.lua' require('both').core_hash = core_hash") ||
      luaL_dostring(L, body))
    ck_abort_msg("%s", lua_tostring(L, -1));
  lua_close(L);
  return it;
}

/* Points at the line in which two texts differ first, in each. */
static void skip_what_is_equal(const char **a, const char **b)
{
  const char *from_a = *a, *from_b = *b;
  for (size_t i = 0; (*a)[i] && (*a)[i] == (*b)[i]; i++)
    if ((*a)[i] == '\n') {
      from_a = *a + i + 1;
      from_b = *b + i + 1;
    }
  *a = from_a;
  *b = from_b;
}

TESTS(shared, random_calls_leave_the_same_state, 8)
{
  static const char *const ways[] = {JIT, JIT, JIT, JIT "-joff", "STRESS=1 " JIT};
  const char *way = ways[_i % 5];
  const int steps = _i % 5 == 4 ? 500 : 4000;
  char body[200];
  if (!is_plain_build("random_calls_leave_the_same_state") || !has_luajit("random_calls_leave_the_same_state"))
    return;
  snprintf(body, sizeof body, "_G.warn = function() end require('play')(%d, %d, say)", _i + 1, steps);
  said ours = in_lua(body);
  test_process p = test_run(60, "%s" RUN "play %d %d", way, _i + 1, steps);
  ck_assert_msg(p.status == 0, "%s", p.err);
  const char *a = ours.text, *b = p.out;
  skip_what_is_equal(&a, &b);
  ck_assert_msg(*a == '\0' && *b == '\0', "Lua 5.4: %.200s\nLuaJIT:  %.200s", a, b);
  free(ours.text);
  test_process_free(&p);
}

/* }== */

SUITE(luajit, &alone, &shared)
