/*
** Replays recorded input: each frame gets its recorded events, steps and window size, and the state of the game is
** compared with the recording. Current input does not reach the game.
*/
#ifndef SP_DEMO_REPLAY_H
#define SP_DEMO_REPLAY_H

#include "demo/app/game.h"
#include "demo/app/recorder.h"
#include "demo/app/recording.h"

typedef struct replay {
  bool is_on;
  recording recording;
  game *game;
  recorder *recorder; /* may record the replay, with hashes of the current code */
  size_t next;        /* index of the next entry */
  uint64_t frame;     /* the current frame, or the last one */
  int steps;
  window window; /* the window as the game sees it; only its size is used */
  uint64_t hashes, differing;
  uint64_t first;   /* first frame that differs; 0: none so far */
  bool is_edited;   /* the game was edited since it was recorded: differences are expected */
  bool is_reported; /* the first difference was reported */
  bool has_ended;   /* the game has ended, as in the recording */
} replay;

/* Reads the file of --replay, if it is given, and changes the options to what was recorded. False, with one line in
   `error`, when it cannot be read, or is the input of another game. Prints what is different since then. */
bool replay_open(replay *r, options *o, char *error, size_t error_size);
void replay_close(replay *r);

/* Prepares the replay; call it before the script starts. */
void replay_start(replay *r, game *it, recorder *to);

/* Call it when the settings of main.lua are read: applies the recorded size, and fits the game's view into it. */
void replay_take_size(replay *r);
/* Continues from the end of an earlier frame, to which the game was restored: `at` has the frame, its steps and its
   window. */
void replay_seek(replay *r, const replay *at);

/* Replays the entries before the first frame. */
void replay_begin(replay *r);

/* Begins a frame: passes its input to the game and sets `steps`. False at the end of the recording. */
bool replay_begin_frame(replay *r);

/* Ends the frame: compares the state of the game with the recording. */
void replay_end_frame(replay *r);

/* Call it when files were edited during the replay: nothing is compared from here on. */
void replay_edited(replay *r);

/* Prints the result; returns whether the run was as recorded, or the game was edited. */
bool replay_print_result(const replay *r);

#endif
