/*
** Writes the input of a run to the file of --record-input while it is played: what was written so far can be replayed,
** whatever becomes of the player. When the file cannot be written any more, the recording ends and the game goes on.
*/
#ifndef SP_DEMO_RECORDER_H
#define SP_DEMO_RECORDER_H

#include "demo/app/check_lines.h"
#include "demo/app/game.h"
#include "demo/app/history.h"
#include "demo/app/recording.h"

typedef struct recorder {
  FILE *file;       /* NULL: nothing is written */
  history *history; /* gets all of it too; NULL: nobody */
  const char *name;
  game *game;
  uint64_t frame;    /* that runs, or ran last */
  uint64_t steps;    /* that were written last */
  int width, height; /* of the window, as written last */
  float density;
  check_lines lines;
  char digests[4 * 1024 + 1]; /* of the frames since the last hash */
  size_t digest_count;
  uint64_t digests_from; /* frame of the first of them */
  bool failed;           /* it ended early */
  bool rests;
} recorder;

/* Opens the file of --record-input, if it is given. False, with one line in `error`, when it cannot be written. */
bool recorder_open(recorder *r, const options *o, game *it, char *error, size_t error_size);

/* Writes the head; call it before the script starts. */
void recorder_start(recorder *r, const options *o, const window *w);

/* The window may have another size. */
void recorder_resize(recorder *r, const window *w);

/* A frame begins. */
void recorder_begin_frame(recorder *r);

/* An event reached the game; `unheard`: no callback is called for it. */
void recorder_event(recorder *r, const SDL_Event *event, bool unheard);

/* The game was asked whether it may end, and does (`ends`) or does not; edited files were loaded. */
void recorder_quit(recorder *r, bool ends);
void recorder_reload(recorder *r, const options *o);

/* The script reported an error. */
void recorder_error(recorder *r, const char *message);

/* The frame is about to run `steps` steps. */
void recorder_run(recorder *r, int steps);

/* The frame has run; `second`: a second of game time ended in it. False when the file could not be written: `error`
   has one line, once. */
bool recorder_end_frame(recorder *r, bool second, char *error, size_t error_size);

/* The frame that has begun does not run: the next one has its number. */
void recorder_drop_frame(recorder *r);

/* The game is somewhere in the past, where nothing is recorded; and it is not any more. */
void recorder_rest(recorder *r);
void recorder_go_on(recorder *r);

/* The game is at the end of frame `frame` of what was recorded, with a window of this size: goes on from there. */
void recorder_back(recorder *r, uint64_t frame, const window *w);

/* Writes the end. False as above. */
bool recorder_close(recorder *r, char *error, size_t error_size);

#endif
