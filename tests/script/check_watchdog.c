/*
** The watchdog: loops that never end, wherever a game may run, and what goes on afterwards. With ticks, and where
** somebody else has their signal, so that instructions are counted instead.
*/
#include "script/guard/watchdog.h"

#include "script/scripted.h"
#include "script/state/context.h"
#include "support/process.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONG 1e5
#define TIMEOUT 60
#define THIRD 3 /* without ticks every third row is tried: who counts the time does not depend on the row */

/* {== The game =========================================================== */

/* `loop` is on line 3. Every update prints "update"; the first then does what the row says. */
#define HEAD                                                                                                           \
  "local spawnpool <const> = require 'spawnpool'\n"                                                                    \
  "local pools <const> = spawnpool.pools\n"                                                                            \
  "local function loop() while true do end end\n"                                                                      \
  "local Cube <const> = spawnpool.class('Cube', { limit = 2 })\n"
#define GO "local first = true\nlocal function go()\n"
#define TAIL                                                                                                           \
  "\nprint 'went on'\nend\n"                                                                                           \
  "return { update = function() print 'update' if first then first = false go() end end }"

typedef struct row {
  const char *set_up, *go;
} row;

/* valgrind cannot deliver a signal at the very moment when the stack grows: let it have grown. */
static void grow_stack(void)
{
  volatile char room[1 << 20];
  room[0] = 1;
  room[sizeof room - 1] = room[0];
}

static bool games_use_no_signal;

static void open_game(scripted *g, double patience, const row *r)
{
  char main[4096];
  grow_stack();
  snprintf(main, sizeof main, "%s%s\n%s%s%s", HEAD, r->set_up, GO, r->go, TAIL);
  scripted_make(g, main);
  g->options.patience = patience;
  g->options.no_signal = games_use_no_signal;
  scripted_open(g);
  ck_assert_msg(sp_script_start(g->script, 0, NULL), "%s: %s", main, g->told);
}

/* Seconds. A stop leaves a quarter of it to come to an end, in which an instrumented build must be done too. */
static double brief(void) { return *test_tool() ? 0.2 : 0.025; }

static void on_foreign_signal(int number) { (void)number; }

/* Somebody else's handler, as long as `taken`. */
static void take_signal(bool taken) { signal(SIGURG, taken ? on_foreign_signal : SIG_DFL); }

static bool has_stop(const char *text, const char *place)
{
  char stop[200];
  snprintf(stop, sizeof stop, "%sstopped: it ran for more than %g s without returning (an endless loop?)", place,
           brief());
  return strstr(text, stop) != NULL;
}

static void expect_normal_update(scripted *g, const char *what)
{
  bool fine = scripted_update(g) && sp_script_update(g->script, 1);
  const char *text = scripted_told(g);
  ck_assert_msg(fine && strcmp(text, "print: update\n") == 0, "after %s: %s", what, text);
  ck_assert_int_eq(lua_gettop(sp_script_state(g->script)), 0);
  ck_assert_ptr_null((void *)lua_gethook(sp_script_state(g->script)));
}

/* }== */

/* {== Loops that end the call ============================================ */

static const row ending[] = {
    {"", "loop()"},
    {"", "pcall(loop)"},
    {"", "while true do pcall(loop) end"},
    {"", "xpcall(loop, print)"},
    {"", "xpcall(loop, loop)"},
    {"", "while true do xpcall(loop, loop) end"},
    {"", "coroutine.wrap(loop)()"},
    {"", "coroutine.resume(coroutine.create(loop))"},
    {"", "coroutine.wrap(function() coroutine.wrap(function() coroutine.wrap(loop)() end)() end)()"},
    {"", "coroutine.wrap(function() pcall(loop) coroutine.yield() end)()"},
    {"", "xpcall(coroutine.wrap(loop), loop)"},
    {"", "while true do coroutine.resume(coroutine.create(loop)) end"},
    {"", "while true do pcall(coroutine.wrap(loop)) end"},
    {"", "while true do coroutine.wrap(coroutine.yield)() end"},
    {"",
     "local co <const> = coroutine.wrap(function() while true do coroutine.yield() end end)\nwhile true do co() end"},
    {"", "local co <const> = coroutine.create(function()\n"
         "  local x <close> = setmetatable({}, { __close = loop })\n  coroutine.yield()\nend)\n"
         "coroutine.resume(co) coroutine.close(co)"},
    {"", "coroutine.wrap(function() local x <close> = setmetatable({}, { __close = loop }) error 'x' end)()"},
    {"", "local x <close> = setmetatable({}, { __close = loop })\nloop()"},
    {"", "do local x <close> = setmetatable({}, { __close = loop }) end"},
    {"", "local x <const> = setmetatable({}, { __index = loop }).field"},
    {"", "print(setmetatable({}, { __tostring = loop }))"},
    {"", "print({} < setmetatable({}, { __lt = loop }))"},
    {"", "table.sort({ 3, 1, 2 }, loop)"},
    {"", "local s <const> = ('x'):gsub('x', loop)"},
    {"", "load(loop)"},
    {"", "for _ in loop do end"},
    {"", "for _ = 1, math.huge do end"},
    {"", "::again:: goto again"},
    {"", "local function f() return f() end\nf()"},
    {"", "local function f() pcall(f) pcall(f) end\nf()"},
    {"", "local function f(n) if n == 0 then loop() end return 1 + f(n - 1) end\npcall(f, 190000)"},
    {"", "while true do tostring(1) end"},
    {"", "while true do spawnpool.class('Cube', { limit = 3 }) end"},
    {"", "while true do pools:alloc('Cube') pools:recycle_all() end"},
    {"function Cube:alloc() loop() end", "while true do pcall(pools.alloc, pools, 'Cube') end"},
    {"function Cube:on_despawn() loop() end", "while true do pools:alloc('Cube'):recycle() end"},
    {"", "pools:alloc('Cube') pools:recycle_all(loop)"},
    {"", "local cube <const> = pools:alloc('Cube')\nwhile true do cube:run(loop) end"},
};

static void expect_end(const row *r)
{
  scripted g;
  open_game(&g, brief(), r);
  bool fine = scripted_update(&g);
  const char *text = scripted_told(&g);
  ck_assert_msg(!fine && has_stop(text, "") && strstr(text, "GAME/main.lua:") && !strstr(text, "went on"), "%s: %d %s",
                r->go, fine, text);
  expect_normal_update(&g, r->go);
  scripted_end(&g);
}

static test_group loops = {"loops", .timeout = TIMEOUT};
static test_group doors = {"doors", .timeout = TIMEOUT};
static test_group patience_tests = {"patience", .timeout = TIMEOUT};
static test_group signals = {"signals", .timeout = TIMEOUT};

TESTS(loops, a_loop_is_stopped_whatever_is_around_it, (int)(sizeof ending / sizeof *ending))
{
  expect_end(&ending[_i]);
}

TESTS(loops, a_loop_is_stopped_without_ticks_too, ((int)(sizeof ending / sizeof *ending) + THIRD - 1) / THIRD)
{
  take_signal(true);
  expect_end(&ending[THIRD * _i]);
  take_signal(false);
}

SCRIPT_TEST(loops, the_line_that_looped_is_told_whoever_caught_it)
{
  open_game(g, brief(), &(row){"", "while true do pcall(coroutine.wrap(function() pcall(loop) end)) end"});
  ck_assert(!scripted_update(g));
  ck_assert(has_stop(scripted_told(g), "error: GAME/main.lua:3: "));
}

/* }== */

/* {== Loops behind inner doors =========================================== */

#define ONE "pools:alloc('Cube'):recycle()"

static const row passing[] = {
    {"function Cube:alloc() loop() end", "print(select(2, pcall(pools.alloc, pools, 'Cube')))"},
    {"function Cube:on_spawn() loop() end", "print(select(2, pcall(pools.alloc, pools, 'Cube')))"},
    {"function Cube:recycle() loop() end", ONE},
    {"function Cube:on_despawn() loop() end", ONE},
    {"function Cube:on_despawn() pcall(loop) end", ONE},
    {"function Cube:on_despawn() coroutine.wrap(loop)() end", ONE},
    {"local once\nfunction Cube:on_create() if not once then once = true loop() end end", ONE},
    {"function Cube:on_reject() loop() end\nCube.idle_limit = 0", ONE},
    {"local once\nfunction Cube:on_destroy() if not once then once = true loop() end end", ONE " pools:clear()"},
    {"Cube.overflow = loop", "pools:alloc('Cube') pools:alloc('Cube') pools:alloc('Cube')"},
    {"local once\nfunction Cube:update() if not once then once = true loop() end end", ONE " pools:update(1)"},
    {"", "pools:alloc('Cube'):after(0.1, loop) pools:update(1)"},
    {"", "pools:alloc('Cube'):run(loop)"},
    {"", "pools:alloc('Cube'):run(function() coroutine.wrap(loop)() end)"},
    {"", "pools:alloc('Cube'):run(function() coroutine.yield(0.1) loop() end) pools:update(1)"},
    {"", "local cube <const> = pools:alloc('Cube')\ncube:run(function()\n"
         "  local x <close> = setmetatable({}, { __close = loop }) coroutine.yield(9) end) cube:recycle()"},
    {"function Cube:on_despawn() loop() end",
     "print(xpcall(function() " ONE " error('later', 0) end, function(m) return 'handled ' .. m end))"},
};

static void expect_pass(const row *r)
{
  scripted g;
  open_game(&g, brief(), r);
  bool fine = scripted_update(&g);
  const char *text = scripted_told(&g);
  ck_assert_msg(fine && has_stop(text, "") && strstr(text, "GAME/main.lua:") && strstr(text, "print: went on\n"),
                "%s %s: %d %s", r->set_up, r->go, fine, text);
  ck_assert_msg(!strstr(r->go, "later") || strstr(text, "print: false\thandled later\n"), "%s", text);
  expect_normal_update(&g, r->go);
  scripted_end(&g);
}

TESTS(doors, a_hook_or_timer_that_loops_is_stopped_and_its_caller_goes_on, (int)(sizeof passing / sizeof *passing))
{
  expect_pass(&passing[_i]);
}

TESTS(doors, a_hook_or_timer_is_stopped_without_ticks_too,
      ((int)(sizeof passing / sizeof *passing) + THIRD - 1) / THIRD)
{
  take_signal(true);
  expect_pass(&passing[THIRD * _i]);
  take_signal(false);
}

/* Stopped twice: with the whole budget, and with the extension. */
SCRIPT_TEST(doors, the_second_loop_of_a_call_ends_the_call)
{
  open_game(g, brief(),
            &(row){"function Cube:on_despawn() print 'looping' loop() end", "for _ = 1, 1000 do " ONE " end"});
  ck_assert(!scripted_update(g));
  const char *text = scripted_told(g), *begin = "print: update\nprint: looping\nerror: Cube.on_despawn: ";
  ck_assert_msg(strncmp(text, begin, strlen(begin)) == 0, "%s", text);
  const char *second = strstr(text + strlen(begin), "print: looping\n");
  ck_assert_msg(second && !strstr(second + 8, "looping\n") && has_stop(second, ""), "%s", text);
  lua_State *L = sp_script_state(g->script);
  ck_assert_int_eq(luaL_dostring(L, "require('spawnpool').class('Cube').on_despawn = nil"), LUA_OK);
  expect_normal_update(g, "two loops");
}

/* What an update has not come to is not made up for: the clock stands at the tick of the second loop. */
SCRIPT_TEST(doors, an_update_that_is_ended_leaves_the_clock_at_the_tick_it_came_to)
{
  open_game(g, brief(),
            &(row){"function Cube:on_despawn() loop() end", "for i = 1, 2 do pools:alloc('Cube', i / 2) end"});
  ck_assert(scripted_update(g));
  scripted_told(g);
  ck_assert(sp_script_update(g->script, 3.005));
  const char *text = scripted_told(g);
  ck_assert_msg(has_stop(text, "error: Cube.on_despawn: GAME/main.lua:3: "), "%s", text);
  ck_assert_double_eq(sp_time(sp_script_pools(g->script)), 1);
}

SCRIPT_TEST(doors, the_hosts_update_is_a_call_too)
{
  open_game(g, brief(), &(row){"function Cube:update() loop() end", ONE});
  ck_assert(scripted_update(g));
  scripted_told(g);
  for (int i = 0; i < 3; i++)
    ck_assert(sp_script_update(g->script, 1));
  ck_assert(has_stop(scripted_told(g), "error: Cube.update: GAME/main.lua:3: "));
  lua_State *L = sp_script_state(g->script);
  ck_assert_int_eq(luaL_dostring(L, "require('spawnpool').pools:close()"), LUA_OK);
  ck_assert(!sp_script_update(g->script, 1));
}

/* }== */

/* {== Patience =========================================================== */

#define BUSY "local t <const> = os.clock() while os.clock() - t < 0.05 do end"

TEST(patience_tests, patience_decides)
{
  static const double patiences[] = {LONG, 0, -1, -HUGE_VAL, HUGE_VAL};
  for (size_t i = 0; i < sizeof patiences / sizeof *patiences; i++) {
    scripted g;
    open_game(&g, patiences[i], &(row){"", BUSY});
    ck_assert_msg(scripted_update(&g), "%g: %s", patiences[i], g.told);
    scripted_end(&g);
  }
}

static int nap(lua_State *L)
{
  (void)L;
  nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
  return 0;
}

SCRIPT_TEST(patience_tests, time_asleep_does_not_count)
{
  open_game(g, 0.1, &(row){"", "nap() nap()"});
  lua_pushcfunction(sp_script_state(g->script), nap);
  lua_setglobal(sp_script_state(g->script), "nap");
  ck_assert_msg(scripted_update(g), "%s", g->told);
}

TEST(patience_tests, the_start_has_a_patience_of_its_own)
{
  static const char *const mains[] = {"while true do end", "return { load = function() while true do end end }",
                                      "require 'endless'", "require('spawnpool').class 'Endless'"};
  static const struct {
    double patience, at_start;
    const char *stop;
  } cases[] = {{0.01, 0, "more than 0.05 s"}, {0.01, 0.02, "more than 0.02 s"}, {-1, 0.03, "more than 0.03 s"}};
  for (size_t i = 0; i < sizeof mains / sizeof *mains * (sizeof cases / sizeof *cases); i++) {
    size_t it = i / (sizeof mains / sizeof *mains);
    scripted g;
    scripted_make(&g, mains[i % (sizeof mains / sizeof *mains)]);
    scripted_write(&g, "endless.lua", "while true do end");
    scripted_write(&g, "pools/Endless.lua", "while true do end");
    g.options.patience = cases[it].patience;
    g.options.start_patience = cases[it].at_start;
    scripted_open(&g);
    ck_assert(!sp_script_start(g.script, 0, NULL));
    const char *told = scripted_told(&g);
    ck_assert_msg(strstr(told, ".lua:1: stopped: it ran for ") && strstr(told, cases[it].stop), "%s", told);
    scripted_end(&g);
  }
}

SCRIPT_TEST(patience_tests, each_call_has_its_own_budget)
{
  scripted_start(g, "local function work(s) local t <const> = os.clock() while os.clock() - t < s do end end\n"
                    "return { update = function() work(0.01) end, quit = function() work(10) end }");
  sp_watchdog *w = sp_context_of(sp_script_state(g->script))->watchdog;
  sp_watchdog_set_budget(w, 0.1);
  for (int i = 0; i < 20; i++)
    ck_assert_msg(scripted_update(g), "%s", g->told);
  sp_watchdog_set_budget(w, 0.01);
  ck_assert(!sp_script_call(g->script, "quit", "")); /* however late the machine is with its ticks */
  sp_watchdog_set_budget(w, 0);
  ck_assert(scripted_update(g));
}

SCRIPT_TEST(patience_tests, its_errors_are_known)
{
  open_game(g, brief(), &(row){"", "loop()"});
  sp_watchdog *w = sp_context_of(sp_script_state(g->script))->watchdog;
  ck_assert(!sp_watchdog_is_its_error(w, "stopped: it ran"));
  ck_assert(!sp_watchdog_is_its_error(w, ""));
  ck_assert(!scripted_update(g));
  ck_assert(sp_watchdog_is_its_error(w, sp_script_error(g->script)));
  ck_assert(!sp_watchdog_is_its_error(w, "main.lua:3: another error"));
  ck_assert(!sp_watchdog_is_its_error(w, NULL));
  ck_assert(!sp_watchdog_is_its_error(NULL, sp_script_error(g->script)));
}

/* }== */

/* {== The signal ========================================================== */

static bool signal_is_free(void)
{
  struct sigaction action;
  ck_assert_int_eq(sigaction(SIGURG, NULL, &action), 0);
  return !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL;
}

/* Each test is a process of its own: no handler is there yet. */
TESTS(signals, without_the_signal_a_loop_is_stopped_and_no_handler_is_installed, 3)
{
  ck_assert(signal_is_free());
  games_use_no_signal = true;
  expect_end(&ending[_i]);
  ck_assert(signal_is_free());
}

TEST(signals, a_lua_program_may_keep_the_signal)
{
  static const char text[] =
      "local folder = ...\n"
      "package.path = folder .. '/?.lua'\n"
      "local reload = require 'spawnpool.reload'\n"
      "reload.no_signal()\n"
      "reload.patience(0.05)\n"
      "reload.watch(folder)\n"
      "require 'endless'\n"
      "local file <close> = io.open(folder .. '/endless.lua', 'w')\n"
      "file:write 'while true do end'\n"
      "file:close()\n"
      "local result = reload.now()\n"
      "assert(not result.ok and result.error:find('stopped: it ran for', 1, true), result.error)";
  scripted g;
  scripted_make(&g, "return {}");
  scripted_write(&g, "endless.lua", "return {}");
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  lua_settop(L, 0);
  ck_assert_int_eq(luaL_loadstring(L, text), LUA_OK);
  lua_pushstring(L, g.folder);
  ck_assert_msg(lua_pcall(L, 1, 0, 0) == LUA_OK, "%s", lua_tostring(L, -1));
  lua_close(L);
  ck_assert(signal_is_free());
  scripted_end(&g);
}

TEST(signals, a_blocked_signal_is_no_way_out)
{
  sigset_t urgent, before;
  sigemptyset(&urgent);
  sigaddset(&urgent, SIGURG);
  pthread_sigmask(SIG_BLOCK, &urgent, &before);
  expect_end(&ending[0]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static int urge(lua_State *L)
{
  (void)L;
  raise(SIGURG);
  return 0;
}

TEST(signals, the_signal_from_elsewhere_does_nothing)
{
  scripted g;
  open_game(&g, LONG, &(row){"", "for _ = 1, 100 do urge() end"});
  lua_pushcfunction(sp_script_state(g.script), urge);
  lua_setglobal(sp_script_state(g.script), "urge");
  ck_assert_msg(scripted_update(&g), "%s", g.told);
  scripted_end(&g);
  raise(SIGURG);
}

/* }== */

SUITE(watchdog, &loops, &doors, &patience_tests, &signals)
