/*
** Level 0 of a sprite is image `image` of the atlas, and the others follow it. Frames of a sheet are sprites of their
** own, without a name.
*/
#include "demo/draw/sprite_make.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int sprite_bucket_widths[SPRITE_BUCKETS] = {2,  2,  4,  6,  8,  10, 12, 14, 16,  18,  20,  22,
                                                  24, 26, 28, 30, 32, 48, 64, 96, 128, 192, 256, 512};

void sprite_free(sprite *it)
{
  if (!it)
    return;
  for (int i = 0; i < it->more_frames; i++)
    sprite_free(it->frames[i]);
  free(it->frames);
  sheet_free(it->sheet);
  free(it->name);
  free(it->levels);
  free(it);
}

/* Returns a sprite without levels, NULL when memory is refused. */
sprite *sprite_single(const char *name)
{
  sprite *it = calloc(1, sizeof *it);
  if (it && (it->name = strdup(name)) != NULL) {
    it->page = -1;
    return it;
  }
  free(it);
  return NULL;
}

/* The same, and makes room for it in the list. */
sprite *sprite_new(sprites *s, const char *name)
{
  if (s->count == s->room) {
    int room = s->room ? s->room * 2 : 32;
    sprite **list = realloc(s->list, (size_t)room * sizeof(*list));
    if (!list)
      return NULL;
    s->list = list;
    s->room = room;
  }
  return sprite_single(name);
}

void sprite_insert(sprites *s, int at, sprite *it)
{
  memmove(s->list + at + 1, s->list + at, (size_t)(s->count - at) * sizeof(*s->list));
  s->list[at] = it;
  s->count += 1;
}

sprite *sprite_add(sprites *s, const char *name)
{
  sprite *it = sprite_new(s, name);
  if (it)
    sprite_insert(s, s->count, it);
  return it;
}

/* Takes ownership of `pixels`. half_w and half_h are for a radius of 1. */
bool sprite_add_level(sprites *s, sprite *it, const atlas_image *image, const sprite_level *level, bool glows)
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
void sprite_finish(sprite *it)
{
  const sprite_level *levels = it->levels;
  it->reach = 0;
  for (int i = 0; i < it->level_count; i++)
    it->reach = fmaxf(it->reach, hypotf(levels[i].half_w, levels[i].half_h));
  for (int b = 0; b < SPRITE_BUCKETS; b++) {
    int best = 0;
    for (int i = 1; i < it->level_count; i++) {
      bool fits = levels[i].width >= sprite_bucket_widths[b], best_fits = levels[best].width >= sprite_bucket_widths[b];
      if (fits != best_fits ? fits : (levels[i].width < levels[best].width) == fits)
        best = i;
    }
    it->level[b] = (uint8_t)best;
  }
}

sprite_level sprite_level_of(const mipmaps *m, int i)
{
  return (sprite_level){{NULL, 0, 0, 0, 0}, 1, (float)m->sizes[0].h / (float)m->sizes[0].w, m->sizes[i].w};
}

bool sprite_add_levels(sprites *s, sprite *it, mipmaps *m, bool glows)
{
  bool fine = it != NULL;
  for (int i = 0; fine && i < m->count; i++) {
    sprite_level level = sprite_level_of(m, i);
    fine = sprite_add_level(s, it, &m->sizes[i], &level, glows);
    m->sizes[i].pixels = NULL;
  }
  if (fine)
    sprite_finish(it);
  return fine;
}

/* Gives a sprite empty frames for those of the picture after the first one. */
bool sprite_make_frames(sprite *it, const picture *p)
{
  it->frames = calloc((size_t)p->count, sizeof(*it->frames));
  while (it->frames && it->more_frames < p->count - 1 && (it->frames[it->more_frames] = sprite_single("")) != NULL)
    it->more_frames++;
  return it->frames && it->more_frames == p->count - 1;
}

void sprite_send_sheet(const sprites *s, const sprite *it)
{
  if (s->options.sheet)
    s->options.sheet(s->options.sheet_ud, it->name, it->sheet ? &it->sheet->script : NULL);
}

void sprite_take_sheet(sprite *it, picture *p)
{
  it->sheet = p->sheet;
  it->cut_off = p->cut_off;
  p->sheet = NULL;
}

static bool ends_with(const char *file, const char *ending)
{
  size_t length = strlen(file), size = strlen(ending);
  return length > size && strcmp(file + length - size, ending) == 0;
}

bool sprite_is_sheet(const char *file) { return ends_with(file, ".json"); }

/* Writes the sprite's name: "spark.glow.png" is the sprite "spark", which glows. */
bool sprite_cut_name(const char *file, char name[SPRITE_NAME_MOST])
{
  const char *dot = strrchr(file, '.');
  snprintf(name, SPRITE_NAME_MOST, "%.*s", (int)(dot ? dot - file : 0), file);
  bool glows = ends_with(name, ".glow");
  if (glows)
    name[strlen(name) - strlen(".glow")] = '\0';
  return glows;
}

/* Returns the content of the file beside this one that has the other ending: of a PNG its sheet, of a sheet its PNG. */
file_bytes sprite_beside(const sprites *s, const char *file)
{
  size_t stem = (size_t)(strrchr(file, '.') - file);
  const asset *it;
  for (size_t i = 0; s->options.files && (it = assets_at(s->options.files, i)) != NULL; i++)
    if (strncmp(it->file, file, stem) == 0 && strcmp(it->file + stem, sprite_is_sheet(file) ? ".png" : ".json") == 0)
      return it->problem && !it->was_good ? (file_bytes){NULL, 0} : (file_bytes){it->bytes, it->size};
  return (file_bytes){NULL, 0};
}

void sprite_warn_cut_off(const sprites *s, const sprite *it)
{
  char text[SPRITE_NAME_MOST + 128];
  snprintf(text, sizeof text, "sprites/%.100s.json: frame %d lies outside of the PNG, in part or whole", it->name,
           it->cut_off);
  if (it->cut_off)
    sprites_warn(s, text);
}

void sprites_warn(const sprites *s, const char *text)
{
  if (s->options.warn)
    s->options.warn(s->options.warn_ud, text);
}

/* Returns the name of a number, or NULL. */
const char *sprites_name_of(const sprites *s, uint16_t number)
{
  const char *name = s->options.name ? s->options.name(s->options.name_ud, number) : NULL;
  return name || number > 0 ? name : "circle";
}
