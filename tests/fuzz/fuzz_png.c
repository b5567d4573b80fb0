/*
** A PNG file for the reader of sprites. The first byte says how the rest is read: as it is, or with its checksums put
** right first, without which hardly an edit would get past them. A picture that can be read keeps its pixels when it is
** written and read again.
*/
#include "fuzz/fuzz.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/capture/file_writer.h"
#include "demo/draw/picture.h"

enum { MOST_PIXELS = 1 << 18 }; /* more of them take longer, and show nothing else */

static uint32_t word(const uint8_t *at)
{
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void mend_checksums(uint8_t *file, size_t size)
{
  size_t at = 8;
  while (size >= at + 12 && word(file + at) <= size - at - 12) {
    uint32_t length = word(file + at), sum = SDL_crc32(0, file + at + 4, length + 4);
    for (int i = 0; i < 4; i++)
      file[at + 8 + length + (unsigned)i] = (uint8_t)(sum >> (24 - 8 * i));
    at += 12 + (size_t)length;
  }
}

static void check_again(uint32_t *pixels, int w, int h)
{
  size_t size;
  SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormatFrom(pixels, w, h, 32, w * 4, SDL_PIXELFORMAT_ARGB8888);
  void *bytes = screenshot_encode(surface, &size);
  fuzz_check(bytes != NULL);
  int again_w = 0, again_h = 0;
  uint32_t *again = image_load(bytes, size, &again_w, &again_h);
  fuzz_check(again && again_w == w && again_h == h);
  fuzz_check(memcmp(again, pixels, (size_t)w * (size_t)h * 4) == 0);
  free(again);
  free(bytes);
  SDL_FreeSurface(surface);
}

static void check_halves(const uint32_t *pixels, int w, int h)
{
  uint32_t *half = NULL;
  while (w > 1 || h > 1) {
    uint32_t *next = image_halve(half ? half : pixels, w, h);
    fuzz_check(next != NULL);
    free(half);
    half = next;
    w = w > 1 ? w / 2 : 1;
    h = h > 1 ? h / 2 : 1;
  }
  free(half);
}

static void load(const void *file, size_t size)
{
  int w = 0, h = 0, measured_w = 0, measured_h = 0;
  SDL_ClearError();
  bool measured = image_measure(file, size, &measured_w, &measured_h);
  fuzz_check(measured || SDL_GetError()[0] != '\0');
  if (measured && (int64_t)measured_w * measured_h > MOST_PIXELS)
    return;
  SDL_ClearError();
  uint32_t *pixels = image_load(file, size, &w, &h);
  fuzz_check(pixels ? measured && w == measured_w && h == measured_h : SDL_GetError()[0] != '\0');
  if (!pixels)
    return;
  check_halves(pixels, w, h);
  check_again(pixels, w, h);
  free(pixels);
}

int fuzz_png(const uint8_t *data, size_t size)
{
  size_t length = size > 0 ? size - 1 : 0;
  uint8_t *file = malloc(length + 1);
  fuzz_check(file != NULL);
  if (length > 0)
    memcpy(file, data + 1, length);
  if (size > 0 && data[0] & 1)
    mend_checksums(file, length);
  load(file, length);
  free(file);
  return 0;
}
