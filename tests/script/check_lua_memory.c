/*
** Memory refused at every single point: while the library is opened, and while a small game is played. Nothing may
** crash, leak or stay half done: the manager that was being used still adds up and closes, and the same state then does
** everything again.
*/
#include "script/script.h"
#include "script/state/context.h"
#include "support/memory.h"
#include "support/refuse.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 100000 };

/* Two functions: play, and what must hold of the manager that was left behind. */
static const char source[] =
    "local M = {}\n"
    "function M.play()\n"
    "  local spawnpool = require 'spawnpool'\n"
    "  local Base = spawnpool.class('Base', { fields = { hp = 1, name = 'crate' }, sprite = 'star' })\n"
    "  local Cube = spawnpool.class('Cube', { extends = 'Base', limit = 3, overflow = 'oldest', idle_limit = 2,\n"
    "    grow = 2, fields = { skin = spawnpool.keep 'plain' } })\n"
    "  local seen = 0\n"
    "  function Cube:alloc(...) return Cube.super.alloc(self, ...) end\n"
    "  function Cube:on_spawn(o) o.name = 'new ' .. o.id seen = seen + 1 end\n"
    "  function Cube:on_despawn(o, why) seen = seen + #why end\n"
    "  function Cube:recycle(o) o.skin = 'gold ' .. seen return Cube.super.recycle(self, o) end\n"
    "  M.pools = spawnpool.new { step = 1, trace = true }\n"
    "  local pools = M.pools\n"
    "  spawnpool.class('Spark', { prealloc = 3, ay = 1 })\n"
    "  local last\n"
    "  for i = 1, 6 do\n"
    "    last = pools:alloc('Cube', i % 2, i, i)\n"
    "    pools:alloc('Spark', 2, { x = i, sprite = 'spark ' .. i })\n"
    "  end\n"
    "  pools:recycle(last)\n"
    "  pools:recycle(last)\n"
    "  pools:update(1)\n"
    "  for o in pools:each { group = 'none' } do o.x = 1 end\n"
    "  for o in pools:each(function(o) return o.id > 1 end) do o.x = 2 end\n"
    "  Base.radius = 3\n"
    "  function Base:on_reject(o) seen = seen + o.id end\n"
    "  local text = tostring(last) .. tostring(pools) .. tostring(pools:pool 'Cube')\n"
    "  assert(not pcall(function() return last.x end) and not last.alive)\n"
    "  pools:recycle_all(function(o) return o.type == 'Cube' end)\n"
    "  pools:pool('Spark').limit = 9\n"
    "  pools:pool('Spark').overflow = function() return nil end\n"
    "  pools:pool('Spark'):prewarm(20)\n"
    "  local home = pools:alloc('Spark', 0, 1, 2)\n"
    "  local child = pools:alloc('Cube', 0, 3, 4, 0, home) or home\n"
    "  child:after(1, function(o) o:recycle() end)\n"
    "  home:every(1, function() seen = seen + 1 return seen < 9 end)\n"
    "  home:run(function(o) coroutine.yield(1) o.x = 2 coroutine.yield(9) end)\n"
    "  Base.fields = { hp = 2, name = spawnpool.live 'box', tag = spawnpool.any {}, to = spawnpool.ref,\n"
    "    made = spawnpool.fresh(function(o) return { o } end), more = 1, another = 'b' }\n"
    "  Base.methods = { shout = function(o) return o.name .. '!' end }\n"
    "  if child.alive and child ~= home then child.tag, child.to = child.made, child:shout() and home end\n"
    "  Base.fields = { another = 3, name = 'z', hp = 1 }\n"
    "  pools:update(1)\n"
    "  pools:pool('Spark'):overlaps(pools:pool 'Spark', function(a, b) a.x = b.x end)\n"
    "  local near = #pools:pool('Spark'):within(0, 0, 99)\n"
    "  pools:pool('Spark'):set('radius', near)\n"
    "  pools:take(function(o) return o.type == 'Cube' end)\n"
    "  assert(load(pools:configure()))\n"
    "  near = #pools:leaks()\n"
    "  home:recycle()\n"
    "  pools:pool('Spark'):prewarm(40, { per_frame = 30 })\n"
    "  pools:update(1)\n"
    "  pools:remove 'Cube'\n"
    "  pools:alloc 'Cube'\n"
    "  M.keep(spawnpool)\n"
    "  return text, pools:stats().live\n"
    "end\n"
    "function M.keep(spawnpool)\n"
    "  spawnpool.class('Bag', { sprite = 'sack', fields = { any = spawnpool.any(), to = spawnpool.ref } })\n"
    "  local pools = spawnpool.new { step = 1 }\n"
    "  M.other = pools\n"
    "  local a, b = pools:alloc('Bag', 9, 1, 2), pools:alloc 'Bag'\n"
    "  b.parent, a.to, a.any, b.any = a, b, { 1, x = { a } }, 'text'\n"
    "  a:after(2, 'recycle')\n"
    "  local s, hash = assert(pools:snapshot()), pools:hash()\n"
    "  a.any = nil\n"
    "  pools:update(3)\n"
    "  local now = pools:hash()\n"
    "  local done, result = pcall(pools.restore, pools, s)\n"
    "  if not (done and result) then assert(pools:hash() == now) error(result) end\n"
    "  assert(pools:hash() == hash and a.any.x[1] == a)\n"
    "  local text = assert(pools:save { roots = { a } })\n"
    "  M.loaded = assert(spawnpool.load(text))\n"
    "  assert(M.loaded:hash() == hash)\n"
    "  pools:update(1)\n"
    "  now = pools:hash()\n"
    "  done, result = pcall(pools.restore, pools, text)\n"
    "  if not (done and result) then assert(pools:hash() == now) error(result) end\n"
    "  assert(pools:hash() == hash and pools:snapshot(s) == s)\n"
    "end\n"
    "function M.check()\n"
    "  local pools = M.pools\n"
    "  if not pools then return end\n"
    "  local names = { 'hp', 'name', 'tag', 'to', 'made', 'more', 'another', 'skin', 'x', 'shout' }\n"
    "  for o in pools:each() do\n"
    "    for _, name in ipairs(names) do pcall(function() o[name] = o[name] end) end\n"
    "  end\n"
    "  for _, type in ipairs { 'Cube', 'Spark' } do\n"
    "    local s = pools:stats(type)\n"
    "    assert(s.allocs - s.recycles == s.live and s.created - s.destroyed == s.total and s.live + s.idle == "
    "s.total)\n"
    "    local count = 0\n"
    "    for o in pools:each(type) do assert(o.alive) count = count + 1 end\n"
    "    assert(count == s.live)\n"
    "  end\n"
    "  local live, total = pools:stats().live, pools:stats().total\n"
    "  local recycled, destroyed = pools:close()\n"
    "  assert(recycled == live and destroyed == total)\n"
    "  M.pools = nil\n"
    "  for _, name in ipairs { 'other', 'loaded' } do\n"
    "    if M[name] then\n"
    "      live = 0\n"
    "      for o in M[name]:each() do live = live + 1 end\n"
    "      assert(M[name]:stats().live == live and M[name]:close() == live)\n"
    "      M[name] = nil\n"
    "    end\n"
    "  end\n"
    "end\n"
    "return M\n";

typedef struct torture {
  test_memory memory;
  lua_State *L;
  int functions; /* registry reference of the table above */
} torture;

/* {== A state ============================================================ */

static void be_quiet(void *ud, sp_report kind, const char *text)
{
  (void)ud;
  (void)kind;
  (void)text;
}

static int prepare(lua_State *L)
{
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_spawnpool);
  lua_setfield(L, -2, "spawnpool");
  if (luaL_dostring(L, source))
    return lua_error(L);
  return 1;
}

static void torture_open(torture *t)
{
  *t = (torture){0};
  t->L = lua_newstate(test_memory_fn, &t->memory);
  ck_assert_ptr_nonnull(t->L);
  lua_pushcfunction(t->L, prepare);
  ck_assert_int_eq(lua_pcall(t->L, 0, 1, 0), LUA_OK);
  t->functions = luaL_ref(t->L, LUA_REGISTRYINDEX);
}

static void torture_close(torture *t, size_t n)
{
  lua_close(t->L);
  ck_assert_msg(test_memory_is_clean(&t->memory), "after %zu: %zu bytes in %zu blocks left, %zu wrong sizes", n,
                t->memory.bytes, t->memory.blocks, t->memory.wrong_sizes);
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

static int open_library(lua_State *L)
{
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  sp_context_of(L)->report = be_quiet;
  return 0;
}

static bool open(torture *t)
{
  lua_settop(t->L, 0);
  lua_pushcfunction(t->L, open_library);
  return lua_pcall(t->L, 0, 0, 0) == LUA_OK;
}

/* }== */

static void fail_at(torture *t, size_t n, bool keep_failing)
{
  t->memory.fail_at = t->memory.calls + n;
  t->memory.keep_failing = keep_failing;
  t->memory.refused = 0;
}

/* Everything works now that memory is there again: every fifth time it is all played once more. */
static void expect_recovery(torture *t, size_t n)
{
  t->memory.fail_at = 0;
  ck_assert_msg(open(t), "after %zu: %s", n, lua_tostring(t->L, -1));
  ck_assert_msg(run(t, "check"), "after %zu: %s", n, lua_tostring(t->L, -1));
  if (n % 5 != 0)
    return;
  ck_assert_msg(run(t, "play"), "after %zu: %s", n, lua_tostring(t->L, -1));
  ck_assert_msg(run(t, "check"), "after %zu: %s", n, lua_tostring(t->L, -1));
}

static size_t stride(void) { return 23; } /* prime to 5 */

/* Once, and from then on: Lua collects and asks again, so only the latter stops Lua itself. */
static void refuse_calls(bool opened, bool keep_failing)
{
  size_t n = refuse_first();
  for (bool refused = true; refused; n += stride()) {
    ck_assert_uint_lt(n, MOST);
    torture t;
    torture_open(&t);
    ck_assert(!opened || open(&t));
    fail_at(&t, n, keep_failing);
    bool done = opened ? run(&t, "play") : open(&t);
    refused = t.memory.refused > 0;
    ck_assert_msg(done || refused, "%s", lua_tostring(t.L, -1));
    expect_recovery(&t, n);
    torture_close(&t, n);
  }
  ck_assert_uint_gt(n, 300); /* it did get somewhere */
}

static test_group refused_tests = {"refused", .timeout = 120};

/* While the library is opened, and while the game is played. */
TESTS(refused_tests, calls_are_refused_once_or_from_some_point_on, 4) { refuse_calls(_i / 2, _i % 2); }

TEST(refused_tests, refused_again_and_again_in_one_state)
{
  torture t;
  torture_open(&t);
  ck_assert(open(&t));
  ck_assert(run(&t, "play") && run(&t, "check"));
  for (size_t n = refuse_first(); n < 700; n += stride()) {
    fail_at(&t, n, n % 2);
    run(&t, "play");
    t.memory.fail_at = 0;
    ck_assert_msg(run(&t, "check"), "after %zu: %s", n, lua_tostring(t.L, -1));
  }
  expect_recovery(&t, 0);
  torture_close(&t, 0);
}

TEST(refused_tests, closing_needs_no_memory)
{
  torture t;
  torture_open(&t);
  ck_assert(open(&t));
  ck_assert(run(&t, "play"));
  fail_at(&t, 1, true);
  torture_close(&t, 0);
}

SUITE(lua_memory, &refused_tests)
