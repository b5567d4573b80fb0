/*
** The recorded input of a run: what is written by --record-input, or played by --replay. Without either all of this
** does nothing.
*/
#ifndef SP_DEMO_TAPE_H
#define SP_DEMO_TAPE_H

#include "demo/app/recorder.h"
#include "demo/app/replay.h"
#include "demo/ui/notice.h"

typedef struct tape {
  const options *options;
  recorder recorder;
  replay replay;
  notice *notice;
  int width, height; /* of the window that the game saw last, if nothing is replayed */
  int owed;          /* steps of the replay that are due; negative: it is ahead */
  bool rests;        /* the replay is paused */
  bool failed;
  bool edited; /* the game was, since it was recorded: another way is no surprise */
} tape;

/* Reads the file of --replay, and changes the options to what was recorded; changes them for --record-input, too.
   False, with one line in `error`. `o` must outlive the tape. */
bool tape_load(tape *t, options *o, char *error, size_t error_size);

/* Opens the file of --record-input. False, with one line in `error`, when it cannot be written. */
bool tape_open(tape *t, game *it, notice *n, char *error, size_t error_size);

/* Starts the game, runs the texts of --exec, and gives it what was recorded before the first frame. False when one of
   the texts failed. */
bool tape_start_game(tape *t, game *it, const window *w, report *r);

/* Fits the game's view into the window. A replayed game sees the window that was recorded. */
void tape_fit(const tape *t, game *it, const window *w);
/* The same when the window may have another size: then the game is told. */
void tape_resize(tape *t, game *it, const window *w);
/* The same when main.lua has given its settings. */
void tape_fit_settings(tape *t, game *it, const window *w);

/* Returns how the game's picture lies in the window: that of a replay is scaled to fit. */
game_view tape_shown(const tape *t, const game *it, const window *w);

/* So many steps have become due; returns whether a frame is: those of a replay have steps of their own. */
bool tape_add_due(tape *t, int steps);

/* Returns whether the next frame of a replay need not wait for its time. Such frames need not be shown either. */
bool tape_is_late(const tape *t);

/* A frame begins, in which events may come. */
void tape_new_frame(tape *t);

/* Returns how many of these steps the frame has; negative: it does not run, because the replay is paused (`runs` is
   false) or at its end, which sets `*ended`. */
int tape_begin_frame(tape *t, bool runs, int steps, bool *ended);
void tape_end_frame(tape *t, bool second);

/* Edited files were loaded. */
void tape_reload(tape *t);

/* Writes the end, or prints the result; returns whether all was as recorded, as far as it was compared. */
bool tape_end(tape *t);
void tape_close(tape *t);

#endif
