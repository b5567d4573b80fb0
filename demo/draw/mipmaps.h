/*
** A picture at its own size, and halved repeatedly. It has no pixels where it is only measured.
*/
#ifndef SP_DEMO_MIPMAPS_H
#define SP_DEMO_MIPMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "demo/draw/atlas.h"

typedef struct mipmaps {
  atlas_image sizes[ATLAS_SIZES_MOST]; /* pixels from malloc, or NULL */
  int count;
} mipmaps;

/* Takes ownership of `pixels` in any case; NULL: only the sizes. False when memory is refused: SDL_GetError says so. */
bool mipmaps_make(mipmaps *m, uint32_t *pixels, int w, int h);

/* Reads the content of a PNG file. False when it is invalid, or memory is refused: SDL_GetError says why. */
bool mipmaps_read(mipmaps *m, const void *bytes, size_t size, bool only_measured);

void mipmaps_free(mipmaps *m);

#endif
