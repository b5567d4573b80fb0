/*
** Clear pixels get the colour of their visible neighbours: filtering reads them along the edges, and the usual black
** would show as a dark rim.
*/
#include "demo/draw/images.h"

#include <SDL_image.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_WIDTH 4   /* nothing is halved below this */
#define HEAD_SIZE 33    /* bytes: the signature and the chunk IHDR, which holds the size */
#define CHUNK_AROUND 12 /* bytes of a chunk besides its data: length, name, checksum */

static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

/* {== Pixels ============================================================= */

typedef struct sum {
  uint32_t a, r, g, b; /* r, g, b weighted by alpha */
} sum;

static void sum_add(sum *s, uint32_t pixel)
{
  uint32_t a = pixel >> 24;
  s->a += a;
  s->r += (pixel >> 16 & 255) * a;
  s->g += (pixel >> 8 & 255) * a;
  s->b += (pixel & 255) * a;
}

/* Returns the mean colour of what was added, with the given alpha. */
static uint32_t sum_pixel(const sum *s, uint32_t alpha)
{
  uint32_t half = s->a / 2;
  if (s->a == 0)
    return alpha << 24;
  return alpha << 24 | (s->r + half) / s->a << 16 | (s->g + half) / s->a << 8 | (s->b + half) / s->a;
}

/* Returns the mean of the visible pixels around a clear one. */
static uint32_t mean_around(const uint32_t *pixels, int w, int h, int x, int y)
{
  sum s = {0, 0, 0, 0};
  for (int ny = y > 0 ? y - 1 : 0; ny <= y + 1 && ny < h; ny++)
    for (int nx = x > 0 ? x - 1 : 0; nx <= x + 1 && nx < w; nx++)
      sum_add(&s, pixels[ny * w + nx]);
  return sum_pixel(&s, 0);
}

/* Works in place: a filled pixel stays clear, so it does not count for the next one. Few clear pixels touch a
   visible one: `left`, `here` and `right` combine columns of three pixels, which covers all nine. */
void image_fill_clear(uint32_t *pixels, int w, int h)
{
  for (int y = 0; y < h; y++) {
    uint32_t *row = pixels + (ptrdiff_t)y * w;
    const uint32_t *above = y > 0 ? row - w : row, *below = y + 1 < h ? row + w : row;
    uint32_t left = 0, here = above[0] | row[0] | below[0];
    for (int x = 0; x < w; x++) {
      uint32_t right = x + 1 < w ? above[x + 1] | row[x + 1] | below[x + 1] : 0;
      if (row[x] >> 24 == 0)
        row[x] = (left | here | right) >> 24 ? mean_around(pixels, w, h, x, y) : 0;
      left = here;
      here = right;
    }
  }
}

uint32_t *image_halve(const uint32_t *pixels, int w, int h)
{
  int half_w = w > 1 ? w / 2 : 1, half_h = h > 1 ? h / 2 : 1;
  uint32_t *half = malloc((size_t)half_w * (size_t)half_h * sizeof *half);
  for (int y = 0; half && y < half_h; y++)
    for (int x = 0; x < half_w; x++) {
      sum s = {0, 0, 0, 0};
      const uint32_t *above = pixels + (ptrdiff_t)(y * 2) * w + x * 2;
      const uint32_t *below = h > 1 ? above + w : above;
      int right = w > 1 ? 1 : 0;
      sum_add(&s, above[0]);
      sum_add(&s, above[right]);
      sum_add(&s, below[0]);
      sum_add(&s, below[right]);
      half[y * half_w + x] = sum_pixel(&s, (s.a + 2) / 4);
    }
  if (half)
    image_fill_clear(half, half_w, half_h);
  return half;
}

uint32_t *image_checker(int side)
{
  uint32_t *pixels = malloc((size_t)side * (size_t)side * sizeof *pixels);
  for (int i = 0; pixels && i < side * side; i++)
    pixels[i] = (i % side * 4 / side + i / side * 4 / side) % 2 ? 0xff000000u : 0xffff00ffu;
  return pixels;
}

/* }== */

/* {== Files ============================================================== */

static uint32_t *copy_pixels(SDL_Surface *surface)
{
  size_t row = (size_t)surface->w * 4;
  uint32_t *pixels = malloc(row * (size_t)surface->h);
  if (!pixels)
    SDL_OutOfMemory();
  for (int y = 0; pixels && y < surface->h; y++)
    memcpy(pixels + (ptrdiff_t)y * surface->w, (const char *)surface->pixels + (ptrdiff_t)y * surface->pitch, row);
  return pixels;
}

static size_t big_endian(const unsigned char *bytes)
{
  return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/* Checks the size before anything is unpacked: a file of a few kilobytes can ask for gigabytes. */
static bool check_size(size_t w, size_t h)
{
  if (w >= 1 && h >= 1 && w <= IMAGE_SIDE_MOST && h <= IMAGE_SIDE_MOST && w * h <= IMAGE_PIXELS_MOST)
    return true;
  return SDL_SetError("%zu x %zu pixels; a sprite has %d on a side and %d in all at most", w, h, IMAGE_SIDE_MOST,
                      IMAGE_PIXELS_MOST) == 0;
}

/* The checksum of PNG. SDL_crc32 works bit by bit, which for a large picture takes as long as unpacking it. */
static uint32_t checksum(const unsigned char *bytes, size_t size)
{
  uint32_t table[256], crc = UINT32_MAX;
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++)
      table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
  }
  for (size_t i = 0; i < size; i++)
    crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
  return ~crc;
}

/* Returns whether the checksum of a chunk is right; only chunks with a capital letter are required. `chunk` begins
   with the length. */
static bool chunk_holds(const unsigned char *chunk, size_t length)
{
  bool needed = chunk[4] >= 'A' && chunk[4] <= 'Z';
  return !needed || checksum(chunk + 4, length + 4) == (uint32_t)big_endian(chunk + 8 + length);
}

static bool is_chunk(const unsigned char *chunk, const char *name) { return memcmp(chunk + 4, name, 4) == 0; }

static bool check_head(const unsigned char *file, size_t size)
{
  if (size < sizeof signature || memcmp(file, signature, sizeof signature) != 0)
    return SDL_SetError("not a PNG file") == 0;
  if (size < HEAD_SIZE)
    return SDL_SetError("the file is cut off") == 0;
  if (!is_chunk(file + sizeof signature, "IHDR"))
    return SDL_SetError("the file is damaged") == 0;
  return check_size(big_endian(file + 16), big_endian(file + 20));
}

/* SDL_image accepts truncated files, so they are detected here: all chunks up to IEND must fit, with valid
   checksums. Whether they make a picture is for SDL_image to decide. (SDL_SetError is -1, never 0.) */
static bool check_png(const unsigned char *file, size_t size)
{
  bool fine = true, pictured = false;
  if (!check_head(file, size))
    return false;
  for (size_t at = sizeof signature, length; fine; at += length + CHUNK_AROUND) {
    length = size - at >= CHUNK_AROUND ? big_endian(file + at) : SIZE_MAX;
    if (length == SIZE_MAX || length > size - at - CHUNK_AROUND)
      return SDL_SetError("the file is cut off") == 0;
    if (is_chunk(file + at, "IEND") && pictured)
      return true;
    pictured = pictured || is_chunk(file + at, "IDAT");
    fine = chunk_holds(file + at, length) && !is_chunk(file + at, "IEND");
  }
  return SDL_SetError("the file is damaged") == 0;
}

bool image_measure(const void *bytes, size_t size, int *w, int *h)
{
  const unsigned char *file = bytes;
  if (!check_png(file, size))
    return false;
  *w = (int)big_endian(file + 16);
  *h = (int)big_endian(file + 20);
  return true;
}

uint32_t *image_load(const void *bytes, size_t size, int *w, int *h)
{
  SDL_RWops *stream = check_png(bytes, size) ? SDL_RWFromConstMem(bytes, (int)size) : NULL;
  SDL_Surface *read = stream ? IMG_LoadPNG_RW(stream) : NULL;
  SDL_Surface *plain = read ? SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_ARGB8888, 0) : NULL;
  uint32_t *pixels = plain ? copy_pixels(plain) : NULL;
  if (pixels) {
    *w = plain->w;
    *h = plain->h;
    image_fill_clear(pixels, *w, *h);
  }
  SDL_FreeSurface(plain);
  SDL_FreeSurface(read);
  if (stream)
    SDL_RWclose(stream);
  return pixels;
}

/* }== */

/* {== Mipmaps ============================================================= */

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

void mipmaps_free(mipmaps *m)
{
  for (int i = 0; i < m->count; i++)
    free(m->sizes[i].pixels);
  m->count = 0;
}

/* }== */
