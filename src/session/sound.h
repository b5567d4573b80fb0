/*
** How long sounds are: what a session has to know of them, because a voice lives as long as its sound.
*/
#ifndef SP_SESSION_SOUND_H
#define SP_SESSION_SOUND_H

#include <stddef.h>

/* Returns the seconds of a WAV or Ogg Vorbis file in memory; 0: it is neither, or damaged. */
double sp_sound_seconds(const void *bytes, size_t size);

#endif
