/*
** PNG in memory: SDL_image encodes a picture into growing memory, which is then written to a file at once. This
** detects a full disk: SDL_image does not check how the file was closed.
*/
#ifndef SP_DEMO_PNG_H
#define SP_DEMO_PNG_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct png_bytes {
  unsigned char *at;
  size_t size, room;
} png_bytes;

/* Appends an encoded picture to `b`; a zeroed struct is empty. False: SDL_GetError says why. Free it with png_free. */
bool png_encode(png_bytes *b, SDL_Surface *picture);
void png_free(png_bytes *b);

/* Writes `b` to a file completely or not at all. False: SDL_GetError says why, and the old content is unchanged. */
bool png_save(const png_bytes *b, const char *file);

#endif
