/*
** The output device, through SDL2_mixer: decodes sounds, streams music, and calls the mixer for the voices. It can also
** be opened without a device, to decode sounds for a file.
*/
#ifndef SP_DEMO_SPEAKER_H
#define SP_DEMO_SPEAKER_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/audio/mixer.h"
#include "demo/audio/sound_file.h"

/* Longer sounds are rejected, and can only be music: ten minutes take 115 MB when decoded. */
#define SPEAKER_SECONDS_MOST 600.0

typedef struct speaker speaker;

/* Opens the device, which calls mixer_mix from now on; the mixer must outlive it. `silent`: no device of the machine is
   used, and the mixer is not called. NULL on failure: SDL_GetError says why. */
speaker *speaker_open(mixer *m, bool silent);
void speaker_close(speaker *s);

/* Returns whether SDL2_mixer is there; SDL_GetError says what is wrong if it is not. */
bool speaker_has_library(void);

/* Decodes the content of a file, for one user. NULL when it is invalid or too long, or memory is refused: SDL_GetError
   says why. */
pcm *speaker_decode(const speaker *s, const void *bytes, size_t size);

/* Streams music from a copy of the content; NULL: stops. False on failure: SDL_GetError says why, and nothing plays. */
bool speaker_music(speaker *s, const void *bytes, size_t size, bool loop);
void speaker_music_volume(speaker *s, float volume);

/* Pauses and continues the music. */
void speaker_pause(speaker *s, bool paused);

#endif
