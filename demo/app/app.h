/*
** The player: a window around a game. It runs the frames, paces them, handles its own keys and overlays, and writes
** screenshots and statistics.
*/
#ifndef SP_DEMO_APP_H
#define SP_DEMO_APP_H

#include "demo/app/input_log.h"
#include "demo/app/interrupt.h"
#include "demo/app/overlays.h"
#include "demo/app/rewind.h"
#include "demo/capture/file_writer.h"
#include "demo/support/report.h"
#include "demo/support/stats.h"
#include "script/state/platform.h"

/* Plays until the end; returns the exit code of the program. Problems are printed on stderr. */
int app_run(const options *given);

/* {== The parts of a run, for callers that have their own loop, as a browser has == */

typedef struct app {
  const options *options; /* `given` */
  options given;
  report report;
  interrupt interrupt;
  window window;
  game game;
  hot_reload hot_reload;
  game_clock clock;
  double last; /* real time of the last clock reading */
  uint64_t frame, steps;
  double draw_ms; /* CPU time of the last drawing, until it is presented */
  stats stats;
  stats_meter meter, whole; /* for the next line of statistics, and for the whole run */
  overlays overlays;
  file_writer file_writer;
  FILE *stats_file; /* of --stats; NULL: none */
  progress progress;
  sp_facts folder; /* of the game, if the second wall lets this very one be read; else zeros */
  input_log log;
  rewind_of rewind;
  synctest synctest;
  stills stills;
  bool opened; /* by app_open: there is a game */
  bool paused, step_once, screenshot_requested, ended;
  bool unfocused;         /* another window has the focus */
  double check_folder_at; /* real time of the next check of the game's folder */
  bool folder_replaced;   /* it was reported that another folder has taken its place */
  bool stop_reported;     /* the message about a stopped script was printed */
  bool sized;             /* the window has the size that the game asks for */
  int code;
} app;

/* Opens the game and its window, and runs nothing yet. `a` must be zeroed, and must not move until it is closed. False
   on failure: the problem was printed. */
bool app_open(app *a, const options *given);

/* Runs main.lua and load(args). Does nothing when app_open has failed. */
void app_start(app *a);

/* Runs the next frame if it is due, and never waits. False when the run has ended. */
bool app_frame(app *a);

/* Sleeps until the next step is due, at least a millisecond. */
void app_rest(const app *a);

/* Writes what is due at the end, and closes everything. Returns the exit code of the program. */
int app_close(app *a);

/* }== */

#endif
