/*
** The watchdog: its budgets, the signal of its ticks, its threads, and what goes on after a stop. escapes.lua
** has the loops that it stops, wherever a game may run, with ticks and without.
*/
#include "script/guard/watchdog.h"

#include "script/scripted.h"
#include "script/state/context.h"
#include "support/process.h"

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

static test_group loops = {"loops", .timeout = TIMEOUT};
static test_group patience_tests = {"patience", .timeout = TIMEOUT};
static test_group signals = {"signals", .timeout = TIMEOUT};
static test_group threads_tests = {"threads", .timeout = TIMEOUT};

/* {== The game =========================================================== */

/* `loop` is on line 3. The first update is the row. */
#define HEAD                                                                                                           \
  "local spawnpool <const> = require 'spawnpool'\n"                                                                    \
  "local pools <const> = spawnpool.pools\n"                                                                            \
  "local function loop() while true do end end\n"                                                                      \
  "local Cube <const> = spawnpool.class('Cube', { limit = 2 })\n"

static int nap(lua_State *L)
{
  (void)L;
  nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
  return 0;
}

static int urge(lua_State *L)
{
  (void)L;
  raise(SIGURG);
  return 0;
}

/* valgrind cannot deliver a signal at the very moment when the stack grows: let it have grown. */
static void grow_stack(void)
{
  volatile char room[1 << 20];
  room[0] = 1;
  room[sizeof room - 1] = room[0];
}

static void open_game(scripted *g, double patience, const char *set_up, const char *go)
{
  char main[1024];
  grow_stack();
  snprintf(main, sizeof main,
           HEAD "%s\nlocal first = true\nreturn { update = function() if first then first = false\n%s end end }",
           set_up, go);
  scripted_make(g, main);
  g->options.patience = patience;
  scripted_begin(g);
  lua_register(sp_script_state(g->script), "nap", nap);
  lua_register(sp_script_state(g->script), "urge", urge);
}

/* Seconds. A stop leaves a quarter of it to come to an end, in which an instrumented build must be done too. */
static double brief(void) { return *test_tool() ? 0.2 : 0.025; }

static bool has_stop(const char *text, const char *place)
{
  char stop[200];
  snprintf(stop, sizeof stop, "%sstopped: it ran for more than %g s without returning (an endless loop?)", place,
           brief());
  return strstr(text, stop) != NULL;
}

/* }== */

/* {== Loops ============================================================== */

#define ONE "pools:alloc('Cube'):recycle()"

/* Stopped twice: with the whole budget, and with the extension. */
SCRIPT_TEST(loops, the_second_loop_of_a_call_ends_the_call)
{
  open_game(g, brief(), "function Cube:on_despawn() print 'looping' loop() end", "for _ = 1, 1000 do " ONE " end");
  ck_assert(!scripted_update(g));
  const char *text = scripted_told(g), *begin = "print: looping\nerror: Cube.on_despawn: ";
  ck_assert_msg(strncmp(text, begin, strlen(begin)) == 0, "%s", text);
  const char *second = strstr(text + strlen(begin), "print: looping\n");
  ck_assert_msg(second && !strstr(second + 8, "looping\n") && has_stop(second, ""), "%s", text);
  lua_State *L = sp_script_state(g->script);
  ck_assert_int_eq(luaL_dostring(L, "require('spawnpool').class('Cube').on_despawn = nil"), LUA_OK);
  ck_assert_msg(scripted_update(g) && sp_script_update(g->script, 1), "%s", g->told);
}

/* The rest of an update that was stopped is not made up for: the clock stays at the tick of the second loop. */
SCRIPT_TEST(loops, an_update_that_is_ended_leaves_the_clock_at_the_tick_it_came_to)
{
  open_game(g, brief(), "function Cube:on_despawn() loop() end", "for i = 1, 2 do pools:alloc('Cube', i / 2) end");
  ck_assert(scripted_update(g));
  scripted_told(g);
  ck_assert(sp_script_update(g->script, 3.005));
  const char *text = scripted_told(g);
  ck_assert_msg(has_stop(text, "error: Cube.on_despawn: GAME/main.lua:3: "), "%s", text);
  ck_assert_double_eq(sp_time(sp_script_pools(g->script)), 1);
}

SCRIPT_TEST(loops, the_hosts_update_is_a_call_too)
{
  open_game(g, brief(), "function Cube:update() loop() end", ONE);
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
    open_game(&g, patiences[i], "", BUSY);
    ck_assert_msg(scripted_update(&g), "%g: %s", patiences[i], g.told);
    scripted_end(&g);
  }
}

SCRIPT_TEST(patience_tests, time_asleep_does_not_count)
{
  open_game(g, 0.1, "", "nap() nap()");
  ck_assert_msg(scripted_update(g), "%s", g->told);
}

static const struct {
  const char *main;
  double patience, at_start;
  const char *stop;
} starts[] = {
    {"while true do end", 0.01, 0, "more than 0.05 s"},
    {"return { load = function() while true do end end }", 0.01, 0.02, "more than 0.02 s"},
    {"require 'endless'", -1, 0.03, "more than 0.03 s"},
    {"require('spawnpool').class 'Endless'", 0.01, 0.02, "more than 0.02 s"},
};

TESTS(patience_tests, the_start_has_a_patience_of_its_own, sizeof starts / sizeof *starts)
{
  scripted g;
  scripted_make(&g, starts[_i].main);
  scripted_write(&g, "endless.lua", "while true do end");
  scripted_write(&g, "pools/Endless.lua", "while true do end");
  g.options.patience = starts[_i].patience;
  g.options.start_patience = starts[_i].at_start;
  scripted_open(&g);
  ck_assert(!sp_script_start(g.script, 0, NULL));
  const char *told = scripted_told(&g);
  ck_assert_msg(strstr(told, ".lua:1: stopped: it ran for ") && strstr(told, starts[_i].stop), "%s", told);
  scripted_end(&g);
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
  open_game(g, brief(), "", "loop()");
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
static void expect_stop(scripted *g, bool no_signal)
{
  scripted_make(g, "return { update = function() pcall(coroutine.wrap(function() pcall(function()\n"
                   "while true do end end) end))\nprint 'went on' end }");
  g->options.patience = brief();
  g->options.no_signal = no_signal;
  scripted_begin(g);
  ck_assert(!scripted_update(g));
  const char *told = scripted_told(g);
  ck_assert_msg(has_stop(told, "error: GAME/main.lua:2: ") && !strstr(told, "went on"), "%s", told);
}

SCRIPT_TEST(signals, without_the_signal_a_loop_is_stopped_and_no_handler_is_installed)
{
  ck_assert(signal_is_free());
  expect_stop(g, true);
  ck_assert(signal_is_free());
}

SCRIPT_TEST(signals, a_lua_program_may_keep_the_signal)
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
  scripted_make(g, "return {}");
  scripted_write(g, "endless.lua", "return {}");
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  lua_settop(L, 0);
  ck_assert_int_eq(luaL_loadstring(L, text), LUA_OK);
  lua_pushstring(L, g->folder);
  ck_assert_msg(lua_pcall(L, 1, 0, 0) == LUA_OK, "%s", lua_tostring(L, -1));
  lua_close(L);
  ck_assert(signal_is_free());
}

SCRIPT_TEST(signals, a_blocked_signal_is_no_way_out)
{
  sigset_t urgent, before;
  sigemptyset(&urgent);
  sigaddset(&urgent, SIGURG);
  pthread_sigmask(SIG_BLOCK, &urgent, &before);
  expect_stop(g, false);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

SCRIPT_TEST(signals, the_signal_from_elsewhere_does_nothing)
{
  open_game(g, LONG, "", "for _ = 1, 100 do urge() end");
  ck_assert_msg(scripted_update(g), "%s", g->told);
  raise(SIGURG);
}

/* }== */

/* {== Threads, and what does not come back ================================ */

#define ALWAYS "return { update = function() while true do end end, quit = function() return true end }"

static void *update_once(void *ud)
{
  scripted *g = ud;
  return !scripted_update(g) && strstr(g->told, "stopped: it ran for") ? g : NULL;
}

/* Plays each game once, in a thread of its own: all are stopped. */
static void expect_stops(scripted *games, int count)
{
  pthread_t threads[2];
  for (int i = 0; i < count; i++) {
    games[i].told[0] = '\0';
    ck_assert_int_eq(pthread_create(&threads[i], NULL, update_once, &games[i]), 0);
  }
  for (int i = 0; i < count; i++) {
    void *stopped = NULL;
    ck_assert_int_eq(pthread_join(threads[i], &stopped), 0);
    ck_assert_ptr_nonnull(stopped);
  }
}

TEST(threads_tests, games_may_move_to_other_threads_and_never_meet_there)
{
  scripted games[2];
  for (int i = 0; i < 2; i++) {
    scripted_make(&games[i], ALWAYS);
    games[i].options.patience = brief();
    scripted_begin(&games[i]);
  }
  expect_stops(games, 2);
  expect_stops(games, 1);
  games[0].told[0] = '\0';
  ck_assert_ptr_nonnull(update_once(&games[0])); /* and back */
  expect_stops(games, 2);
  for (int i = 0; i < 2; i++) {
    ck_assert(sp_script_veto(games[i].script, "quit"));
    scripted_end(&games[i]);
  }
}

/* A tick is on its way at nearly every close. */
TEST(threads_tests, closing_leaves_no_tick_behind)
{
  for (int i = 0; i < 12; i++) {
    scripted g;
    scripted_make(
        &g, "return { update = function() local t <const> = os.clock() while os.clock() - t < 0.004 do end end }");
    g.options.patience = 1e5;
    scripted_begin(&g);
    sp_watchdog_set_budget(sp_context_of(sp_script_state(g.script))->watchdog, 0.016);
    scripted_update(&g);
    scripted_end(&g);
  }
  for (volatile long i = 0; i < 5000000; i++) {
  }
}

static void on_hang(void *ud, const char *what)
{
  fprintf(stderr, "%s\n", what);
  _exit(*(int *)ud);
}

/* A collection cannot be stopped. Tables with weak keys can make one take for ever: a chain in no order. */
TEST(threads_tests, what_does_not_come_back_is_told_of)
{
  scripted g;
  int status = 0, told = 42;
  scripted_make(&g, "local a, t = {}, setmetatable({}, { __mode = 'k' })\n"
                    "for i = 1, 1 << 16 do a[i] = {} end\n"
                    "for i = #a, 2, -1 do local j = math.random(i) a[i], a[j] = a[j], a[i] end\n"
                    "collectgarbage 'stop'\n"
                    "for i = 2, #a do t[a[i - 1]] = a[i] end\n"
                    "_G.first, _G.t, a = a[1], t, nil\n"
                    "return { update = function() collectgarbage() end }");
  g.options.patience = 0.2;
  g.options.hang_after = 0.4;
  g.options.on_hang = on_hang;
  g.options.hang_ud = &told;
  pid_t child = fork();
  if (child == 0) {
    scripted_open(&g);
    sp_script_start(g.script, 0, NULL);
    scripted_update(&g);
    _exit(0);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status));
  ck_assert_int_eq(WEXITSTATUS(status), told);
  test_folder_remove(g.folder);
}

/* }== */

SUITE(watchdog, &loops, &patience_tests, &signals, &threads_tests)
