/*
** WAV files for tests of sound: written, and read back.
*/
#ifndef SP_TESTS_WAVE_H
#define SP_TESTS_WAVE_H

#include <stddef.h>
#include <stdint.h>

/* Writes a mono file of 16 bits at 48000 samples a second: a square wave of this amplitude, so that every sample tells
   how loud it is. */
void wave_write(const char *path, double seconds, int amplitude);

/* A file that the player wrote: pairs of samples at 48000 a second. */
typedef struct wave {
  size_t frames;
  int16_t *samples; /* left, right; to be freed */
} wave;

wave wave_read(const char *path);

/* The loudest sample of a channel (0 left, 1 right) in a stretch of seconds; a stretch beyond the end is silent. */
int wave_peak(const wave *w, int channel, double from, double to);

#endif
