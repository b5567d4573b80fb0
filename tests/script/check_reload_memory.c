/*
** Memory refused at every point of a reload that changes fields, their kinds, prealloc, limits and a parent at once,
** and of the edit that undoes it: every call of Lua's allocator, which is the pools' too. Afterwards the new code is in
** force, or the old one and a dump of the pools is what it was; and the next poll brings the new one.
*/
#include "script/script.h"
#include "script/state/context.h"
#include "support/memory.h"
#include "support/process.h"
#include "support/refuse.h"
#include "support/test.h"

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
    "Hooks = 0\n"
    "local function save(name, text)\n"
    "  local f = assert(io.open(folder .. '/' .. name, 'w'))\n"
    "  f:write(text) f:close()\n"
    "end\n"
    "local edits = {\n"
    "  { tag = \"'plain'\", note = 'spawnpool.any {}', base = 'prealloc = 2, grow = 3, idle_limit = 40', own = "
    "\"overflow = 'refuse'\" },\n"
    "  { tag = 'spawnpool.fresh(function(o) return { o.id } end)', note = \"'text'\",\n"
    "    base = \"prealloc = 300, grow = 5, idle_limit = 500, order = 'lifo'\", own = \"overflow = 'oldest', radius = "
    "3\" },\n"
    "}\n"
    "local function write(v)\n"
    "  local e = edits[v]\n"
    "  save('helper.lua', ('local M = { v = %d, list = { %d } }\\nlocal n = 0\\n'\n"
    "    .. 'Global = %d\\nfunction M.next() n = n + 1 return n end\\nreturn M'):format(v, v, v))\n"
    "  save('Base.lua', ('local spawnpool = require \"spawnpool\"\\n'\n"
    "    .. 'local Base = spawnpool.class(\"Base\", { %s, fields = { base%d = %d, tag = %s } })\\n'\n"
    "    .. 'function Base:on_create() Hooks = Hooks + 1 end\\nfunction Base:on_destroy() Hooks = Hooks + 1 end\\n'\n"
    "    .. 'function Base.of() return %d end\\nreturn Base'):format(e.base, v, v, e.tag, v))\n"
    "  save('Cube.lua', ('local spawnpool = require \"spawnpool\"\\nlocal helper = require \"helper\"\\n'\n"
    "    .. 'local Cube = spawnpool.class(\"Cube\", { extends = \"Base\", limit = %d, %s, fields = { v%d = %d, hp = "
    "1,\\n'\n"
    "    .. '  note = %s, speed = spawnpool.live(%d), lives = spawnpool.keep(%d) } })\\n'\n"
    "    .. 'local first = spawnpool.pools:alloc(\"Spark\")\\n'\n"
    "    .. 'function Cube:on_spawn(o) helper.next() end\\nfunction Cube.version() return %d, first end\\n'\n"
    "    .. 'return Cube'):format(v + 10, e.own, v, v, e.note, v * 100, v, v))\n"
    "end\n"
    "write(1)\n"
    "save('Ball.lua', 'return require \"spawnpool\".class(\"Ball\", { extends = \"Base\" })')\n"
    "spawnpool.class('Spark', {})\n"
    "reload.watch(folder)\n"
    "local pools, more = spawnpool.new { path = folder .. '/?.lua' }, spawnpool.new { path = folder .. '/?.lua' }\n"
    "local cubes = {}\n"
    "for i = 1, 4 do cubes[i] = pools:alloc('Cube', 0, { x = i }) cubes[i].hp = i end\n"
    "cubes[2].speed = 7\n"
    "for i = 1, 3 do more:alloc('Ball', 0, i, i) end\n"
    "more:alloc('Cube')\n"
    "local Cube, Base, helper = spawnpool.class 'Cube', spawnpool.class 'Base', require 'helper'\n"
    "local first = select(2, Cube.version())\n"
    "local names = { 'x', 'y', 'radius', 'v1', 'v2', 'one', 'two', 'own', 'list', 'base1', 'base2', 'hp', 'tag', "
    "'note', 'speed', 'lives' }\n"
    "local function get(o, name) return o[name] end\n"
    "local function dump_pool(out, pool)\n"
    "  local stats = {}\n"
    "  for key, value in pairs(pool:stats()) do\n"
    "    if key == 'prewarm' then value = value.done .. ' of ' .. value.wanted end\n"
    "    stats[#stats + 1] = key .. '=' .. tostring(value)\n"
    "  end\n"
    "  table.sort(stats)\n"
    "  for _, key in ipairs { 'type', 'limit', 'idle_limit', 'grow', 'overflow', 'live', 'idle', 'total' } do\n"
    "    out[#out + 1] = key .. ' ' .. tostring(pool[key])\n"
    "  end\n"
    "  out[#out + 1] = table.concat(stats, ' ')\n"
    "  for o in pool:each() do\n"
    "    out[#out + 1] = tostring(o)\n"
    "    for _, name in ipairs(names) do\n"
    "      local there, value = pcall(get, o, name)\n"
    "      out[#out + 1] = name .. '=' .. (there and tostring(value) or 'no field')\n"
    "    end\n"
    "  end\n"
    "end\n"
    "local function dump()\n"
    "  local out = { 'hooks ' .. Hooks }\n"
    "  for _, it in ipairs { { pools, 'Cube' }, { more, 'Cube' }, { more, 'Ball' } } do dump_pool(out, "
    "it[1]:pool(it[2])) end\n"
    "  return table.concat(out, '\\n')\n"
    "end\n"
    "function M.save()\n"
    "  M.version = 3 - M.version\n"
    "  write(M.version)\n"
    "  M.cube, M.base, M.before = Cube.version(), Base.of(), dump()\n"
    "end\n"
    "function M.reload() M.result = reload.now() end\n"
    "local function check_helper(v)\n"
    "  assert(helper.v == v and Global == v, 'mixed')\n"
    "  assert(helper.list[1] == v and #helper.list == 1)\n"
    "end\n"
    "local function check_cube(v)\n"
    "  assert(Cube.version() == v, 'mixed')\n"
    "  assert(pools:pool('Cube').limit == v + 10 and pools:pool('Cube').live == 4)\n"
    "  for i, o in ipairs(cubes) do\n"
    "    assert(o.alive and o.x == i and o.hp == i and o['v' .. v] == v and o.lives == 1)\n"
    "    assert(o.speed == (i == 2 and 7 or v * 100) and type(o.note) == (v == 1 and 'table' or 'string'))\n"
    "  end\n"
    "  assert(select(2, Cube.version()) == first and first.alive)\n"
    "  assert(spawnpool.pools:pool('Spark').live == 1, 'sparks')\n"
    "  assert(not pcall(get, cubes[1], 'v' .. (3 - v)))\n"
    "end\n"
    "local function check_base(v)\n"
    "  local ball = more:pool 'Ball'\n"
    "  for o in ball:each() do\n"
    "    assert(o.x == o.id and o['base' .. v] == v and not pcall(get, o, 'base' .. (3 - v)))\n"
    "    assert(v == 1 and o.tag == 'plain' or v == 2 and o.tag[1] == o.id)\n"
    "  end\n"
    "  assert(ball.live == 3 and ball.grow == 2 * v + 1 and ball.total == (v == 1 and 43 or 300))\n"
    "end\n"
    /* The watch tells of a file later when it was refused the memory to read it: then the others go first. */
    "function M.check()\n"
    "  check_helper(helper.v)\n"
    "  check_cube(Cube.version())\n"
    "  if Cube.version() ~= M.cube or Base.of() ~= M.base then return end\n"
    "  local now = dump()\n"
    "  if M.before == now then return end\n"
    "  local at = 1\n"
    "  while M.before:byte(at) == now:byte(at) do at = at + 1 end\n"
    "  error(('%q is now %q'):format(M.before:sub(math.max(at - 60, 1), at + 60), now:sub(math.max(at - 60, 1), at + "
    "60)))\n"
    "end\n"
    "function M.finish()\n"
    "  M.result = reload.poll()\n"
    "  for _ = 1, 3 do M.result = reload.now() end\n"
    "  check_helper(M.version)\n"
    "  check_cube(M.version)\n"
    "  check_base(M.version)\n"
    "  local n = helper.next()\n"
    "  assert(helper.next() == n + 1 and n >= 5)\n"
    "end\n"
    /* Classes that no file declares, one below the other. */
    "local direct = {\n"
    "  { prealloc = 2, idle_limit = 40, fields = { one = 1, tag = 'plain', hp = 3, list = spawnpool.any {} } },\n"
    "  { prealloc = 600, idle_limit = 800, overflow = 'oldest', order = 'lifo', limit = 900, fields = {\n"
    "    two = 2, tag = spawnpool.fresh(function(o) return { o.id } end), hp = spawnpool.live(4), list = 'text' } },\n"
    "}\n"
    "local Direct = spawnpool.class('Direct', direct[1])\n"
    "spawnpool.class('Below', { extends = 'Direct', fields = { own = 'b' } })\n"
    "for i = 1, 3 do pools:alloc('Direct', 0, i).hp = i more:alloc('Below', 0, i) end\n"
    "local function dump_direct()\n"
    "  local out = { 'hooks ' .. Hooks }\n"
    "  for key, value in pairs(Direct) do out[#out + 1] = key .. ' ' .. tostring(value) end\n"
    "  table.sort(out)\n"
    "  dump_pool(out, pools:pool 'Direct')\n"
    "  dump_pool(out, more:pool 'Below')\n"
    "  return table.concat(out, '\\n')\n"
    "end\n"
    "M.direct, M.declared = 1, 1\n"
    "M.save_direct = function() M.before, M.saved = dump_direct(), M.direct end\n"
    "function M.declare()\n"
    "  spawnpool.class('Direct', direct[3 - M.direct])\n"
    "  M.direct = 3 - M.direct\n"
    "end\n"
    "function M.check_direct()\n"
    "  assert(M.direct ~= M.saved or M.before == dump_direct(), 'not as it was')\n"
    "end\n"
    "function M.finish_direct()\n"
    "  if M.direct == M.declared then M.declare() end\n"
    "  M.declared = M.direct\n"
    "  local v, at = M.direct, 0\n"
    "  for o in pools:pool('Direct'):each() do\n"
    "    at = at + 1\n"
    "    assert(o.x == at and o.hp == (at == 3 and 4 or at) and o[v == 1 and 'one' or 'two'] == v)\n"
    "    assert(type(o.tag) == (v == 1 and 'string' or 'table') and type(o.list) == (v == 1 and 'table' or 'string'))\n"
    "  end\n"
    "  for o in more:pool('Below'):each() do assert(o.own == 'b' and o[v == 1 and 'one' or 'two'] == v) end\n"
    "  assert(more:pool('Below').total == (v == 1 and 43 or 600))\n"
    "end\n"
    "local full, victims = pools:pool 'Spark', 0\n"
    "local function victim() victims = victims + 1 end\n"
    "full.limit = 70\n"
    "for _ = 1, 70 do full:alloc() end\n"
    "function M.save_tune() full.overflow, M.tuned = victim, false end\n"
    "function M.tune() full.overflow = 'oldest' M.tuned = true end\n"
    "function M.finish_tune()\n"
    "  local before = victims\n"
    "  local o = full:alloc()\n"
    "  assert(full.overflow == (M.tuned and 'oldest' or victim) and full.live == 70)\n"
    "  assert(o and M.tuned or not o and not M.tuned and victims == before + 1)\n"
    "end\n"
    "M.cube, M.base, M.before = 1, 1, dump()\n"
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

/* What is done again and again while memory is refused, by the names of the functions that do it. */
typedef struct attempt {
  const char *save, *act, *check, *finish;
  size_t stride, least; /* least: calls of the allocator that it makes */
} attempt;

/* Refuses a later call of the allocator each time, until there is none to refuse. `check` finds what was there before,
   or what is to be there now; `finish` makes sure of the latter. */
static void attempts_fail(const attempt *a, size_t first, bool keep_failing)
{
  torture t;
  size_t n = first;
  torture_open(&t);
  for (bool refused = true; refused; n += a->stride) {
    ck_assert_uint_lt(n, MOST);
    expect(&t, a->save, n);
    t.memory.fail_at = t.memory.calls + n;
    t.memory.keep_failing = keep_failing;
    t.memory.refused = 0;
    bool done = run(&t, a->act);
    refused = t.memory.refused > 0;
    ck_assert(done || refused);
    t.memory.fail_at = 0;
    if (a->check)
      expect(&t, a->check, n);
    expect(&t, a->finish, n);
  }
  ck_assert_uint_gt(n, a->least);
  torture_close(&t);
}

/* With no memory from some point on not even the way back has any: it is gone at the next poll. The stride is odd: both
   edits have their turns. */
static void reloading_fails(bool keep_failing)
{
  attempt a = {"save", "reload", keep_failing ? NULL : "check", "finish", refuse_stride(37), 1500};
  attempts_fail(&a, refuse_first(), keep_failing);
}

static test_group tcase = {"reload_memory", .timeout = 60};

TEST(tcase, refused_once_while_reloading) { reloading_fails(false); }

TEST(tcase, refused_from_some_point_while_reloading) { reloading_fails(true); }

/* Without a reload: what the binding and the core do. */
static void declaring_fails(bool keep_failing)
{
  attempt a = {"save_direct", "declare", "check_direct", "finish_direct", refuse_stride(13), 150};
  attempts_fail(&a, refuse_first(), keep_failing);
}

TEST(tcase, refused_while_a_pool_is_tuned)
{
  attempt a = {"save_tune", "tune", NULL, "finish_tune", 1, 3};
  attempts_fail(&a, 1, true);
}

TEST(tcase, refused_once_while_a_class_changes) { declaring_fails(false); }

TEST(tcase, refused_from_some_point_while_a_class_changes) { declaring_fails(true); }

SUITE(reload_memory, &tcase)
