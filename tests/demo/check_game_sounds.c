/*
** The sounds of the games: what the shooter sounds like, and that the files are those of the script that makes them.
*/
#include "demo/game_run.h"
#include "demo/play.h"
#include "demo/wave.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static test_group games = {"games", play_open, play_close, 240};

/* Ten seconds of shots and explosions: all steps, loud enough, not too loud, on both sides. */
TEST(games, the_shooter_is_heard)
{
  double sums[2] = {0, 0};
  int loudest[2];
  test_process p = test_run(PATIENCE, PLAY "--seed 1 --frames 600 --sound %s --stats %s scripts/shooter",
                            play_path("out.wav"), play_path("stats.json"));
  ck_assert_msg(p.status == 0 && p.err[0] == '\0', "%s%s", p.out, p.err);
  test_process_free(&p);
  wave w = wave_read(play_path("out.wav"));
  ck_assert_uint_eq(w.frames, 480000);
  for (int channel = 0; channel < 2; channel++) {
    for (size_t i = 0; i < w.frames; i++)
      sums[channel] += pow(w.samples[i * 2 + (size_t)channel] / 32768.0, 2);
    loudest[channel] = wave_peak(&w, channel, 0, 10);
    ck_assert_int_gt(loudest[channel], 8000);
    ck_assert_int_lt(loudest[channel], 32767);
    ck_assert_double_gt(sqrt(sums[channel] / (double)w.frames), 0.02);
  }
  ck_assert_double_eq_tol(sums[0] / sums[1], 1, 0.5);
  free(w.samples);
  size_t size;
  char *stats = gamerun_read(play_path("stats.json"), &size);
  char *pools = gamerun_pools(stats, 600);
  ck_assert_int_gt(gamerun_number(pools, "Voice", "allocs"), 100);
  ck_assert_int_le(gamerun_number(pools, "Voice", "peak"), 32);
  free(pools);
  free(stats);
}

/* The sounds in the tree are those that the script makes; other machines may round a sine differently. */
TEST(games, the_sounds_are_those_of_the_script)
{
  test_process list = test_run(PATIENCE,
                               "for game in scripts/*/sounds; do mkdir -p %s/$(basename $(dirname $game))/sounds; done;"
                               " lua5.4 demo/audio/game_sounds.lua %s; cd %s; ls */sounds/*; cd - >/dev/null;"
                               " cd scripts; ls */sounds/* | wc -l; cat */sounds/* | wc -c",
                               play_folder, play_folder, play_folder);
  int count = 0;
  size_t all = 0;
  ck_assert_msg(list.status == 0 && list.err[0] == '\0', "%s", list.err);
  char *end, *line = strtok(list.out, "\n");
  for (; line && strchr(line, '/'); line = strtok(NULL, "\n"), count++) {
    char path[1024];
    size_t made_size, kept_size;
    snprintf(path, sizeof path, "scripts/%s", line);
    char *made = gamerun_read(play_path(line), &made_size), *kept = gamerun_read(path, &kept_size);
    ck_assert_msg(made_size == kept_size, "%s: run make sounds", path);
    for (size_t i = 0; i + 1 < made_size; i += 2) {
      int16_t a, b;
      memcpy(&a, made + i, 2);
      memcpy(&b, kept + i, 2);
      ck_assert_msg(abs(a - b) <= 1, "%s differs at byte %zu: run make sounds", path, i);
    }
    all += kept_size;
    free(made);
    free(kept);
  }
  ck_assert_int_eq(strtol(line, &end, 10), count);
  ck_assert_uint_lt(all, 850000);
  test_process_free(&list);
}

SUITE(game_sounds, &games)
