/*
** The sandbox: plays every attempt of escape_attempts.h. One that gets out, hangs or takes all memory fails by its
** name. Then what a game has instead.
*/
#include "script/escape_attempts.h"
#include "script/scripted.h"
#include "support/process.h"

#include <errno.h>
#include <lua.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* {== Trying ============================================================= */

#define HEAD                                                                                                           \
  "local spawnpool <const> = require 'spawnpool'\nlocal pools <const> = spawnpool.pools\n"                             \
  "spawnpool.class 'Cube'\nlocal Looper <const> = spawnpool.class('Looper', { limit = 2 })\n"                          \
  "local function loop() while true do end end\n"

/* False where the system has no links that a test can make. */
static bool make_files(scripted *g)
{
  scripted_make(g, NULL);
  scripted_write(g, "secret.lua", "return 'the secret'");
  scripted_write(g, "inner/inside.lua", "return 'inside'");
  scripted_write(g, "inner/more/Own.lua", "return require('spawnpool').class('Own', { x = 3 })");
  scripted_write(g, "inner/again.lua", "return require 'again'");
  return test_link("../secret.lua", scripted_path(g, "inner/link.lua")) &&
         test_link("..", scripted_path(g, "inner/linked")) &&
         test_link("inside.lua", scripted_path(g, "inner/own.lua"));
}

static bool wants_links(const attempt *it) { return strstr(it->code, "link") || strstr(it->code, "'own'"); }

static bool wants_an_end(const attempt *it) { return strncmp(it->result, "hangs: ", 7) == 0; }

static bool wants_a_stop(const attempt *it) { return strncmp(it->result, "stopped", 7) == 0; }

/* The error of a stop cannot be caught, so each attempt is a call of `update` on its own. */
static void begin(scripted *g, const attempt *it, bool reload, bool is_stopped)
{
  char main[3000], inner[400];
  bool is_greedy = strstr(it->result, "memory") != NULL;
  snprintf(inner, sizeof inner, "%s/inner", g->folder);
  snprintf(main, sizeof main,
           HEAD "local OUT <const>, IN <const> = '%s', '%s'\nlocal tried = false\nreturn { update = function()\n"
                "if tried then rawset(_G, 'kept', nil) collectgarbage() pools:recycle_all() pools:clear()\n"
                "local o = pools:alloc 'Cube' print('on', o.alive, o:recycle()) return end tried = true\n"
                "local r <const> = table.pack((function() local _ = OUT, IN;\n%s\nend)())\n"
                "for i = 1, r.n do r[i] = tostring(r[i]) end\nprint(table.concat(r, ' '))\nend }",
           g->folder, inner, it->code);
  scripted_write(g, "inner/main.lua", main);
  g->options.path = inner;
  g->options.memory_limit = (size_t)(is_greedy ? 8 : 128) << 20;
  const bool is_slow = *test_tool() || wants_an_end(it); /* what hangs is made first */
  g->options.patience = is_stopped ? (is_slow ? 0.1 : 0.03) : 20;
  g->options.reload = reload;
  scripted_open(g);
  ck_assert_msg(sp_script_start(g->script, 0, NULL), "%s: %s", it->name, scripted_told(g));
}

/* The next call must go well. */
static void expect_more(scripted *g, const attempt *it)
{
  lua_State *L = sp_script_state(g->script);
  bool goes_on = scripted_update(g) && sp_script_update(g->script, 1);
  const char *told = scripted_told(g);
  ck_assert_msg(goes_on && strcmp(told, "print: on\ttrue\ttrue\n") == 0, "%s, then:\n%s", it->name, told);
  ck_assert_msg(lua_gettop(L) == 0 && !lua_gethook(L), "%s", it->name);
}

#ifndef _WIN32

enum { ENDED = 42 };

static void on_hang(void *ud, const char *what)
{
  const attempt *it = ud;
  char line[100];
  snprintf(line, sizeof line, ": %s did not come back within ", it->result + 7);
  _exit(strstr(what, line) ? ENDED : 1);
}

/* In a process of its own, which the host ends. */
static void expect_end(const attempt *it)
{
  scripted g;
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    make_files(&g);
    g.options.on_hang = on_hang;
    g.options.hang_ud = (void *)it;
    g.options.hang_after = 0.1;
    begin(&g, it, false, true);
    scripted_update(&g);
    _exit(0);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == ENDED, "%s: %d", it->name, status);
}

#endif

/* After a hook its caller goes on. */
static void try_one(const attempt *it, bool reload)
{
  if (wants_an_end(it)) {
#ifndef _WIN32 /* no processes of its own */
    expect_end(it);
#endif
    return;
  }
  scripted g;
  if (make_files(&g) || !wants_links(it)) {
    const bool is_hook = it->of == NO_HOOK;
    begin(&g, it, reload, is_hook || wants_a_stop(it));
    bool done = scripted_update(&g);
    const char *told = scripted_told(&g), *part = strstr(told, it->result);
    if (is_hook)
      ck_assert_msg(done && part && strstr(told, "stopped: it ran for more than "), "%s\n%s", it->name, told);
    else
      ck_assert_msg(part && strncmp(told, done ? "print: " : "error: ", 7) == 0, "%s\n%s", it->name, told);
    ck_assert_msg(!done || is_hook || part == told + 7, "%s\n%s", it->name, told);
    ck_assert_msg(strstr(told, "the secret") == NULL, "%s\n%s", it->name, told);
    ck_assert_uint_le(sp_script_bytes(g.script), g.options.memory_limit);
    expect_more(&g, it);
  }
  scripted_end(&g);
}

static void on_foreign_signal(int number) { (void)number; }

/* Where somebody else has the signal of the ticks, instructions are counted: each third row is enough there, because
   who counts the time does not depend on the row. */
static void try_all(rule of, bool ticks)
{
  size_t row = 0;
  if (!ticks)
    signal(SIGURG, on_foreign_signal);
  for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
    const attempt *it = &attempts[i];
    if (it->of != of || (!ticks && (row++ % 3 != 0 || !wants_a_stop(it) || it->needs_ticks)))
      continue;
    try_one(it, i % 2);
  }
}

static test_group escapes = {"escapes"};
static test_group endings = {"time and memory"};

TESTS(escapes, no_attempt_breaks_a_rule, NO_TWIST + 1) { try_all((rule)_i, true); }

TESTS(endings, nothing_takes_all_the_time_where_instructions_are_counted, NO_TWIST - NO_END)
{
  try_all((rule)(NO_END + _i), false);
}

SCRIPT_TEST(escapes, warnings_are_told_whatever_they_are)
{
  scripted_start(g, "return { update = function() warn '@off' warn('a', 'b') warn(('x'):rep(1e6), 'y') warn 'c' end }");
  ck_assert(scripted_update(g));
  const char *told = scripted_told(g);
  ck_assert_msg(strncmp(told, "warning: ab\nwarning: xxx", 24) == 0, "%s", told);
  ck_assert_msg(strstr(told, "x\nwarning: c\n") != NULL, "%s", told);
}

/* The library's own Lua code also calls functions that the game may have put in place of Lua's. They must not be given
   anything that games may not have: everything that the arguments lead to is examined. */
#define SPYING                                                                                                         \
  "local seen <const>, todo <const>, bad <const> = {}, {}, {}\n"                                                       \
  "local gmt <const>, nxt <const>, typ <const>, raw <const> = getmetatable, next, type, rawget\n"                      \
  "local function note(v) local t = typ(v)\n"                                                                          \
  "  if t == 'table' and not seen[v] then seen[v] = true todo[#todo + 1] = v end end\n"                                \
  "local real <const> = { pack = table.pack, unpack = table.unpack }\n"                                                \
  "local function spy(f) return function(...) local a = real.pack(...)\n"                                              \
  "  for i = 1, a.n do note(a[i]) end return f(...) end end\n"                                                         \
  "local mine <const> = { [todo] = true, [seen] = true, [bad] = true, [real] = true }\n"                               \
  "local function spy_on(t) for k, v in nxt, t do if typ(v) == 'function' and k ~= 'require' then\n"                   \
  "  t[k] = spy(v) end end end\n"                                                                                      \
  "for _, t in nxt, { string, table, math, utf8, coroutine, _G } do spy_on(t) end\n"                                   \
  "local function look() local own = {} while #todo > 0 do local t = todo[#todo] todo[#todo] = nil\n"                  \
  "  if not mine[t] then for _, name in nxt, { 'upvaluejoin', 'sethook', 'rewrite', 'realpath', 'compile' } do\n"      \
  "    if typ(raw(t, name)) == 'function' then own[#own + 1] = name end end\n"                                         \
  "  for k, v in nxt, t do note(k) note(v) end local m = gmt(t) note(m) end end return own end\n"

SCRIPT_TEST(escapes, functions_that_the_game_replaced_are_given_no_means_to_get_out)
{
  scripted_make(
      g, HEAD SPYING
      "local m = require 'part' spawnpool.class('Sub', { extends = 'Cube', fields = { heat = spawnpool.live(1) } })\n"
      "return { update = function() local o = pools:alloc 'Sub' o:after(0, function() end) pools:update(1)\n"
      "pools:stats() pools:leaks { older_than = 0 } pools:configure {} pcall(pools.alloc, pools, 'Nobody')\n"
      "local own = look() print(#own, m.n, own[1]) end }");
  scripted_write(g, "part.lua", "return { n = 1, f = function() return 1 end }");
  g->options.reload = true;
  scripted_begin(g);
  scripted_write(g, "part.lua", "return { n = 2, f = function() return 2 end }");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_RELOADED);
  scripted_told(g);
  ck_assert_msg(scripted_update(g), "%s", scripted_told(g));
  const char *told = scripted_told(g);
  ck_assert_msg(strstr(told, "print: 0\t2\tnil") != NULL, "%s", told);
}

SCRIPT_TEST(escapes, a_class_file_that_appears_over_a_link_is_not_loaded)
{
  char inner[400];
  make_files(g);
  snprintf(inner, sizeof inner, "%s/inner", g->folder);
  scripted_write(g, "inner/main.lua", HEAD "return {}");
  scripted_write(g, "inner/pools/Cube.lua", "return require('spawnpool').class 'Cube'");
  scripted_write(g, "secret.lua", "print 'the secret'");
  g->options.path = inner;
  g->options.reload = true;
  scripted_begin(g);
  test_link("../../secret.lua", scripted_path(g, "inner/pools/Secret.lua"));
  scripted_write(g, "inner/pools/Plain.lua", "print 'plain' return require('spawnpool').class 'Plain'");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_RELOADED);
  const char *told = scripted_told(g);
  ck_assert_ptr_nonnull(strstr(told, "print: plain"));
  ck_assert_msg(strstr(told, "secret") == NULL, "%s", told);
}

/* }== */

/* {== What it has ======================================================== */

SCRIPT_TEST(escapes, trusted_games_have_everything)
{
  scripted_make(g, "print(type(io.open), type(os.getenv), type(debug.getinfo), type(package.loadlib), type(dofile),\n"
                   "  type(string.dump), load(string.dump(function() return 7 end), 'c', 'b')()) return {}");
  g->options.trust = true;
  scripted_begin(g);
  ck_assert_str_eq(scripted_told(g), "print: function\tfunction\tfunction\tfunction\tfunction\tfunction\t7\n");
}

SCRIPT_TEST(escapes, finalisers_are_not_called_which_is_told)
{
  scripted_start(g, "local ran = 0\n"
                    "local m = { __gc = function() ran = ran + 1 end }\n"
                    "local t = setmetatable({}, m) print(getmetatable(t) == m, m.__gc ~= nil)\n"
                    "t = setmetatable(setmetatable({}, {}), m)\n"
                    "t = nil collectgarbage() collectgarbage() print(ran) return {}");
  ck_assert_str_eq(scripted_told(g),
                   "warning: GAME/main.lua:3: __gc is not called in the sandbox: <close> ends a block, on_despawn a "
                   "life\nprint: true\ttrue\n"
                   "warning: GAME/main.lua:4: __gc is not called in the sandbox: <close> ends a block, on_despawn a "
                   "life\nprint: 0\n");
}

SCRIPT_TEST(escapes, require_finds_the_games_own_modules)
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

SCRIPT_TEST(escapes, bytes_count_lua_and_pools)
{
  scripted_start(g, HEAD "return {\n  update = function() for i = 1, 5000 do pools:alloc 'Cube' end end,\n"
                         "  draw = function() pools:close() collectgarbage() end }");
  lua_gc(sp_script_state(g->script), LUA_GCCOLLECT);
  size_t before = sp_script_bytes(g->script);
  ck_assert(scripted_update(g));
  ck_assert_uint_gt(sp_script_bytes(g->script), before + 5000 * 60);
  ck_assert(sp_script_call(g->script, "draw", NULL));
  ck_assert_uint_lt(sp_script_bytes(g->script), before + 4096);
}

/* }== */

SUITE(escapes, &escapes, &endings)
