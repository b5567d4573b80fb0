/*
** PNGs and sheets are loaded again between two frames: a new sprite is made beside the old one, then their contents are
** swapped.
*/
#include "demo/draw/sprite_reload.h"

#include <SDL.h>
#include <stdlib.h>
#include <string.h>

#include "demo/draw/shapes.h"
#include "demo/draw/sprite_make.h"

/* Returns the sprite of a PNG called `name`, or NULL. */
static sprite *find_picture(const sprites *s, const char *name)
{
  for (int i = FIRST_NAMED; i < s->count - SHAPE_COUNT; i++)
    if (strcmp(s->list[i]->name, name) == 0)
      return s->list[i];
  return NULL;
}

/* Makes the name refer to this sprite from now on. */
static void take_name(sprites *s, const sprite *it)
{
  for (size_t i = 0; i < s->numbers; i++) {
    const char *name = s->by_number[i] ? sprites_name_of(s, (uint16_t)i) : NULL;
    if (name && strcmp(name, it->name) == 0)
      s->by_number[i] = it;
  }
}

/* Puts all sizes of all frames on a page; `areas` has room for them. */
static bool repaint(const sprites *s, const picture *p, bool glows, int *page, batch_area *areas, int count)
{
  atlas_image *sizes = malloc((size_t)count * sizeof *sizes);
  int at = 0;
  for (int i = 0; sizes && i < p->count; i++)
    for (int size = 0; size < p->frames[i].count; size++)
      sizes[at++] = p->frames[i].sizes[size];
  bool fine =
      sizes && atlas_repaint(s->atlas, s->window->renderer, s->window->texture_most, page, sizes, count, glows, areas);
  if (!sizes)
    SDL_OutOfMemory();
  free(sizes);
  return fine;
}

/* Gives a sprite its levels; there must be none. Returns how many areas it took. */
static int set_levels(sprite *it, const mipmaps *m, const batch_area *areas)
{
  it->levels = malloc((size_t)m->count * sizeof *it->levels);
  if (!it->levels)
    return -1;
  for (int i = 0; i < m->count; i++) {
    it->levels[i] = sprite_level_of(m, i);
    it->levels[i].area = areas[i];
  }
  it->level_count = m->count;
  sprite_finish(it);
  return m->count;
}

/* Makes a sprite of a picture, on page `page` if it fits there. NULL when SDL or memory refuses. */
static sprite *sprite_of(sprites *s, const char *name, picture *p, bool glows, int page)
{
  int count = p->count * p->frames[0].count, at = 0; /* all frames have equal sizes */
  batch_area *areas = calloc((size_t)count, sizeof *areas);
  sprite *it = areas ? sprite_single(name) : NULL;
  bool fine = it && sprite_make_frames(it, p);
  for (int i = 0; fine && i < p->count; i++) /* all memory first: what is on the page is shown at once */
    fine = set_levels(i == 0 ? it : it->frames[i - 1], &p->frames[i], areas) > 0;
  if (!fine)
    SDL_OutOfMemory();
  fine = fine && (!s->atlas || repaint(s, p, glows, &page, areas, count));
  for (int i = 0; fine && i < p->count; i++) {
    sprite *frame = i == 0 ? it : it->frames[i - 1];
    for (int level = 0; level < frame->level_count; level++)
      frame->levels[level].area = areas[at++];
  }
  free(areas);
  if (fine) {
    it->page = page;
    it->reloaded = true;
    sprite_take_sheet(it, p);
    return it;
  }
  sprite_free(it);
  return NULL;
}

/* Swaps the contents of two sprites. Their addresses and names stay. */
static void exchange(sprite *it, sprite *with)
{
  sprite old = *it;
  char *name = with->name;
  *it = *with;
  it->name = old.name;
  *with = old;
  with->name = name;
}

bool sprites_load(sprites *s, const char *file, const void *bytes, size_t size)
{
  char name[SPRITE_NAME_MOST];
  bool glows = sprite_cut_name(file, name);
  file_bytes own = {bytes, size}, other = sprite_beside(s, file);
  picture p;
  if (!name[0])
    return SDL_SetError("the file has no name") == 0;
  if (sprite_is_sheet(file) && !other.at)
    return true; /* it waits for its PNG */
  if (!picture_read(&p, sprite_is_sheet(file) ? other : own, sprite_is_sheet(file) ? own : other, !s->atlas))
    return false;
  sprite *it = find_picture(s, name), *room = it ? NULL : sprite_new(s, name);
  int page = it ? it->page : -1;
  sprite *made = it || room ? sprite_of(s, name, &p, glows, page) : NULL;
  picture_free(&p);
  if (!made) {
    sprite_free(room);
    return false;
  }
  if (it) {
    exchange(it, made);
    sprite_send_sheet(s, it);
    sprite_free(made);
  } else {
    sprite_free(room);
    sprite_insert(s, s->count - SHAPE_COUNT, made);
    take_name(s, made);
    if (made->sheet)
      sprite_send_sheet(s, made);
  }
  return true;
}

bool sprites_is_reloaded(sprites *s, uint16_t number)
{
  return number < s->numbers && s->by_number[number] && s->by_number[number]->reloaded;
}

/* Warns here rather than after each file: while a PNG and its sheet are exported, one is older than the other. */
void sprites_clear_reloaded(sprites *s)
{
  for (int i = 0; i < s->count; i++) {
    if (s->list[i]->reloaded)
      sprite_warn_cut_off(s, s->list[i]);
    s->list[i]->reloaded = false;
  }
}
