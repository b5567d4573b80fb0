#include "demo/draw/mipmaps.h"

#include <SDL.h>
#include <stdlib.h>

#include "demo/draw/images.h"

#define LEAST_WIDTH 4 /* nothing is halved below this */

bool mipmaps_make(mipmaps *m, uint32_t *pixels, int w, int h)
{
  *m = (mipmaps){.sizes = {{pixels, w, h}}, .count = 1};
  while (w / 2 >= LEAST_WIDTH && h / 2 >= 1) {
    uint32_t *half = pixels ? image_halve(m->sizes[m->count - 1].pixels, w, h) : NULL;
    if (pixels && !half) {
      mipmaps_free(m);
      return SDL_OutOfMemory() == 0;
    }
    w /= 2;
    h /= 2;
    m->sizes[m->count++] = (atlas_image){half, w, h};
  }
  return true;
}

bool mipmaps_read(mipmaps *m, const void *bytes, size_t size, bool only_measured)
{
  int w = 0, h = 0;
  uint32_t *pixels = only_measured ? NULL : image_load(bytes, size, &w, &h);
  bool fine = only_measured ? image_measure(bytes, size, &w, &h) : pixels != NULL;
  return fine && mipmaps_make(m, pixels, w, h);
}

void mipmaps_free(mipmaps *m)
{
  for (int i = 0; i < m->count; i++)
    free(m->sizes[i].pixels);
  m->count = 0;
}
