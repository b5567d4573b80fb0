/*
** Lua collects things while there is no memory for a finaliser: what C keeps about them belongs to the state, and is
** freed at the next safe moment all the same.
*/
#include "script/script.h"
#include "support/memory.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lualib.h>

static test_group collected = {"collected"};

static void run(lua_State *L, const char *text)
{
  if (luaL_dostring(L, text) != LUA_OK)
    ck_abort_msg("%s", lua_tostring(L, -1));
  lua_settop(L, 0);
}

/* All that is dropped is collected while every allocation is refused. A call in here is deeper than any before, so that
   even a finaliser that needs no memory cannot run. */
static int collect(lua_State *L)
{
  void *ud;
  lua_getallocf(L, &ud);
  test_memory *memory = ud;
  memory->fail_at = memory->calls + 1;
  memory->keep_failing = true;
  lua_gc(L, LUA_GCCOLLECT);
  memory->fail_at = 0;
  return 0;
}

static const struct {
  const char *drop, *next; /* drops some, and does what is safe */
} cases[] = {
    {"pools:snapshot()", "kept = pools:snapshot()"},
    {"pools:snapshot()", "for _ = 1, 64 do pools:update(0) end"},
    {"sp.new():pool 'Cube':prewarm(500)", "for _ = 1, 64 do pools:update(0) end"},
    {"local m = sp.new() m:alloc 'Cube':run(function() coroutine.yield(1e9) end)",
     "for _ = 1, 64 do pools:update(0) end"},
    {"pools:alloc('Cube', 1):after(1, 'tick') pools:each() pools:update(2)", "pools:update(0)"},
};

TESTS(collected, without_memory_is_freed_by_the_state, sizeof cases / sizeof *cases)
{
  test_memory memory = {0};
  lua_State *L = lua_newstate(test_memory_fn, &memory);
  ck_assert_ptr_nonnull(L);
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  run(L, "sp = require 'spawnpool' sp.class('Cube', { methods = { tick = print } }) pools = sp.new() "
         "for _ = 1, 2000 do pools:alloc 'Cube' end pools:alloc('Cube', 1) pools:update(1)");
  lua_register(L, "collect", collect);
  size_t least = 0;
  for (int round = 0; round < 40; round++) {
    run(L, cases[_i].drop);
    run(L, "local function wipe(n) local a, b, c, d, e, f, g, h if n > 0 then wipe(n - 1) end return n end wipe(60)");
    run(L,
        "depth = (depth or 100) + 3 local function deep(n) if n > 0 then deep(n - 1) else collect() end return n end "
        "deep(depth)");
    run(L, cases[_i].next);
    lua_gc(L, LUA_GCCOLLECT);
    if (round == 10)
      least = memory.bytes;
  }
  ck_assert_msg(memory.bytes < least + 50000, "%zu bytes, after %zu", memory.bytes, least);
  lua_close(L);
  ck_assert(test_memory_is_clean(&memory));
}

SUITE(collected, &collected)
