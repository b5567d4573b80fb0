/*
** The script host from outside: a game in a folder of its own, its callbacks, what it may and may not do, and what the
** host hears of it.
*/
#include "script/scripted.h"
#include "support/process.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* {== Opening ============================================================ */

static void expect_refusal(const sp_script_options *options, const char *pattern)
{
  char error[256] = "";
  ck_assert_ptr_null(sp_script_open(options, error, sizeof error));
  ck_assert_msg(strstr(error, pattern) != NULL, "\"%s\" has no \"%s\"", error, pattern);
  ck_assert_ptr_null(strchr(error, '\n'));
}

static test_group opening = {"opening"};
static test_group starting = {"starting"};
static test_group callbacks = {"callbacks"};
static test_group library = {"library"};

SCRIPT_TEST(opening, a_missing_folder_or_file_is_one_line)
{
  scripted_make(g, NULL);
  expect_refusal(&g->options, "no main.lua in this folder");
  expect_refusal(&(sp_script_options){.path = "/nowhere/at all"}, "/nowhere/at all: no such file or folder");
  expect_refusal(&(sp_script_options){.path = "nowhere.lua"}, "nowhere.lua: no such file or folder");
  expect_refusal(&(sp_script_options){.path = ""}, "no such file or folder");
}

SCRIPT_TEST(opening, a_game_may_be_part_of_the_program)
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

SCRIPT_TEST(opening, a_game_is_a_folder_or_a_file)
{
  scripted_make(g, "return { update = function() print('main') end }");
  scripted_write(g, "other.lua", "return { update = function() print('other') end }");
  static const char *const rows[][2] = {
      {"", "print: main"}, {"///", "print: main"}, {"/main.lua", "print: main"}, {"/other.lua", "print: other"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char path[400];
    snprintf(path, sizeof path, "%s%s", g->folder, rows[i][0]);
    g->options.path = path;
    scripted_begin(g);
    ck_assert(scripted_update(g));
    scripted_expect(g, rows[i][1]);
    ck_assert_str_eq(sp_script_folder(g->script), g->folder);
    sp_script_close(g->script);
    g->script = NULL;
  }
}

SCRIPT_TEST(opening, opening_runs_nothing)
{
  scripted_make(g, "print 'ran' return {}");
  scripted_open(g);
  ck_assert_str_eq(scripted_told(g), "");
  ck_assert(scripted_update(g)); /* no callbacks yet */
  ck_assert(!sp_script_has(g->script, "update"));
  ck_assert(sp_script_start(g->script, 0, NULL));
  ck_assert_str_eq(scripted_told(g), "print: ran\n");
}

SCRIPT_TEST(opening, too_little_memory_to_open_is_one_line)
{
  scripted_make(g, "return {}");
  for (size_t limit = 1000; limit <= 64000; limit += 3000) {
    g->options.memory_limit = limit;
    expect_refusal(&g->options, "not enough memory");
  }
}

/* Lua cannot be stopped while it works on a string. */
SCRIPT_TEST(opening, a_string_above_64_MiB_is_refused_whatever_the_cap)
{
  scripted_make(g, "return { update = function() return ('x'):rep((1 << 26) + 1) end }");
  g->options.memory_limit = (size_t)1 << 30;
  scripted_begin(g);
  ck_assert(!scripted_update(g));
  ck_assert_ptr_nonnull(strstr(scripted_told(g), "not enough memory"));
}

/* }== */

/* {== Starting =========================================================== */

/* A main.lua, and what is told of it, or how that begins. */
static const char *const wrong[][2] = {
    {"local x = 1\nlocal y = = 2\n", "error: GAME/main.lua:2: unexpected symbol near '='\n    local y = = 2"},
    {"return {\n", "error: GAME/main.lua:2: unexpected symbol near <eof>"},
    {"\x1bLua", "error: GAME/main.lua: attempt to load a binary chunk"},
    {"local function inner() error 'boom' end\n"
     "local function outer()\n  inner()\n  return 1\nend\nouter()\n",
     "error: GAME/main.lua:1: boom\n    local function inner() error 'boom' end\n"
     "  at GAME/main.lua:1 in inner\n  at GAME/main.lua:3 in outer\n  at GAME/main.lua:6 in main chunk\n"},
    {"local t = nil\nreturn t.x\n", "error: GAME/main.lua:2: attempt to index a nil value (local 't')"},
    {"error({}, 0)", "error: GAME/main.lua:1: (error object is a table value)\n    error({}, 0)\n"},
    {"error(nil)", "error: GAME/main.lua:1: (error object is a nil value)"},
    {"error(setmetatable({}, { __tostring = function() return 'my words' end }))", "error: my words"},
    {"\t  error 'boom' \t \r\n", "error: GAME/main.lua:1: boom\n    error 'boom'\n  at"},
    {"", "error: GAME/main.lua must return a table of callbacks (load, update, draw, ...), got nil"},
    {"return 12", "error: GAME/main.lua must return a table of callbacks (load, update, draw, ...), got number"},
    {"return { load = function() error 'no level' end }", "error: GAME/main.lua:1: no level"},
    {"return { load = 5 }", "error: GAME/main.lua:1: the callback 'load' must be a function, got a number"},
};

static void expect_no_start(const char *main, const char *expected)
{
  scripted g;
  scripted_make(&g, main);
  scripted_open(&g);
  ck_assert(!sp_script_start(g.script, 0, NULL));
  ck_assert_msg(strstr(g.told, sp_script_error(g.script)) != NULL, "%s", sp_script_error(g.script));
  const char *text = scripted_told(&g);
  ck_assert_msg(strncmp(text, expected, strlen(expected)) == 0, "%s", text);
  scripted_end(&g);
}

TEST(starting, what_is_wrong_names_file_line_source_and_frames)
{
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_no_start(wrong[i][0], wrong[i][1]);
}

TEST(starting, a_long_line_is_not_shown_whole)
{
  char main[1000], expected[1000];
  snprintf(main, sizeof main, "error('boom') --%0300d\n", 0);
  snprintf(expected, sizeof expected, "error: GAME/main.lua:1: boom\n    %.159s\n  at", main);
  expect_no_start(main, expected);
}

SCRIPT_TEST(starting, load_gets_the_arguments)
{
  scripted_make(g, "return { load = function(args) print(#args, args[1], args[2], args.n) end }");
  scripted_open(g);
  char *argv[] = {"first", "second one", NULL};
  ck_assert(sp_script_start(g->script, 2, argv));
  ck_assert_str_eq(scripted_told(g), "print: 2\tfirst\tsecond one\tnil\n");
}

/* A module's list that several files change: no entry is put back, or moved, because its file has run. */
SCRIPT_TEST(starting, what_files_did_stays_as_they_did_it)
{
  scripted_make(g, "local bus <const> = require 'bus' require 'a' bus[#bus + 1] = 'main' require 'b'\n"
                   "table.remove(bus, 1) return { load = function() print(table.concat(bus, ' ')) end }");
  g->options.reload = true;
  scripted_write(g, "bus.lua", "return {}");
  scripted_write(g, "a.lua", "local bus <const> = require 'bus' bus[#bus + 1] = 'a'");
  scripted_write(g, "b.lua", "local bus <const> = require 'bus' bus[#bus + 1] = 'b'");
  scripted_begin(g);
  ck_assert_str_eq(scripted_told(g), "print: main b\n");
}

/* It is slow while a game starts, unless the game says otherwise. */
SCRIPT_TEST(starting, afterwards_the_collector_runs_as_in_stock_lua)
{
  static const int speeds[] = {100, 400};
  scripted_start(g, "return { load = function() end }");
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(lua_gc(sp_script_state(g->script), LUA_GCSETSTEPMUL, 100), speeds[i]);
    scripted_end(g);
    scripted_start(g, "return { load = function() collectgarbage('setstepmul', 400) end }");
  }
}

/* }== */

/* {== Callbacks ========================================================== */

SCRIPT_TEST(callbacks, absent_callbacks_are_fine)
{
  scripted_start(g, "return {}");
  ck_assert(scripted_update(g));
  ck_assert(!sp_script_has(g->script, "update"));
  ck_assert(!sp_script_veto(g->script, "quit"));
  ck_assert_str_eq(scripted_told(g), "");
  ck_assert_ptr_null(sp_script_error(g->script));
}

SCRIPT_TEST(callbacks, arguments_arrive_as_they_are)
{
  scripted_start(g, "return { on = true, off = false, one = 1, word = 'longer', all = function(...) print(select('#', "
                    "...), ...) end }");
  lua_State *L = sp_script_state(g->script);
  lua_pushliteral(L, "kept");
  int kept = luaL_ref(L, LUA_REGISTRYINDEX);
  ck_assert(sp_script_is_set(g->script, "on") && !sp_script_is_set(g->script, "off"));
  ck_assert(!sp_script_is_set(g->script, "one") && !sp_script_is_set(g->script, "none"));
  ck_assert(sp_script_has(g->script, "all") && !sp_script_is_set(g->script, "all"));
  double number = 0;
  char text[5] = "";
  ck_assert_str_eq(sp_script_setting(g->script, "one", &number, text, sizeof text), "number");
  ck_assert_str_eq(sp_script_setting(g->script, "word", &number, text, sizeof text), "string");
  ck_assert(number == 1 && strcmp(text, "long") == 0);
  ck_assert_str_eq(sp_script_setting(g->script, "word", NULL, NULL, 0), "string");
  ck_assert_str_eq(sp_script_setting(g->script, "one", NULL, NULL, 0), "number");
  ck_assert_str_eq(sp_script_setting(g->script, "none", &number, text, sizeof text), "nil");
  ck_assert_str_eq(sp_script_setting(g->script, "off", &number, text, sizeof text), "boolean");
  ck_assert(sp_script_call(g->script, "all", "bb", 1, 0));
  ck_assert(sp_script_call(g->script, "all", NULL));
  ck_assert(sp_script_call(g->script, "all", ""));
  ck_assert(sp_script_call(g->script, "all", "nisr", 0.5, -3, "text", kept));
  ck_assert(sp_script_call(g->script, "all", "ssi", "a", "", 7));
  ck_assert_str_eq(scripted_told(g),
                   "print: 2\ttrue\tfalse\nprint: 0\nprint: 0\nprint: 4\t0.5\t-3\ttext\tkept\nprint: 3\ta\t\t7\n");
  ck_assert_int_eq(lua_gettop(L), 0);
}

SCRIPT_TEST(callbacks, quit_may_ask_to_stay)
{
  static const char *const rows[][2] = {
      {"return true", "y"}, {"return 1", "y"}, {"return false", ""}, {"error 'x'", ""}};
  scripted_start(g, "return { quit = function() return answer() end }");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char code[60];
    snprintf(code, sizeof code, "function answer() %s end", rows[i][0]);
    sp_script_eval(g->script, code);
    ck_assert_int_eq(sp_script_veto(g->script, "quit"), *rows[i][1] == 'y');
  }
}

SCRIPT_TEST(callbacks, an_error_is_told_kept_and_over)
{
  scripted_start(g,
                 "local n = 0\nreturn { update = function(dt)\n  n = n + dt\n  if n < 0.5 then error('at ' .. n) end\n"
                 "  print(n)\nend }");
  ck_assert(!scripted_update(g));
  ck_assert_ptr_nonnull(strstr(sp_script_error(g->script), "/main.lua:4: at 0.25\n"));
  scripted_expect(g, "error: GAME/main.lua:4: at 0.25\n    if n < 0.5 then error('at ' .. n) end\n");
  ck_assert(scripted_update(g));
  ck_assert_str_eq(scripted_told(g), "print: 0.5\n");
  ck_assert_ptr_nonnull(sp_script_error(g->script));
  sp_script_clear_error(g->script);
  ck_assert_ptr_null(sp_script_error(g->script));
  ck_assert_int_eq(lua_gettop(sp_script_state(g->script)), 0);
}

SCRIPT_TEST(callbacks, odd_callback_tables_do_no_harm)
{
  scripted_start(g, "return setmetatable({ update = 12 }, { __index = function(_, k)\n"
                    "  if k ~= 'load' then error('no ' .. k, 0) end end })");
  ck_assert(!scripted_update(g));
  scripted_expect(g, "error: GAME/main.lua:1: the callback 'update' must be a function, got a number");
  ck_assert(!sp_script_call(g->script, "draw", NULL));
  scripted_expect(g, "error: no draw");
  ck_assert(!sp_script_has(g->script, "quit"));
  ck_assert_int_eq(lua_gettop(sp_script_state(g->script)), 0);
}

SCRIPT_TEST(callbacks, an_error_in_a_hook_is_told_and_kept_and_the_callback_goes_on)
{
  scripted_start(g, "local spawnpool = require 'spawnpool'\n"
                    "local Cube = spawnpool.class 'Cube'\n"
                    "function Cube:on_despawn() error 'boom' end\n"
                    "return { update = function() spawnpool.pools:alloc('Cube'):recycle() print 'went on' end }");
  ck_assert(scripted_update(g));
  const char *text = scripted_told(g);
  ck_assert_msg(strstr(text, "error: Cube.on_despawn: GAME/main.lua:3: boom") && strstr(text, "print: went on\n"), "%s",
                text);
  ck_assert_ptr_nonnull(strstr(sp_script_error(g->script), "Cube.on_despawn"));
}

/* Through all hooks and a timer, by calls of the host. */
static void live_and_die(scripted *g)
{
  sp_manager *m = sp_script_pools(g->script);
  sp_pool *pool = sp_find_pool(m, "Cube");
  for (int i = 0; i < 5; i++)
    sp_pool_alloc(pool, 0.5, NULL);
  sp_script_call(g->script, "spawn", NULL);
  sp_recycle(m, sp_pool_alloc(pool, 0, NULL));
  for (int i = 0; i < 4; i++)
    sp_script_update(g->script, 0.25);
  sp_pool_clear(pool);
}

/* Each fails in turn; "none" does not. */
SCRIPT_TEST(library, hooks_leave_nothing_on_the_stack_whether_they_fail_or_not)
{
  static const char *const names[] = {"none",      "alloc",      "recycle",  "on_create", "on_spawn", "on_despawn",
                                      "on_reject", "on_destroy", "overflow", "update",    "timer"};
  scripted_start(g, "local spawnpool, failing, failed = require 'spawnpool', 'none', 0\n"
                    "local function act(name) if name == failing then failed = failed + 1 error 'boom' end end\n"
                    "local Cube = spawnpool.class('Cube', { limit = 2, idle_limit = 1 })\n"
                    "for _, name in ipairs { 'on_create', 'on_despawn', 'on_reject', 'on_destroy', 'update' } do\n"
                    "  Cube[name] = function() act(name) end\nend\n"
                    "function Cube:alloc(...) act 'alloc' return Cube.super.alloc(self, ...) end\n"
                    "function Cube:on_spawn(o) o:after(0.1, function() act 'timer' end) act 'on_spawn' end\n"
                    "function Cube:recycle(o) act 'recycle' return Cube.super.recycle(self, o) end\n"
                    "function Cube.overflow(pool) act 'overflow' return pool:each()(pool) end\n"
                    "spawnpool.pools:pool 'Cube'\n"
                    "return { fail = function(name) failing, failed = name, 0 end,\n"
                    "  count = function() print(failed > 0) end,\n"
                    "  spawn = function() pcall(spawnpool.pools.alloc, spawnpool.pools, 'Cube', 0.5) end }");
  lua_State *L = sp_script_state(g->script);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ck_assert(sp_script_call(g->script, "fail", "s", names[i]));
    live_and_die(g);
    ck_assert_int_eq(lua_gettop(L), 0);
    scripted_told(g);
    ck_assert(sp_script_call(g->script, "count", NULL));
    ck_assert_msg(strcmp(scripted_told(g), i > 0 ? "print: true\n" : "print: false\n") == 0, "%s", names[i]);
  }
}

SCRIPT_TEST(callbacks, print_and_warnings_go_to_the_host)
{
  scripted_start(
      g, "print()\nprint(1, nil, 1.5, 'x', true)\nprint(setmetatable({}, { __tostring = function() return 'T' end }))\n"
         "warn('@on')\nwarn('careful: ', 'hot')\nrequire('spawnpool').pools:alloc 'Zebra'\n"
         "return {}");
  ck_assert_str_eq(scripted_told(g),
                   "print: \nprint: 1\tnil\t1.5\tx\ttrue\nprint: T\nwarning: careful: hot\n"
                   "warning: unknown type 'Zebra' (no class of that name, no GAME/pools/Zebra.lua): it gets the "
                   "generic pool\n");
  ck_assert_ptr_null(sp_script_error(g->script));
}

SCRIPT_TEST(callbacks, without_a_function_to_tell_the_streams_are_told)
{
  char out[320], err[320];
  scripted_make(g, "print('hello', 1) warn('careful') return { update = function() error('no', 0) end }");
  snprintf(out, sizeof out, "%s/out", g->folder);
  snprintf(err, sizeof err, "%s/err", g->folder);
  g->options.report = NULL;
  fflush(stdout);
  int saved[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
  FILE *files[2] = {fopen(out, "w"), fopen(err, "w")};
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
  char *said = test_read_file(out), *cried = test_read_file(err);
  ck_assert_str_eq(said, "hello\t1\n");
  ck_assert_msg(strncmp(cried, "careful\nno\n", 11) == 0, "%s", cried);
  free(said);
  free(cried);
}

/* }== */

/* {== The library ======================================================== */

SCRIPT_TEST(library, there_are_65536_sprites_and_no_more)
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
  scripted_told(g);
  ck_assert(scripted_update(g));
  const char *told = scripted_told(g);
  ck_assert_msg(strstr(told, "would be one sprite name too many (65536 at most)") && strstr(told, "print: name 9\n"),
                "%s", told);
}

SCRIPT_TEST(library, the_default_manager_is_the_hosts)
{
  scripted_make(g, "local pools = require('spawnpool').pools\n"
                   "assert(require('spawnpool').class('Cube').limit == 1)\n" /* asking for a class loads its file */
                   "return { update = function() pools:alloc('Cube') end, quit = function() pools:close() end }");
  scripted_write(g, "pools/Cube.lua", "return require('spawnpool').class('Cube', { sprite = 'star', limit = 1 })");
  g->options.step = 0.125;
  scripted_begin(g);
  ck_assert(scripted_update(g) && scripted_update(g));
  sp_manager *m = sp_script_pools(g->script);
  ck_assert_double_eq(sp_step(m), 0.125);
  ck_assert_uint_eq(sp_pool_live(sp_find_pool(m, "Cube")), 1);
  sp_walk walk = sp_pool_walk(sp_find_pool(m, "Cube"));
  const sp_look *look = sp_peek(m, sp_walk_next(&walk), SP_LOOK);
  ck_assert_str_eq(sp_script_sprite_name(g->script, look->sprite), "star");
  ck_assert_str_eq(sp_script_sprite_name(g->script, 0), "circle");
  ck_assert_ptr_null(sp_script_sprite_name(g->script, 60000));
  ck_assert_uint_eq(sp_script_sprite(g->script, "star"), look->sprite);
  ck_assert_uint_ne(sp_script_sprite(g->script, "new one"), look->sprite);
  sp_script_veto(g->script, "quit");
  ck_assert_ptr_null(sp_script_pools(g->script));
  ck_assert(scripted_update(g));
  ck_assert_str_eq(scripted_told(g), "");
}

TEST(library, the_seed_decides)
{
  char drawn[3][200];
  for (int i = 0; i < 3; i++) {
    scripted g;
    scripted_make(&g, "print(math.random(), math.random(1 << 40)) return {}");
    g.options.seed = i < 2 ? 5 : 6;
    scripted_begin(&g);
    snprintf(drawn[i], sizeof drawn[i], "%s", scripted_told(&g));
    scripted_end(&g);
  }
  ck_assert_str_eq(drawn[0], drawn[1]);
  ck_assert_str_ne(drawn[0], drawn[2]);
}

/* }== */

SUITE(script, &opening, &starting, &callbacks, &library)
