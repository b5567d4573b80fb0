#include "demo/paint.h"

#include "demo/capture/file_writer.h"

#include <SDL.h>
#include <check.h>
#include <stdio.h>

void *paint_bytes(int w, int h, uint32_t left, uint32_t right, size_t *size)
{
  SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_ARGB8888);
  ck_assert_ptr_nonnull(picture);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      ((uint32_t *)picture->pixels)[y * picture->pitch / 4 + x] = x < w / 2 ? left : right;
  void *bytes = screenshot_encode(picture, size);
  ck_assert_ptr_nonnull(bytes);
  SDL_FreeSurface(picture);
  return bytes;
}

void paint_png(const char *path, int w, int h, uint32_t left, uint32_t right)
{
  size_t size;
  void *bytes = paint_bytes(w, h, left, right, &size);
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
  fclose(file);
  free(bytes);
}
