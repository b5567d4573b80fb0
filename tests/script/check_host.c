/*
** What only a host in C can do: bring the files of a game along, pass arguments, read the pools, time hooks. What it
** hears of a game is tested in Lua: check_script.c.
*/
#include "script/host/inspect.h"
#include "script/scripted.h"
#include "script/state/platform.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <string.h>

static test_group host = {"host"};

/* {== Calls ============================================================== */

SCRIPT_TEST(host, a_game_may_be_part_of_the_program)
{
  static const sp_script_file files[] = {
      {"main.lua", "local n = require 'parts.count'\n"
                   "return { update = function(dt) print(n); print(require('spawnpool').pools:alloc('Mote', 1).type)\n"
                   "  error('lost') end }"},
      {"parts/count.lua", "return 7"},
      {"pools/Mote.lua", "return require('spawnpool').class('Mote', {})"},
      {NULL, NULL}};
  scripted_make(g, NULL);
  g->options.files = files;
  g->options.path = "tools";
  g->options.reload = g->options.trust = true;
  scripted_begin(g);
  ck_assert(!scripted_update(g));
  ck_assert_str_eq(scripted_told(g),
                   "print: 7\nprint: Mote\n"
                   "error: tools/main.lua:3: lost\n    error('lost') end }\n  at tools/main.lua:3 in update\n");
  ck_assert(!sp_script_poll(g->script, SP_POLL_NOW));
}

SCRIPT_TEST(host, arguments_and_settings_arrive_as_they_are)
{
  scripted_start(g, "return { on = true, off = false, one = 1, word = 'longer',\n"
                    "all = function(...) print(select('#', ...), ...) end }");
  lua_State *L = sp_script_state(g->script);
  lua_pushliteral(L, "kept");
  int kept = luaL_ref(L, LUA_REGISTRYINDEX);
  ck_assert(sp_script_is_set(g->script, "on") && !sp_script_is_set(g->script, "off"));
  ck_assert(!sp_script_is_set(g->script, "one") && !sp_script_is_set(g->script, "none"));
  double number = 0;
  char text[5] = "";
  ck_assert_str_eq(sp_script_setting(g->script, "one", &number, text, sizeof text), "number");
  ck_assert_str_eq(sp_script_setting(g->script, "word", &number, text, sizeof text), "string");
  ck_assert(number == 1 && strcmp(text, "long") == 0);
  ck_assert_str_eq(sp_script_setting(g->script, "word", NULL, NULL, 0), "string");
  ck_assert_str_eq(sp_script_setting(g->script, "none", NULL, NULL, 0), "nil");
  ck_assert(sp_script_call(g->script, "all", "bb", 1, 0));
  ck_assert(sp_script_call(g->script, "all", NULL));
  ck_assert(sp_script_call(g->script, "all", "nisr", 0.5, -3, "text", kept));
  ck_assert_str_eq(scripted_told(g), "print: 2\ttrue\tfalse\nprint: 0\nprint: 4\t0.5\t-3\ttext\tkept\n");
  ck_assert_int_eq(lua_gettop(L), 0);
}

SCRIPT_TEST(host, without_a_function_to_tell_the_streams_are_told)
{
  char said[1000];
  scripted_make(g, "print('hello', 1) warn('careful') return { update = function() error('no', 0) end }");
  g->options.report = NULL;
  ck_assert_int_eq(scripted_play_apart(g, said, sizeof said), 1);
  ck_assert_msg(strncmp(said, "hello\t1\ncareful\nno\n", 19) == 0, "%s", said);
}

/* }== */

/* {== Pools ============================================================== */

SCRIPT_TEST(host, the_default_manager_is_the_hosts_and_its_memory_counts)
{
  scripted_make(g, "local pools = require('spawnpool').pools\n"
                   "assert(require('spawnpool').class('Cube').limit == 5000)\n" /* asking for a class loads its file */
                   "return { update = function() for _ = 1, 6000 do pools:alloc('Cube') end end,\n"
                   "  quit = function() pools:close() collectgarbage() end }");
  scripted_write(g, "pools/Cube.lua", "return require('spawnpool').class('Cube', { sprite = 'star', limit = 5000 })");
  g->options.step = 0.125;
  scripted_begin(g);
  lua_gc(sp_script_state(g->script), LUA_GCCOLLECT);
  size_t before = sp_script_bytes(g->script);
  ck_assert(scripted_update(g));
  ck_assert_uint_gt(sp_script_bytes(g->script), before + 5000 * 60);
  sp_manager *m = sp_script_pools(g->script);
  ck_assert_double_eq(sp_step(m), 0.125);
  ck_assert_uint_eq(sp_pool_live(sp_find_pool(m, "Cube")), 5000);
  sp_walk walk = sp_pool_walk(sp_find_pool(m, "Cube"));
  const sp_look *look = sp_peek(m, sp_walk_next(&walk), SP_LOOK);
  ck_assert_str_eq(sp_script_sprite_name(g->script, look->sprite), "star");
  ck_assert_str_eq(sp_script_sprite_name(g->script, 0), "circle");
  ck_assert_ptr_null(sp_script_sprite_name(g->script, 60000));
  ck_assert_uint_eq(sp_script_sprite(g->script, "star"), look->sprite);
  ck_assert_uint_ne(sp_script_sprite(g->script, "new one"), look->sprite);
  sp_script_veto(g->script, "quit");
  ck_assert_uint_lt(sp_script_bytes(g->script), before + 4096);
  ck_assert_ptr_null(sp_script_pools(g->script));
  ck_assert(!sp_script_update(g->script, 1));
}

/* }== */

/* {== Looking inside ===================================================== */

static const char nested[] = "local spawnpool <const> = require 'spawnpool'\n"
                             "local pools <const> = spawnpool.pools\n"
                             "local function work(n) for i = 1, n do n = n + i end end\n"
                             "local Inner <const> = spawnpool.class('Inner', {})\n"
                             "function Inner:on_spawn() work(1000000) end\n"
                             "local Outer <const> = spawnpool.class('Outer', {})\n"
                             "function Outer:alloc(...) pools:alloc('Inner') return Outer.super.alloc(self, ...) end\n"
                             "pools:alloc('Outer', 2)\n"
                             "return { update = function() pools:alloc('Outer') end, fail = function()\n"
                             "  function Inner:on_spawn() error 'no' end pcall(pools.alloc, pools, 'Outer') end,\n"
                             "  tick = function() pools:alloc('Plain'):after(0, function() work(100000) end) end }\n";

static uint64_t time_of(const scripted *g, const char *type)
{
  return sp_script_hook_time(g->script, sp_find_pool(sp_script_pools(g->script), type));
}

/* Were the time of a hook inside another counted for both, the sum would be about twice the time that has passed. */
SCRIPT_TEST(host, hooks_are_timed_once_and_only_while_somebody_looks)
{
  scripted_start(g, nested);
  scripted_update(g);
  ck_assert_uint_eq(time_of(g, "Inner"), 0);
  sp_script_time_hooks(g->script, true);
  uint64_t begin = sp_clock_nanoseconds();
  scripted_update(g);
  uint64_t inner = time_of(g, "Inner"), outer = time_of(g, "Outer");
  ck_assert(inner > 0 && outer > 0);
  ck_assert_uint_le(inner + outer, sp_clock_nanoseconds() - begin);
  sp_script_call(g->script, "fail", NULL);
  inner = time_of(g, "Inner"), outer = time_of(g, "Outer");
  sp_script_call(g->script, "tick", NULL);
  sp_script_update(g->script, 1);
  ck_assert_uint_gt(time_of(g, "Plain"), 0);
  ck_assert(time_of(g, "Inner") == inner && time_of(g, "Outer") == outer);
  sp_script_time_hooks(g->script, false);
  scripted_update(g);
  ck_assert_uint_eq(time_of(g, "Inner"), inner);
}

static void take_site(void *ud, uint32_t index, const char *site)
{
  char *line = ud;
  snprintf(line + strlen(line), 256, "%u at %s; ", (unsigned)index, strrchr(site, '/') + 1);
}

SCRIPT_TEST(host, stories_sites_and_versions_name_what_is_in_the_files)
{
  char history[512], sites[1024] = "", again[sizeof nested + 16];
  scripted_make(g, nested);
  g->options.trace = g->options.reload = true;
  scripted_begin(g);
  sp_walk walk = sp_pool_walk(sp_find_pool(sp_script_pools(g->script), "Outer"));
  sp_ref outer = sp_walk_next(&walk), asked[] = {SP_NONE_REF, outer};
  ck_assert(sp_script_traces(g->script));
  ck_assert(sp_script_sites(g->script, asked, 2, take_site, sites));
  ck_assert_str_eq(sites, "1 at main.lua:8; ");
  sp_script_update(g->script, 3);
  ck_assert(sp_script_history(g->script, outer, history, sizeof history));
  ck_assert(strstr(history, "main.lua:8, 0.00 s") && strstr(history, "; expired at "));
  ck_assert(!sp_script_history(g->script, SP_NONE_REF, history, sizeof history) && !*history);
  ck_assert_uint_eq(sp_script_class_version(g->script, "Outer"), 1);
  ck_assert_uint_eq(sp_script_class_version(g->script, "Nobody"), 0);
  snprintf(again, sizeof again, "%s-- edited\n", nested);
  ck_assert_int_eq(scripted_save(g, "main.lua", again), SP_POLL_RELOADED);
  ck_assert_uint_eq(sp_script_class_version(g->script, "Outer"), 2);
}

/* }== */

SUITE(host, &host)
