/*
** The slots of a pool as a picture: one cell each, coloured by the state of the slot. The cells are pixels of one
** texture that is updated in slices, so ten thousand slots cost a frame no more than a few hundred.
*/
#ifndef SP_DEMO_SLOT_MAP_H
#define SP_DEMO_SLOT_MAP_H

#include "core/spawnpool.h"
#include "demo/draw/graphics.h"
#include "demo/draw/window.h"

typedef struct slot_map {
  const window *window;
  SDL_Texture *texture; /* NULL: not drawn yet */
  uint32_t *pixels;
  int width, height;     /* of the texture, pixels */
  int cell, columns;     /* cell size including the gap, pixels; cells per row */
  const sp_pool *pool;   /* pool shown */
  uint32_t slots;        /* those with a cell at the last layout */
  uint32_t first, shown; /* visible slots, from `first` on */
  uint32_t next;         /* start of the next slice, relative to `first` */
  float x, y;            /* position drawn last, points */
} slot_map;

/* A zeroed one is closed. Nothing is allocated before it is first drawn; the window must outlive it. */
void slot_map_open(slot_map *it, const window *w);
void slot_map_close(slot_map *it);

/* Draws the slots of `pool` at x, y in at most w by h points, with a frame around the slot of `selected` (may be 0).
   Returns the height used: 0 for a pool without slots, and when memory is refused. */
float slot_map_draw(slot_map *it, graphics *g, const sp_pool *pool, float x, float y, float w, float h,
                    sp_ref selected);

/* Returns the slot drawn last at a point in `*slot`; false where there is none. */
bool slot_map_at(const slot_map *it, float x, float y, sp_slot *slot);

/* Scrolls by rows of cells, where not all slots fit. */
void slot_map_scroll(slot_map *it, int rows);

/* Returns the colour of a slot: live objects fade from bright to dark within seconds. */
SDL_Color slot_map_color(sp_slot_state state, float age);

#endif
