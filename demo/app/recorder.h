/*
** Receives the input of a run, which is written to the file of --record-input and kept in memory for the timeline. When
** the file cannot be written any more, the recording ends and the game continues.
*/
#ifndef SP_DEMO_RECORDER_H
#define SP_DEMO_RECORDER_H

#include "demo/app/game.h"
#include "demo/app/history.h"
#include "demo/app/recording.h"
#include "demo/support/report.h"

typedef struct recorder {
  FILE *file;       /* NULL: nothing is written */
  history *history; /* receives the same entries; may be NULL */
  const char *name;
  game *game;
  uint64_t frame; /* the current frame, or the last one */
  uint64_t steps; /* per frame, as written last */
  window window;  /* as the game saw it last; only its size is used */
  int problem;    /* errno of the first failed write; 0: none */
  bool rests;     /* while the game is in the past, nothing is recorded */
  bool is_lean;   /* without digests and parts of pools: its texts will be played again to find what differs */
} recorder;

/* {== The file =========================================================== */

/* Returns why the options cannot be recorded exactly; NULL: they can. */
const char *recorder_problem(const options *o);

/* Records commands from now on, and opens the file of --record-input, if it is given. False, with one line in `error`,
   when it cannot be written. */
bool recorder_open(recorder *r, const options *o, game *it, char *error, size_t error_size);

/* Writes what was added, if there is a file. */
bool recorder_flush(recorder *r);

/* Writes the digest of the frame, and the hash of each second. False when the file could not be written: then `error`
   has one line, only once. */
bool recorder_check(recorder *r, bool second, char *error, size_t error_size);

/* Writes the last line and closes the file. False as for recorder_check. */
bool recorder_close(recorder *r, char *error, size_t error_size);

/* }== */

/* {== Entries ============================================================ */

/* Begin a frame; cancel the one that has begun: the next one gets its number. */
void recorder_begin_frame(recorder *r);
void recorder_drop_frame(recorder *r);

/* Adds an entry to the current frame. */
void recorder_add(recorder *r, recording_entry e);

/* Records an event that reached the game; `unheard`: no callback is called for it. */
void recorder_event(recorder *r, const SDL_Event *event, bool unheard);

/* Records the size of the window that the game sees from now on. Returns whether the game has to be told. */
bool recorder_size(recorder *r, const window *w);

/* Records that the frame runs `steps` steps, before it does. */
void recorder_steps(recorder *r, int steps);

/* Records an error of the script. */
void recorder_error(recorder *r, const char *message);

/* Continues from the end of frame `frame`, to which the game went back, with a window of this size. */
void recorder_back(recorder *r, uint64_t frame, const window *w);

/* The player is about to be ended, because something hangs: writes what, and the last line. Allocates nothing. */
void recorder_hang(recorder *r, const char *what);

/* }== */

#endif
