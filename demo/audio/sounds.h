/*
** The sounds of a game by name: the files NAME.wav and NAME.ogg in its folder sounds/. The length of each is known from
** the start; it is decoded when it is played first. A name without a file is remembered too, so that it is reported
** once, and a file that comes later gives it its sound.
*/
#ifndef SP_DEMO_SOUNDS_H
#define SP_DEMO_SOUNDS_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/audio/pcm.h"
#include "demo/draw/assets.h"

/* Names without a file that are remembered: a game that makes up names must not fill the memory. */
#define SOUNDS_MISSING_MOST 1000

typedef struct sound {
  char *name;
  char *file;     /* in the folder; NULL: there is none */
  double seconds; /* of the last good content; 0: there was none */
  pcm *decoded;   /* NULL: not yet, or never */
  bool refused;   /* decoding failed: it is silent */
} sound;

typedef struct sounds {
  sound **list; /* by name */
  size_t count, room, missing;
} sounds;

extern const char *const sounds_endings[];

void sounds_close(sounds *s);

/* Whether a game may ask for this name: the name of a file without folder and ending. */
bool sounds_is_name(const char *name, size_t length);

/* Returns the sound, also one without a file that is known already; NULL: nobody has asked for it yet. */
sound *sounds_find(const sounds *s, const char *name);

/* Returns the sound, which is remembered from now on; NULL when memory is refused, or there are too many names. */
sound *sounds_add(sounds *s, const char *name);

/* Makes the content of a file that sound: the length that was measured, and what was decoded already, or NULL, which is
   taken over. False when memory is refused. */
bool sounds_set(sounds *s, const char *file, double seconds, pcm *decoded);

/* Returns the name of a sound with a file that is most like this one; NULL when there is none. */
const char *sounds_nearest(const sounds *s, const char *name);

#endif
