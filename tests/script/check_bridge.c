/*
** The bridge for functions of a program in C, in any Lua state: what is an object, a pool or a manager there, and why
** something else is none.
*/
#include "core/spawnpool.h"
#include "script/script.h"
#include "script/scripted.h"
#include "support/shell.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <string.h>

static test_group bridge = {"bridge"};

static lua_State *open_state(void)
{
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 1);
  lua_settop(L, 0);
  return L;
}

static void run(lua_State *L, const char *code)
{
  ck_assert_msg(luaL_dostring(L, code) == LUA_OK, "%s", lua_tostring(L, -1));
}

/* All answers about the value at `index`: NULL and 0 go together with a problem. */
static void expect(lua_State *L, int index, const char *problem)
{
  const int top = lua_gettop(L);
  const char *said = sp_lua_problem(L, index);
  ck_assert_msg(said && strstr(said, problem), "%s", said ? said : "no problem");
  ck_assert_int_eq(lua_gettop(L), top);
}

TEST(bridge, an_object_goes_from_lua_to_c_and_back)
{
  lua_State *L = open_state();
  run(L, "pools = spawnpool.new()\n"
         "local o = pools:alloc(spawnpool.class('Cube') and 'Cube', 0, 3, 4)\n"
         "return pools, pools:pool 'Cube', o");
  sp_manager *manager = sp_lua_manager(L, 1);
  sp_ref object = sp_lua_ref(L, -1);
  ck_assert(manager && sp_lua_manager(L, 2) == manager && sp_object_is_live(manager, object));
  ck_assert(*(const float *)sp_object_peek(manager, object, SP_X) == 3 && !sp_lua_problem(L, 3));
  ck_assert(!sp_lua_ref(L, 1) && !sp_lua_manager(L, 3));
  sp_lua_push(L, object);
  ck_assert(lua_rawequal(L, 3, 4));
  sp_lua_push(L, 0);
  ck_assert(lua_isnil(L, 5));
  ck_assert_int_eq(sp_manager_close(manager), SP_BUSY);
  sp_ref other = sp_pool_alloc(sp_manager_pool(manager, "Cube"), 0, NULL, NULL); /* and from C */
  sp_lua_push(L, other);
  lua_setglobal(L, "other");
  run(L, "assert(tostring(other) == 'Cube#2 (live)' and pools:recycle(other))");
  lua_close(L);
}

TEST(bridge, what_is_no_live_object_is_told_why)
{
  lua_State *L = open_state();
  run(L, "local a, b = spawnpool.new(), spawnpool.new()\n"
         "spawnpool.class 'Cube'\n"
         "local stale, closed, c = a:alloc 'Cube', b:alloc 'Cube', spawnpool.new()\n"
         "a:recycle(stale) b:close()\n"
         "c:alloc 'Cube' local removed = c:pool 'Cube' c:remove 'Cube'\n"
         "return stale, closed, a, a:pool 'Cube', b, {}, 'text', 7, nil, io.stdout, function() end, removed, "
         "a:snapshot()");
  lua_pushlightuserdata(L, L);
  static const char *const problems[] = {"Cube#1 is stale",          "an object of a manager that is closed",
                                         "a manager, no object",     "a pool, no object",
                                         "a manager that is closed", "table: no object of spawnpool",
                                         "string: no object",        "number: no object",
                                         "nil: no object",           "userdata: no object",
                                         "function: no object",      "a pool that was removed",
                                         "userdata: no object",      "light userdata: no object of spawnpool"};
  for (int i = 0; i < (int)(sizeof problems / sizeof *problems); i++) {
    expect(L, i + 1, problems[i]);
    expect(L, i - lua_gettop(L), problems[i]);
  }
  ck_assert(sp_lua_ref(L, 1) != 0 && !sp_lua_ref(L, 2) && !sp_lua_manager(L, 5) && !sp_lua_manager(L, 12));
  static const int nowhere[] = {15, -15, 1000000, -1000000, 2147483647, -2147483647 - 1};
  for (int i = 0; i < (int)(sizeof nowhere / sizeof *nowhere); i++) {
    expect(L, nowhere[i], "there is no value at this index");
    ck_assert(!sp_lua_manager(L, nowhere[i]) && !sp_lua_ref(L, nowhere[i]));
  }
  lua_close(L);
}

/* The values of one state are nothing in another one, even where their references have the same bits. */
TEST(bridge, states_without_the_library_or_with_values_of_another_one)
{
  lua_State *with = open_state(), *without = luaL_newstate();
  run(with, "return spawnpool.new()");
  lua_pushlightuserdata(without, lua_touserdata(with, 1));
  expect(without, 1, "this state has no spawnpool: open it");
  ck_assert(!sp_lua_manager(without, 1) && !sp_lua_ref(without, 1));
  lua_State *thread = lua_newthread(with);
  lua_pushvalue(with, 1);
  lua_xmove(with, thread, 1);
  ck_assert(sp_lua_manager(thread, 1) == sp_lua_manager(with, 1));
  lua_close(without);
  lua_close(with);
}

/* Calls the bridge with every index that a function of C has: arguments, upvalues, the registry, and beyond. */
static int ask_everywhere(lua_State *L)
{
  const int top = lua_gettop(L);
  sp_ref object = sp_lua_ref(L, 1);
  ck_assert(object && sp_lua_ref(L, lua_upvalueindex(1)) == object && !sp_lua_problem(L, lua_upvalueindex(1)));
  ck_assert(sp_lua_manager(L, lua_upvalueindex(2)) && !sp_lua_ref(L, lua_upvalueindex(2)));
  expect(L, lua_upvalueindex(3), "there is no value at this index");
  expect(L, lua_upvalueindex(256), "there is no value at this index");
  expect(L, LUA_REGISTRYINDEX, "table: no object of spawnpool");
  ck_assert(!sp_lua_manager(L, LUA_REGISTRYINDEX) && !sp_lua_ref(L, LUA_REGISTRYINDEX));
  expect(L, 2, "userdata: no object of spawnpool"); /* as large as ours, and of another library */
  ck_assert(!sp_lua_manager(L, 2) && !sp_lua_ref(L, 2));
  expect(L, 3, "thread: no object of spawnpool");
  expect(L, top + 1, "there is no value at this index");
  sp_lua_push(L, object);
  ck_assert(lua_rawequal(L, -1, 1));
  lua_pop(L, 1);
  ck_assert_int_eq(lua_gettop(L), top);
  return 0;
}

TEST(bridge, any_index_of_a_coroutine_and_of_a_function_is_answered)
{
  lua_State *L = open_state(), *thread = lua_newthread(L);
  run(L, "pools = spawnpool.new() spawnpool.class 'Cube' cube = pools:alloc 'Cube'");
  lua_getglobal(L, "pools");
  const size_t size = lua_rawlen(L, -1);
  lua_State *states[] = {L, thread};
  for (int i = 0; i < 2; i++) {
    lua_State *in = states[i];
    lua_getglobal(in, "cube");
    lua_getglobal(in, "pools");
    lua_pushcclosure(in, ask_everywhere, 2);
    lua_getglobal(in, "cube");
    memset(lua_newuserdatauv(in, size, 1), 0x5a, size);
    lua_pushthread(in);
    lua_call(in, 3, 0);
  }
  lua_close(L);
}

TEST(bridge, the_error_of_a_hook_that_ran_for_the_host_is_kept)
{
  lua_State *L = open_state();
  run(L, "spawnpool.class('Cube', { on_spawn = function() error('no cubes today', 0) end })\n"
         "local pools = spawnpool.new() local cubes = pools:pool 'Cube' return pools");
  ck_assert_ptr_null(sp_lua_problem(L, 0));
  sp_result why = SP_OK;
  ck_assert(!sp_pool_alloc(sp_manager_pool(sp_lua_manager(L, 1), "Cube"), 0, NULL, &why));
  ck_assert_int_eq(why, SP_FAILED);
  expect(L, 0, "no cubes today");
  lua_close(L);
}

/* A copy that the state has required itself, from an installed module. */
PLAIN_TEST(bridge, another_copy_of_the_library_is_named)
{
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  run(L,
      "package.cpath = '" SP_BUILD_DIR "/?.so'\n"
      "local pools = require 'spawnpool'.pools return pools, pools:alloc(require 'spawnpool'.class 'Cube' and 'Cube')");
  ck_assert(!sp_lua_manager(L, 1) && !sp_lua_ref(L, 2));
  expect(L, 2, "another copy, of version " SP_VERSION ": link libspawnpool_script shared");
  lua_pushcfunction(L, luaopen_spawnpool);
  ck_assert_int_ne(lua_pcall(L, 0, 0, 0), LUA_OK);
  ck_assert_ptr_nonnull(strstr(lua_tostring(L, -1), "another copy"));
  lua_close(L);
}

SCRIPT_TEST(bridge, functions_of_a_script_s_host_take_objects)
{
  scripted_start(g, "require 'spawnpool'.class 'Cube' return { get = function() "
                    "return require('spawnpool').pools:alloc 'Cube' end }");
  lua_State *L = sp_script_state(g->script);
  ck_assert(sp_script_push_setting(g->script, "get"));
  ck_assert_int_eq(lua_pcall(L, 0, 1, 0), LUA_OK);
  ck_assert(sp_object_is_live(sp_script_pools(g->script), sp_lua_ref(L, -1)) && !sp_lua_problem(L, -1));
  lua_settop(L, 0);
}

/* There is no call of Lua that could raise it. */
SCRIPT_TEST(bridge, an_error_in_an_update_of_the_host_is_reported_also_while_a_game_is_tested)
{
  scripted_start(g, "local s = require 'spawnpool' s.testing() s.pools:after(0.1, function() error('boom', 0) end) "
                    "return {}");
  ck_assert(sp_script_update(g->script, 1));
  ck_assert_ptr_nonnull(strstr(scripted_told(g), "a timer: boom"));
}

SUITE(bridge, &bridge)
