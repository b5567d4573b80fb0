/*
** Keeps in memory what a game got in its last minutes: input, answers of clocks, and moments in between, from which any
** frame can be played again. Memory is bounded: older moments become fewer, and the oldest frames are forgotten.
*/
#ifndef SP_DEMO_HISTORY_H
#define SP_DEMO_HISTORY_H

#include "demo/app/moment.h"
#include "demo/app/recording.h"

#define HISTORY_SECONDS 600 /* of game time that are kept at most */
#define HISTORY_MOMENT_BYTES ((size_t)96 << 20)
#define HISTORY_INPUT_BYTES ((size_t)32 << 20) /* input and answers of clocks */
#define HISTORY_MOMENTS 200

typedef struct history_answer {
  uint64_t frame;
  double value;
} history_answer;

typedef struct history {
  game *game; /* NULL: nothing is kept */
  recording_entry *entries;
  size_t count, room, bytes; /* bytes: of texts */
  history_answer *answers;
  size_t answer_count, answer_room;
  moment moments[HISTORY_MOMENTS];
  int moment_count;
  size_t moment_bytes; /* of all of them */
  uint64_t frame;      /* that runs, or ran last */
  uint64_t taken_at;   /* steps at the last moment */
  bool is_reloaded;    /* files were loaded in this frame: it ends with a moment that is kept */
  bool has_lost;       /* memory was refused, or the game needs too much of it */
  bool replays;        /* answers come from the list */
  size_t next_answer;
  double last_answer;
} history;

/* Begins to keep what happens to a game that can go back. */
void history_open(history *h, game *it);
void history_close(history *h); /* a zeroed one is closed */

/* Something happened in the frame that runs. Entries that compare are left out. */
void history_add(history *h, const recording_entry *entry);

/* A clock answered this; returns what the game gets. While frames are played again it is what it got then. */
double history_answer_of(void *ud, double answer);

/* The frame has run: `state` has the members that the caller of moment_take fills. Takes a moment if one is due. */
void history_end_frame(history *h, const moment *state);

/* Takes a moment now: the last frame has ended. */
bool history_take(history *h, const moment *state);

/* Returns the last moment at or before the end of `frame`, NULL: none; and the first frame that can be reached. */
const moment *history_find(const history *h, uint64_t frame);
uint64_t history_first(const history *h);

/* Frames are played again from the end of `frame` on; history_play_on: the present goes on. */
void history_play(history *h, uint64_t frame);
void history_play_on(history *h);

/* Returns the first entry behind the end of `frame`. */
size_t history_entry_after(const history *h, uint64_t frame);

/* Forgets all that came after the end of `frame`. */
void history_cut(history *h, uint64_t frame);

/* Returns the bytes that are in use. */
size_t history_bytes(const history *h);

#endif
