/*
** Parts of the player that are tested alone, because from outside they show too seldom or too late: the fixed step
** against real time, the numbers of --stats, the memory of going back in time, the lines of a recording, and the
** process that writes pictures when a game has taken over the player. No test waits.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "demo/app/history.h"
#include "demo/app/recording.h"
#include "demo/capture/file_writer.h"
#include "demo/support/stats.h"
#include "support/process.h"
#include "support/test.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* {== The clock, and the numbers of frames ================================ */

#define STEP (1.0 / 60.0)

static test_group numbers = {"numbers"};

/* Elapsed steps, and those that are due then. */
TEST(numbers, real_time_becomes_whole_steps_and_a_long_stop_is_not_caught_up)
{
  static const struct {
    double elapsed;
    int due;
  } rows[] = {{0, 0}, {0.5, 0}, {0.5, 1}, {2.5, 2}, {0.5, 1}, {1e5, CLOCK_CATCH_UP}, {0, 0}, {-5, 0}, {1, 1}};
  game_clock clock;
  clock_start(&clock, STEP);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    ck_assert_int_eq(clock_steps(&clock, rows[i].elapsed * STEP), rows[i].due);
  clock_steps(&clock, STEP * 0.75);
  ck_assert_double_eq_tol(clock_wait(&clock), STEP * 0.25, 1e-9);
}

TEST(numbers, a_display_at_the_same_rate_gets_one_step_a_frame)
{
  game_clock clock;
  clock_start(&clock, STEP);
  for (int frame = 0; frame < 1000; frame++)
    ck_assert_int_eq(clock_steps(&clock, STEP * (1 + 0.09 * ((frame * 7) % 11 - 5) / 5.0)), 1);
}

TEST(numbers, percentiles_are_of_the_last_frames)
{
  stats s = {.count = 0};
  ck_assert_double_eq(stats_percentile(&s, 0.5), 0);
  for (int i = 100; i > 0; i--)
    stats_frame(&s, i);
  ck_assert_double_eq(stats_percentile(&s, 0.5), 51);
  for (int i = 0; i < STATS_RING; i++)
    stats_frame(&s, 2);
  ck_assert_double_eq(stats_percentile(&s, 0.99), 2);
}

/* }== */

/* {== Files =============================================================== */

static char folder[256];

static void open_folder(void) { ck_assert(test_folder_make(folder, sizeof folder)); }
static void remove_folder(void) { test_folder_remove(folder); }

static test_group files = {"files", open_folder, remove_folder, 120};

/* A game of some 20 MiB, and of some that cannot be kept at all. */
TEST(files, memory_of_the_past_is_bounded_and_the_oldest_frames_are_forgotten)
{
  static const int mebibytes[] = {0, 20, 80}, minutes[] = {11, 2, 1}; /* ten minutes are kept */
  for (int i = 0; i < 3; i++) {
    char code[256], problem[256];
    snprintf(code, sizeof code, "big = {} for i = 1, %d do big[i] = ('x'):rep(1 << 20) .. i end\nreturn {}",
             mebibytes[i]);
    test_write(test_path(folder, "main.lua"), code);
    options o = {.path = folder, .frames = OPTIONS_NO_END, .memory = OPTIONS_MEMORY, .no_watch = true};
    report r = {.print = stdout};
    game it;
    history *h = calloc(1, sizeof *h);
    ck_assert(game_open(&it, &o, &r, problem, sizeof problem));
    history_open(h, &it, false);
    game_start(&it, &o);
    for (uint64_t frame = 1; frame <= 60 * 60 * (uint64_t)minutes[i]; frame++) {
      h->frame = frame;
      for (int k = 0; k < 16; k++) /* a mouse that never rests */
        history_add(h, &(recording_entry){.frame = frame, .kind = RECORDING_EVENT, .event.type = SDL_MOUSEMOTION});
      history_end_frame(h, &(checkpoint){.played = frame, .steps = frame});
      if (frame % 60 == 0)
        ck_assert_uint_le(h->room * sizeof *h->entries + h->bytes + h->checkpoint_bytes, (size_t)170 << 20);
    }
    ck_assert_int_eq(h->checkpoint_count > 1, i < 2);
    ck_assert(i == 2 || history_first(h) > 0);
    ck_assert(i > 0 || history_first(h) <= 60 * 60 * 11 - 60 * 60 * 4);
    history_close(h);
    game_close(&it);
    free(h);
  }
}

/* One of each kind, as it is written; quotes are ' here. */
static const char all_lines[] =
    "{'format':'spawnpool-recording','version':2,'player':'1','game':'g \\'\\\\','files':'00000000000000ff',"
    "'seed':'ffffffffffffffff','width':8,'height':6,'density':1.1000000238418579,'step':0.016666666666666666,"
    "'start':1,'memory':1073741824,'trust':true,'arguments':['--x','']}\n"
    "{'kind':'eval','frame':0,'object':'0000000000000005','text':'a = \\'b\\\\\\u000a\\u0001'}\n"
    "{'kind':'key_down','frame':1,'key':'Left'}\n{'kind':'key_up','frame':1,'key':'\xc3\x84','unheard':true}\n"
    "{'kind':'mouse_move','frame':1,'x':-5,'y':6,'dx':7,'dy':-8}\n"
    "{'kind':'mouse_down','frame':1,'x':1,'y':2,'button':3}\n"
    "{'kind':'mouse_up','frame':1,'x':1,'y':2,'button':3,'unheard':true}\n"
    "{'kind':'wheel','frame':1,'x':0,'y':-1}\n{'kind':'text','frame':1,'text':'\xc3\xa4'}\n"
    "{'kind':'pad_added','frame':1}\n{'kind':'pad_axis','frame':1,'axis':1,'value':-32768}\n"
    "{'kind':'pad_down','frame':1,'button':'a'}\n{'kind':'pad_up','frame':1,'button':'dpup'}\n"
    "{'kind':'pad_added','frame':1,'pad':2}\n{'kind':'pad_axis','frame':1,'pad':8,'axis':1,'value':1}\n"
    "{'kind':'pad_up','frame':1,'pad':3,'button':'a','unheard':true}\n"
    "{'kind':'finger_down','frame':1,'finger':1,'x':5,'y':6}\n{'kind':'finger_move','frame':1,'finger':10,'x':5,'y':-1}"
    "\n"
    "{'kind':'finger_up','frame':1,'finger':1,'x':5,'y':6}\n"
    "{'kind':'pad_removed','frame':1}\n{'kind':'focus_lost','frame':1}\n{'kind':'focus_gained','frame':1}\n"
    "{'kind':'set','frame':1,'object':'0000000000000009','field':'x','text':'1'}\n{'kind':'quit','frame':1}\n"
    "{'kind':'size','frame':1,'width':10,'height':20,'density':1.5}\n{'kind':'steps','frame':1,'count':0}\n"
    "{'kind':'reload','frame':2,'now':true}\n{'kind':'error','frame':2,'text':'main.lua:1: x'}\n"
    "{'kind':'digest','frame':2,'hash':'0000000012ab34cd'}\n"
    "{'kind':'pool','frame':2,'pool':'Dot','parts':{'live':'1','fields':{'x':'12345678'}}}\n"
    "{'kind':'file','frame':2,'name':'pools/A.lua','text':'return \\u000a'}\n"
    "{'kind':'hash','frame':2,'hash':'0123456789abcdef'}\n{'kind':'quit','frame':3,'ended':true}\n"
    "{'kind':'end','frame':3}\n";

TEST(files, every_line_of_a_recording_is_read_as_it_was_written)
{
  char lines[sizeof all_lines], problem[1200];
  recording r;
  for (size_t i = 0; i < sizeof lines; i++)
    lines[i] = all_lines[i] == '\'' ? '"' : all_lines[i];
  test_write(test_path(folder, "in"), lines);
  ck_assert_msg(recording_read(&r, NULL, test_path(folder, "in"), problem, sizeof problem), "%s", problem);
  FILE *out = fopen(test_path(folder, "back"), "w");
  ck_assert_ptr_nonnull(out);
  recording_write_head(out, &r.head);
  for (size_t k = 0; k < r.count; k++)
    recording_write_entry(out, &r.entries[k]);
  fclose(out);
  recording_free(&r);
  char *back = test_read_file(test_path(folder, "back"));
  ck_assert_str_eq(back, lines);
  free(back);
}

/* Asks the process that writes files for a picture of this name, and returns whether it writes one. */
static bool ask(const char *file)
{
  file_writer s;
  ck_assert(file_writer_open(&s, "named.png"));
  bool saved = file_writer_save(&s, file, "PNG", 3);
  file_writer_close(&s);
  return saved;
}

TEST(files, a_picture_goes_where_it_may)
{
  static const char *const never[] = {
      "other.png", "/tmp/spawnpool-1.png", "spawnpool-/../1.png",          "spawnpool-1.lua",
      "",          "../named.png",         "spawnpool-20260101-000000.png"};
  char home[512];
  ck_assert_ptr_nonnull(getcwd(home, sizeof home));
  test_write(test_path(folder, "spawnpool-20260101-000000.png"), "old");
  ck_assert_int_eq(chdir(folder), 0);
  ck_assert(ask("named.png"));
  ck_assert(ask("named.png")); /* it may be replaced */
  ck_assert(ask("spawnpool-20260102-000000-2.png"));
  for (size_t i = 0; i < sizeof never / sizeof *never; i++)
    ck_assert_msg(!ask(never[i]), "%s", never[i]);
  char *old = test_read_file("spawnpool-20260101-000000.png");
  ck_assert_str_eq(old, "old");
  free(old);
  ck_assert_int_eq(chdir(home), 0);
}

/* }== */

SUITE(player_parts, &numbers, &files)
