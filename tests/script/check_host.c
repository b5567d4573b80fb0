/*
** These are for a host in C alone: it passes arguments, reads settings, pools and frames of sprites, times hooks, and
** makes a Lua state. What it hears of a game is tested in Lua: check_script.c.
*/
#include "core/spawnpool.h"
#include "script/host/inspect.h"
#include "script/scripted.h"
#include "script/state/platform.h"
#include "support/desc.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

static test_group host = {"host"};

/* {== Calls and pools ==================================================== */

SCRIPT_TEST(host, arguments_and_settings_arrive_as_they_are)
{
  scripted_start(g, "return { on = true, off = false, one = 1, word = 'longer',\n"
                    "all = function(...) print(select('#', ...), ...) end }");
  lua_State *L = sp_script_state(g->script);
  lua_pushliteral(L, "kept");
  int kept = luaL_ref(L, LUA_REGISTRYINDEX);
  ck_assert(sp_script_setting_is_set(g->script, "on") && !sp_script_setting_is_set(g->script, "off"));
  ck_assert(!sp_script_setting_is_set(g->script, "one") && !sp_script_setting_is_set(g->script, "none"));
  double number = 0;
  char text[5] = "";
  ck_assert_str_eq(sp_script_setting(g->script, "one", &number, text, sizeof text), "number");
  ck_assert_str_eq(sp_script_setting(g->script, "word", &number, text, sizeof text), "string");
  ck_assert(number == 1 && strcmp(text, "long") == 0);
  ck_assert_str_eq(sp_script_setting(g->script, "word", NULL, NULL, 0), "string");
  ck_assert_str_eq(sp_script_setting(g->script, "none", NULL, NULL, 0), "nil");
  ck_assert_int_eq(sp_script_call(g->script, "all", "bb", 1, 0), SP_CALL_DONE);
  ck_assert_int_eq(sp_script_call(g->script, "all", NULL), SP_CALL_DONE);
  ck_assert_int_eq(sp_script_call(g->script, "all", "nisr", 0.5, -3, "text", kept), SP_CALL_DONE);
  ck_assert_str_eq(scripted_told(g), "print: 2\ttrue\tfalse\nprint: 0\nprint: 4\t0.5\t-3\ttext\tkept\n");
  ck_assert_int_eq(lua_gettop(L), 0);
}

SCRIPT_TEST(host, a_game_may_be_part_of_the_program)
{
  static const sp_script_file files[] = {{"main.lua", "print(io.open, (require 'parts.count')) return {}", 0},
                                         {"parts/count.lua", "return 7", 0},
                                         {NULL, NULL, 0}};
  scripted_make(g, NULL);
  g->options.files = files;
  g->options.path = "tools";
  g->options.reload = g->options.trust = true;
  scripted_begin(g);
  ck_assert_str_eq(scripted_told(g), "print: nil\t7\n");
  ck_assert(!sp_script_poll(g->script, SP_POLL_NOW));
}

SCRIPT_TEST(host, without_a_function_to_tell_the_streams_are_told)
{
  char said[1000];
  scripted_make(g, "print('hello', 1) warn('careful') return { update = function() error('no', 0) end }");
  g->options.report = NULL;
  ck_assert_int_eq(scripted_play_apart(g, said, sizeof said), 1);
  ck_assert_msg(strncmp(said, "hello\t1\ncareful\nno\n", 19) == 0, "%s", said);
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
  ck_assert_double_eq(sp_clock_of(m).step, 0.125);
  ck_assert_uint_eq(sp_pool_live(sp_manager_pool(m, "Cube")), 5000);
  sp_walk walk = sp_pool_walk(sp_manager_pool(m, "Cube"));
  const sp_look *look = sp_object_peek(m, sp_walk_next(&walk), SP_LOOK);
  ck_assert_str_eq(sp_script_sprite_name(g->script, look->sprite), "star");
  ck_assert_str_eq(sp_script_sprite_name(g->script, 0), "circle");
  ck_assert_ptr_null(sp_script_sprite_name(g->script, 60000));
  ck_assert_uint_eq(sp_script_sprite_number(g->script, "star"), look->sprite);
  ck_assert_uint_ne(sp_script_sprite_number(g->script, "new one"), look->sprite);
  bool stays;
  sp_script_ask(g->script, "quit", &stays, NULL);
  ck_assert_uint_lt(sp_script_bytes(g->script), before + 4096);
  ck_assert_ptr_null(sp_script_pools(g->script));
  ck_assert(!sp_script_update(g->script, 1));
}

SCRIPT_TEST(host, a_host_can_neither_close_nor_change_what_lua_owns)
{
  scripted_make(g, "local pools = require('spawnpool').pools\n"
                   "require('spawnpool').class('Cube', { fields = { hp = 1 } })\n"
                   "local cube = pools:alloc('Cube')\n"
                   "return { update = function() assert(cube.hp == 1 and pools:alloc('Cube').alive) end,\n"
                   "  quit = function() pools:pool('Cube').limit = 9 pools:remove('Cube') pools:close() end }");
  scripted_begin(g);
  ck_assert(scripted_update(g));
  sp_manager *m = sp_script_pools(g->script);
  sp_pool *pool = sp_manager_pool(m, "Cube");
  const sp_pool_desc desc = {.type = "Cube", .spatial = true};
  const sp_settings settings = {.limit = 1};
  const sp_pool_hooks hooks = {0};
  ck_assert_int_eq(sp_manager_close(m), SP_BUSY);
  sp_manager_discard(m);
  ck_assert_int_eq(sp_pool_remove(pool, NULL, NULL), SP_BUSY);
  ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_BUSY);
  ck_assert_int_eq(sp_pool_set_settings(pool, &settings), SP_BUSY);
  sp_pool_set_hooks(pool, &hooks);
  ck_assert(scripted_update(g));
  ck_assert_uint_eq(sp_pool_live(pool), 3);
  ck_assert_int_eq(sp_script_call(g->script, "quit", NULL), SP_CALL_DONE);
  ck_assert_ptr_null(sp_script_pools(g->script));
}

static uint64_t time_of(const scripted *g, const char *type)
{
  return sp_script_hook_time(g->script, sp_manager_pool(sp_script_pools(g->script), type));
}

/* Were the time of a hook inside another counted for both, the sum would be about twice the time that has passed. */
SCRIPT_TEST(host, hooks_are_timed_once_and_only_while_somebody_looks)
{
  scripted_start(g, "local spawnpool <const> = require 'spawnpool'\n"
                    "local pools <const> = spawnpool.pools\n"
                    "local Inner <const>, Outer <const> = spawnpool.class 'Inner', spawnpool.class 'Outer'\n"
                    "function Inner:on_spawn() local n = 0 for i = 1, 1000000 do n = n + i end end\n"
                    "function Outer:alloc() pools:alloc('Inner') return Outer.super.alloc(self) end\n"
                    "return { update = function() pools:alloc('Outer') end }\n");
  scripted_update(g);
  ck_assert_uint_eq(time_of(g, "Inner"), 0);
  sp_script_time_hooks(g->script, true);
  uint64_t begin = sp_clock_nanoseconds();
  scripted_update(g);
  uint64_t inner = time_of(g, "Inner"), outer = time_of(g, "Outer");
  ck_assert(inner > 0 && outer > 0);
  ck_assert_uint_le(inner + outer, sp_clock_nanoseconds() - begin);
  sp_script_time_hooks(g->script, false);
  scripted_update(g);
  ck_assert_uint_eq(time_of(g, "Inner"), inner);
}

/* }== */

/* {== Frames of sprites =================================================== */

/* In each step some objects end, begin, and show something else; all write down their frame as their x. */
static const char game[] =
    "local spawnpool <const> = require 'spawnpool'\n"
    "local pools <const> = spawnpool.pools\n"
    "spawnpool.class('Named', { sprite = 'even', animation = 'run' })\n"
    "spawnpool.class('Timed', { sprite = 'even', animation = { frames = { 1, 2, 9, 4 }, fps = 12 } })\n"
    "spawnpool.class('Whole', { sprite = 'uneven', animation = {} })\n"
    "spawnpool.class('Once', { sprite = 'even', animation = { frames = 5, loop = false } })\n"
    "spawnpool.class('Long', { sprite = 'long', animation = {} })\n"
    "local names <const>, sprites <const> = { 'run', 'idle', 'once', 'missing' }, { 'even', 'uneven', 'even' }\n"
    "for _, type in ipairs { 'Named', 'Timed', 'Whole', 'Once', 'Long' } do\n"
    "  for i = 1, 260 do pools:alloc(type).remaining = i % 7 == 0 and i / 60 or math.huge end\n"
    "end\n"
    "return { update = function()\n"
    "  for o in pools:each() do\n"
    "    local dice <const> = math.random(400)\n"
    "    if dice <= 4 then o.animation = names[dice] elseif dice <= 7 then o.sprite = sprites[dice - 4]\n"
    "    elseif dice == 8 then local f <const> = math.random(8) o.frame = f assert(o.frame == f)\n"
    "    elseif dice == 9 then o.animation = nil\n"
    "    elseif dice == 10 then o.pool:alloc() o:recycle() end\n"
    "  end\n"
    "  for o in pools:each() do o.x = o.frame end\n"
    "end }\n";

static const float lasting[2][8] = {{0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f},
                                    {0.1f, 0.25f, 0.05f, 0.1f, 0.3f, 0.1f, 0.15f, 0.1f}};
static const uint16_t running[] = {2, 3, 4, 5, 6, 7}, idling[] = {1, 8};
static const sp_sheet_animation animations[] = {{.name = "run", .frames = running, .count = 6, .loop = true},
                                                {.name = "idle", .frames = idling, .count = 2, .loop = true},
                                                {.name = "once", .frames = running, .count = 6}};
static const sp_sheet sheets[] = {{8, lasting[0], animations, 3}, {8, lasting[1], animations, 3}};
enum { LONG = 100 }; /* more frames than an animation of a class may list */

/* Returns how many frames were compared. */
static int compare_frames(const scripted *g, const char *type)
{
  sp_pool *pool = sp_manager_pool(sp_script_pools(g->script), type);
  int compared = 0;
  for (uint32_t chunk = 0; chunk < sp_pool_chunks(pool); chunk++) {
    uint16_t frames[SP_CHUNK_SLOTS];
    const float *read = sp_pool_peek_column(pool, chunk, SP_X);
    const uint64_t live = live_bits_of(pool, chunk);
    ck_assert(sp_script_frames(g->script, pool, chunk, frames));
    for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
      if (live >> i & 1) {
        ck_assert_msg(frames[i] == (uint16_t)read[i], "%s in slot %u: %u is drawn, scripts read %g", type,
                      chunk * SP_CHUNK_SLOTS + i, frames[i], (double)read[i]);
        compared++;
      }
  }
  return compared;
}

SCRIPT_TEST(host, what_is_drawn_is_what_scripts_read)
{
  static const char *const types[] = {"Named", "Timed", "Whole", "Once", "Long"};
  int compared = 0;
  float durations[LONG];
  for (int i = 0; i < LONG; i++)
    durations[i] = 0.01f * (float)(1 + i % 4);
  sp_sheet sheet = {LONG, durations, animations, 3};
  scripted_make(g, game);
  scripted_open(g);
  ck_assert(sp_script_set_sheet(g->script, "even", &sheets[0]));
  ck_assert(sp_script_set_sheet(g->script, "uneven", &sheets[1]));
  ck_assert(sp_script_set_sheet(g->script, "long", &sheet));
  ck_assert(sp_script_start(g->script, 0, NULL));
  for (int step = 0; step < 120; step++) {
    ck_assert_msg(scripted_update(g), "%s", scripted_told(g));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
      compared += compare_frames(g, types[i]);
    ck_assert(sp_script_update(g->script, 1.0 / 60));
  }
  ck_assert_int_gt(compared, 100000);
}

/* }== */

/* {== In a Lua state of the host's own ==================================== */

static test_group states = {"states"};

/* Opens Lua's libraries, and preloads ours. */
static lua_State *prepare(lua_State *L)
{
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_spawnpool);
  lua_setfield(L, -2, "spawnpool");
  return L;
}

static void run(lua_State *L, const char *code)
{
  ck_assert_msg(luaL_dostring(L, code) == LUA_OK, "%s", lua_tostring(L, -1));
}

/* A program in C that made the state, and opened no libraries, or opens them after all. */
TEST(states, a_state_without_libraries_is_told_to_open_them)
{
  lua_State *L = luaL_newstate();
  for (int i = 0; i < 2; i++) {
    lua_pushcfunction(L, luaopen_spawnpool);
    ck_assert_int_ne(lua_pcall(L, 0, 0, 0), LUA_OK);
    ck_assert_str_eq(lua_tostring(L, -1), "spawnpool needs Lua's library 'table': call luaL_openlibs before it");
  }
  prepare(L);
  run(L, "require 'spawnpool'");
  lua_close(L);
}

TEST(states, require_says_that_another_library_owns_the_metatable)
{
  lua_State *L = prepare(luaL_newstate());
  lua_pushlightuserdata(L, L);
  lua_newtable(L);
  lua_setmetatable(L, -2);
  run(L, "local ok, why = pcall(require, 'spawnpool')\n"
         "assert(not ok and why:find 'another library already owns the metatable of light userdata')");
  ck_assert(lua_getmetatable(L, -1)); /* and leaves it to its owner */
  ck_assert_int_eq(luaL_getmetafield(L, -2, "__index"), LUA_TNIL);
  lua_close(L);
}

TEST(states, opening_twice_in_a_state_is_one_library)
{
  lua_State *L = prepare(luaL_newstate());
  run(L, "local first = require 'spawnpool'\n"
         "local o = first.pools:alloc(first.class('Cube') and 'Cube', 0, 3)\n"
         "package.loaded.spawnpool = nil\n"
         "local second = require 'spawnpool'\n"
         "assert(o.x == 3 and first.pools:is_live(o))\n"
         "local p = second.pools:alloc(second.class('Ball') and 'Ball', 0, 4)\n"
         "assert(p.x == 4 and first.pools:recycle(o))\n");
  lua_close(L);
}

/* }== */

SUITE(host, &host, &states)
