/*
** Keeps in memory what a game received in its last minutes: input, clock readings, and moments in between, from which
** any frame can be replayed. Memory is bounded: older moments become fewer, and the oldest frames are dropped.
*/
#ifndef SP_DEMO_HISTORY_H
#define SP_DEMO_HISTORY_H

#include "demo/app/moment.h"
#include "demo/app/recording.h"

#define HISTORY_SECONDS 600 /* seconds of game time that are kept at most */
#define HISTORY_MOMENT_BYTES ((size_t)96 << 20)
#define HISTORY_INPUT_BYTES ((size_t)32 << 20) /* input and clock readings */
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
  bool has_lost;       /* entries were lost: out of memory, or the game needs too much of it */
  bool replays;        /* clock readings come from the list */
  size_t next_answer;
  double last_answer;
} history;

/* Begins the history of a game. */
void history_open(history *h, game *it);
void history_close(history *h); /* a zeroed one is closed */

/* Adds an entry to the current frame. Entries that only serve comparison are left out. */
void history_add(history *h, const recording_entry *entry);

/* A clock_filter's `answer`: records a clock reading and returns it; while frames are replayed, returns the recorded
   reading instead. */
double history_answer_of(void *ud, double answer);

/* Call it after each frame: takes a moment if one is due. `state` has the members that callers of moment_take fill. */
void history_end_frame(history *h, const moment *state);

/* Returns the last moment at or before the end of `frame`, NULL: none; and the first frame that can be reached. */
const moment *history_find(const history *h, uint64_t frame);
uint64_t history_first(const history *h);

/* history_play starts to replay from the end of `frame`; history_play_on returns to the present. */
void history_play(history *h, uint64_t frame);
void history_play_on(history *h);

/* Returns the index of the first entry after `frame`. */
size_t history_entry_after(const history *h, uint64_t frame);

/* Removes everything after `frame`. */
void history_cut(history *h, uint64_t frame);

/* Returns the bytes that are in use. */
size_t history_bytes(const history *h);

#endif
