/*
** The source of a sprite: a PNG, and its sheet if it has one, as frames of equal size.
*/
#ifndef SP_DEMO_PICTURE_H
#define SP_DEMO_PICTURE_H

#include "demo/draw/images.h"
#include "demo/draw/sheet.h"

typedef struct picture {
  mipmaps *frames;
  int count;
  sheet *sheet; /* NULL: it is one frame */
  int cut_off;  /* a frame that lies partly outside of the PNG, from 1; 0: none */
} picture;

/* The bytes of a file; `at` NULL: there is none. */
typedef struct file_bytes {
  const void *at;
  size_t size;
} file_bytes;

/* Reads both files. False when one is invalid, or memory is refused: SDL_GetError says why. */
bool picture_read(picture *p, file_bytes png, file_bytes json, bool only_measured);
/* Creates a picture of one frame. Takes ownership of `pixels`, from malloc, in any case; NULL: only the size. */
bool picture_make(picture *p, uint32_t *pixels, int w, int h);
void picture_free(picture *p);

#endif
