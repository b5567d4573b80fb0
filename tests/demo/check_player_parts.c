/*
** Parts of the player that are tested alone, because from outside they show too seldom or too late: UTF-8 of bytes that
** are none, the fixed step against any pace of real time, the numbers of --stats, the memory of going back in time, and
** signals at the wrong moment. No test waits.
*/
#include "demo/app/history.h"
#include "demo/app/interrupt.h"
#include "demo/play.h"
#include "demo/support/stats.h"
#include "demo/support/strings.h"
#include "support/test.h"

#include <SDL.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* {== UTF-8 ============================================================== */

#define TEXT "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x8e\xb2" /* characters of one to four bytes */
#define STRAY "\x82\x82\xc3x\xe2\x82"                /* no characters: every byte shows by itself */

static test_group texts = {"texts"};

static const struct {
  size_t (*of)(const char *s, size_t n);
  const char *text;
  size_t results[13]; /* for n from 0 on */
  size_t last;
} counts[] = {
    {utf8_fit, TEXT, {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10, 10}, 12},
    {utf8_fit, "", {0, 0, 0}, 2},
    {utf8_fit, "\x82\x82\x82\x82\x82\x82", {0, 1, 2, 3, 4, 5, 6}, 6},
    {utf8_letters, TEXT, {0, 1, 2, 2, 3, 4, 3}, 6},
    {utf8_letters, STRAY, {0, 1, 2, 3, 4, 5, 6}, 6},
    {utf8_span, TEXT, {0, 1, 3, 6, 10, 10}, 5},
    {utf8_span, STRAY, {0, 1, 2, 3, 4, 5, 6, 6}, 7},
};

TEST(texts, characters_are_cut_and_counted_whole)
{
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (size_t n = 0; n <= counts[i].last; n++)
      ck_assert_msg(counts[i].of(counts[i].text, n) == counts[i].results[n], "row %zu, %zu: %zu", i, n,
                    counts[i].of(counts[i].text, n));
}

/* }== */

#define STEP (1.0 / 60.0)

/* {== Clock ============================================================== */

static test_group clock_tests = {"clock"};

/* Elapsed steps, and those that are due then. */
TEST(clock_tests, real_time_becomes_whole_steps_and_a_long_stop_is_not_caught_up)
{
  static const struct {
    double elapsed;
    int due;
  } rows[] = {{0, 0}, {0.5, 0}, {0.5, 1}, {2.5, 2}, {0.5, 1}, {1e5, CLOCK_CATCH_UP}, {0, 0}, {-5, 0}, {1, 1}};
  game_clock clock;
  clock_start(&clock, STEP);
  ck_assert_double_eq_tol(clock_wait(&clock), STEP, 1e-9);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    ck_assert_int_eq(clock_steps(&clock, rows[i].elapsed * STEP), rows[i].due);
  clock_steps(&clock, STEP * 0.75);
  ck_assert_double_eq_tol(clock_wait(&clock), STEP * 0.25, 1e-9);
}

TEST(clock_tests, any_pace_comes_to_the_same_count)
{
  static const double paces[] = {1.0 / 144, 1.0 / 75, 1.0 / 50, 1.0 / 30, 0.0011};
  for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
    game_clock clock;
    int steps = 0, frames = (int)(10 / paces[i] + 0.5);
    clock_start(&clock, STEP);
    for (int frame = 0; frame < frames; frame++)
      steps += clock_steps(&clock, paces[i]);
    ck_assert_int_ge(steps, 599);
    ck_assert_int_le(steps, 601);
  }
}

TEST(clock_tests, a_display_at_the_same_rate_gets_one_step_a_frame)
{
  game_clock clock;
  clock_start(&clock, STEP);
  for (int frame = 0; frame < 1000; frame++)
    ck_assert_int_eq(clock_steps(&clock, STEP * (1 + 0.09 * ((frame * 7) % 11 - 5) / 5.0)), 1);
}

/* }== */

/* {== Stats ============================================================== */

static test_group numbers = {"stats"};

TEST(numbers, percentiles_are_of_the_last_frames)
{
  stats s = {.count = 0};
  ck_assert_double_eq(stats_percentile(&s, 0.5), 0);
  for (int i = 100; i > 0; i--)
    stats_frame(&s, i);
  ck_assert_double_eq(stats_percentile(&s, 0.5), 51);
  ck_assert_double_eq(stats_percentile(&s, 0.99), 100);
  ck_assert_double_eq(stats_percentile(&s, 1), 100);
  for (int i = 0; i < STATS_RING; i++)
    stats_frame(&s, 2);
  ck_assert_double_eq(stats_percentile(&s, 0.99), 2);
}

TEST(numbers, the_meter_reads_from_one_reading_to_the_next)
{
  stats s = {.count = 0};
  stats_meter meter;
  stats_meter_start(&meter, &s, 100);
  for (int i = 0; i < 30; i++)
    stats_frame(&s, 1);
  ck_assert_double_eq(stats_meter_read(&meter, &s, 100.5), 60);
  ck_assert_double_eq(stats_meter_read(&meter, &s, 100.5), 0);
  stats_frame(&s, 1);
  ck_assert_double_eq(stats_meter_read(&meter, &s, 101.5), 1);
}

/* }== */

/* {== Memory ============================================================= */

static test_group memory = {"memory", play_open, play_close, 120};

/* A game of some 20 MiB, and of some that cannot be kept at all. */
TEST(memory, memory_is_bounded_and_the_oldest_frames_are_forgotten)
{
  static const int mebibytes[] = {0, 20, 80}, minutes[] = {12, 3, 1}; /* ten minutes are kept */
  for (int i = 0; i < 3; i++) {
    char code[256], problem[256];
    snprintf(code, sizeof code, "big = {} for i = 1, %d do big[i] = ('x'):rep(1 << 20) .. i end\nreturn {}",
             mebibytes[i]);
    play_write("main.lua", code);
    options o = {.path = play_folder, .frames = OPTIONS_NO_END, .memory = OPTIONS_MEMORY, .no_watch = true};
    report r = {.print = stdout};
    game it;
    history *h = calloc(1, sizeof *h);
    ck_assert(game_open(&it, &o, &r, problem, sizeof problem));
    history_open(h, &it, false);
    game_start(&it, &o);
    for (uint64_t frame = 1; frame <= 60 * 60 * (uint64_t)minutes[i]; frame++) {
      h->frame = frame;
      for (int k = 0; k < 8; k++) /* a mouse that never rests */
        history_add(h, &(recording_entry){.frame = frame, .kind = RECORDING_EVENT, .event.type = SDL_MOUSEMOTION});
      history_end_frame(h, &(checkpoint){.played = frame, .steps = frame});
      if (frame % 60 == 0)
        ck_assert_uint_le(h->room * sizeof *h->entries + h->bytes + h->checkpoint_bytes, (size_t)170 << 20);
    }
    ck_assert_int_eq(h->checkpoint_count > 1, i < 2);
    ck_assert(i == 2 || history_first(h) > 0);
    ck_assert(i > 0 || history_first(h) <= 60 * 60 * 12 - 60 * 60 * 4);
    history_close(h);
    game_close(&it);
    free(h);
  }
}

/* }== */

/* {== Signals ============================================================ */

static test_group signals = {"signals"};

static void expect_reload_event(void)
{
  SDL_Event event;
  ck_assert_msg(SDL_WaitEventTimeout(&event, 30000) == 1, "no event");
  ck_assert_uint_eq(event.type, INTERRUPT_RELOAD);
}

TEST(signals, signals_wait_for_the_start_and_do_nothing_after_the_end)
{
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
  for (int run = 0; run < 2; run++) {
    interrupt it = {.thread = NULL};
    interrupt_prepare();
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0);
    interrupt_start(&it);
    expect_reload_event();
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0);
    expect_reload_event();
    interrupt_stop(&it);
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0); /* it would end the test */
  }
  SDL_Quit();
}

/* }== */

SUITE(player_parts, &texts, &clock_tests, &numbers, &memory, &signals)
