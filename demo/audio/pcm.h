/*
** A decoded sound: pairs of samples at the rate of the mixer. Several voices share one: its users are counted, by the
** main thread only. The thread of the device only reads samples of sounds that the mixer uses.
*/
#ifndef SP_DEMO_PCM_H
#define SP_DEMO_PCM_H

#include <stddef.h>
#include <stdint.h>

#define PCM_RATE 48000 /* frames per second */

typedef struct pcm {
  size_t users;
  size_t frames;
  int16_t samples[]; /* left, right */
} pcm;

/* Returns a copy with one user; NULL when memory is refused. */
pcm *pcm_copy(const int16_t *samples, size_t frames);

/* Adds a user, and takes one away: the last one frees it. Both accept NULL. */
pcm *pcm_share(pcm *it);
void pcm_release(pcm *it);

#endif
