/*
** The sound of a game: its files, the mixer, the output, the music and the master volume. The output is a device, or a
** WAV file to which each step of the game adds exactly the frames of its duration. Without an output all functions work
** the same, but no file is decoded.
*/
#ifndef SP_DEMO_AUDIO_H
#define SP_DEMO_AUDIO_H

#include <SDL_mixer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "demo/audio/mixer.h"
#include "demo/audio/sounds.h"
#include "demo/draw/assets.h"
#include "demo/support/report.h"

/* The lifetime of a voice whose sound is missing, in seconds. */
#define AUDIO_SILENCE 1.0

/* Longer sounds are rejected, and can only be music: ten minutes take 115 MB when decoded. */
#define AUDIO_SECONDS_MOST 600.0

typedef enum audio_output {
  AUDIO_NONE, /* no output */
  AUDIO_DEVICE,
  AUDIO_FILE
} audio_output;

typedef struct audio {
  report *report;
  const char *folder; /* of the game */
  audio_output output;
  assets *files; /* NULL: they are not opened yet */
  sounds sounds;
  mixer *mixer;      /* NULL: no output */
  bool decodes;      /* SDL2_mixer is open: false without output, or without a device */
  char problem[512]; /* why there is no device, until that is reported; or "" */
  bool paused;
  FILE *file;         /* of AUDIO_FILE */
  double frames_owed; /* fraction of a frame: a step need not be a whole number of frames */
  uint64_t frames;    /* in the file */
  Mix_Music *stream;  /* music for a device */
  void *stream_bytes; /* the content of its file, which the stream reads */
  float volume, music_volume;
  bool muted;
  char music[256]; /* the name that loops; "": none does */
} audio;

/* A kind of assets; `ud` is the audio. */
extern const assets_kind audio_files;

/* A zeroed audio is closed. `folder` and `r` must outlive it. */
void audio_open(audio *a, const char *folder, report *r);
void audio_close(audio *a);

/* Takes over the files, measures them and reports what is wrong with them. */
void audio_set_files(audio *a, assets *files);

/* Chooses where the sound goes; AUDIO_FILE creates `path`. A device is opened even if there are no sounds yet: later
   the second wall (wall.h) blocks it. A missing one is no failure. False, with one line in `error`. */
bool audio_start(audio *a, audio_output output, const char *path, char *error, size_t error_size);

/* Returns the length of a sound in seconds; AUDIO_SILENCE if it is missing, which is reported once, after the prefix
   `where` ("main.lua:3: "): the line that plays it. Without files, in a game that is only checked, nothing is
   reported. */
double audio_length(audio *a, const char *name, const char *where);

/* Returns the samples of a sound, decoded on first use; NULL when it is silent, or there is no output. */
pcm *audio_samples(audio *a, const char *name);

/* Plays music beside the voices. Music that loops already goes on, with the new volume. False when it is missing, which
   is reported as by audio_length. */
bool audio_play_music(audio *a, const char *name, float volume, bool loop, const char *where);
void audio_stop_music(audio *a);

/* Sets the master volume. */
void audio_set_volume(audio *a, float volume, bool muted);

/* Returns the factor of all voices. */
float audio_gain(const audio *a);

/* Call it once per step of the game, when the mixer has the voices: a file receives the sound of that step. */
void audio_step(audio *a, double seconds);

/* Call it once per frame. While `paused`, nothing is heard. */
void audio_pause(audio *a, bool paused);

#endif
