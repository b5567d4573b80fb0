/*
** What specs cannot see from Lua: light userdata of other libraries, reports of errors that have nobody to go to, and
** other states. The files tests/lua/edge_NAME.lua are written like specs, and have a module "edges" besides:
**
**   edges.reports()    what was reported since the last call, one line each, without what stands below
**   edges.light(n)     the light userdata with address n
*/
#include "script/script.h"
#include "script/state/context.h"
#include "support/memory.h"
#include "support/test.h"

#include <check.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

static const char *const files[] = {"tests/lua/edge_light.lua", "tests/lua/edge_reports.lua"};
enum { FILES = sizeof files / sizeof *files };

typedef struct state {
  test_memory memory;
  lua_State *L;
  char reports[16384];
} state;

/* {== A state ============================================================ */

static void on_report(void *ud, sp_report kind, const char *text)
{
  state *s = ud;
  size_t used = strlen(s->reports);
  const char *trace = strstr(text, "\n  ");
  int length = trace ? (int)(trace - text) : (int)strlen(text);
  snprintf(s->reports + used, sizeof s->reports - used, "%s%.*s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "",
           length, text, trace ? " (traced)" : "");
}

static int edges_reports(lua_State *L)
{
  state *s = lua_touserdata(L, lua_upvalueindex(1));
  lua_pushstring(L, s->reports);
  s->reports[0] = '\0';
  return 1;
}

static int edges_light(lua_State *L)
{
  lua_pushlightuserdata(L, (void *)(uintptr_t)luaL_checkinteger(L, 1));
  return 1;
}

static int prepare(lua_State *L)
{
  state *s = lua_touserdata(L, 1);
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  sp_context *c = sp_context_of(L);
  c->report = on_report;
  c->report_ud = s;
  if (luaL_dostring(L, "package.path, package.cpath = 'tests/lua/?.lua', ''") ||
      luaL_dofile(L, "tests/support/specs.lua"))
    return lua_error(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "spec");
  lua_newtable(L);
  lua_pushlightuserdata(L, s);
  lua_pushcclosure(L, edges_reports, 1);
  lua_setfield(L, -2, "reports");
  lua_pushcfunction(L, edges_light);
  lua_setfield(L, -2, "light");
  lua_setfield(L, -2, "edges");
  return 0;
}

static int state_open(state *s)
{
  memset(s, 0, sizeof *s);
  s->L = lua_newstate(test_memory_fn, &s->memory);
  lua_pushcfunction(s->L, prepare);
  lua_pushlightuserdata(s->L, s);
  return lua_pcall(s->L, 1, 0, 0);
}

static void state_close(state *s)
{
  lua_close(s->L);
  ck_assert_msg(test_memory_is_clean(&s->memory), "%zu bytes in %zu blocks left, %zu sizes wrong", s->memory.bytes,
                s->memory.blocks, s->memory.wrong_sizes);
}

/* Calls `name` of the helpers with a file and a number; leaves two results, or an error. */
static int call_helper(state *s, const char *name, const char *file, int index)
{
  lua_State *L = s->L;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "spec");
  lua_getfield(L, -1, name);
  lua_pushstring(L, file);
  lua_pushinteger(L, index);
  return lua_pcall(L, 2, 2, 0);
}

/* How many tests a file has; one when it cannot be said, for that one will fail. No assertions here: no test runs. */
static int count_tests(const char *file)
{
  static state s;
  bool listed = state_open(&s) == LUA_OK && call_helper(&s, "load", file, 0) == LUA_OK;
  int count = listed ? (int)luaL_len(s.L, -2) : 1;
  lua_close(s.L);
  return count;
}

static void run_test(int file, int index, bool collect)
{
  static state s;
  ck_assert_msg(state_open(&s) == LUA_OK, "%s", lua_tostring(s.L, -1));
  if (collect)
    lua_gc(s.L, LUA_GCINC, 1, 1000, 1);
  ck_assert_msg(call_helper(&s, "load", files[file], 0) == LUA_OK, "%s", lua_tostring(s.L, -1));
  ck_assert_msg(call_helper(&s, "run", files[file], index) == LUA_OK, "%s", lua_tostring(s.L, -1));
  char message[4096] = "";
  if (!lua_isnil(s.L, -2))
    snprintf(message, sizeof message, "%s", lua_tostring(s.L, -2));
  state_close(&s);
  ck_assert_msg(!message[0], "%s%s", collect ? "collecting: " : "", message);
}

static void run_file(int file, int index)
{
  run_test(file, index, false);
  run_test(file, index, true);
}

START_TEST(light) { run_file(0, _i + 1); }
END_TEST

START_TEST(reports) { run_file(1, _i + 1); }
END_TEST

/* }== */

/* {== Other libraries, other states ====================================== */

static const char *require(lua_State *L)
{
  luaL_dostring(L, "local ok, why = pcall(require, 'spawnpool') return ok and 'ok' or why");
  return lua_tostring(L, -1);
}

static int prepare_bare(lua_State *L)
{
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_spawnpool);
  lua_setfield(L, -2, "spawnpool");
  return 0;
}

static void state_open_bare(state *s)
{
  memset(s, 0, sizeof *s);
  s->L = lua_newstate(test_memory_fn, &s->memory);
  lua_pushcfunction(s->L, prepare_bare);
  ck_assert_int_eq(lua_pcall(s->L, 0, 0, 0), LUA_OK);
}

static void set_light_metatable(lua_State *L, bool on)
{
  lua_pushlightuserdata(L, L);
  if (on)
    lua_newtable(L);
  else
    lua_pushnil(L);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

static test_group states = {"states"};

TEST(states, require_says_that_another_library_owns_the_metatable)
{
  state s;
  state_open_bare(&s);
  set_light_metatable(s.L, true);
  for (int i = 0; i < 3; i++)
    ck_assert_ptr_nonnull(strstr(require(s.L), "another library already owns the metatable of light userdata"));
  lua_pushlightuserdata(s.L, &s);
  ck_assert(lua_getmetatable(s.L, -1)); /* and leaves it to its owner */
  ck_assert_int_eq(luaL_getmetafield(s.L, -2, "__index"), LUA_TNIL);
  set_light_metatable(s.L, false);
  ck_assert_str_eq(require(s.L), "ok");
  state_close(&s);
}

/* A program in C that made the state, and opened no libraries, or opens them after all. */
TEST(states, a_state_without_libraries_is_told_to_open_them)
{
  state s = {0};
  s.L = lua_newstate(test_memory_fn, &s.memory);
  for (int i = 0; i < 2; i++) {
    lua_pushcfunction(s.L, luaopen_spawnpool);
    ck_assert_int_eq(lua_pcall(s.L, 0, 0, 0), LUA_ERRRUN);
    ck_assert_str_eq(lua_tostring(s.L, -1), "spawnpool needs Lua's library 'table': call luaL_openlibs before it");
    lua_pop(s.L, 1);
  }
  lua_pushcfunction(s.L, prepare_bare);
  ck_assert_int_eq(lua_pcall(s.L, 0, 0, 0), LUA_OK);
  ck_assert_str_eq(require(s.L), "ok");
  state_close(&s);
}

TEST(states, opening_twice_in_a_state_is_one_library)
{
  state s;
  state_open_bare(&s);
  ck_assert_str_eq(require(s.L), "ok");
  int failed = luaL_dostring(s.L, "local first = require 'spawnpool'\n"
                                  "local o = first.pools:alloc(first.class('Cube') and 'Cube', 0, 3)\n"
                                  "package.loaded.spawnpool = nil\n"
                                  "local second = require 'spawnpool'\n"
                                  "assert(o.x == 3 and first.pools:is_live(o))\n"
                                  "local p = second.pools:alloc(second.class('Ball') and 'Ball', 0, 4)\n"
                                  "assert(p.x == 4 and first.pools:recycle(o))\n");
  ck_assert_msg(!failed, "%s", lua_tostring(s.L, -1));
  state_close(&s);
}

static const char script[] = "local spawnpool = require 'spawnpool'\n"
                             "local pools = spawnpool.new { step = 1 }\n"
                             "local Cube = spawnpool.class('Cube', { fields = { hp = 1 } })\n"
                             "local spawned = 0\n"
                             "function Cube:on_spawn() spawned = spawned + 1 end\n"
                             "return function(n)\n"
                             "  for i = 1, n do pools:alloc('Cube', i, i).hp = i end\n"
                             "  pools:update(1)\n"
                             "  local s = pools:stats()\n"
                             "  return ('%d %d %d %d'):format(spawned, s.live, s.expired, s.allocs)\n"
                             "end\n";

static const char *step(lua_State *L, int n)
{
  lua_pushvalue(L, 1);
  lua_pushinteger(L, n);
  ck_assert_int_eq(lua_pcall(L, 1, 1, 0), LUA_OK);
  return lua_tostring(L, -1);
}

TEST(states, two_states_never_meet)
{
  state a, b;
  state_open_bare(&a);
  state_open_bare(&b);
  ck_assert_int_eq(luaL_dostring(a.L, script), LUA_OK);
  ck_assert_int_eq(luaL_dostring(b.L, script), LUA_OK);
  ck_assert_str_eq(step(a.L, 3), "3 2 1 3");
  ck_assert_str_eq(step(b.L, 5), "5 4 1 5");
  ck_assert_str_eq(step(a.L, 1), "4 1 3 4");
  state_close(&a);
  ck_assert_str_eq(step(b.L, 0), "5 3 2 5");
  state_close(&b);
}

/* }== */

Suite *sp_suite_edges(void)
{
  Suite *suite = test_suite("edges", (test_group *const[]){&states, NULL});
  TCase *cases[FILES] = {tcase_create("light userdata"), tcase_create("reports")};
  const TTest *const tests[FILES] = {light, reports};
  for (int i = 0; i < FILES; i++) {
    tcase_add_loop_test(cases[i], tests[i], 0, count_tests(files[i]));
    suite_add_tcase(suite, cases[i]);
  }
  return suite;
}
