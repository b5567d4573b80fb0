/*
** Measures the duration of a sound file without decoding it: it is the same with and without a device, so voices live
** equally long.
*/
#ifndef SP_DEMO_SOUND_FILE_H
#define SP_DEMO_SOUND_FILE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum sound_kind { SOUND_WAV, SOUND_OGG } sound_kind;

typedef struct sound_format {
  sound_kind kind;
  double seconds;
  double most; /* upper limit of the decoded duration in seconds: a damaged file may declare less than it contains */
} sound_format;

/* Measures a WAV file (8 to 32 bits, or floats) or an Ogg Vorbis file with this content. False when it is invalid or
   incomplete: SDL_GetError says why. */
bool sound_file_measure(const void *bytes, size_t size, sound_format *format);

#endif
