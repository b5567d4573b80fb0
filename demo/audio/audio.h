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
#include "demo/draw/assets.h"
#include "demo/support/report.h"

/* The lifetime of a voice whose sound is missing, in seconds. */
#define AUDIO_SILENCE 1.0

/* Longer sounds are rejected, and can only be music: ten minutes take 115 MB when decoded. */
#define AUDIO_SECONDS_MOST 600.0

/* A sound of the game by name: the file NAME.wav or NAME.ogg in its folder sounds/, which is measured at the start and
   decoded when it is played for the first time. A name without a file has an entry too: it is reported once, and a file
   that is added later fills the entry. */
typedef struct sound {
  char *name;
  char *file;     /* in the folder; NULL: there is none */
  double seconds; /* of the last good content; 0: there was none */
  pcm *decoded;   /* NULL: not yet, or never */
  bool refused;   /* decoding failed: it is silent */
} sound;

typedef struct sounds {
  sound **list;
  size_t count, missing;
} sounds;

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
  bool lost;          /* the file lacks something: an error was reported */
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

/* The duration of a sound in seconds, as its file declares it. */
typedef struct sound_length {
  double seconds;
  double most; /* upper limit of the decoded duration: a damaged file may declare less than it contains */
} sound_length;

/* Measures the content of a WAV file (8 to 32 bits, or floats) or an Ogg Vorbis file without decoding it. SDL2_mixer
   knows the length only of what it has decoded for an open device, after resampling, which differs between versions;
   a voice must live equally long everywhere. False when the content is invalid or incomplete: SDL_GetError says why. */
bool sound_measure(const void *bytes, size_t size, sound_length *length);

/* Returns whether the name of a sound is valid: that of a file, without its folder and extension. */
bool audio_is_name(const char *name, size_t length);

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

/* Completes the file of AUDIO_FILE. False when it lacks something, which was reported. */
bool audio_finish(audio *a);

/* Call it once per frame. While `paused`, nothing is heard. */
void audio_pause(audio *a, bool paused);

#endif
