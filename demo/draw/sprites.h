/*
** Appearance of objects: the built-in shapes and the PNGs of the game's `sprites/` folder, by name. NAME.glow.png is
** the sprite NAME, drawn additively. Each sprite is kept at several sizes, and the next larger one is drawn, so that
** small sprites stay smooth on a GPU and on the CPU. PNGs and sheets may be loaded again while the game runs.
*/
#ifndef SP_DEMO_SPRITES_H
#define SP_DEMO_SPRITES_H

#include <stdbool.h>
#include <stdint.h>

#include "demo/draw/assets.h"
#include "demo/draw/batch.h"
#include "demo/draw/window.h"
#include "script/script.h"

#define SPRITE_BUCKETS 24 /* size classes on screen: see sprite_level_at */

/* One size of a sprite. */
typedef struct sprite_level {
  batch_area area;
  float half_w, half_h; /* half the quad, for a sprite of radius 1 */
  int width;            /* width of the sprite itself in pixels */
} sprite_level;

typedef struct sprite sprite;
struct sprite {
  char *name;                    /* NULL: a later frame of another sprite */
  sprite_level *levels;          /* those of the first frame, then those of the others */
  int level_count;               /* of one frame */
  float reach;                   /* from the middle to a corner, for radius 1 */
  uint8_t level[SPRITE_BUCKETS]; /* the level for each size */
  int page;                      /* in the atlas, once the PNG was reloaded; -1: shared with others */
  bool reloaded;                 /* loaded since sprites_clear_reloaded */
  struct sheet *sheet;           /* NULL: it has one frame */
  sprite *frames;                /* those of a sheet after the first one, which is the sprite itself */
  int more_frames;               /* how many */
  int cut_off;                   /* a frame that lies partly outside of the PNG; 0: none */
};

typedef struct sprites sprites;

typedef struct sprites_options {
  assets *files; /* the PNGs, and the sheets beside them; NULL: none */
  void *ud;      /* of the functions, each of which may be NULL */
  /* Receives one line of warning. */
  void (*warn)(void *ud, const char *line);
  /* Returns the name of a sprite number, or NULL: sp_script_sprite_name. */
  const char *(*name)(void *ud, uint16_t number);
  /* Receives the new sheet of a sprite; NULL: it has none any more. */
  void (*sheet)(void *ud, const char *name, const sp_sheet *sheet);
  bool nearest; /* PNGs are enlarged without smoothing */
} sprites_options;

/* The endings of PNGs and sheets, for assets_kind. */
extern const char *const sprites_endings[];

/* Draws the shapes and loads the PNGs; for a blind window it only measures them, and no level has a texture. A PNG
   that cannot be read is one warning, and a magenta checker on screen. NAME.png takes precedence over NAME.glow.png.
   NULL when SDL or memory refuses: SDL_GetError says why. Close with sprites_close, before the window, which must
   outlive the sprites. */
sprites *sprites_open(const window *w, const sprites_options *options);
void sprites_close(sprites *s);

/* Loads a PNG, or the sheet beside one, that is new or was edited: the sprite of that name shows it from now on, also
   if the name was unknown or that of a shape. False when it cannot be read, or SDL or memory refuses: SDL_GetError says
   why, and nothing has changed. Pointers to sprites stay valid, those to levels do not. */
bool sprites_load(sprites *s, const char *file, const void *bytes, size_t size);

/* Returns whether the sprite of this number was loaded since sprites_clear_reloaded was called last. */
bool sprites_is_reloaded(sprites *s, uint16_t number);
void sprites_clear_reloaded(sprites *s);

bool sprites_are_nearest(const sprites *s);

/* Returns the number of textures. */
int sprites_textures(const sprites *s);

/* Returns the sprite called `name`, or NULL. A PNG takes precedence over a shape of the same name. */
const sprite *sprites_find(const sprites *s, const char *name);

/* Returns a PNG cut into tiles of `side` pixels, row by row, as a sprite with a frame for each, which has its edges
   repeated around it; a sprite with a sheet as it is. The first call for a name and a size makes it. NULL: there is no
   such PNG, it has no room for a tile or more than SHEET_FRAMES_MOST, or memory is refused: SDL_GetError says which.
   Valid until the PNG is loaded again. */
const sprite *sprites_cut(sprites *s, const char *name, int side);

/* Returns the known name nearest to `name`, for a message; NULL when none is near. */
const char *sprites_nearest(const sprites *s, const char *name);

/* Returns the sprite for this number. Never NULL: an unknown number is a warning, once, and the checker. */
const sprite *sprites_number(sprites *s, uint16_t number);

/* Call both when the script was restored to a checkpoint. sprites_renumber drops the cache by number, because
   numbers may stand for other names; sprites_send_sheets passes the current sheets to the script, because those of
   then may have been freed. */
void sprites_renumber(sprites *s);
void sprites_send_sheets(const sprites *s);

/* Helpers on the same texture as the shapes: a plain white area, and the disc, even if a PNG is called "circle". */
batch_area sprites_white(const sprites *s);
const sprite *sprites_disc(const sprites *s);

/* Returns a frame, from 1; the last one for numbers past the end. */
static inline const sprite *sprite_frame(const sprite *s, unsigned frame)
{
  unsigned last = (unsigned)s->more_frames + 1;
  frame = frame < last ? frame : last;
  return frame <= 1 ? s : &s->frames[frame - 2];
}

/* Returns the level for a width of `pixels` on screen. Up to 32, sizes differ by two pixels; then by a third. */
static inline int sprite_bucket(float pixels)
{
  if (!(pixels > 0))
    return 0;
  if (pixels <= 32)
    return (int)(pixels * 0.5f + 0.999f);
  return 17 + (pixels > 48) + (pixels > 64) + (pixels > 96) + (pixels > 128) + (pixels > 192) + (pixels > 256);
}
static inline const sprite_level *sprite_level_at(const sprite *s, float pixels)
{
  return &s->levels[s->level[sprite_bucket(pixels)]];
}

#endif
