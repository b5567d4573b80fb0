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
