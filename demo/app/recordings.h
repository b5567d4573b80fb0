/*
** Recordings are tests: the files GAME/recordings/NAME.input are played again, and must come out as they were recorded.
** Each has the texts of the game as it was then. Where a run differs, both are played side by side, to find the first
** frame and field that differ, and then once more to find what wrote the field (script/host/why.h).
*/
#ifndef SP_DEMO_RECORDINGS_H
#define SP_DEMO_RECORDINGS_H

#include "demo/app/options.h"

/* Plays the recordings of the game of --check, or with --accept records their hashes and texts again, where they can be
   played to their ends: a line for each on `out`, and of --check as JSON on `lines` (NULL: nowhere). Returns the exit
   code: APP_SCRIPT_ERROR when one differs, or was not accepted. For --check the process must be inside of the second
   wall already, if that is wanted; --accept needs the folder and processes, so it must be outside. */
int recordings_play(const options *o, FILE *out, FILE *lines);

/* Returns whether the game has recordings. */
bool recordings_exist(const options *o);

#endif
