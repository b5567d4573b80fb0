/*
** Keeps in memory what a game received since it started: input, and for the last minutes checkpoints in between, from
** which any frame can be replayed. Memory is bounded: older checkpoints become fewer, the oldest ones are dropped, and
** in the end the oldest input, too.
*/
#ifndef SP_DEMO_HISTORY_H
#define SP_DEMO_HISTORY_H

#include "demo/app/game.h"
#include "demo/app/recording.h"
#include "script/host/checkpoint.h"

#define HISTORY_SECONDS 600 /* seconds of game time that are kept at most */
#define HISTORY_CHECKPOINT_BYTES ((size_t)96 << 20)
#define HISTORY_INPUT_BYTES ((size_t)32 << 20) /* input: half a day of keys, half an hour of a mouse that never rests */
#define HISTORY_CHECKPOINTS 200

/* The whole state of a game at the end of a frame: the script's memory and the player's own data. */
typedef struct checkpoint {
  uint64_t frame;         /* number in the input log of the frame that has just run */
  uint64_t played, steps; /* frames with steps, and steps, that were played so far */
  int frame_steps;        /* steps of each frame from here on */
  window window;          /* as the game sees it; only its size is used */
  sp_checkpoint *script;
  input input;
  game_view view;
  game_settings settings;
  SDL_Color color;
  float shake_x, shake_y;
  bool stopped;
  unsigned sheets;
  stored *stored;
  voices_list voices;
} checkpoint;

/* Replaces `m`, and uses its memory, by a copy of the state of the game; `at` has the members up to `window`. False
   when out of memory: `m` is free then. */
bool checkpoint_take(checkpoint *m, const checkpoint *at, const game *it);
void checkpoint_free(checkpoint *m); /* a zeroed one is free */

/* Restores the game to the checkpoint, which can be used again. The last frame stays on screen. */
void checkpoint_return(const checkpoint *m, game *it);

typedef struct history {
  game *game; /* NULL: nothing is kept */
  recording_entry *entries;
  size_t count, room, bytes; /* bytes: of texts */
  checkpoint checkpoints[HISTORY_CHECKPOINTS];
  int checkpoint_count;
  size_t checkpoint_bytes; /* of all of them */
  uint64_t frame;          /* that runs, or ran last */
  uint64_t taken_at;       /* steps at the last checkpoint */
  bool has_lost;           /* entries were lost: out of memory, or the game needs too much of it */
  bool is_cut;             /* the first input of the run is no longer there */
  bool replays;            /* frames are replayed: nothing is added */
} history;

/* Begins the history of a game: of its input, also if only `keeps_input`, as the system or the options have no place
   for checkpoints. */
void history_open(history *h, game *it, bool keeps_input);
void history_close(history *h); /* a zeroed one is closed */

/* Adds an entry to the current frame. Entries that only serve comparison are left out. */
void history_add(history *h, const recording_entry *entry);

/* Call it after each frame: takes a checkpoint if one is due. `state` is as for checkpoint_take. */
void history_end_frame(history *h, const checkpoint *state);

/* Returns the last checkpoint at or before the end of `frame`, NULL: none; and the first frame that can be reached. */
const checkpoint *history_find(const history *h, uint64_t frame);
uint64_t history_first(const history *h);

/* Returns the frame of the last error; without one that of the present. */
uint64_t history_error(const history *h);

/* Drops everything: with an entry missing, no later frame could be replayed exactly. */
void history_lose(history *h);

/* Removes everything after `frame`. */
void history_cut(history *h, uint64_t frame);

#endif
