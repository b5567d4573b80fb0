#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* gettid, RLIMIT_SIGPENDING */
#endif

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
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
  ck_assert_int_eq(sp_script_watchdog(g->script), SP_WATCHDOG_SIGNAL);
  for (int i = 0; i < calls; i++)
    ck_assert(scripted_update(g));
  nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
  lose();
  ck_assert_int_eq(sp_script_call(g->script, "go_on", NULL), SP_CALL_DONE);
  ck_assert_int_eq(sp_script_call(g->script, "update", NULL), SP_CALL_STOPPED);
  ck_assert_int_eq(sp_script_watchdog(g->script), SP_WATCHDOG_COUNTING);
  const char *told = scripted_told(g);
  ck_assert_msg(strstr(told, "warning: the watchdog gets no ticks any more") == told, "%s", told);
}

SCRIPT_TEST(watchdog, a_handler_that_the_program_installs_later_is_noticed)
{
  lose_signal(g, 0, take_signal);
  ck_assert(signal(SIGURG, SIG_DFL) == on_foreign_signal);
}

SCRIPT_TEST(watchdog, a_signal_that_is_blocked_after_many_calls_is_noticed) { lose_signal(g, 1000, block_signal); }

/* All in less than the few milliseconds after which it is looked at again anyway. */
SCRIPT_TEST(watchdog, a_signal_that_is_taken_is_noticed_within_256_calls)
{
  scripted_make(g, "local ends = true\nreturn { update = function() while not ends do end end,\n"
                   "go_on = function() ends = false end }");
  g->options.patience = brief();
  scripted_begin(g);
  for (int i = 0; i < 1000; i++)
    scripted_update(g);
  take_signal();
  for (int i = 0; i < 256; i++)
    scripted_update(g);
  ck_assert_int_eq(sp_script_watchdog(g->script), SP_WATCHDOG_COUNTING);
  sp_script_call(g->script, "go_on", NULL);
  ck_assert_int_eq(sp_script_call(g->script, "update", NULL), SP_CALL_STOPPED);
}

/* Without timers, as when all that a user may have are taken. */
SCRIPT_TEST(watchdog, without_a_timer_instructions_are_counted)
{
  const struct rlimit none = {0, 0};
  ck_assert_int_eq(setrlimit(RLIMIT_SIGPENDING, &none), 0);
  expect_stop(g, false);
  ck_assert_int_eq(sp_script_watchdog(g->script), SP_WATCHDOG_COUNTING);
}

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

/* {== One timer for a thread ============================================== */

/* Timers of this process; -1: the system does not list them. */
static int count_timers(void)
{
  char line[256];
  int count = 0;
  FILE *f = fopen("/proc/self/timers", "r");
  while (f && fgets(line, sizeof line, f))
    count += strncmp(line, "ID:", 3) == 0;
  if (f)
    fclose(f);
  return f ? count : -1;
}

static const sp_script_file loop_files[] = {
    {"main.lua",
     "local ends = true return { go_on = function() ends = false end, call = function() call_other() end,\n"
     "update = function() local x = 0 for i = 1, 20000 do x = x + i end while not ends do end end,\n"
     "both = function() call_other() while true do end end }",
     0},
    {NULL, NULL, 0}};

static void hear_nothing(void *ud, sp_report kind, const char *text) { (void)ud, (void)kind, (void)text; }

static sp_script *open_room(void)
{
  char error[256] = "";
  sp_script_options o = sp_script_defaults("room");
  o.files = loop_files;
  o.patience = brief();
  o.report = hear_nothing;
  sp_script *room = sp_script_open(&o, error, sizeof error);
  ck_assert_msg(room && sp_script_start(room, 0, NULL), "%s", error);
  ck_assert_int_eq(sp_script_call(room, "update", NULL), SP_CALL_DONE);
  return room;
}

static void expect_room_stops(sp_script *room)
{
  ck_assert_int_eq(sp_script_watchdog(room), SP_WATCHDOG_SIGNAL);
  sp_script_call(room, "go_on", NULL);
  ck_assert_int_eq(sp_script_call(room, "update", NULL), SP_CALL_STOPPED);
  ck_assert_int_eq(sp_script_watchdog(room), SP_WATCHDOG_SIGNAL);
}

TEST(watchdog, rooms_of_a_thread_share_a_timer)
{
  enum { ROOMS = 30 };
  sp_script *rooms[ROOMS];
  const int before = count_timers();
  for (int i = 0; i < ROOMS; i++)
    rooms[i] = open_room();
  ck_assert_int_eq(count_timers(), before + (before >= 0));
  expect_room_stops(rooms[0]);
  expect_room_stops(rooms[ROOMS - 1]);
  for (int i = 0; i < ROOMS; i++)
    sp_script_close(rooms[i]);
  ck_assert_int_eq(count_timers(), before);
}

static int call_other(lua_State *L)
{
  sp_script_call(lua_touserdata(L, lua_upvalueindex(1)), "update", NULL);
  return 0;
}

TEST(watchdog, a_call_of_one_room_within_a_call_of_another_leaves_both_watched)
{
  sp_script *outer = open_room(), *inner = open_room();
  lua_State *L = sp_script_state(outer);
  lua_pushlightuserdata(L, inner);
  lua_pushcclosure(L, call_other, 1);
  lua_setglobal(L, "call_other");
  ck_assert_int_eq(sp_script_call(outer, "both", NULL), SP_CALL_STOPPED);
  sp_script_call(inner, "go_on", NULL); /* the inner one is endless now */
  ck_assert_int_eq(sp_script_call(outer, "call", NULL), SP_CALL_DONE);
  sp_script_close(inner);
  expect_room_stops(outer);
  sp_script_close(outer);
}

static void *run_once(void *room) { return sp_script_call(room, "update", NULL) == SP_CALL_DONE ? room : NULL; }

TEST(watchdog, a_room_whose_thread_has_ended_is_watched_on_the_next)
{
  sp_script *room = open_room(), *other = open_room();
  const int before = count_timers();
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    void *done;
    ck_assert_int_eq(pthread_create(&thread, NULL, run_once, room), 0);
    ck_assert_int_eq(pthread_join(thread, &done), 0);
    ck_assert_ptr_eq(done, room);
  }
  ck_assert_int_eq(count_timers(), before + (before >= 0));
  expect_room_stops(room);
  ck_assert_int_eq(count_timers(), before);
  sp_script_close(room);
  expect_room_stops(other);
  sp_script_close(other);
}

/* A child has no timers, and the number of one of its own may be that of one of its parent. */
TEST(watchdog, a_forked_child_is_watched_as_its_parent)
{
  sp_script *rooms[3] = {open_room(), open_room(), open_room()};
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    expect_room_stops(rooms[1]);
    sp_script_call(rooms[0], "update", NULL);
    sp_script_close(rooms[0]);
    sp_script_close(rooms[2]);
    ck_assert_int_eq(sp_script_call(rooms[1], "update", NULL), SP_CALL_STOPPED);
    _exit(7);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 7, "%d", status);
  for (int i = 0; i < 3; i++) {
    expect_room_stops(rooms[i]);
    sp_script_close(rooms[i]);
  }
}

static void send_tick(int ticket)
{
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_code = SI_TIMER;
  info.si_value.sival_int = ticket;
  ck_assert_int_eq(syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGURG, &info), 0);
}

/* As one does that was on its way when its room was closed, perhaps on another thread; or one made up. */
TEST(watchdog, a_tick_that_comes_late_leads_nowhere)
{
  sp_script *room = open_room();
  sp_script_close(room);
  for (int i = 0; i < 5000; i++)
    send_tick(i);
  room = open_room();
  for (int i = -5000; i < 5000; i++)
    send_tick(i * (i % 2 ? 1 : 123457));
  expect_room_stops(room);
  sp_script_close(room);
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

/* }== */

/* {== The share of a thread =============================================== */

static double seconds_of(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void share(scripted *g, double part, bool no_signal)
{
  scripted_make(g, "return { update = function() while true do end end, light = function() end,\n"
                   "work = function() local t <const> = os.clock() while os.clock() - t < 0.004 do end end }");
  g->options.share = part;
  g->options.no_signal = no_signal;
  g->options.reload = true;
  scripted_begin(g);
}

static double time_of(const scripted *g)
{
  sp_clock clock = {.time = -1};
  sp_manager_clock(sp_script_pools(g->script), &clock);
  return clock.time;
}

/* The first call may use what a second leaves; from then on it is the share. */
static void expect_share(scripted *g, double part, bool no_signal)
{
  int calls[SP_CALL_MEMORY + 1] = {0};
  share(g, part, no_signal);
  double began = seconds_of(CLOCK_MONOTONIC), used = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  ck_assert_int_eq(sp_script_call(g->script, "update", NULL), SP_CALL_STOPPED);
  const char *told = scripted_told(g);
  ck_assert_msg(strstr(told, "GAME/main.lua:1: stopped: the game has used its share of the thread, 0.05\n"), "%s",
                told);
  const double time = time_of(g);
  for (int i = 0; i < 50 && sp_script_call(g->script, "light", NULL) == SP_CALL_DONE; i++)
    sp_script_call(g->script, "update", NULL); /* meanwhile there was some time again */
  ck_assert(sp_script_update(g->script, 1) && time_of(g) == time);
  told = scripted_told(g);
  ck_assert_msg(strstr(told, "warning: the game has used its share of the thread, 0.05: calls wait\n"), "%s", told);
  for (double now = began;
       now - began < 1 || ((calls[SP_CALL_DONE] < 2 || calls[SP_CALL_STOPPED] < 2) && now - began < 30);
       now = seconds_of(CLOCK_MONOTONIC)) { /* on a busy machine the first calls may have taken a second */
    calls[sp_script_call(g->script, "work", NULL)]++;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
  used = seconds_of(CLOCK_THREAD_CPUTIME_ID) - used;
  began = seconds_of(CLOCK_MONOTONIC) - began;
  ck_assert_msg(calls[SP_CALL_DONE] > 1 && calls[SP_CALL_STOPPED] > 1, "%d, %d", calls[SP_CALL_DONE],
                calls[SP_CALL_STOPPED]);
  ck_assert_msg(used < part * (1 + began) + 0.1 + (*test_tool() ? 1 : 0), "%g s of %g s", used, began);
}

SCRIPT_TEST(watchdog, all_calls_together_have_a_share_of_the_thread) { expect_share(g, 0.05, false); }
SCRIPT_TEST(watchdog, a_share_holds_where_instructions_are_counted) { expect_share(g, 0.05, true); }

/* Nor does a patience without end. */
SCRIPT_TEST(watchdog, an_edit_and_a_start_need_no_share)
{
  share(g, 0.01, false);
  g->options.patience = -1;
  sp_script_close(g->script);
  scripted_begin(g);
  ck_assert_int_eq(sp_script_call(g->script, "update", NULL), SP_CALL_STOPPED);
  ck_assert_int_eq(sp_script_watchdog(g->script), SP_WATCHDOG_SIGNAL);
  scripted_write(g, "main.lua",
                 "local t <const> = os.clock() while os.clock() - t < 0.1 do end\n"
                 "return { update = function() end }");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_RELOADED);
}

SCRIPT_TEST(watchdog, a_share_is_a_part_of_a_thread)
{
  const double wrong[] = {-0.1, 1.01, NAN, INFINITY}, right[] = {0, 1};
  char error[256];
  scripted_make(g, "return {}");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    g->options.share = wrong[i];
    ck_assert(!sp_script_open(&g->options, error, sizeof error));
    ck_assert_str_eq(error, "sp_script_options: share is a part of a thread, 0 to 1");
  }
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    g->options.share = right[i];
    scripted_begin(g);
    sp_script_close(g->script);
    g->script = NULL;
  }
}

/* }== */

SUITE(watchdog, &watchdog)
