/*
** The sounds of a game by name: the files NAME.wav and NAME.ogg in its folder sounds/. Each file is measured at the
** start, and decoded when it is played for the first time. A name without a file has an entry too: it is reported once,
** and a file that is added later fills the entry.
*/
#ifndef SP_DEMO_SOUNDS_H
#define SP_DEMO_SOUNDS_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/audio/mixer.h"

/* Limits the entries without a file: a game that generates names must not fill the memory. */
#define SOUNDS_MISSING_MOST 1000

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

extern const char *const sounds_endings[];

void sounds_close(sounds *s);

/* Returns whether the name is valid: that of a file, without its folder and extension. */
bool sounds_is_name(const char *name, size_t length);

/* Returns the entry of a name, possibly without a file; NULL if there is none. */
sound *sounds_find(const sounds *s, const char *name);

/* Returns the entry of a name, which is added if necessary; NULL when out of memory, or when there are too many. */
sound *sounds_add(sounds *s, const char *name);

/* Sets the sound of a file: its measured length and its samples, or NULL if they are not decoded yet. Takes ownership
   of `decoded`. False when out of memory. */
bool sounds_set(sounds *s, const char *file, double seconds, pcm *decoded);

/* Returns the most similar name of a sound that has a file; NULL when there is none. */
const char *sounds_nearest(const sounds *s, const char *name);

/* The duration of a sound in seconds, as its file declares it. */
typedef struct sound_length {
  double seconds;
  double most; /* upper limit of the decoded duration: a damaged file may declare less than it contains */
} sound_length;

/* Measures the content of a WAV file (8 to 32 bits, or floats) or an Ogg Vorbis file without decoding it. SDL2_mixer
   knows the length only of what it has decoded for an open device, after resampling, which differs between versions;
   a voice must live equally long everywhere. False when the content is invalid or incomplete: SDL_GetError says why. */
bool sound_measure(const void *bytes, size_t size, sound_length *length);

#endif
