#include "demo/capture/stills.h"

#include <stdlib.h>
#include <string.h>

#include "demo/support/stats.h"

#define LONG_SIDE 192 /* pixels of a picture */
#define SHARE 30      /* at most 1 / SHARE of the time is spent on taking pictures */
#define WAIT_MOST 1.0 /* seconds between two pictures at most, however long one takes */

/* {== Keeping ============================================================ */

static void destroy(SDL_Texture **texture)
{
  if (*texture)
    SDL_DestroyTexture(*texture);
  *texture = NULL;
}

void stills_forget_textures(stills *s)
{
  s->small = s->shown = s->strip = NULL;
  s->shown_frame = 0;
}

static void drop(stills *s, int i)
{
  s->bytes -= (size_t)s->list[i].width * (size_t)s->list[i].height * sizeof(uint16_t);
  free(s->list[i].pixels);
  s->count--;
  memmove(&s->list[i], &s->list[i + 1], (size_t)(s->count - i) * sizeof *s->list);
}

void stills_close(stills *s)
{
  while (s->count > 0)
    drop(s, s->count - 1);
  free(s->list);
  destroy(&s->small);
  destroy(&s->shown);
  destroy(&s->strip);
  *s = (stills){.list = NULL};
}

void stills_cut(stills *s, uint64_t frame)
{
  while (s->count > 0 && s->list[s->count - 1].frame > frame)
    drop(s, s->count - 1);
  s->shown_frame = 0;
  destroy(&s->strip);
}

/* Drops the picture whose removal leaves the smallest gap in time, relative to its age. */
static void drop_one(stills *s)
{
  int least = 0;
  double least_loss = 1e9;
  uint64_t now = s->list[s->count - 1].frame;
  for (int i = 1; i + 1 < s->count; i++) {
    const still *it = &s->list[i];
    double loss = (double)(it[1].frame - it[-1].frame) / (double)(now - it->frame + 60);
    if (loss < least_loss) {
      least = i;
      least_loss = loss;
    }
  }
  drop(s, least);
}

/* }== */

/* {== Taking ============================================================= */

/* Returns whether there is a texture of the size for a window of this shape. */
static bool prepare(stills *s, const window *w)
{
  int longer = w->width > w->height ? w->width : w->height;
  int width = w->width * LONG_SIDE / longer, height = w->height * LONG_SIDE / longer;
  width = width > 0 ? width : 1;
  height = height > 0 ? height : 1;
  if (s->small && width == s->small_width && height == s->small_height)
    return true;
  destroy(&s->small);
  s->small = SDL_CreateTexture(w->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_TARGET, width, height);
  s->small_width = width;
  s->small_height = height;
  return s->small != NULL;
}

static bool draw(const stills *s, const window *w, const game_view *view, const batch *scene, SDL_Color background,
                 uint16_t *pixels)
{
  game_view small = *view;
  small.density = (float)s->small_width / (float)w->width;
  if (SDL_SetRenderTarget(w->renderer, s->small) != 0)
    return false;
  bool fine = view_play(&small, scene, w->renderer, background) &&
              SDL_RenderReadPixels(w->renderer, NULL, SDL_PIXELFORMAT_RGB565, pixels,
                                   s->small_width * (int)sizeof *pixels) == 0;
  SDL_SetRenderTarget(w->renderer, NULL);
  return fine;
}

static void add(stills *s, uint16_t *pixels, uint64_t frame)
{
  size_t bytes = (size_t)s->small_width * (size_t)s->small_height * sizeof *pixels;
  while (s->count > 2 && (s->count == STILLS_MOST || s->bytes + bytes > STILLS_BYTES))
    drop_one(s);
  s->list[s->count++] = (still){frame, s->small_width, s->small_height, pixels};
  s->bytes += bytes;
}

void stills_take(stills *s, const window *w, const game_view *view, const batch *scene, SDL_Color background,
                 uint64_t frame)
{
  double begin = clock_now();
  if (begin < s->next || (s->count > 0 && s->list[s->count - 1].frame >= frame) || !prepare(s, w))
    return;
  if (!s->list)
    s->list = malloc(STILLS_MOST * sizeof *s->list);
  uint16_t *pixels = malloc((size_t)s->small_width * (size_t)s->small_height * sizeof *pixels);
  if (s->list && pixels && draw(s, w, view, scene, background, pixels))
    add(s, pixels, frame);
  else
    free(pixels);
  double spent = clock_now() - begin;
  s->next = begin + SDL_max(1.0 / STILLS_RATE, SDL_min(spent * SHARE, WAIT_MOST));
}

/* }== */

/* {== Showing ============================================================ */

static const still *find(const stills *s, uint64_t frame)
{
  const still *found = NULL;
  for (int i = 0; i < s->count && s->list[i].frame <= frame; i++)
    found = &s->list[i];
  return found;
}

SDL_Texture *stills_show(stills *s, SDL_Renderer *renderer, uint64_t frame)
{
  const still *it = find(s, frame);
  if (!it)
    return NULL;
  if (s->shown && s->shown_frame == it->frame)
    return s->shown;
  if (!s->shown || s->shown_width != it->width || s->shown_height != it->height) {
    destroy(&s->shown);
    s->shown = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGB565, SDL_TEXTUREACCESS_STREAMING, it->width, it->height);
    s->shown_width = it->width;
    s->shown_height = it->height;
  }
  if (!s->shown || SDL_UpdateTexture(s->shown, NULL, it->pixels, it->width * (int)sizeof *it->pixels) != 0)
    return NULL;
  SDL_SetTextureScaleMode(s->shown, SDL_ScaleModeLinear);
  s->shown_frame = it->frame;
  return s->shown;
}

/* Returns the mean of the pixels of an area. */
static uint16_t mean_of(const still *it, int x0, int y0, int x1, int y1)
{
  unsigned r = 0, g = 0, b = 0, count = 0;
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++, count++) {
      unsigned pixel = it->pixels[(size_t)y * (size_t)it->width + (size_t)x];
      r += pixel >> 11;
      g += pixel >> 5 & 63;
      b += pixel & 31;
    }
  return (uint16_t)((r / count) << 11 | (g / count) << 5 | b / count);
}

static void draw_cell(const still *it, uint16_t *to, int pitch, int width, int height)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int x0 = x * it->width / width, y0 = y * it->height / height;
      int x1 = (x + 1) * it->width / width, y1 = (y + 1) * it->height / height;
      to[y * pitch + x] = mean_of(it, x0, y0, x1 > x0 ? x1 : x0 + 1, y1 > y0 ? y1 : y0 + 1);
    }
}

static bool fill_strip(stills *s, SDL_Renderer *renderer, uint64_t first, uint64_t last)
{
  int pitch = s->cells * s->cell_width;
  uint16_t *pixels = calloc((size_t)pitch * (size_t)s->cell_height, sizeof *pixels);
  if (!pixels)
    return false;
  for (int i = 0; i < s->cells; i++) {
    const still *it = find(s, first + (last - first) * (uint64_t)(2 * i + 1) / (uint64_t)(2 * s->cells));
    it = it ? it : &s->list[0];
    draw_cell(it, pixels + i * s->cell_width, pitch, s->cell_width, s->cell_height);
  }
  s->strip = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGB565, SDL_TEXTUREACCESS_STATIC, pitch, s->cell_height);
  bool fine = s->strip && SDL_UpdateTexture(s->strip, NULL, pixels, pitch * (int)sizeof *pixels) == 0;
  free(pixels);
  if (!fine)
    destroy(&s->strip);
  return fine;
}

SDL_Texture *stills_draw_strip(stills *s, SDL_Renderer *renderer, uint64_t first, uint64_t last, int width, int height)
{
  if (s->count == 0 || width < 8 || height < 4)
    return NULL;
  const still *latest = &s->list[s->count - 1];
  int cell = height * latest->width / latest->height, cells = cell > 0 ? width / cell : width;
  cells = cells > 0 ? cells : 1;
  cell = width / cells;
  if (s->strip && s->strip_first == first && s->strip_last == last && s->cells == cells && s->cell_width == cell &&
      s->cell_height == height)
    return s->strip;
  destroy(&s->strip);
  s->cells = cells;
  s->cell_width = cell;
  s->cell_height = height;
  s->strip_first = first;
  s->strip_last = last;
  return fill_strip(s, renderer, first, last) ? s->strip : NULL;
}

/* }== */
