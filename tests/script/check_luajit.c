/*
** The library for LuaJIT (lua/spawnpool/ffi.lua), in LuaJIT: tests of what it alone has; and random calls, which must
** come to the same in Lua 5.4 and in LuaJIT.
*/
#include "core/spawnpool.h"
#include "support/process.h"
#include "support/shell.h"
#include "support/test.h"

#include <string.h>

#define JIT "LUA_PATH='" SP_BUILD_DIR "/lua/?.lua;;' luajit "
#define RUN " tests/lua/luajit/run.lua "

static test_group alone = {"alone"};
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
    {"cp \"$BUILD/libspawnpool.so\" .", "", "found " SP_VERSION},
    {"true", "SPAWNPOOL_LIB=\"$BUILD\"", "found " SP_VERSION},
    {"cp \"$BUILD/libspawnpool.so\" other.so", "SPAWNPOOL_LIB=./other.so", "found " SP_VERSION},
    {"mkdir lib && cp \"$BUILD/libspawnpool.so\" lib", "LD_LIBRARY_PATH=lib", "found " SP_VERSION},
    {"echo 'const char *sp_version(void) { return \"9.8.7\"; }' | $CC -shared -fPIC -x c -o libspawnpool.so -", "",
     "the library is of spawnpool 9.8.7, and this file of " SP_VERSION ": take both from one"},
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

/* {== Lua 5.4 and LuaJIT ================================================= */

static test_group shared = {"shared"};

TESTS(shared, random_calls_come_to_the_same, 8)
{
  static const char *const ways[] = {JIT, JIT, JIT, JIT "-joff", "STRESS=1 " JIT};
  char folder[256];
  if (!is_plain_build("random_calls_come_to_the_same") || !has_luajit("random_calls_come_to_the_same"))
    return;
  ck_assert(test_folder_make(folder, sizeof folder));
  const int steps = _i % 5 == 4 ? 500 : 4000;
  EXPECT_STATUS(0, "LUA_CPATH=" SP_BUILD_DIR "/?.so lua5.4" RUN "play %d %d >'%s/lua' 2>'%s/reports'", _i + 1, steps,
                folder, folder);
  EXPECT_STATUS(0, "%s" RUN "play %d %d >'%s/jit'", ways[_i % 5], _i + 1, steps, folder);
  EXPECT_STATUS(0, "cd '%s' && { cmp -s lua jit || { diff lua jit | head -4 | cut -c1-300; false; }; }", folder);
  test_folder_remove(folder);
}

/* }== */

SUITE(luajit, &alone, &shared)
