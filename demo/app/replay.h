/*
** Plays recorded input again: each frame gets the events, the steps and the size that it had, and its state is compared
** with that of the recording. The input of this machine does not reach the game.
*/
#ifndef SP_DEMO_REPLAY_H
#define SP_DEMO_REPLAY_H

#include "demo/app/check_lines.h"
#include "demo/app/game.h"
#include "demo/app/recorder.h"
#include "demo/app/recording.h"

typedef struct replay {
  bool is_on;
  recording recording;
  game *game;
  recorder *recorder; /* may record what is replayed, with the hashes of today */
  size_t next;        /* entry */
  uint64_t frame;     /* that runs, or ran last */
  int steps;
  window window; /* as the game sees it: its size alone */
  check_lines lines;
  uint16_t digests[1024]; /* of the last frames */
  uint64_t hashes, differing;
  uint64_t sought; /* the last frame that was gone back to */
  uint64_t first;  /* frame that differs; 0: none so far */
  bool is_edited;  /* the game was edited since it was recorded: differences are no surprise */
  bool is_told;    /* the first difference was */
  bool has_ended;  /* the game ended, as it did when it was recorded */
} replay;

/* Reads the file of --replay, if it is given, and changes the options to what was recorded. False, with one line in
   `error`, when it cannot be read, or is the input of another game. Prints what is different since then. */
bool replay_open(replay *r, options *o, char *error, size_t error_size);
void replay_close(replay *r);

/* The script is about to start. */
void replay_start(replay *r, game *it, recorder *to);

/* main.lua has given its settings: takes the size that they gave the window, and fits the game's view. */
void replay_take_size(replay *r);
/* The game is where it was at the end of a frame: `at` has the frame, its steps and its window. Goes on from there. */
void replay_seek(replay *r, const replay *at);

/* Gives the game what happened before the first frame. */
void replay_begin(replay *r);

/* A frame begins: gives the game its input. False at the end of the recording. Then `steps` are those of the frame. */
bool replay_begin_frame(replay *r);

/* The frame has run: compares. */
void replay_end_frame(replay *r);

/* Files were edited while it is played: nothing is compared from here on. */
void replay_edited(replay *r);

/* Prints the result; returns whether all was as it was recorded, or the game was edited. */
bool replay_tell(const replay *r);

#endif
