/*
** Lua states of other kinds: without libraries, with a library that owns the metatable of light userdata, or opened
** twice.
*/
#include "script/script.h"
#include "support/memory.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <string.h>

static test_memory memory;
static lua_State *L;

static void open_state(void)
{
  memory = (test_memory){0};
  L = lua_newstate(test_memory_fn, &memory);
}

static void close_state(void)
{
  lua_close(L);
  ck_assert_msg(test_memory_is_clean(&memory), "%zu bytes in %zu blocks left, %zu sizes wrong", memory.bytes,
                memory.blocks, memory.wrong_sizes);
}

static test_group states = {"states", open_state, close_state};

static int prepare(lua_State *of)
{
  luaL_openlibs(of);
  luaL_getsubtable(of, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(of, luaopen_spawnpool);
  lua_setfield(of, -2, "spawnpool");
  return 0;
}

/* The message of a C function that fails; or NULL. */
static const char *call(lua_CFunction function)
{
  lua_pushcfunction(L, function);
  return lua_pcall(L, 0, 0, 0) == LUA_OK ? NULL : lua_tostring(L, -1);
}

static void run(const char *code) { ck_assert_msg(luaL_dostring(L, code) == LUA_OK, "%s", lua_tostring(L, -1)); }

/* A program in C that made the state, and opened no libraries, or opens them after all. */
TEST(states, a_state_without_libraries_is_told_to_open_them)
{
  for (int i = 0; i < 2; i++)
    ck_assert_str_eq(call(luaopen_spawnpool), "spawnpool needs Lua's library 'table': call luaL_openlibs before it");
  ck_assert_ptr_null(call(prepare));
  run("require 'spawnpool'");
}

TEST(states, require_says_that_another_library_owns_the_metatable)
{
  call(prepare);
  lua_pushlightuserdata(L, L);
  lua_newtable(L);
  lua_setmetatable(L, -2);
  run("local ok, why = pcall(require, 'spawnpool')\n"
      "assert(not ok and why:find 'another library already owns the metatable of light userdata')");
  ck_assert(lua_getmetatable(L, -1)); /* and leaves it to its owner */
  ck_assert_int_eq(luaL_getmetafield(L, -2, "__index"), LUA_TNIL);
}

TEST(states, opening_twice_in_a_state_is_one_library)
{
  call(prepare);
  run("local first = require 'spawnpool'\n"
      "local o = first.pools:alloc(first.class('Cube') and 'Cube', 0, 3)\n"
      "package.loaded.spawnpool = nil\n"
      "local second = require 'spawnpool'\n"
      "assert(o.x == 3 and first.pools:is_live(o))\n"
      "local p = second.pools:alloc(second.class('Ball') and 'Ball', 0, 4)\n"
      "assert(p.x == 4 and first.pools:recycle(o))\n");
}

SUITE(states, &states)
