/*
** Level 0 of a sprite is image `image` of the atlas, and the others follow it. Sprites never move in memory; the fixed
** ones come first in their list, then pictures, then shapes. The script host assigns the numbers, which are looked up
** here on first use. In a blind window there is no atlas: levels then have a size only, and nothing is drawn or
** unpacked.
*/
#include "demo/draw/sprites.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/draw/atlas.h"
#include "demo/draw/images.h"
#include "demo/draw/shapes.h"
#include "demo/support/nearest_name.h"

#define CHECKER_SIDE 64
#define NAME_MOST 256
#define PATH_MOST 4096

/* The fixed ones come first in the list; the others have names. */
enum { WHITE, BAR, CHECKER, FIRST_NAMED };

/* The maximum width of each bucket of sprite_level_at. */
static const int bucket_widths[SPRITE_BUCKETS] = {2,  2,  4,  6,  8,  10, 12, 14, 16,  18,  20,  22,
                                                  24, 26, 28, 30, 32, 48, 64, 96, 128, 192, 256, 512};
#define FIRST_SIZE 1 /* shapes are drawn at the widths of these buckets */
#define LAST_SIZE 22

struct sprites {
  sprites_options options;
  const window *window;
  atlas *atlas; /* NULL: nothing is drawn */
  sprite **list;
  int count, room;
  const sprite **by_number;
  size_t numbers;
};

const char *const sprites_endings[] = {".png", NULL};

/* {== Building =========================================================== */

static void free_sprite(sprite *it)
{
  if (!it)
    return;
  free(it->name);
  free(it->levels);
  free(it);
}

/* Returns a sprite without levels, and makes room for it in the list. NULL when memory is refused. */
static sprite *new_sprite(sprites *s, const char *name)
{
  if (s->count == s->room) {
    int room = s->room ? s->room * 2 : 32;
    sprite **list = realloc(s->list, (size_t)room * sizeof(*list));
    if (!list)
      return NULL;
    s->list = list;
    s->room = room;
  }
  sprite *it = calloc(1, sizeof *it);
  if (it && (it->name = strdup(name)) != NULL) {
    it->page = -1;
    return it;
  }
  free(it);
  return NULL;
}

static void insert_sprite(sprites *s, int at, sprite *it)
{
  memmove(s->list + at + 1, s->list + at, (size_t)(s->count - at) * sizeof(*s->list));
  s->list[at] = it;
  s->count += 1;
}

static sprite *add_sprite(sprites *s, const char *name)
{
  sprite *it = new_sprite(s, name);
  if (it)
    insert_sprite(s, s->count, it);
  return it;
}

/* Takes ownership of `pixels`. half_w and half_h are for a radius of 1. */
static bool add_level(sprites *s, sprite *it, const atlas_image *image, const sprite_level *level, bool glows)
{
  sprite_level *levels = realloc(it->levels, (size_t)(it->level_count + 1) * sizeof *levels);
  if (!levels) {
    free(image->pixels);
    return false;
  }
  it->levels = levels;
  levels[it->level_count] = *level;
  if (!s->atlas) {
    free(image->pixels);
  } else {
    int number = atlas_add(s->atlas, image->pixels, image->w, image->h, glows);
    if (number < 0)
      return false;
    it->image = number - it->level_count;
  }
  it->level_count++;
  return true;
}

/* Chooses for each bucket the smallest level that is wide enough, or the widest. `reach` is that of the worst level:
   small ones have the most padding. */
static void finish_sprite(sprite *it)
{
  const sprite_level *levels = it->levels;
  it->reach = 0;
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

#define BAR_LENGTH 4 /* any length works */

/* Rows of pixels: clear, white ..., clear. */
static uint32_t *bar_pixels(int size)
{
  int w = BAR_LENGTH, h = size + 2 * SHAPE_PAD;
  uint32_t *pixels = malloc((size_t)w * (size_t)h * sizeof *pixels);
  for (int i = 0; pixels && i < w * h; i++)
    pixels[i] = i / w < SHAPE_PAD || i / w >= h - SHAPE_PAD ? 0x00ffffffu : 0xffffffffu;
  return pixels;
}

static uint32_t *shape_pixels(shape kind, int size)
{
  size_t side = (size_t)(size + 2 * SHAPE_PAD);
  uint32_t *pixels = malloc(side * side * sizeof *pixels);
  if (pixels)
    shape_draw(kind, size, pixels);
  return pixels;
}

/* A shape, or the bar, at all its sizes. */
static bool add_drawn(sprites *s, const char *name, bool is_bar, shape kind)
{
  sprite *it = add_sprite(s, name);
  for (int i = FIRST_SIZE; it && i <= LAST_SIZE; i++) {
    int size = bucket_widths[i], side = size + 2 * SHAPE_PAD;
    float half = (float)side / (float)size;
    sprite_level level = {{NULL, 0, 0, 0, 0}, is_bar ? 1 : half, half, size};
    atlas_image image = {NULL, is_bar ? BAR_LENGTH : side, side};
    if (s->atlas)
      image.pixels = is_bar ? bar_pixels(size) : shape_pixels(kind, size);
    if (!add_level(s, it, &image, &level, false))
      return false;
  }
  if (it)
    finish_sprite(it);
  return it != NULL;
}

/* }== */

/* {== Pictures =========================================================== */

static sprite_level level_of(const mipmaps *m, int i)
{
  return (sprite_level){{NULL, 0, 0, 0, 0}, 1, (float)m->sizes[0].h / (float)m->sizes[0].w, m->sizes[i].w};
}

/* Adds a picture before the atlas is built. Takes ownership of the pixels. */
static bool add_picture(sprites *s, const char *name, mipmaps *m, bool glows)
{
  sprite *it = add_sprite(s, name);
  bool fine = it != NULL;
  for (int i = 0; fine && i < m->count; i++) {
    sprite_level level = level_of(m, i);
    fine = add_level(s, it, &m->sizes[i], &level, glows);
    m->sizes[i].pixels = NULL;
  }
  mipmaps_free(m);
  if (fine)
    finish_sprite(it);
  return fine;
}

static bool add_pixels(sprites *s, const char *name, uint32_t *pixels, int w, int h)
{
  mipmaps m;
  if (!pixels)
    return false;
  if (!s->atlas) {
    free(pixels);
    pixels = NULL;
  }
  return mipmaps_make(&m, pixels, w, h) && add_picture(s, name, &m, false);
}

/* Writes the sprite's name: "spark.glow.png" is the sprite "spark", which glows. */
static bool cut_name(const char *file, char name[NAME_MOST])
{
  static const char suffix[] = ".glow";
  size_t ending = strlen(sprites_endings[0]), cut = sizeof suffix - 1;
  snprintf(name, NAME_MOST, "%.*s", (int)(strlen(file) - ending), file);
  size_t length = strlen(name);
  bool glows = length > cut && strcmp(name + length - cut, suffix) == 0;
  if (glows)
    name[length - cut] = '\0';
  return glows;
}

/* }== */

/* {== Loading ============================================================ */

static bool add_white(sprites *s)
{
  enum { SIDE = 4 };
  uint32_t *pixels = malloc(SIDE * SIDE * sizeof *pixels);
  if (pixels)
    memset(pixels, 0xff, SIDE * SIDE * sizeof *pixels);
  return add_pixels(s, "", pixels, SIDE, SIDE);
}

static bool add_checker(sprites *s, const char *name)
{
  return add_pixels(s, name, image_checker(CHECKER_SIDE), CHECKER_SIDE, CHECKER_SIDE);
}

static void warn(const sprites *s, const char *text)
{
  if (s->options.warn)
    s->options.warn(s->options.warn_ud, text);
}

static bool add_file(sprites *s, size_t i, const char *name, bool glows)
{
  char path[PATH_MOST], text[PATH_MOST + 512];
  const asset *it = assets_at(s->options.files, i);
  mipmaps m;
  SDL_ClearError();
  if (it->bytes && mipmaps_read(&m, it->bytes, it->size, !s->atlas)) {
    assets_note(s->options.files, i, NULL);
    return add_picture(s, name, &m, glows);
  }
  if (it->bytes)
    assets_note(s->options.files, i, SDL_GetError());
  assets_path(s->options.files, it->file, path, sizeof path);
  snprintf(text, sizeof text, "%s: %s; a checker is drawn instead", path, it->problem ? it->problem : "out of memory");
  warn(s, text);
  return add_checker(s, name);
}

/* Glowing ones come last. */
static bool add_files(sprites *s)
{
  const asset *it;
  bool fine = true;
  for (int glow = 0; glow < 2; glow++)
    for (size_t i = 0; fine && (it = assets_at(s->options.files, i)) != NULL; i++) {
      char name[NAME_MOST];
      bool glows = cut_name(it->file, name);
      if (glows == glow && name[0] && !sprites_find(s, name))
        fine = add_file(s, i, name, glows);
    }
  return fine;
}

static bool add_all(sprites *s)
{
  bool fine =
      add_white(s) && add_drawn(s, "", true, SHAPE_CIRCLE) && add_checker(s, "") && (!s->options.files || add_files(s));
  for (int kind = 0; kind < SHAPE_COUNT && fine; kind++)
    fine = add_drawn(s, shape_name((shape)kind), false, (shape)kind);
  return fine;
}

static void set_areas(sprites *s)
{
  for (int i = 0; i < s->count && s->atlas; i++)
    for (int level = 0; level < s->list[i]->level_count; level++)
      s->list[i]->levels[level].area = atlas_area(s->atlas, s->list[i]->image + level);
}

static bool build(sprites *s)
{
  bool blind = !s->window->renderer;
  s->atlas = blind ? NULL : atlas_open();
  return (blind || s->atlas) && add_all(s) &&
         (blind || atlas_build(s->atlas, s->window->renderer, s->window->texture_most));
}

sprites *sprites_open(const window *w, const sprites_options *options)
{
  sprites *s = calloc(1, sizeof *s);
  if (!s) {
    SDL_OutOfMemory();
    return NULL;
  }
  s->options = *options;
  s->window = w;
  SDL_ClearError();
  if (build(s)) {
    set_areas(s);
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
    free_sprite(s->list[i]);
  atlas_close(s->atlas);
  free(s->list);
  free(s->by_number);
  free(s);
}

/* }== */

/* {== Loading again ====================================================== */

/* Returns the sprite of a PNG called `name`, or NULL. */
static sprite *find_picture(const sprites *s, const char *name)
{
  for (int i = FIRST_NAMED; i < s->count - SHAPE_COUNT; i++)
    if (strcmp(s->list[i]->name, name) == 0)
      return s->list[i];
  return NULL;
}

/* Returns the name of a number, or NULL. */
static const char *name_of(const sprites *s, uint16_t number)
{
  const char *name = s->options.name ? s->options.name(s->options.name_ud, number) : NULL;
  return name || number > 0 ? name : "circle";
}

/* Makes the name refer to this sprite from now on. */
static void take_name(sprites *s, const sprite *it)
{
  for (size_t i = 0; i < s->numbers; i++) {
    const char *name = s->by_number[i] ? name_of(s, (uint16_t)i) : NULL;
    if (name && strcmp(name, it->name) == 0)
      s->by_number[i] = it;
  }
}

/* Shows the picture: nothing fails any more once it is on its page. */
static bool show_picture(sprites *s, sprite *it, const mipmaps *m, bool glows, sprite_level *levels)
{
  batch_area areas[ATLAS_SIZES_MOST] = {{NULL, 0, 0, 0, 0}};
  int page = it->page;
  if (s->atlas &&
      !atlas_repaint(s->atlas, s->window->renderer, s->window->texture_most, &page, m->sizes, m->count, glows, areas))
    return false;
  for (int i = 0; i < m->count; i++) {
    levels[i] = level_of(m, i);
    levels[i].area = areas[i];
  }
  free(it->levels);
  it->levels = levels;
  it->level_count = m->count;
  it->page = page;
  it->reloaded = true;
  finish_sprite(it);
  return true;
}

bool sprites_load(sprites *s, const char *file, const void *bytes, size_t size)
{
  char name[NAME_MOST];
  bool glows = cut_name(file, name);
  mipmaps m;
  if (!name[0])
    return SDL_SetError("the file has no name") == 0;
  if (!mipmaps_read(&m, bytes, size, !s->atlas))
    return false;
  sprite *it = find_picture(s, name), *fresh = it ? NULL : new_sprite(s, name);
  sprite_level *levels = it || fresh ? malloc((size_t)m.count * sizeof *levels) : NULL;
  bool fine = levels && show_picture(s, it ? it : fresh, &m, glows, levels);
  mipmaps_free(&m);
  if (fine && fresh) {
    insert_sprite(s, s->count - SHAPE_COUNT, fresh);
    take_name(s, fresh);
  }
  if (!levels)
    SDL_OutOfMemory();
  if (!fine) {
    free(levels);
    free_sprite(fresh);
  }
  return fine;
}

bool sprites_is_reloaded(sprites *s, uint16_t number)
{
  return number < s->numbers && s->by_number[number] && s->by_number[number]->reloaded;
}

void sprites_clear_reloaded(sprites *s)
{
  for (int i = 0; i < s->count; i++)
    s->list[i]->reloaded = false;
}

int sprites_textures(const sprites *s) { return s->atlas ? atlas_pages(s->atlas) : 0; }

/* }== */

/* {== Finding ============================================================ */

const sprite *sprites_find(const sprites *s, const char *name)
{
  for (int i = FIRST_NAMED; i < s->count; i++)
    if (strcmp(s->list[i]->name, name) == 0)
      return s->list[i];
  return NULL;
}

const char *sprites_nearest(const sprites *s, const char *name)
{
  nearest_name near = nearest_name_of(name);
  for (int i = FIRST_NAMED; i < s->count; i++)
    nearest_name_offer(&near, s->list[i]->name);
  return near.name;
}

static const sprite *look_up(const sprites *s, uint16_t number)
{
  const char *name = name_of(s, number);
  const sprite *found = name ? sprites_find(s, name) : NULL;
  char text[256];
  if (found)
    return found;
  const char *near = name ? sprites_nearest(s, name) : NULL;
  if (near)
    snprintf(text, sizeof text, "no sprite '%.80s'; the nearest is '%.80s'; a checker is drawn instead", name, near);
  else if (name)
    snprintf(text, sizeof text, "no sprite '%.80s'; a checker is drawn instead", name);
  else
    snprintf(text, sizeof text, "no sprite has the number %u; a checker is drawn instead", (unsigned)number);
  warn(s, text);
  return s->list[CHECKER];
}

const sprite *sprites_number(sprites *s, uint16_t number)
{
  if (number >= s->numbers) {
    size_t numbers = number + 64u;
    const sprite **by_number = realloc(s->by_number, numbers * sizeof *by_number);
    if (!by_number)
      return s->list[CHECKER];
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
  batch_area area = s->list[WHITE]->levels->area;
  float inset_u = (area.u1 - area.u0) * 0.25f, inset_v = (area.v1 - area.v0) * 0.25f;
  return (batch_area){area.texture, area.u0 + inset_u, area.v0 + inset_v, area.u1 - inset_u, area.v1 - inset_v};
}

const sprite *sprites_bar(const sprites *s) { return s->list[BAR]; }

/* Shapes come last. */
const sprite *sprites_disc(const sprites *s) { return s->list[s->count - SHAPE_COUNT + SHAPE_CIRCLE]; }

/* }== */
