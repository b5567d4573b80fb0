/*
** Writes the sound of a game into a WAV file: each step of the game adds exactly the frames of its duration.
*/
#ifndef SP_DEMO_TRACK_H
#define SP_DEMO_TRACK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "demo/audio/mixer.h"

typedef struct track {
  FILE *file;  /* NULL: closed */
  double owed; /* fraction of a frame that is left over: a step need not be a whole number of frames */
  uint64_t frames;
} track;

/* Creates the file. False when it cannot be written: errno says why. */
bool track_open(track *t, const char *file);

/* Mixes and appends `seconds` of sound. False when the file cannot be written: errno says why. */
bool track_add(track *t, mixer *m, double seconds);

/* Completes the file. False when it cannot be written: errno says why. */
bool track_close(track *t);

#endif
