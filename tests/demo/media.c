#include "demo/media.h"

#include "demo/capture/file_writer.h"

#include <SDL.h>
#include <SDL_image.h>
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== Pictures =========================================================== */

void paint_png(const char *path, int w, int h, uint32_t left, uint32_t right)
{
  size_t size;
  SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_ARGB8888);
  ck_assert_ptr_nonnull(picture);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      ((uint32_t *)picture->pixels)[y * picture->pitch / 4 + x] = x < w / 2 ? left : right;
  void *bytes = screenshot_encode(picture, &size);
  FILE *file = fopen(path, "wb");
  ck_assert(bytes && file);
  ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
  fclose(file);
  free(bytes);
  SDL_FreeSurface(picture);
}

static SDL_Surface *load(const char *path)
{
  SDL_Surface *read = IMG_Load(path);
  ck_assert_msg(read != NULL, "%s: %s (make golden makes it)", path, SDL_GetError());
  SDL_Surface *picture = SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_RGBA32, 0);
  ck_assert_ptr_nonnull(picture);
  SDL_FreeSurface(read);
  return picture;
}

static const Uint8 *pixel(const SDL_Surface *picture, int x, int y)
{
  return (const Uint8 *)picture->pixels + y * picture->pitch + x * 4;
}

/* The mean of four pixels. */
static Uint8 mean(const SDL_Surface *whole, int x, int y, int channel)
{
  int sum = 2;
  for (int i = 0; i < 4; i++)
    sum += pixel(whole, 2 * x + i % 2, 2 * y + i / 2)[channel];
  return (Uint8)(sum / 4);
}

void picture_halve(const char *path, const char *half_path)
{
  SDL_Surface *whole = load(path);
  SDL_Surface *half = SDL_CreateRGBSurfaceWithFormat(0, whole->w / 2, whole->h / 2, 24, SDL_PIXELFORMAT_RGB24);
  ck_assert_ptr_nonnull(half);
  for (int y = 0; y < half->h; y++)
    for (int x = 0; x < half->w; x++)
      for (int c = 0; c < 3; c++)
        ((Uint8 *)half->pixels)[y * half->pitch + x * 3 + c] = mean(whole, x, y, c);
  ck_assert_int_eq(IMG_SavePNG(half, half_path), 0);
  SDL_FreeSurface(half);
  SDL_FreeSurface(whole);
}

/* }== */

/* {== Sounds ============================================================= */

#define RATE 48000
#define HEAD 44
#define HALF_WAVE 100 /* samples */

static void put(FILE *file, uint32_t number, int bytes)
{
  for (int i = 0; i < bytes; i++)
    fputc((int)(number >> 8 * i & 255), file);
}

void wave_write(const char *path, double seconds, int amplitude)
{
  uint32_t count = (uint32_t)(seconds * RATE + 0.5);
  FILE *file = fopen(path, "wb");
  ck_assert_msg(file != NULL, "%s", path);
  fputs("RIFF", file);
  put(file, count * 2 + HEAD - 8, 4);
  fputs("WAVEfmt ", file);
  put(file, 16, 4);
  put(file, 1, 2);
  put(file, 1, 2);
  put(file, RATE, 4);
  put(file, RATE * 2, 4);
  put(file, 2, 2);
  put(file, 16, 2);
  fputs("data", file);
  put(file, count * 2, 4);
  for (uint32_t i = 0; i < count; i++)
    put(file, (uint32_t)(i / HALF_WAVE % 2 ? -amplitude : amplitude), 2);
  fclose(file);
}

/* }== */
