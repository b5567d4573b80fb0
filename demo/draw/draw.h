/*
** Draws pools: reads the columns of every pool, chunk by chunk, culls objects outside of the view, sorts by layer and
** fills a batch; `looks` resolves sprite numbers.
*/
#ifndef SP_DEMO_DRAW_H
#define SP_DEMO_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "core/spawnpool.h"
#include "demo/draw/batch.h"
#include "demo/draw/sprites.h"
#include "demo/draw/window.h"

/* The visible area 0, 0 .. width, height in units, and the pixels per unit. Objects are shifted by `x`, `y` units; with
   a `camera` (not NULL), after it was applied. */
typedef struct draw_view {
  float width, height, scale;
  float x, y;
  const view_camera *camera;
  /* Fills the frames that the live objects of a chunk show, from 1; false when they show none. NULL: none do. */
  bool (*frames)(void *ud, sp_pool *pool, uint32_t chunk, uint16_t *frames);
  void *frames_ud;
  /* Returns the column of a pool's horizontal scales, before that of the vertical ones; 0: none has any. Writes whether
     its objects are drawn additively. NULL: no pool has either. */
  int (*scales)(const sp_pool *pool, bool *adds);
} draw_view;

typedef struct draw draw;

/* Allocates working memory that is reused in each frame. NULL when out of memory. */
draw *draw_open(void);
void draw_close(draw *d);

/* Adds every visible live object of `pools` to `out`: lower layers first, then older pools, then lower slots. False
   when memory is refused; some objects are then missing in `out`. */
bool draw_pools(draw *d, sp_manager *pools, sprites *looks, const draw_view *view, batch *out);

/* Returns the number of live objects that show a sprite loaded since sprites_clear_reloaded. */
size_t draw_count_reloaded(sp_manager *pools, sprites *looks);

#define SINCOS_COUNT 64
#define SINCOS_MOST 1e6f /* radians */

/* Computes the cosines and sines of SINCOS_COUNT angles between -SINCOS_MOST and SINCOS_MOST, with an error of at most
   one unit in the last place. */
void sincos_all(const float *angles, float *cosines, float *sines);

#endif
