/*
** The input of a run: recorded by --record-input, replayed by --replay, and kept in memory for the timeline.
*/
#ifndef SP_DEMO_TAPE_H
#define SP_DEMO_TAPE_H

#include "demo/app/history.h"
#include "demo/app/messages.h"
#include "demo/app/recorder.h"
#include "demo/app/replay.h"
#include "demo/bind/clock_lua.h"

typedef struct tape {
  const options *options;
  recorder recorder;
  replay replay;
  history history;     /* closed: the game cannot go back */
  clock_filter clocks; /* of the history */
  const window *past;  /* the window as the game in the past sees it; NULL: the game is in the present */
  messages *messages;
  int width, height; /* of the window as the game last saw it, unless input is replayed */
  int owed;          /* steps of the replay that are due; negative: it is ahead */
  bool rests;        /* the replay is paused */
  bool failed;
  bool edited; /* the game was edited since it was recorded: differences are expected */
} tape;

/* Reads the file of --replay, and changes the options to what was recorded; changes them for --record-input, too.
   False, with one line in `error`. `o` must outlive the tape. */
bool tape_load(tape *t, options *o, char *error, size_t error_size);

/* Opens the file of --record-input, and the history. False, with one line in `error`, when it cannot be written. */
bool tape_open(tape *t, game *it, messages *m, char *error, size_t error_size);

/* Starts the game, runs the Lua code of --exec, and replays the entries before the first frame. False when a text of
   --exec failed. */
bool tape_start_game(tape *t, game *it, const window *w, report *r);

/* Fits the game's view into the window. A replayed game sees the window that was recorded. */
void tape_fit(const tape *t, game *it, const window *w);
/* Does the same, and calls the game's resized() if the size has changed. */
void tape_resize(tape *t, game *it, const window *w);
/* Does the same when the settings of main.lua were read. */
void tape_fit_settings(tape *t, game *it, const window *w);

/* Returns the view that shows the game's picture in the window: that of a replay is scaled to fit. */
game_view tape_shown(const tape *t, const game *it, const window *w);

/* Adds steps that have become due; returns whether a frame is due. Frames of a replay have their recorded steps. */
bool tape_add_due(tape *t, int steps);

/* Returns whether a replay is behind: its next frame runs at once, and need not be shown. */
bool tape_is_late(const tape *t);

/* Begins a frame, before its events are handled. */
void tape_new_frame(tape *t);

/* Returns the number of steps that the frame runs: `steps`, 0 while the game is paused (`runs` is false), or those of
   the replay; negative when the frame does not run, because the replay is paused or at its end, which sets `*ended`. */
int tape_begin_frame(tape *t, bool runs, int steps, bool *ended);
/* Ends a frame. `played`, `steps`: frames that had steps, and their steps, so far. */
void tape_end_frame(tape *t, bool second, uint64_t played, uint64_t steps);

/* Returns a moment at the end of this frame, without the state of the game. */
moment tape_state(const tape *t, uint64_t played, uint64_t steps);

/* Returns a duration as the game gets it: `ms`, or the recorded one while frames are replayed. */
double tape_measured(tape *t, double ms);

/* Call it when edited files were loaded. */
void tape_reload(tape *t);

/* Ends the recording, or prints the result of the replay. Returns whether the run was as recorded, as far as it was
   compared. */
bool tape_end(tape *t);
void tape_close(tape *t);

#endif
