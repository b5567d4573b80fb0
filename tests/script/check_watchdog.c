/*
** The watchdog's signal, its ticks, and time asleep. watchdog.lua has its budgets, escapes.lua the loops that it stops
** wherever a game may run, with ticks and without; check_script_threads.c stops games on threads.
*/
#include "script/guard/watchdog.h"

#include "script/scripted.h"
#include "script/state/context.h"
#include "support/process.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static test_group watchdog = {"watchdog"};

/* Seconds. A stop leaves a quarter of it to come to an end, in which an instrumented build must be done too. */
static double brief(void) { return *test_tool() ? 0.2 : 0.025; }

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
  ck_assert_msg(strstr(told, "error: GAME/main.lua:2: stopped: ") && !strstr(told, "went on"), "%s", told);
}

SCRIPT_TEST(watchdog, without_the_signal_a_loop_is_stopped_and_no_handler_is_installed)
{
  ck_assert(signal_is_free());
  expect_stop(g, true);
  ck_assert(signal_is_free());
}

TEST(watchdog, a_lua_program_may_keep_the_signal)
{
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  const char *text = "local spawnpool <const>, reload <const> = require 'spawnpool', require 'spawnpool.reload'\n"
                     "reload.no_signal() reload.patience(0.05)\n"
                     "local Cube <const> = spawnpool.class 'Cube' function Cube:on_spawn() while true do end end\n"
                     "local done, why = pcall(spawnpool.pools.alloc, spawnpool.pools, 'Cube')\n"
                     "assert(not done and why:find('stopped: it ran for', 1, true), why)";
  ck_assert_msg(luaL_dostring(L, text) == LUA_OK, "%s", lua_tostring(L, -1));
  lua_close(L);
  ck_assert(signal_is_free());
}

SCRIPT_TEST(watchdog, a_blocked_signal_is_no_way_out)
{
  sigset_t urgent, before;
  sigemptyset(&urgent);
  sigaddset(&urgent, SIGURG);
  pthread_sigmask(SIG_BLOCK, &urgent, &before);
  expect_stop(g, false);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_foreign_signal(int number) { (void)number; }

SCRIPT_TEST(watchdog, a_handler_of_the_program_stays)
{
  struct sigaction action;
  signal(SIGURG, on_foreign_signal);
  expect_stop(g, false);
  ck_assert_int_eq(sigaction(SIGURG, NULL, &action), 0);
  ck_assert(action.sa_handler == on_foreign_signal);
}

static void block_signal(void)
{
  sigset_t urgent;
  sigemptyset(&urgent);
  sigaddset(&urgent, SIGURG);
  pthread_sigmask(SIG_BLOCK, &urgent, NULL);
}

static void take_signal(void) { signal(SIGURG, on_foreign_signal); }

/* After some calls the program takes the signal. A later call is endless. */
static void lose_signal(scripted *g, int calls, void (*lose)(void))
{
  scripted_make(g, "local ends = true\nreturn { update = function() while not ends do end end,\n"
                   "go_on = function() ends = false end }");
  g->options.patience = brief();
  scripted_begin(g);
  ck_assert_int_eq(sp_script_watchdog(g->script), SP_WATCHDOG_TICKS);
  for (int i = 0; i < calls; i++)
    ck_assert(scripted_update(g));
  nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
  lose();
  ck_assert_int_eq(sp_script_call(g->script, "go_on", NULL), SP_CALL_DONE);
  ck_assert_int_eq(sp_script_call(g->script, "update", NULL), SP_CALL_STOPPED);
  ck_assert_int_eq(sp_script_watchdog(g->script), SP_WATCHDOG_COUNTS);
  const char *told = scripted_told(g);
  ck_assert_msg(strstr(told, "warning: the watchdog gets no ticks any more") == told, "%s", told);
}

SCRIPT_TEST(watchdog, a_handler_that_the_program_installs_later_is_noticed)
{
  lose_signal(g, 0, take_signal);
  ck_assert(signal(SIGURG, SIG_DFL) == on_foreign_signal);
}

SCRIPT_TEST(watchdog, a_signal_that_is_blocked_after_many_calls_is_noticed) { lose_signal(g, 1000, block_signal); }

static int nap_and_urge(lua_State *L)
{
  (void)L;
  nanosleep(&(struct timespec){.tv_nsec = 120000000}, NULL);
  for (int i = 0; i < 100; i++)
    raise(SIGURG);
  return 0;
}

SCRIPT_TEST(watchdog, time_asleep_does_not_count_and_a_signal_from_elsewhere_does_nothing)
{
  scripted_make(g, "return { update = function() nap_and_urge() end }");
  g->options.patience = 0.1;
  scripted_begin(g);
  lua_register(sp_script_state(g->script), "nap_and_urge", nap_and_urge);
  ck_assert_msg(scripted_update(g), "%s", g->told);
  raise(SIGURG);
}

/* A tick is on its way at nearly every close. */
TEST(watchdog, closing_leaves_no_tick_behind)
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

SUITE(watchdog, &watchdog)
