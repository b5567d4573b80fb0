/*
** Each frame is copied to its position in a clear frame of full size, so that all frames of a sheet are
** interchangeable. Parts of a frame that lie outside of the PNG stay clear: while both files are exported, one is older
** than the other.
*/
#include "demo/draw/picture.h"

#include <SDL.h>
#include <stdlib.h>
#include <string.h>

typedef struct pixels {
  uint32_t *at; /* NULL: the picture is only measured */
  int w, h;
} pixels;

static bool read_png(pixels *p, file_bytes png, bool only_measured)
{
  p->at = only_measured ? NULL : image_load(png.at, png.size, &p->w, &p->h);
  return only_measured ? image_measure(png.at, png.size, &p->w, &p->h) : p->at != NULL;
}

/* Returns the whole frame, from malloc. */
static uint32_t *cut_frame(const pixels *p, const sheet *s, const sheet_frame *frame)
{
  const SDL_Rect *from = &frame->from;
  uint32_t *whole = calloc((size_t)s->width * (size_t)s->height, sizeof *whole);
  for (int y = 0; whole && y < from->h; y++)
    for (int x = 0; x < from->w; x++) {
      int to_x = frame->left + x, to_y = frame->top + y, from_x = from->x + x, from_y = from->y + y;
      if (to_x < s->width && to_y < s->height && from_x < p->w && from_y < p->h)
        whole[to_y * s->width + to_x] = p->at[(ptrdiff_t)from_y * p->w + from_x];
    }
  if (whole)
    image_fill_clear(whole, s->width, s->height);
  return whole;
}

static bool cut(picture *out, const pixels *p)
{
  const sheet *s = out->sheet;
  out->frames = calloc(s->script.frames, sizeof *out->frames);
  if (!out->frames)
    return SDL_OutOfMemory() == 0;
  for (uint32_t i = 0; i < s->script.frames; i++) {
    const SDL_Rect *from = &s->frames[i].from;
    uint32_t *frame = p->at ? cut_frame(p, s, &s->frames[i]) : NULL;
    if (p->at && !frame)
      return SDL_OutOfMemory() == 0;
    if (out->cut_off == 0 && (from->x + from->w > p->w || from->y + from->h > p->h))
      out->cut_off = (int)i + 1;
    if (!mipmaps_make(&out->frames[i], frame, s->width, s->height))
      return false;
    out->count++;
  }
  return true;
}

bool picture_make(picture *p, uint32_t *at, int w, int h)
{
  *p = (picture){.frames = calloc(1, sizeof *p->frames), .count = 1};
  if (p->frames && mipmaps_make(p->frames, at, w, h))
    return true;
  if (!p->frames)
    free(at);
  free(p->frames);
  *p = (picture){NULL, 0, NULL, 0};
  return SDL_OutOfMemory() == 0;
}

bool picture_read(picture *p, file_bytes png, file_bytes json, bool only_measured)
{
  pixels all = {NULL, 0, 0};
  *p = (picture){NULL, 0, NULL, 0};
  if (!read_png(&all, png, only_measured))
    return false;
  if (!json.at)
    return picture_make(p, all.at, all.w, all.h);
  p->sheet = sheet_read(json.at, json.size);
  bool fine = p->sheet && cut(p, &all);
  free(all.at);
  if (!fine)
    picture_free(p);
  return fine;
}

void picture_free(picture *p)
{
  for (int i = 0; i < p->count; i++)
    mipmaps_free(&p->frames[i]);
  free(p->frames);
  sheet_free(p->sheet);
  *p = (picture){NULL, 0, NULL, 0};
}
