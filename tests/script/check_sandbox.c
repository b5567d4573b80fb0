/*
** What a game may not do: leave its folder, reach files and processes, load bytecode, or use more memory than it has.
*/
#include "script/scripted.h"
#include "support/process.h"
#include "support/test.h"

#include <lua.h>
#include <stdio.h>
#include <string.h>

#define HEAD "local spawnpool = require 'spawnpool'\nlocal pools = spawnpool.pools\n"

/* {== Libraries ========================================================== */

static void expect_told(bool trust, const char *main, const char *expected)
{
  scripted g;
  scripted_make(&g, main);
  g.options.trust = trust;
  scripted_open(&g);
  sp_script_start(g.script, 0, NULL);
  ck_assert_str_eq(scripted_told(&g), expected);
  scripted_end(&g);
}

static test_group libraries = {"libraries"};
static test_group require = {"require"};
static test_group memory = {"memory"};

TEST(libraries, harmless_libraries_are_there)
{
  expect_told(
      false,
      "local all = { math.floor, string.format, table.concat, coroutine.wrap, utf8.char, os.time, os.clock,\n"
      "  os.date, os.difftime, load, pcall, select, require, collectgarbage, setmetatable, warn, print }\n"
      "print(#all, type(require 'math'), require('string') == string, type(require('spawnpool').new)) return {}",
      "print: 17\ttable\ttrue\tfunction\n");
}

TEST(libraries, bytecode_is_refused_whatever_the_mode)
{
  expect_told(
      false,
      "local code = '\\27Lua' .. ('x'):rep(100)\n"
      "for _, mode in ipairs { 'b', 'bt', 't' } do print(load(code, 'c', mode)) end\n"
      "print(load(function() local c = code code = nil return c end, 'c', 'b'))\n"
      "print(load('return 1 + 1')(), load('return ...', 'c', 't', {})(5), load('return x', 'c', nil, { x = 3 })())\n"
      "print(pcall(load('return x', 'c', 't', nil)))\n"
      "print((select(2, load('= 1', '=chunk')))) return {}",
      "print: nil\tattempt to load a binary chunk (mode is 't')\n"
      "print: nil\tattempt to load a binary chunk (mode is 't')\n"
      "print: nil\tattempt to load a binary chunk (mode is 't')\n"
      "print: nil\tattempt to load a binary chunk (mode is 't')\n"
      "print: 2\t5\t3\n"
      "print: false\t[string \"c\"]:1: attempt to index a nil value (upvalue '_ENV')\n"
      "print: chunk:1: unexpected symbol near '='\n");
}

TEST(libraries, what_load_does_not_take_is_said_as_in_stock_lua)
{
  expect_told(false,
              "print(load('return 1', 'c', 'b'))\n"
              "print((select(2, load(function() return {} end)):match 'reader function must return a string'))\n"
              "print(#table.pack(load(function() end)()))\n"
              "print(select(2, pcall(setmetatable, {}, 1)))\n"
              "print(debug.traceback(true), type(debug.traceback {})) return {}",
              "print: nil\tattempt to load a text chunk (mode is 'b')\n"
              "print: reader function must return a string\n"
              "print: 0\n"
              "print: bad argument #2 to 'setmetatable' (nil or table expected, got number)\n"
              "print: true\ttable\n");
}

TEST(libraries, trusted_games_have_everything)
{
  expect_told(true,
              "print(type(io.open), type(os.getenv), type(debug.getinfo), type(package.loadlib), type(dofile),\n"
              "  type(string.dump), load(string.dump(function() return 7 end), 'c', 'b')()) return {}",
              "print: function\tfunction\tfunction\tfunction\tfunction\tfunction\t7\n");
}

/* }== */

/* {== Finalisers ========================================================= */

TEST(libraries, finalisers_are_not_called_which_is_told)
{
  expect_told(false,
              "local ran = 0\n"
              "local m = { __gc = function() ran = ran + 1 end }\n"
              "local t = setmetatable({}, m) print(getmetatable(t) == m, m.__gc ~= nil)\n"
              "t = setmetatable(setmetatable({}, {}), m)\n"
              "t = nil collectgarbage() collectgarbage() print(ran) return {}",
              "warning: GAME/main.lua:3: __gc is not called in the sandbox: <close> ends a block, on_despawn a life\n"
              "print: true\ttrue\n"
              "warning: GAME/main.lua:4: __gc is not called in the sandbox: <close> ends a block, on_despawn a life\n"
              "print: 0\n");
}

/* }== */

/* {== require ============================================================ */

SCRIPT_TEST(require, require_finds_the_games_own_modules)
{
  scripted_make(g, "local a, file = require 'a'\nprint(a, file ~= nil)\nprint(require 'lib.b', require 'lib', require "
                   "'with-dash_1')\n"
                   "print(require 'a' == a, package.loaded.a == a) return {}");
  scripted_write(g, "a.lua", "print(...) return 'module a'");
  scripted_write(g, "lib/b.lua", "return 'module b'");
  scripted_write(g, "lib/init.lua", "return 'the library'");
  scripted_write(g, "with-dash_1.lua", "return 'dashed'");
  scripted_begin(g);
  ck_assert_str_eq(scripted_told(g), "print: a\tGAME/a.lua\nprint: module a\ttrue\n"
                                     "print: module b\tthe library\tdashed\tGAME/with-dash_1.lua\nprint: true\ttrue\n");
}

SCRIPT_TEST(require, require_never_leaves_the_folder)
{
  scripted_make(g, NULL);
  scripted_write(g, "secret.lua", "error 'read from outside'");
  scripted_write(
      g, "inner/main.lua",
      "for _, name in ipairs { '../secret', '..secret', '...secret', './a', '/etc/passwd', 'a/../../secret', "
      "'a\\\\b',\n"
      "    '', '.', '..', 'a.', '.a', 'a..b', 'a\\0b', 'C:secret', 'secret', 'io', 'a//b', 'a/', '/a', 'a./b', "
      "'nothing' } do\n"
      "  local ok, why = pcall(require, name)\n"
      "  if ok or not why:find 'not found' then print(name, ok, why) end\nend\n"
      "print(not pcall(require, 12), not pcall(require, nil), not pcall(require, {})) return {}");
  char inner[400];
  snprintf(inner, sizeof inner, "%s/inner", g->folder);
  g->options.path = inner;
  scripted_begin(g);
  ck_assert_str_eq(scripted_told(g), "print: true\ttrue\ttrue\n");
}

SCRIPT_TEST(require, a_module_that_fails_names_its_own_line)
{
  scripted_make(g, "return { update = function() require 'bad' end, draw = function() require 'worse' end }");
  scripted_write(g, "bad.lua", "local x = 1\nx = = 2\n");
  scripted_write(g, "worse.lua", "\nerror 'not ready'\n");
  scripted_begin(g);
  for (int i = 0; i < 2; i++) {
    ck_assert(!scripted_update(g));
    scripted_expect(g, "GAME/bad.lua:2: unexpected symbol near '='");
    ck_assert(!sp_script_call(g->script, "draw", NULL));
    scripted_expect(g, "error: GAME/worse.lua:2: not ready\n    error 'not ready'\n");
  }
}

/* }== */

/* {== Memory ============================================================= */

#define MIB ((size_t)1 << 20)

TEST(memory, a_game_that_wants_too_much_gets_an_error_and_lives_on)
{
  static const char *const greeds[] = {
      "local t = {} for i = 1, 1e9 do t[i] = { i } end",
      "local s = 'x' while true do s = s .. s end",
      "local s = ('x'):rep(1 << 28)",
      "for i = 1, 1e9 do pools:alloc 'Cube' end",
      "pools:pool('Cube'):prewarm(1 << 24)",
      "for i = 1, 1e9 do spawnpool.class('T' .. i) pools:alloc('T' .. i) end",
      "kept = {} for i = 1, 250 do kept[i] = spawnpool.new() for k = 1, 1e6 do kept[i]:alloc 'Cube' end end",
  };
  for (size_t i = 0; i < sizeof greeds / sizeof *greeds; i++) {
    char main[1000];
    snprintf(main, sizeof main,
             HEAD "spawnpool.class 'Cube'\nlocal greedy = true\nreturn { update = function()\n  if greedy then\n"
                  "    greedy = false\n    %s\n  end\n  kept = nil collectgarbage()\n"
                  "  pools:recycle_all() pools:clear()\n  local o = pools:alloc('Cube', 0, 5)\n  print(o.x)\nend }",
             greeds[i]);
    scripted g;
    scripted_make(&g, main);
    g.options.memory_limit = 4 * MIB;
    scripted_begin(&g);
    ck_assert(!scripted_update(&g));
    const char *told = scripted_told(&g);
    ck_assert_msg(strstr(told, "memory") != NULL, "%s: %s", greeds[i], told);
    ck_assert_ptr_nonnull(sp_script_error(g.script));
    ck_assert_uint_le(sp_script_bytes(g.script), 4 * MIB);
    ck_assert_msg(scripted_update(&g), "%s: %s", greeds[i], g.told);
    ck_assert_str_eq(scripted_told(&g), "print: 5.0\n");
    scripted_end(&g);
  }
}

SCRIPT_TEST(memory, bytes_count_lua_and_pools)
{
  scripted_start(
      g, HEAD "spawnpool.class 'Cube'\nreturn {\n  update = function() for i = 1, 5000 do pools:alloc 'Cube' end end,\n"
              "  draw = function() pools:close() collectgarbage() end }");
  lua_gc(sp_script_state(g->script), LUA_GCCOLLECT);
  size_t before = sp_script_bytes(g->script);
  ck_assert(scripted_update(g));
  ck_assert_uint_gt(sp_script_bytes(g->script), before + 5000 * 60);
  ck_assert(sp_script_call(g->script, "draw", NULL));
  ck_assert_uint_lt(sp_script_bytes(g->script), before + 4096);
}

/* }== */

SUITE(sandbox, &libraries, &require, &memory)
