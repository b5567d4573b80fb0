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

#include "demo/draw/shapes.h"
#include "demo/draw/sprite_make.h"
#include "demo/support/nearest_name.h"

#define CHECKER_SIDE 64
#define PATH_MOST 4096

#define FIRST_SIZE 1 /* shapes are drawn at the widths of these buckets */
#define LAST_SIZE 22

const char *const sprites_endings[] = {".png", ".json", NULL};

/* {== Building =========================================================== */

#define BAR_LENGTH 4 /* any length works */

/* Adds a shape, or the bar, at all its sizes. */
static bool add_drawn(sprites *s, const char *name, bool is_bar, shape kind)
{
  sprite *it = sprite_add(s, name);
  for (int i = FIRST_SIZE; it && i <= LAST_SIZE; i++) {
    int size = sprite_bucket_widths[i], side = size + 2 * SHAPE_PAD;
    float half = (float)side / (float)size;
    sprite_level level = {{NULL, 0, 0, 0, 0}, is_bar ? 1 : half, half, size};
    atlas_image image = {NULL, is_bar ? BAR_LENGTH : side, side};
    if (s->atlas)
      image.pixels = is_bar ? shape_bar(BAR_LENGTH, size) : shape_pixels(kind, size);
    if (!sprite_add_level(s, it, &image, &level, false))
      return false;
  }
  if (it)
    sprite_finish(it);
  return it != NULL;
}

/* }== */

/* {== Pictures =========================================================== */

/* Adds a picture before the atlas is built, and frees it. */
static bool add_picture(sprites *s, const char *name, picture *p, bool glows)
{
  sprite *it = sprite_add(s, name);
  bool fine = it && sprite_make_frames(it, p) && sprite_add_levels(s, it, &p->frames[0], glows);
  for (int i = 1; fine && i < p->count; i++)
    fine = sprite_add_levels(s, it->frames[i - 1], &p->frames[i], glows);
  if (fine)
    sprite_take_sheet(it, p);
  picture_free(p);
  if (fine && it->sheet)
    sprite_send_sheet(s, it);
  return fine;
}

static bool add_pixels(sprites *s, const char *name, uint32_t *pixels, int w, int h)
{
  picture p;
  if (!pixels)
    return false;
  if (!s->atlas) {
    free(pixels);
    pixels = NULL;
  }
  return picture_make(&p, pixels, w, h) && add_picture(s, name, &p, false);
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

static bool add_file(sprites *s, size_t i, const char *name, bool glows)
{
  char path[PATH_MOST], text[PATH_MOST + 512];
  const asset *it = assets_at(s->options.files, i);
  file_bytes png = {it->bytes, it->size}, json = sprite_beside(s, it->file);
  picture p;
  SDL_ClearError();
  if (it->bytes && picture_read(&p, png, json, !s->atlas)) {
    assets_note(s->options.files, i, NULL);
    return add_picture(s, name, &p, glows);
  }
  if (it->bytes)
    assets_note(s->options.files, i, SDL_GetError());
  assets_path(s->options.files, it->file, path, sizeof path);
  snprintf(text, sizeof text, "%s: %s; a checker is drawn instead", path, it->problem ? it->problem : "out of memory");
  sprites_warn(s, text);
  return add_checker(s, name);
}

/* Checks the sheets first: a picture whose sheet cannot be read has one frame. */
static void check_sheets(sprites *s)
{
  char path[PATH_MOST], text[PATH_MOST + 512];
  const asset *it;
  for (size_t i = 0; (it = assets_at(s->options.files, i)) != NULL; i++) {
    if (!sprite_is_sheet(it->file) || !it->bytes || !sprite_beside(s, it->file).at)
      continue;
    sheet *read = sheet_read(it->bytes, it->size);
    assets_note(s->options.files, i, read ? NULL : SDL_GetError());
    sheet_free(read);
    if (read)
      continue;
    assets_path(s->options.files, it->file, path, sizeof path);
    snprintf(text, sizeof text, "%s: %s; its picture is one frame", path, it->problem ? it->problem : "out of memory");
    sprites_warn(s, text);
  }
}

/* Adds pictures that glow last: NAME.png takes precedence over NAME.glow.png. */
static bool add_files(sprites *s)
{
  const asset *it;
  bool fine = true;
  check_sheets(s);
  for (int glow = 0; glow < 2; glow++)
    for (size_t i = 0; fine && (it = assets_at(s->options.files, i)) != NULL; i++) {
      char name[SPRITE_NAME_MOST];
      bool glows = sprite_cut_name(it->file, name);
      if (!sprite_is_sheet(it->file) && glows == glow && name[0] && !sprites_find(s, name))
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

static void set_areas_of(const sprites *s, sprite *it)
{
  for (int level = 0; level < it->level_count; level++)
    it->levels[level].area = atlas_area(s->atlas, it->image + level);
  for (int i = 0; i < it->more_frames; i++)
    set_areas_of(s, it->frames[i]);
}

static void set_areas(sprites *s)
{
  for (int i = 0; i < s->count && s->atlas; i++)
    set_areas_of(s, s->list[i]);
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
    for (int i = 0; i < s->count; i++)
      sprite_warn_cut_off(s, s->list[i]);
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
  for (int i = 0; i < s->count; i++) {
    if (s->list[i]->sheet && s->options.sheet)
      s->options.sheet(s->options.sheet_ud, s->list[i]->name, NULL);
    sprite_free(s->list[i]);
  }
  atlas_close(s->atlas);
  free(s->list);
  free(s->by_number);
  free(s);
}

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
  const char *name = sprites_name_of(s, number);
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
  sprites_warn(s, text);
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

void sprites_renumber(sprites *s)
{
  for (size_t i = 0; i < s->numbers; i++)
    s->by_number[i] = NULL;
}

void sprites_send_sheets(const sprites *s)
{
  for (int i = 0; i < s->count; i++)
    if (s->list[i]->sheet)
      sprite_send_sheet(s, s->list[i]);
}

batch_area sprites_white(const sprites *s)
{
  batch_area area = s->list[WHITE]->levels->area;
  float inset_u = (area.u1 - area.u0) * 0.25f, inset_v = (area.v1 - area.v0) * 0.25f;
  return (batch_area){area.texture, area.u0 + inset_u, area.v0 + inset_v, area.u1 - inset_u, area.v1 - inset_v};
}

const sprite *sprites_bar(const sprites *s) { return s->list[BAR]; }

/* Shapes are at the end of the list. */
const sprite *sprites_disc(const sprites *s) { return s->list[s->count - SHAPE_COUNT + SHAPE_CIRCLE]; }

int sprites_textures(const sprites *s) { return s->atlas ? atlas_pages(s->atlas) : 0; }

/* }== */
