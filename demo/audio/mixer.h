/*
** Mixes voices and music. Once per step of the game the mixer receives the list of live voices, and starts, changes
** and ends its own accordingly. mixer_mix adds all of them to a buffer: in the thread of a device, or step by step into
** a file. The same calls give the same samples.
*/
#ifndef SP_DEMO_MIXER_H
#define SP_DEMO_MIXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PCM_RATE 48000 /* frames per second */

/* A decoded sound. Several voices share one: its users are counted, by the main thread only. The thread of the device
   only reads samples of sounds that the mixer uses. */
typedef struct pcm {
  size_t users;
  size_t frames;
  int16_t samples[]; /* left, right */
} pcm;

/* Returns a copy with one user; NULL when out of memory. */
pcm *pcm_copy(const int16_t *samples, size_t frames);

/* Add and remove a user; the last one frees it. Both accept NULL. */
pcm *pcm_share(pcm *it);
void pcm_release(pcm *it);

typedef struct mixer_voice {
  uint64_t key; /* unique; never reused */
  pcm *sound;   /* the mixer becomes a user */
  double age;   /* seconds: where a new voice begins */
  float volume; /* 0: silent, 1: as recorded */
  float pan;    /* -1: left only, 1: right only */
  bool loop;
} mixer_voice;

typedef struct mixer mixer;

/* Returns NULL when out of memory. */
mixer *mixer_open(void);
void mixer_close(mixer *m);

/* Replaces the list of voices; `voices` is sorted by the low 32 bits of the keys. A new voice begins; a missing one
   fades out in a few milliseconds, or is played to its end if that is near. The same sound n
   times in one call is as loud as the square root of n, at most as two: equal waves would add up. False when out of
   memory: the voices are as they were. */
bool mixer_set_voices(mixer *m, const mixer_voice *voices, size_t count);

/* Plays music beside the voices; NULL ends it. The mixer becomes a user. */
void mixer_set_music(mixer *m, pcm *music, bool loop);
void mixer_set_music_volume(mixer *m, float volume);

/* While paused, mixer_mix adds nothing; afterwards all sounds continue. */
void mixer_pause(mixer *m, bool paused);

/* Adds `frames` pairs of samples to `out`, in any thread. Above four fifths of the range loudness is compressed, so
   that nothing is clipped. */
void mixer_mix(mixer *m, int16_t *out, size_t frames);

#endif
