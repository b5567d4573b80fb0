/*
** Levels and atlas images are made in step: level i is image i. Pointers into the growing list of levels are set once
** everything is loaded. Numbers are given out by the script host and looked up here on first sight. In a blind window
** there is no atlas: levels then only have a size, and what is dear to draw or to unpack is not.
*/
#include "demo/sprites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/atlas.h"
#include "demo/images.h"
#include "demo/nearest.h"
#include "demo/shapes.h"

#define CHECKER_SIDE 64
#define LEAST_LEVEL 4 /* PNGs are halved down to this width */
#define PATH_MOST 4096

/* The fixed ones come first in the list; the rest have names. */
enum { WHITE, BAR, CHECKER, FIRST_NAMED };

/* The width up to which each bucket of sprite_level_at reaches. */
static const int bucket_widths[SPRITE_BUCKETS] = {2,  2,  4,  6,  8,  10, 12, 14, 16,  18,  20,  22,
                                                  24, 26, 28, 30, 32, 48, 64, 96, 128, 192, 256, 512};
#define FIRST_SIZE 1 /* shapes are drawn at the widths of these buckets */
#define LAST_SIZE 22

struct sprites {
  sprites_options options;
  atlas *atlas; /* NULL: nothing is drawn */
  sprite *list;
  sprite_level *levels;
  int count, room, level_count, level_room;
  const sprite **by_number;
  size_t numbers;
};

/* {== Building =========================================================== */

static char *copy_text(const char *text)
{
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

static sprite *add_sprite(sprites *s, const char *name)
{
  sprite *it;
  if (s->count == s->room) {
    int room = s->room ? s->room * 2 : 32;
    sprite *list = realloc(s->list, (size_t)room * sizeof *list);
    if (!list)
      return NULL;
    s->list = list;
    s->room = room;
  }
  it = &s->list[s->count];
  memset(it, 0, sizeof *it);
  it->name = copy_text(name);
  if (!it->name)
    return NULL;
  s->count += 1;
  return it;
}

/* Takes `pixels` over. half_w and half_h are for a radius of 1. */
static bool add_level(sprites *s, uint32_t *pixels, int w, int h, const sprite_level *level, bool glows)
{
  if (s->level_count == s->level_room) {
    int room = s->level_room ? s->level_room * 2 : 256;
    sprite_level *levels = realloc(s->levels, (size_t)room * sizeof *levels);
    if (!levels) {
      free(pixels);
      return false;
    }
    s->levels = levels;
    s->level_room = room;
  }
  if (!s->atlas)
    free(pixels);
  else if (atlas_add(s->atlas, pixels, w, h, glows) != s->level_count)
    return false;
  s->levels[s->level_count++] = *level;
  return true;
}

/* The newest levels, from `first` on, are those of `it`: for each bucket the smallest that is wide enough, or the
   widest there is. `reach` is that of the worst level: small ones have the most padding. */
static void finish_sprite(const sprites *s, sprite *it, int first)
{
  const sprite_level *levels = s->levels + first;
  it->level_count = s->level_count - first;
  for (int i = 0; i < it->level_count; i++)
    it->reach = fmaxf(it->reach, hypotf(levels[i].half_w, levels[i].half_h));
  for (int b = 0; b < SPRITE_BUCKETS; b++) {
    int best = 0;
    for (int i = 1; i < it->level_count; i++) {
      bool fits = levels[i].width >= bucket_widths[b], best_fits = levels[best].width >= bucket_widths[b];
      if (fits != best_fits ? fits : (levels[i].width < levels[best].width) == fits)
        best = i;
    }
    it->level[b] = (uint8_t)best;
  }
}

static bool add_shape(sprites *s, shape kind)
{
  sprite *it = add_sprite(s, shape_name(kind));
  int first = s->level_count;
  if (!it)
    return false;
  for (int i = FIRST_SIZE; i <= LAST_SIZE; i++) {
    int size = bucket_widths[i], side = size + 2 * SHAPE_PAD;
    float half = (float)side / (float)size;
    sprite_level level = {{NULL, 0, 0, 0, 0}, half, half, size};
    uint32_t *pixels = s->atlas ? malloc((size_t)side * (size_t)side * sizeof *pixels) : NULL;
    if (pixels)
      shape_draw(kind, size, pixels);
    if (!add_level(s, pixels, side, side, &level, false))
      return false;
  }
  finish_sprite(s, it, first);
  return true;
}

/* A stack of rows: clear, white ..., clear; its length does not matter. */
static uint32_t *bar_pixels(int w, int size)
{
  int h = size + 2 * SHAPE_PAD;
  uint32_t *pixels = malloc((size_t)w * (size_t)h * sizeof *pixels);
  for (int i = 0; pixels && i < w * h; i++)
    pixels[i] = i / w < SHAPE_PAD || i / w >= h - SHAPE_PAD ? 0x00ffffffu : 0xffffffffu;
  return pixels;
}

static bool add_bar(sprites *s)
{
  enum { LENGTH = 4 };
  sprite *it = add_sprite(s, "");
  int first = s->level_count;
  if (!it)
    return false;
  for (int i = FIRST_SIZE; i <= LAST_SIZE; i++) {
    int size = bucket_widths[i], side = size + 2 * SHAPE_PAD;
    sprite_level level = {{NULL, 0, 0, 0, 0}, 1, (float)side / (float)size, size};
    if (!add_level(s, bar_pixels(LENGTH, size), LENGTH, side, &level, false))
      return false;
  }
  finish_sprite(s, it, first);
  return true;
}

/* Any picture, at its own size and halved again and again. Takes `pixels` over; they may be missing where there is no
   atlas. */
static bool add_picture(sprites *s, const char *name, uint32_t *pixels, int w, int h, bool glows)
{
  sprite *it = pixels || !s->atlas ? add_sprite(s, name) : NULL;
  int first = s->level_count;
  float half_h = (float)h / (float)w;
  if (!it) {
    free(pixels);
    return false;
  }
  for (;;) {
    sprite_level level = {{NULL, 0, 0, 0, 0}, 1, half_h, w};
    bool last = w / 2 < LEAST_LEVEL || h / 2 < 1;
    uint32_t *half = last || !s->atlas ? NULL : image_halve(pixels, w, h);
    if (!add_level(s, pixels, w, h, &level, glows)) {
      free(half);
      return false;
    }
    if (last || (s->atlas && !half))
      break;
    pixels = half;
    w /= 2;
    h /= 2;
  }
  finish_sprite(s, it, first);
  return true;
}

/* }== */

/* {== Loading ============================================================ */

static bool add_white(sprites *s)
{
  enum { SIDE = 4 };
  uint32_t *pixels = malloc(SIDE * SIDE * sizeof *pixels);
  if (pixels)
    memset(pixels, 0xff, SIDE * SIDE * sizeof *pixels);
  return add_picture(s, "", pixels, SIDE, SIDE, false);
}

static void warn(const sprites *s, const char *text)
{
  if (s->options.warn)
    s->options.warn(s->options.warn_ud, text);
}

/* "spark.glow.png" is the sprite "spark", and glows. Cuts that off its name. */
static bool cut_glow(char *name)
{
  static const char suffix[] = ".glow";
  size_t length = strlen(name), cut = sizeof suffix - 1;
  bool glows = length > cut && strcmp(name + length - cut, suffix) == 0;
  if (glows)
    name[length - cut] = '\0';
  return glows;
}

static bool add_file(sprites *s, const char *folder, char *name)
{
  char path[PATH_MOST], text[PATH_MOST + 256];
  int w = 0, h = 0;
  uint32_t *pixels;
  snprintf(path, sizeof path, "%s/%s.png", folder, name);
  bool glows = cut_glow(name);
  pixels = s->atlas ? image_load(path, &w, &h) : NULL;
  if (pixels || (!s->atlas && image_measure(path, &w, &h)))
    return add_picture(s, name, pixels, w, h, glows);
  snprintf(text, sizeof text, "%s: %s; a checker is drawn instead", path, SDL_GetError());
  warn(s, text);
  return add_picture(s, name, image_checker(CHECKER_SIDE), CHECKER_SIDE, CHECKER_SIDE, false);
}

static bool add_folder(sprites *s, const char *folder)
{
  size_t count;
  char **names = image_list(folder, &count);
  bool fine = true;
  for (size_t i = 0; i < count && fine; i++)
    fine = add_file(s, folder, names[i]);
  image_list_free(names, count);
  return fine;
}

static bool add_all(sprites *s)
{
  bool fine =
      add_white(s) && add_bar(s) && add_picture(s, "", image_checker(CHECKER_SIDE), CHECKER_SIDE, CHECKER_SIDE, false);
  if (fine && s->options.folder)
    fine = add_folder(s, s->options.folder);
  for (int kind = 0; kind < SHAPE_COUNT && fine; kind++)
    fine = add_shape(s, (shape)kind);
  return fine;
}

/* Levels lie in the order of their sprites. */
static void set_pointers(sprites *s)
{
  int next = 0;
  for (int i = 0; i < s->level_count && s->atlas; i++)
    s->levels[i].area = atlas_area(s->atlas, i);
  for (int i = 0; i < s->count; i++) {
    s->list[i].levels = s->levels + next;
    next += s->list[i].level_count;
  }
}

static bool build(sprites *s, const window *w)
{
  bool blind = !w->renderer;
  s->atlas = blind ? NULL : atlas_open();
  return (blind || s->atlas) && add_all(s) && (blind || atlas_build(s->atlas, w->renderer, w->texture_most));
}

sprites *sprites_open(const window *w, const sprites_options *options)
{
  sprites *s = calloc(1, sizeof *s);
  if (!s) {
    SDL_OutOfMemory();
    return NULL;
  }
  s->options = *options;
  SDL_ClearError();
  if (build(s, w)) {
    set_pointers(s);
    return s;
  }
  if (!*SDL_GetError())
    SDL_OutOfMemory();
  sprites_close(s);
  return NULL;
}

void sprites_close(sprites *s)
{
  if (!s)
    return;
  for (int i = 0; i < s->count; i++)
    free(s->list[i].name);
  atlas_close(s->atlas);
  free(s->list);
  free(s->levels);
  free(s->by_number);
  free(s);
}

/* }== */

/* {== Finding ============================================================ */

const sprite *sprites_find(const sprites *s, const char *name)
{
  for (int i = FIRST_NAMED; i < s->count; i++)
    if (strcmp(s->list[i].name, name) == 0)
      return &s->list[i];
  return NULL;
}

const char *sprites_nearest(const sprites *s, const char *name)
{
  const char *best = "circle";
  unsigned best_distance = ~0u;
  for (int i = FIRST_NAMED; i < s->count; i++) {
    unsigned distance = nearest_distance(name, s->list[i].name);
    if (distance < best_distance) {
      best = s->list[i].name;
      best_distance = distance;
    }
  }
  return best;
}

static const sprite *look_up(const sprites *s, uint16_t number)
{
  const char *name = s->options.name ? s->options.name(s->options.name_ud, number) : NULL;
  const sprite *found;
  char text[256];
  if (!name && number == 0)
    name = "circle";
  found = name ? sprites_find(s, name) : NULL;
  if (found)
    return found;
  if (name)
    snprintf(text, sizeof text, "no sprite '%.80s'; the nearest is '%.80s'; a checker is drawn instead", name,
             sprites_nearest(s, name));
  else
    snprintf(text, sizeof text, "no sprite has the number %u; a checker is drawn instead", (unsigned)number);
  warn(s, text);
  return &s->list[CHECKER];
}

const sprite *sprites_number(sprites *s, uint16_t number)
{
  if (number >= s->numbers) {
    size_t numbers = number + 64u;
    const sprite **by_number = realloc(s->by_number, numbers * sizeof *by_number);
    if (!by_number)
      return &s->list[CHECKER];
    for (size_t i = s->numbers; i < numbers; i++)
      by_number[i] = NULL;
    s->by_number = by_number;
    s->numbers = numbers;
  }
  if (!s->by_number[number])
    s->by_number[number] = look_up(s, number);
  return s->by_number[number];
}

batch_area sprites_white(const sprites *s)
{
  batch_area area = s->list[WHITE].levels->area;
  float inset_u = (area.u1 - area.u0) * 0.25f, inset_v = (area.v1 - area.v0) * 0.25f;
  return (batch_area){area.texture, area.u0 + inset_u, area.v0 + inset_v, area.u1 - inset_u, area.v1 - inset_v};
}

const sprite *sprites_bar(const sprites *s) { return &s->list[BAR]; }

/* Shapes come last. */
const sprite *sprites_disc(const sprites *s) { return &s->list[s->count - SHAPE_COUNT + SHAPE_CIRCLE]; }

/* }== */
