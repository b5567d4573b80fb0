/*
** Memory refused at every single point of a reload. Afterwards either the old or the new code is in force, the objects
** are those of before, and the next poll brings the new one.
*/
#include "script/context.h"
#include "script/script.h"
#include "support/memory.h"
#include "support/process.h"
#include "support/refuse.h"

#include <check.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 100000 };

static const char source[] =
    "local folder = ...\n"
    "local M = { version = 1 }\n"
    "package.path = folder .. '/?.lua'\n"
    "local reload, spawnpool = require 'spawnpool.reload', require 'spawnpool'\n"
    "local function save(name, text)\n"
    "  local f = assert(io.open(folder .. '/' .. name, 'w'))\n"
    "  f:write(text) f:close()\n"
    "end\n"
    "local function write(v)\n"
    "  save('helper.lua', ('local M = { v = %d, list = { %d } }\\nlocal n = 0\\n'\n"
    "    .. 'Global = %d\\nfunction M.next() n = n + 1 return n end\\nreturn M'):format(v, v, v))\n"
    "  save('Cube.lua', ('local spawnpool = require \"spawnpool\"\\nlocal helper = require \"helper\"\\n'\n"
    "    .. 'local Cube = spawnpool.class(\"Cube\", { limit = %d, fields = { v%d = %d, hp = 1 } })\\n'\n"
    "    .. 'local first = spawnpool.pools:alloc(\"Spark\")\\n'\n"
    "    .. 'function Cube:on_spawn(o) helper.next() end\\nfunction Cube.version() return %d, first end\\n'\n"
    "    .. 'return Cube'):format(v + 10, v, v, v))\n"
    "end\n"
    "write(1)\n"
    "spawnpool.class('Spark', {})\n"
    "reload.watch(folder)\n"
    "local pools = spawnpool.new { path = folder .. '/?.lua' }\n"
    "local cubes = {}\n"
    "for i = 1, 4 do cubes[i] = pools:alloc('Cube', 0, { x = i }) cubes[i].hp = i end\n"
    "local Cube, helper = spawnpool.class 'Cube', require 'helper'\n"
    "local first = select(2, Cube.version())\n"
    "function M.save() M.version = 3 - M.version write(M.version) end\n"
    "function M.reload() M.result = reload.now() end\n"
    "local function check_helper(v)\n"
    "  assert(helper.v == v and Global == v, 'mixed')\n"
    "  assert(helper.list[1] == v and #helper.list == 1)\n"
    "end\n"
    "local function check_cube(v)\n"
    "  assert(Cube.version() == v, 'mixed')\n"
    "  assert(pools:pool('Cube').limit == v + 10 and pools:pool('Cube').live == 4)\n"
    "  for i, o in ipairs(cubes) do assert(o.alive and o.x == i and o.hp == i and o['v' .. v] == v) end\n"
    "  assert(select(2, Cube.version()) == first and first.alive)\n"
    "  assert(spawnpool.pools:pool('Spark').live == 1, 'sparks')\n"
    "  assert(not pcall(function() return cubes[1]['v' .. (3 - v)] end))\n"
    "end\n"
    /* The watch tells of a file later when it was refused the memory to read it: then the other goes first. */
    "function M.check()\n"
    "  check_helper(helper.v)\n"
    "  check_cube(Cube.version())\n"
    "end\n"
    "function M.finish()\n"
    "  M.result = reload.poll()\n"
    "  for _ = 1, 3 do M.result = reload.now() end\n"
    "  check_helper(M.version)\n"
    "  check_cube(M.version)\n"
    "  local n = helper.next()\n"
    "  assert(helper.next() == n + 1 and n >= 5)\n"
    "end\n"
    "return M\n";

typedef struct torture {
  test_memory memory;
  lua_State *L;
  int functions;
  char folder[300];
} torture;

static void be_quiet(void *ud, sp_report kind, const char *text)
{
  (void)ud;
  (void)kind;
  (void)text;
}

static int prepare(lua_State *L)
{
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  sp_context_of(L)->report = be_quiet;
  if (luaL_loadstring(L, source))
    return lua_error(L);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

static void torture_open(torture *t)
{
  memset(t, 0, sizeof *t);
  ck_assert(test_folder_make(t->folder, sizeof t->folder));
  t->L = lua_newstate(test_memory_fn, &t->memory);
  ck_assert_ptr_nonnull(t->L);
  lua_pushcfunction(t->L, prepare);
  lua_pushstring(t->L, t->folder);
  ck_assert_msg(lua_pcall(t->L, 1, 1, 0) == LUA_OK, "%s", lua_tostring(t->L, -1));
  t->functions = luaL_ref(t->L, LUA_REGISTRYINDEX);
}

static void torture_close(torture *t)
{
  lua_close(t->L);
  test_folder_remove(t->folder);
  ck_assert_msg(test_memory_is_clean(&t->memory), "%zu bytes in %zu blocks left", t->memory.bytes, t->memory.blocks);
}

/* Calls a function of the table, whose strings exist already: nothing here allocates. */
static bool run(torture *t, const char *name)
{
  lua_State *L = t->L;
  lua_settop(L, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, t->functions);
  lua_getfield(L, -1, name);
  return lua_pcall(L, 0, 0, 0) == LUA_OK;
}

static void expect(torture *t, const char *name, size_t n)
{
  ck_assert_msg(run(t, name), "%s after %zu: %s", name, n, lua_tostring(t->L, -1));
}

static void reloading_fails(bool keep_failing)
{
  torture t;
  size_t n = refuse_first(), stride = *test_tool() ? 97 : 1;
  torture_open(&t);
  expect(&t, "check", 0);
  for (bool refused = true; refused; n += stride) {
    ck_assert_uint_lt(n, MOST);
    expect(&t, "save", n);
    t.memory.fail_at = t.memory.calls + n;
    t.memory.keep_failing = keep_failing;
    t.memory.refused = 0;
    run(&t, "reload");
    refused = t.memory.refused > 0;
    t.memory.fail_at = 0;
    if (!keep_failing)
      expect(&t, "check", n);
    expect(&t, "finish", n);
  }
  ck_assert_uint_gt(n, 300);
  torture_close(&t);
}

START_TEST(refused_once_while_reloading) { reloading_fails(false); }
END_TEST

/* Not even the way back has memory then: it is gone at the next poll. */
START_TEST(refused_from_some_point_while_reloading) { reloading_fails(true); }
END_TEST

Suite *sp_suite_reload_memory(void)
{
  Suite *suite = suite_create("reload_memory");
  TCase *tcase = tcase_create("reload_memory");
  tcase_set_timeout(tcase, 60);
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, refused_once_while_reloading);
  tcase_add_test(tcase, refused_from_some_point_while_reloading);
  return suite;
}
