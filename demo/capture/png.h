/*
** PNG in memory: a picture is encoded by SDL_image into bytes that grow, and bytes go to a file in one piece. A disk
** that is full is noticed that way: SDL_image itself does not ask how the file was closed.
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

/* Appends. False when memory is refused: SDL_GetError says so. A zeroed struct is empty; free with png_free. */
bool png_append(png_bytes *b, const void *bytes, size_t size);
void png_free(png_bytes *b);

/* Encodes a picture to the end of `b`. False: SDL_GetError says why. */
bool png_encode(png_bytes *b, SDL_Surface *picture);

/* Writes `b` to a file, whole or not at all: what was there before stays if that fails. False: SDL_GetError says
   why. */
bool png_save(const png_bytes *b, const char *file);

#endif
