/*
** An animated PNG is a PNG with a chunk that counts the frames (acTL), a chunk before each frame with its duration
** (fcTL), and the data of all frames but the first in chunks of another name (fdAT). Each frame is encoded as a PNG of
** its own, and its data chunks are copied.
*/
#include "demo/capture/film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo/draw/images.h"

#define QUADS_MOST ((size_t)640 << 10) /* about 64 MiB: the frames of 5 s with 6500 quads each */
#define PIXELS_MOST (640 * 480)        /* larger pictures are halved, so that films stay small */
#define SMALL_SCENE 1024               /* quads */
#define MOST_SPARE 4                   /* times the memory that a scene needs */
#define HEAD_SIZE 33                   /* signature and IHDR */
#define CHUNK_AROUND 12                /* length, name and checksum of a chunk */

/* {== Keeping ============================================================ */

bool film_open(film *f, double seconds, double step)
{
  double rate = round(1 / step);
  memset(f, 0, sizeof *f);
  f->next = -1;
  f->rate = rate >= 1 && rate <= UINT16_MAX ? (int)rate : FILM_RATE;
  f->every = f->rate > FILM_RATE ? (f->rate + FILM_RATE / 2) / FILM_RATE : 1;
  f->room = (int)lround(seconds * f->rate / f->every);
  f->frames = f->room > 0 ? calloc((size_t)f->room, sizeof *f->frames) : NULL;
  if (!f->frames)
    f->room = 0;
  return f->frames != NULL;
}

void film_clear(film *f)
{
  for (int i = 0; i < f->room; i++)
    batch_free(&f->frames[i].scene);
  f->first = f->count = f->steps = 0;
  f->quads = 0;
  f->next = -1;
  f->sequence = 0;
  free(f->before);
  f->before = NULL;
  png_free(&f->out);
}

void film_close(film *f)
{
  film_clear(f);
  free(f->frames);
  memset(f, 0, sizeof *f);
}

static film_frame *frame_at(film *f, int number) { return &f->frames[(f->first + number) % f->room]; }

/* Drops the oldest frame and moves its memory to `spare`. */
static void drop_oldest(film *f, batch *spare)
{
  batch *oldest = &f->frames[f->first].scene;
  batch_free(spare);
  f->quads -= oldest->room;
  *spare = *oldest;
  memset(oldest, 0, sizeof *oldest);
  f->first = (f->first + 1) % f->room;
  f->count -= 1;
}

static bool copy_scene(batch *to, const batch *from)
{
  batch_clear(to);
  return batch_append_from(to, from, 0);
}

void film_take(film *f, const batch *scene, int steps)
{
  batch spare = {.vertices = NULL};
  film_frame *it;
  f->steps += steps;
  if (!f->frames || f->next >= 0 || f->steps < f->every || steps == 0 || scene->quads > QUADS_MOST)
    return;
  while (f->count > 0 && (f->count == f->room || f->quads + scene->quads > QUADS_MOST))
    drop_oldest(f, &spare);
  if (spare.room > MOST_SPARE * (scene->quads + SMALL_SCENE)) /* memory of a much larger scene */
    batch_free(&spare);
  if (f->count > 0)
    frame_at(f, f->count - 1)->steps = f->steps;
  if (!copy_scene(&spare, scene)) {
    batch_free(&spare);
    if (f->count > 0)
      frame_at(f, f->count - 1)->steps += f->every; /* the previous frame is shown longer */
    return;
  }
  it = frame_at(f, f->count++);
  it->scene = spare;
  it->steps = f->every;
  f->quads += spare.room;
  f->steps = 0;
}

/* }== */

/* {== Chunks ============================================================= */

static void put_32(unsigned char *at, uint32_t value)
{
  for (int i = 0; i < 4; i++)
    at[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void put_16(unsigned char *at, int value)
{
  at[0] = (unsigned char)(value >> 8);
  at[1] = (unsigned char)value;
}

static uint32_t get_32(const unsigned char *at)
{
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Appends a chunk whose content is in two parts. */
static bool put_chunk(png_bytes *out, const char *name, const void *head, size_t head_size, const void *rest,
                      size_t size)
{
  unsigned char length[4], sum[4];
  uint32_t crc = SDL_crc32(SDL_crc32(0, name, 4), head, head_size);
  put_32(length, (uint32_t)(head_size + size));
  put_32(sum, SDL_crc32(crc, rest, size));
  return png_append(out, length, 4) && png_append(out, name, 4) && png_append(out, head, head_size) &&
         png_append(out, rest, size) && png_append(out, sum, 4);
}

/* Appends the number of frames, repeated forever. */
static bool put_count(png_bytes *out, int frames)
{
  unsigned char count[8] = {0};
  put_32(count, (uint32_t)frames);
  return put_chunk(out, "acTL", count, sizeof count, "", 0);
}

static bool put_frame_head(film *f, int steps)
{
  unsigned char head[26] = {0};
  put_32(head, f->sequence++);
  put_32(head + 4, (uint32_t)f->width);
  put_32(head + 8, (uint32_t)f->height);
  put_16(head + 20, steps < UINT16_MAX ? steps : UINT16_MAX);
  put_16(head + 22, f->rate);
  head[25] = 1; /* drawn over the previous frame */
  return put_chunk(&f->out, "fcTL", head, sizeof head, "", 0);
}

/* Appends the data of a frame, from its PNG. */
static bool put_data(film *f, const png_bytes *png)
{
  unsigned char sequence[4];
  for (size_t at = HEAD_SIZE, size; at + CHUNK_AROUND <= png->size; at += size + CHUNK_AROUND) {
    const unsigned char *chunk = png->at + at;
    bool fine = true;
    size = get_32(chunk);
    if (memcmp(chunk + 4, "IDAT", 4) != 0)
      continue;
    if (f->next == 0) {
      fine = put_chunk(&f->out, "IDAT", "", 0, chunk + 8, size);
    } else {
      put_32(sequence, f->sequence++);
      fine = put_chunk(&f->out, "fdAT", sequence, sizeof sequence, chunk + 8, size);
    }
    if (!fine)
      return false;
  }
  return true;
}

/* }== */

/* {== Writing ============================================================ */

/* Returns the pixels of the renderer, halved until they are few enough. From malloc, or NULL. */
static uint32_t *read_back(SDL_Renderer *renderer, int *w, int *h)
{
  uint32_t *pixels, *half;
  if (SDL_GetRendererOutputSize(renderer, w, h) != 0)
    return NULL;
  pixels = malloc((size_t)*w * (size_t)*h * sizeof *pixels);
  if (!pixels)
    SDL_OutOfMemory();
  if (pixels && SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_ARGB8888, pixels, *w * 4) != 0) {
    free(pixels);
    return NULL;
  }
  for (size_t i = 0; pixels && i < (size_t)*w * (size_t)*h; i++)
    pixels[i] |= 0xff000000u; /* a window has no alpha */
  while (pixels && (int64_t)*w * *h > PIXELS_MOST) {
    half = image_halve(pixels, *w, *h);
    free(pixels);
    pixels = half;
    *w = *w > 1 ? *w / 2 : 1;
    *h = *h > 1 ? *h / 2 : 1;
  }
  return pixels;
}

/* Clears pixels that equal the previous frame: that makes a file several times smaller. */
static bool keep_changes(film *f, uint32_t *pixels, int w, int h)
{
  size_t count = (size_t)w * (size_t)h;
  if (f->next > 0 && (w != f->width || h != f->height))
    return SDL_SetError("the window got another size") == 0;
  if (f->next == 0) {
    f->width = w;
    f->height = h;
    f->before = calloc(count, sizeof *f->before);
    if (!f->before)
      return SDL_OutOfMemory() == 0;
  }
  for (size_t i = 0; i < count; i++) {
    uint32_t now = pixels[i];
    if (now == f->before[i])
      pixels[i] = 0;
    f->before[i] = now;
  }
  return true;
}

static bool put_frame(film *f, const png_bytes *png, int steps)
{
  if (f->next == 0 && (!png_append(&f->out, png->at, HEAD_SIZE) || !put_count(&f->out, f->count)))
    return false;
  return put_frame_head(f, steps) && put_data(f, png);
}

static bool write_frame(film *f, SDL_Renderer *renderer, SDL_Color background)
{
  const film_frame *it = frame_at(f, f->next);
  png_bytes png = {.at = NULL};
  int w = 0, h = 0;
  uint32_t *pixels;
  SDL_Surface *picture;
  bool fine;
  view_play(f->view, &it->scene, renderer, background);
  pixels = read_back(renderer, &w, &h);
  fine = pixels && keep_changes(f, pixels, w, h);
  picture = fine ? SDL_CreateRGBSurfaceWithFormatFrom(pixels, w, h, 32, w * 4, SDL_PIXELFORMAT_ARGB8888) : NULL;
  fine = picture && png_encode(&png, picture) && put_frame(f, &png, it->steps);
  SDL_FreeSurface(picture);
  free(pixels);
  png_free(&png);
  return fine;
}

bool film_begin(film *f)
{
  if (!f->frames || f->count == 0 || f->next >= 0)
    return false;
  f->next = 0;
  return true;
}

film_state film_write(film *f, SDL_Renderer *renderer, SDL_Color background)
{
  if (!f->frames || f->next < 0)
    return FILM_IDLE;
  if (!write_frame(f, renderer, background))
    return FILM_FAILED;
  f->next += 1;
  if (f->next < f->count)
    return FILM_WRITING;
  return put_chunk(&f->out, "IEND", "", 0, "", 0) ? FILM_DONE : FILM_FAILED;
}

/* }== */
