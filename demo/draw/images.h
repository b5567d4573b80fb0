/*
** Pictures in memory, 0xAARRGGBB: read from PNG by SDL_image, prepared for filtering, halved.
*/
#ifndef SP_DEMO_IMAGES_H
#define SP_DEMO_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "demo/draw/atlas.h"

/* Limits of a PNG: what every GPU supports, and 64 MiB of memory. */
#define IMAGE_SIDE_MOST 8192
#define IMAGE_PIXELS_MOST (1 << 24)

/* Returns the pixels of a PNG file with this content, from malloc, w x h. NULL when it is invalid: SDL_GetError says
   why. */
uint32_t *image_load(const void *bytes, size_t size, int *w, int *h);

/* Reads its size without unpacking it. False when it is invalid, as for image_load; but errors in data with valid
   checksums are not detected. */
bool image_measure(const void *bytes, size_t size, int *w, int *h);

/* Returns the picture at half the size (at least 1); each pixel is the mean of four weighted by alpha. From malloc,
   or NULL. */
uint32_t *image_halve(const uint32_t *pixels, int w, int h);

/* Gives clear pixels beside visible ones their colour: filtering reads them along the edges. */
void image_fill_clear(uint32_t *pixels, int w, int h);

/* Returns a magenta and black checker of side x side pixels, shown for unreadable images. From malloc, or NULL. */
uint32_t *image_checker(int side);

/* A picture at its own size, and halved repeatedly. It has no pixels where it is only measured. */
typedef struct mipmaps {
  atlas_image sizes[ATLAS_SIZES_MOST]; /* pixels from malloc, or NULL */
  int count;
} mipmaps;

/* Takes ownership of `pixels` in any case; NULL: only the sizes. False when memory is refused: SDL_GetError says so. */
bool mipmaps_make(mipmaps *m, uint32_t *pixels, int w, int h);

void mipmaps_free(mipmaps *m);

#endif
