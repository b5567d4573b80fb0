/*
** The watchdog on several threads, at the end of a state, and where a call does not come back at all.
*/
#include "script/guard/watchdog.h"

#include "script/scripted.h"
#include "script/state/context.h"
#include "support/process.h"
#include "support/test.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds: an instrumented build needs some of it to come to an end. */
static double brief(void) { return *test_tool() ? 0.2 : 0.025; }

#define ALWAYS "return { update = function() while true do end end, quit = function() return true end }"

static void *update_once(void *ud)
{
  scripted *g = ud;
  return !scripted_update(g) && strstr(g->told, "stopped: it ran for") ? g : NULL;
}

static test_group threads_tests = {"threads", .timeout = 60};

SCRIPT_TEST(threads_tests, a_game_may_move_to_another_thread)
{
  scripted_make(g, ALWAYS);
  g->options.patience = brief();
  scripted_begin(g);
  for (int i = 0; i < 4; i++) {
    pthread_t thread;
    void *stopped = NULL;
    g->told[0] = '\0';
    ck_assert_int_eq(pthread_create(&thread, NULL, update_once, g), 0);
    ck_assert_int_eq(pthread_join(thread, &stopped), 0);
    ck_assert_ptr_nonnull(stopped);
    if (i % 2) {
      g->told[0] = '\0';
      ck_assert_ptr_nonnull(update_once(g));
    }
  }
}

TEST(threads_tests, two_watched_games_on_two_threads_never_meet)
{
  scripted games[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    scripted_make(&games[i], ALWAYS);
    games[i].options.patience = brief();
    scripted_open(&games[i]);
    ck_assert(sp_script_start(games[i].script, 0, NULL));
  }
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, update_once, &games[i]), 0);
  for (int i = 0; i < 2; i++) {
    void *stopped = NULL;
    ck_assert_int_eq(pthread_join(threads[i], &stopped), 0);
    ck_assert_ptr_nonnull(stopped);
    ck_assert(sp_script_veto(games[i].script, "quit"));
    scripted_end(&games[i]);
  }
}

/* A tick is on its way at nearly every close. */
TEST(threads_tests, closing_leaves_no_tick_behind)
{
  for (int i = 0; i < 30; i++) {
    scripted g;
    scripted_make(
        &g, "return { update = function() local t <const> = os.clock() while os.clock() - t < 0.004 do end end }");
    g.options.patience = 1e5;
    scripted_open(&g);
    sp_watchdog *w = sp_context_of(sp_script_state(g.script))->watchdog;
    ck_assert(sp_script_start(g.script, 0, NULL));
    sp_watchdog_set_budget(w, 0.016);
    scripted_update(&g);
    scripted_end(&g);
  }
  for (volatile long i = 0; i < 20000000; i++) {
  }
}

static void on_hang(void *ud) { _exit(*(int *)ud); }

/* Nothing stops a collection. Tables with weak keys can make one take for ever: a chain that lies
   in no order. */
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

SUITE(watchdog_threads, &threads_tests)
