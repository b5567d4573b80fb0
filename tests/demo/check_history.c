/*
** The memory that going back in time takes. What a person does with it is in tests/demo/player/rewind.lua.
*/
#include "demo/app/history.h"
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

static test_group core = {"core", play_open, play_close, 120};

/* A game of some 20 MiB, and of some that cannot be kept at all. */
TEST(core, memory_is_bounded_and_the_oldest_frames_are_forgotten)
{
  static const int mebibytes[] = {0, 20, 80};
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
    history_open(h, &it);
    game_start(&it, &o);
    for (uint64_t frame = 1; frame <= 60 * 60 * 12; frame++) { /* more than the ten minutes that are kept */
      h->frame = frame;
      for (int k = 0; k < 8; k++) /* a mouse that never rests */
        history_add(h, &(recording_entry){.frame = frame, .kind = RECORDING_EVENT, .event.type = SDL_MOUSEMOTION});
      history_clock(h, 1);
      history_end_frame(h, &(checkpoint){.played = frame, .steps = frame});
      if (frame % 60 == 0)
        ck_assert_uint_le(history_bytes(h), (size_t)170 << 20);
    }
    ck_assert_int_eq(h->checkpoint_count > 1, i < 2);
    ck_assert(i == 2 || history_first(h) > 0);
    ck_assert(i > 0 || history_first(h) <= 60 * 60 * 12 - 60 * 60 * 4);
    history_close(h);
    game_close(&it);
    free(h);
  }
}

SUITE(history, &core)
