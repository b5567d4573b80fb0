/*
** The construction of sprites, for sprites.c and sprite_reload.c: the list, levels, frames, and file names.
*/
#ifndef SP_DEMO_SPRITE_MAKE_H
#define SP_DEMO_SPRITE_MAKE_H

#include "demo/draw/atlas.h"
#include "demo/draw/picture.h"
#include "demo/draw/sprites.h"

#define SPRITE_NAME_MOST 256

/* The fixed sprites come first in the list; the others have names. */
enum { WHITE, BAR, CHECKER, FIRST_NAMED };

struct sprites {
  sprites_options options;
  const window *window;
  atlas *atlas; /* NULL: nothing is drawn */
  sprite **list;
  int count, room;
  const sprite **by_number;
  size_t numbers;
};

/* The maximum width of each bucket of sprite_level_at. */
extern const int sprite_bucket_widths[SPRITE_BUCKETS];

/* {== The list =========================================================== */

/* Returns a sprite without levels, NULL when memory is refused; sprite_new also makes room for it in the list, and
   sprite_add appends it. */
sprite *sprite_single(const char *name);
sprite *sprite_new(sprites *s, const char *name);
sprite *sprite_add(sprites *s, const char *name);
void sprite_insert(sprites *s, int at, sprite *it);
void sprite_free(sprite *it);

/* Returns the name of a number, or NULL. */
const char *sprites_name_of(const sprites *s, uint16_t number);
void sprites_warn(const sprites *s, const char *text);

/* }== */

/* {== Levels and frames ================================================== */

/* Adds a level, for a radius of 1, before the atlas is built. Takes ownership of the pixels. */
bool sprite_add_level(sprites *s, sprite *it, const atlas_image *image, const sprite_level *level, bool glows);
/* The same for all sizes of a picture, and finishes the sprite. */
bool sprite_add_levels(sprites *s, sprite *it, mipmaps *m, bool glows);
/* Chooses the level of each bucket. */
void sprite_finish(sprite *it);
sprite_level sprite_level_of(const mipmaps *m, int i);

/* Gives a sprite empty frames for those of the picture after the first one. */
bool sprite_make_frames(sprite *it, const picture *p);
/* sprite_take_sheet moves the sheet of a picture to the sprite; sprite_send_sheet passes it to the script host. */
void sprite_take_sheet(sprite *it, picture *p);
void sprite_send_sheet(const sprites *s, const sprite *it);
/* Warns of a frame that is not in the PNG. */
void sprite_warn_cut_off(const sprites *s, const sprite *it);

/* }== */

/* {== Files ============================================================== */

bool sprite_is_sheet(const char *file);
/* Writes the sprite's name: "spark.glow.png" is the sprite "spark", which glows. */
bool sprite_cut_name(const char *file, char name[SPRITE_NAME_MOST]);
/* Returns the last good content of the file beside this one that has the other ending: of a PNG its sheet, of a sheet
   its PNG. */
file_bytes sprite_beside(const sprites *s, const char *file);

/* }== */

#endif
