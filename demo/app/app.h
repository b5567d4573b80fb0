/*
** The player: a window around a game. It runs the frames, paces them, handles its own keys and overlays, and writes
** screenshots and statistics.
*/
#ifndef SP_DEMO_APP_H
#define SP_DEMO_APP_H

#include "demo/app/options.h"

enum { APP_FINE = 0, APP_SCRIPT_ERROR = 1, APP_USAGE = 2 };

/* Plays until the end; returns the exit code of the program. Problems are printed on stderr. */
int app_run(const options *given);

/* {== The parts of a run, for callers that have their own loop, as a browser has == */

typedef struct app app; /* app_state.h */

/* Opens the game and its window, and runs nothing yet. `a` must be zeroed, and must not move until it is closed. False
   on failure: the problem was printed. */
bool app_open(app *a, const options *given);

/* Runs main.lua and load(args). Does nothing when app_open has failed. */
void app_start(app *a);

/* Runs the next frame if it is due, and never waits. False when the run has ended. */
bool app_frame(app *a);

/* Writes what is due at the end, and closes everything. Returns the exit code of the program. */
int app_close(app *a);

/* }== */

#endif
