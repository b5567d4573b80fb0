/*
** The slots of a pool as a picture: one cell each, coloured by what lies in it. The cells are pixels of one texture
** that is brought up to date in slices, so ten thousand slots cost a frame no more than a few hundred.
*/
#ifndef SP_DEMO_SLOT_MAP_H
#define SP_DEMO_SLOT_MAP_H

#include "core/spawnpool.h"
#include "demo/draw/graphics.h"
#include "demo/draw/window.h"

typedef struct slot_map {
  const window *window;
  SDL_Texture *texture; /* NULL: nothing was drawn yet */
  uint32_t *pixels;
  int width, height;     /* of the texture, pixels */
  int cell, columns;     /* pixels of a cell with its gap; cells in a row */
  const sp_pool *pool;   /* whose slots they are */
  uint32_t chunks;       /* of it, when the cells were laid out */
  uint32_t first, shown; /* slots from `first` on */
  uint32_t next;         /* where the next slice begins, counted from `first` */
  float x, y;            /* where it was drawn last, points */
} slot_map;

/* A zeroed one is closed. Nothing is made before it is first drawn; the window must outlive it. */
void slot_map_open(slot_map *it, const window *w);
void slot_map_close(slot_map *it);

/* Draws the slots of `pool` at x, y in at most w by h points, with a frame around the one of `selected` (may be 0), and
   returns the height that it took: 0 for a pool without slots, and when memory is refused. */
float slot_map_draw(slot_map *it, graphics *g, const sp_pool *pool, float x, float y, float w, float h,
                    sp_ref selected);

/* What it drew last: the number of the slot at a point, and its object; false where there is no slot. */
bool slot_map_at(const slot_map *it, float x, float y, sp_slot *slot);

/* Moves on by rows of cells, where not all slots find room. */
void slot_map_scroll(slot_map *it, int rows);

/* The colour of a slot: live objects go from bright to deep within seconds. */
SDL_Color slot_map_color(sp_slot_state state, float age);

#endif
