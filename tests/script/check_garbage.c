/*
** Not a byte per life: with the collector stopped and everything warm, thousands of lives through every door must not
** call the allocator of the state once, neither for Lua nor for the pools.
*/
#include "script/script.h"
#include "support/memory.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <string.h>

/* Each function lives `n` lives, or does `n` times what a game does with them. */
static const char source[] =
    "local spawnpool = require 'spawnpool'\n"
    "local pools = spawnpool.new { step = 1 / 64, misuse = 'ignore' }\n"
    "local STEP = 1 / 64\n"
    "spawnpool.class('Plain', { fields = { hp = 1, speed = 1.5, armed = true, name = 'crate' } })\n"
    "spawnpool.class('Lifo', { order = 'lifo' })\n"
    "spawnpool.class('Few', { limit = 4, overflow = 'oldest' })\n"
    "spawnpool.class('Full', { limit = 1 })\n"
    "spawnpool.class('Texts', { fields = { name = 'crate' } })\n"
    "local Over = spawnpool.class 'Over'\n"
    "function Over:alloc(lifetime, x, y, angle)\n"
    "  local o, why = Over.super.alloc(self, lifetime, x, y, angle)\n"
    "  if not o then return nil, why end\n"
    "  o.vx = 1\n"
    "  return o\n"
    "end\n"
    "function Over:recycle(o) return Over.super.recycle(self, o) end\n"
    "local Child = spawnpool.class('Child', { extends = 'Over' })\n"
    "function Child:alloc(...) return Child.super.alloc(self, ...) end\n"
    "function Child:recycle(o, ...) return Child.super.recycle(self, o, ...) end\n"
    "local Hooked = spawnpool.class('Hooked', { idle_limit = 2, grow = 1, fields = { hp = 1 } })\n"
    "local count = 0\n"
    "function Hooked:on_create(o) count = count + o.id end\n"
    "function Hooked:on_spawn(o, fresh) if fresh then count = count + 1 end o.hp = 2 end\n"
    "function Hooked:on_despawn(o, why) if why == 'expired' then count = count + o.hp end end\n"
    "function Hooked:on_reject(o) count = count + o.hp end\n"
    "function Hooked:on_destroy(o) count = count - o.id end\n"
    "local Stubborn = spawnpool.class 'Stubborn'\n"
    "function Stubborn:recycle() end\n"
    "local stubborn = pools:alloc 'Stubborn'\n"
    "pools:alloc 'Full'\n"
    "local plain, over = pools:pool 'Plain', pools:pool 'Over'\n"
    "local values = { hp = 2, name = 'barrel', x = 3 }\n"
    "local kept = {}\n"
    "for i = 1, 50 do kept[i] = pools:alloc('Plain', 0, i, i) kept[i].vx, kept[i].spin = 1, 1 end\n"
    "local stale = pools:alloc 'Plain'\n"
    "stale:recycle()\n"
    "local function lives(type, lifetime, ...)\n"
    "  for _ = 1, 8 do pools:alloc(type, lifetime, ...) end\n"
    "  pools:update(STEP)\n"
    "end\n"
    "local M = {}\n"
    "function M.manager_doors(n) for i = 1, n do pools:recycle(pools:alloc 'Plain') end end\n"
    "function M.pool_doors(n) for i = 1, n do plain:recycle(plain:alloc()) end end\n"
    "function M.object_door(n) for i = 1, n do plain:alloc():recycle() end end\n"
    "function M.lifo(n) for i = 1, n do pools:alloc('Lifo'):recycle() end end\n"
    "function M.placed(n) for i = 1, n do pools:alloc('Plain', 0, i, -i, 0.5):recycle() end end\n"
    "function M.filled(n) for i = 1, n do pools:alloc('Plain', 0, values):recycle() end end\n"
    "function M.text_fields(n)\n"
    "  for i = 1, n do\n"
    "    for k = 1, i % 9 do pools:alloc('Texts').name = k % 2 == 0 and 'a' or 'b' end\n"
    "    pools:recycle_all 'Texts'\n"
    "  end\n"
    "end\n"
    "function M.expiry(n) for i = 1, n, 8 do lives('Plain', STEP) end end\n"
    "function M.cancelled_timers(n) for i = 1, n do pools:alloc('Plain', 5):recycle() pools:update(STEP) end end\n"
    "function M.prewarmed(n) for i = 1, n do pools:alloc('Plain', -1) end end\n"
    "function M.eviction(n) for i = 1, n do pools:alloc 'Few' end end\n"
    "function M.refusal(n) for i = 1, n do pools:alloc 'Full' end end\n"
    "function M.overrides(n) for i = 1, n do pools:alloc('Over', 0, i, i, 0):recycle() over:recycle(over:alloc()) end "
    "end\n"
    "function M.inherited_overrides(n) for i = 1, n do pools:recycle(pools:alloc('Child', 0, i, i)) end end\n"
    "function M.expiring_overrides(n) for i = 1, n, 8 do lives('Child', STEP, 1) end end\n"
    "function M.hooks(n) for i = 1, n, 8 do lives('Hooked', STEP) pools:alloc('Hooked'):recycle() end end\n"
    "function M.veto(n) for i = 1, n do stubborn:recycle() end end\n"
    "function M.misuse(n) for i = 1, n do pools:recycle(stale) stale:recycle() end end\n"
    "function M.questions(n)\n"
    "  for i = 1, n do\n"
    "    assert(pools:is_live(kept[1]) and not stale.alive and plain.live == 50 and pools:pool('Plain') == plain)\n"
    "    assert(pools.time >= 0 and plain.total >= plain.idle)\n"
    "  end\n"
    "end\n"
    "function M.fields(n)\n"
    "  for i = 1, n do\n"
    "    local o = kept[i % 50 + 1]\n"
    "    o.x, o.hp, o.speed, o.armed, o.name = o.y, o.hp + 1, i / 2, not o.armed, o.armed and 'a' or 'b'\n"
    "    o.layer, o.sprite, o.visible, o.scale, o.pinned = i % 9, 'star', true, o.radius, false\n"
    "    assert(o.pool == plain and o.type == 'Plain' and o.id > 0 and o.age >= 0 and o.remaining > 0 and o.alive)\n"
    "  end\n"
    "end\n"
    "function M.walks(n)\n"
    "  for i = 1, n, 100 do\n"
    "    for o in plain:each() do o.x = o.x + 1 end\n"
    "    for o in pools:each() do if o.type == 'Plain' then o.y = o.y + 1 end end\n"
    "  end\n"
    "end\n"
    "function M.recycle_all(n) for i = 1, n, 8 do for k = 1, 8 do pools:alloc 'Lifo' end pools:recycle_all 'Lifo' end "
    "end\n"
    "function M.frames(n) for i = 1, n do pools:update(1 / 60) end end\n"
    "return M\n";

static test_memory memory;
static lua_State *L;

static int prepare(lua_State *l)
{
  luaL_openlibs(l);
  luaL_requiref(l, "spawnpool", luaopen_spawnpool, 0);
  if (luaL_dostring(l, source))
    return lua_error(l);
  return 1;
}

static void setup(void)
{
  memory = (test_memory){0};
  L = lua_newstate(test_memory_fn, &memory);
  lua_pushcfunction(L, prepare);
  int status = lua_pcall(L, 0, 1, 0);
  ck_assert_msg(status == LUA_OK, "%s", lua_tostring(L, -1));
  lua_gc(L, LUA_GCSTOP);
}

static void teardown(void)
{
  lua_close(L);
  ck_assert(test_memory_is_clean(&memory));
}

static void live(const char *door, int n)
{
  lua_getfield(L, 1, door);
  lua_pushinteger(L, n);
  int status = lua_pcall(L, 1, 0, 0);
  ck_assert_msg(status == LUA_OK, "%s: %s", door, lua_tostring(L, -1));
}

static const char *const doors[] = {
    "manager_doors",
    "pool_doors",
    "object_door",
    "lifo",
    "placed",
    "filled",
    "text_fields",
    "expiry",
    "cancelled_timers",
    "prewarmed",
    "eviction",
    "refusal",
    "overrides",
    "inherited_overrides",
    "expiring_overrides",
    "hooks",
    "veto",
    "misuse",
    "questions",
    "fields",
    "walks",
    "recycle_all",
    "frames",
};
enum { DOORS = sizeof doors / sizeof *doors };

static test_group lives = {"lives", setup, teardown, 60};

TESTS(lives, thousands_of_lives_never_call_the_allocator, DOORS)
{
  const char *door = doors[_i];
  live(door, 3000);
  live(door, 3000);
  size_t calls = memory.calls, bytes = memory.bytes;
  live(door, 6000);
  ck_assert_msg(memory.calls == calls, "%s: %zu calls for more memory in 6000 lives", door, memory.calls - calls);
  ck_assert_msg(memory.bytes == bytes, "%s: %ld bytes in 6000 lives", door, (long)memory.bytes - (long)bytes);
}

TEST(lives, every_door_is_in_the_list)
{
  int count = 0;
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    bool listed = false;
    for (int i = 0; i < DOORS; i++)
      listed |= strcmp(doors[i], lua_tostring(L, -2)) == 0;
    ck_assert_msg(listed, "%s", lua_tostring(L, -2));
    count++;
  }
  ck_assert_int_eq(count, DOORS);
}

TEST(lives, garbage_does_not_escape_this_test)
{
  ck_assert(!luaL_dostring(L, "return function(n) for i = 1, n do local t = {} end end"));
  lua_setfield(L, 1, "wasteful");
  size_t calls = memory.calls;
  live("wasteful", 10);
  ck_assert_uint_ge(memory.calls, calls + 10);
}

SUITE(garbage, &lives)
