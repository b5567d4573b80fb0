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

typedef struct state {
  test_memory memory;
  lua_State *L;
} state;

static void state_close(state *s)
{
  lua_close(s->L);
  ck_assert_msg(test_memory_is_clean(&s->memory), "%zu bytes in %zu blocks left, %zu sizes wrong", s->memory.bytes,
                s->memory.blocks, s->memory.wrong_sizes);
}

static const char *require(lua_State *L)
{
  luaL_dostring(L, "local ok, why = pcall(require, 'spawnpool') return ok and 'ok' or why");
  return lua_tostring(L, -1);
}

static int prepare(lua_State *L)
{
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_spawnpool);
  lua_setfield(L, -2, "spawnpool");
  return 0;
}

static void state_open(state *s)
{
  memset(s, 0, sizeof *s);
  s->L = lua_newstate(test_memory_fn, &s->memory);
  lua_pushcfunction(s->L, prepare);
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

static test_group core = {"core"};

TEST(core, require_says_that_another_library_owns_the_metatable)
{
  state s;
  state_open(&s);
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
TEST(core, a_state_without_libraries_is_told_to_open_them)
{
  state s = {0};
  s.L = lua_newstate(test_memory_fn, &s.memory);
  for (int i = 0; i < 2; i++) {
    lua_pushcfunction(s.L, luaopen_spawnpool);
    ck_assert_int_eq(lua_pcall(s.L, 0, 0, 0), LUA_ERRRUN);
    ck_assert_str_eq(lua_tostring(s.L, -1), "spawnpool needs Lua's library 'table': call luaL_openlibs before it");
    lua_pop(s.L, 1);
  }
  lua_pushcfunction(s.L, prepare);
  ck_assert_int_eq(lua_pcall(s.L, 0, 0, 0), LUA_OK);
  ck_assert_str_eq(require(s.L), "ok");
  state_close(&s);
}

TEST(core, opening_twice_in_a_state_is_one_library)
{
  state s;
  state_open(&s);
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

SUITE(states, &core)
