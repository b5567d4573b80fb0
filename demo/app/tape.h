/*
** The input of a run: what is written by --record-input, played by --replay, and kept in memory for the timeline.
*/
#ifndef SP_DEMO_TAPE_H
#define SP_DEMO_TAPE_H

#include "demo/app/history.h"
#include "demo/app/recorder.h"
#include "demo/app/replay.h"
#include "demo/bind/clock_lua.h"
#include "demo/ui/notice.h"

typedef struct tape {
  const options *options;
  recorder recorder;
  replay replay;
  history history;     /* closed: the game cannot go back */
  clock_filter clocks; /* of the history */
  const window *past;  /* the window that a game in the past sees; NULL: it is in the present */
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

/* Opens the file of --record-input, and the history. False, with one line in `error`, when it cannot be written. */
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
/* `played`, `steps`: frames with steps, and their steps, so far. */
void tape_end_frame(tape *t, bool second, uint64_t played, uint64_t steps);

/* Returns what a moment at the end of this frame is to have beside the state of the game. */
moment tape_state(const tape *t, uint64_t played, uint64_t steps);

/* Returns how long the game is to believe that something took: `ms`, or what it was when the frame is played again. */
double tape_measured(tape *t, double ms);

/* Edited files were loaded. */
void tape_reload(tape *t);

/* Writes the end, or prints the result; returns whether all was as recorded, as far as it was compared. */
bool tape_end(tape *t);
void tape_close(tape *t);

#endif
