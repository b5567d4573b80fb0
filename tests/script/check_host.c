/*
** What only a host in C can do: bring the files of a game along, pass arguments, name sprites, read the pools, time
** hooks. What it hears of a game is tested in Lua: check_script.c.
*/
#include "script/host/inspect.h"
#include "script/scripted.h"
#include "script/state/platform.h"
#include "support/process.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  scripted_make(g, "print('hello', 1) warn('careful') return { update = function() error('no', 0) end }");
  g->options.report = NULL;
  fflush(stdout);
  int saved[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
  FILE *files[2] = {fopen(scripted_path(g, "out"), "w"), fopen(scripted_path(g, "err"), "w")};
  ck_assert(files[0] && files[1]);
  dup2(fileno(files[0]), STDOUT_FILENO);
  dup2(fileno(files[1]), STDERR_FILENO);
  scripted_open(g);
  bool started = sp_script_start(g->script, 0, NULL), updated = scripted_update(g);
  fflush(stdout);
  for (int i = 0; i < 2; i++) {
    dup2(saved[i], i == 0 ? STDOUT_FILENO : STDERR_FILENO);
    close(saved[i]);
    fclose(files[i]);
  }
  ck_assert(started && !updated);
  char *said = test_read_file(scripted_path(g, "out")), *cried = test_read_file(scripted_path(g, "err"));
  ck_assert_str_eq(said, "hello\t1\n");
  ck_assert_msg(strncmp(cried, "careful\nno\n", 11) == 0, "%s", cried);
  free(said);
  free(cried);
}

/* }== */

/* {== Pools ============================================================== */

SCRIPT_TEST(host, there_are_65536_sprites_and_no_more)
{
  scripted_start(g, "return { update = function()\n"
                    "  local cube = require('spawnpool').pools:alloc('Cube')\n"
                    "  cube.sprite = 'name 9'\n"
                    "  print(cube.sprite, pcall(function() cube.sprite = 'one more' end))\n"
                    "  print(cube.sprite)\n"
                    "end }");
  char name[32];
  for (int i = 1; i <= UINT16_MAX; i++) {
    snprintf(name, sizeof name, "name %d", i);
    if (sp_script_sprite(g->script, name) != i)
      ck_abort_msg("%s is another", name);
  }
  ck_assert_uint_eq(sp_script_sprite(g->script, "one more"), 0);
  ck_assert_str_eq(sp_script_sprite_name(g->script, 0), "circle");
  scripted_told(g);
  ck_assert(scripted_update(g));
  const char *told = scripted_told(g);
  ck_assert_msg(strstr(told, "would be one sprite name too many (65536 at most)") && strstr(told, "print: name 9\n"),
                "%s", told);
}

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
  ck_assert_ptr_null(sp_script_sprite_name(g->script, 60000));
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
  ck_assert_ptr_nonnull(strstr(history, "main.lua:8, 0.00 s"));
  ck_assert_ptr_nonnull(strstr(history, "; expired at "));
  ck_assert(sp_script_sites(g->script, asked, 2, take_site, sites));
  ck_assert_str_eq(sites, "1 at main.lua:8; "); /* and nothing more */
  ck_assert_uint_eq(sp_script_class_version(g->script, "Outer"), 1);
  ck_assert_uint_eq(sp_script_class_version(g->script, "Nobody"), 0);
  snprintf(again, sizeof again, "%s-- edited\n", nested);
  ck_assert_int_eq(scripted_save(g, "main.lua", again), SP_POLL_RELOADED);
  ck_assert_uint_eq(sp_script_class_version(g->script, "Outer"), 2);
  sp_script_close(g->script);
  g->options.trace = false;
  scripted_begin(g);
  ck_assert(!sp_script_traces(g->script));
  walk = sp_pool_walk(sp_find_pool(sp_script_pools(g->script), "Outer"));
  ck_assert(!sp_script_history(g->script, sp_walk_next(&walk), history, sizeof history));
  ck_assert_str_eq(history, "");
}

/* }== */

SUITE(host, &host)
