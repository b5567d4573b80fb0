/*
** The player: a window around a game. It runs the frames, paces them, handles its own keys and overlays, and writes
** screenshots, films and statistics.
*/
#ifndef SP_DEMO_APP_H
#define SP_DEMO_APP_H

#include "demo/app/options.h"

enum { APP_FINE = 0, APP_SCRIPT_ERROR = 1, APP_USAGE = 2 };

/* Plays until the end; returns the exit code of the program. Problems are printed on stderr. */
int app_run(const options *given);

#endif
