/*
** Writes the input of a run to the file of --record-input while it is played: the part written so far can be replayed,
** even after a crash. When the file cannot be written any more, the recording ends and the game continues.
*/
#ifndef SP_DEMO_RECORDER_H
#define SP_DEMO_RECORDER_H

#include "demo/app/game.h"
#include "demo/app/history.h"
#include "demo/app/recording.h"

typedef struct recorder {
  FILE *file;       /* NULL: nothing is written */
  history *history; /* receives the same entries; may be NULL */
  const char *name;
  game *game;
  uint64_t frame;    /* the current frame, or the last one */
  uint64_t steps;    /* per frame, as written last */
  int width, height; /* of the window, as written last */
  float density;
  bool failed; /* it ended early */
  int problem; /* errno of the first failed write; 0: none */
  bool rests;
} recorder;

/* Opens the file of --record-input, if it is given. False, with one line in `error`, when it cannot be written. */
bool recorder_open(recorder *r, const options *o, game *it, char *error, size_t error_size);

/* Writes the head; call it before the script starts. */
void recorder_start(recorder *r, const options *o, const window *w);

/* Writes the size of the window, if it has changed. */
void recorder_resize(recorder *r, const window *w);

/* Begins a frame. */
void recorder_begin_frame(recorder *r);

/* Adds an entry to the current frame. */
void recorder_add(recorder *r, recording_entry e);

/* Records an event that reached the game; `unheard`: no callback is called for it. */
void recorder_event(recorder *r, const SDL_Event *event, bool unheard);

/* Records an error of the script. */
void recorder_error(recorder *r, const char *message);

/* Records that the frame runs `steps` steps, before it does. */
void recorder_run(recorder *r, int steps);

/* Ends the frame; `second`: a second of game time ended in it. False when the file could not be written: then `error`
   has one line, only once. */
bool recorder_end_frame(recorder *r, bool second, char *error, size_t error_size);

/* Cancels the frame that has begun: the next one gets its number. */
void recorder_drop_frame(recorder *r);

/* Pause recording while the game is in the past, and continue. */
void recorder_rest(recorder *r);
void recorder_go_on(recorder *r);

/* Continues from the end of frame `frame`, to which the game went back, with a window of this size. */
void recorder_back(recorder *r, uint64_t frame, const window *w);

/* The player is about to be ended, because something hangs: writes what, and the last line. Allocates nothing. */
void recorder_hang(recorder *r, const char *what);

/* Writes the last line and closes the file. False as for recorder_end_frame. */
bool recorder_close(recorder *r, char *error, size_t error_size);

#endif
