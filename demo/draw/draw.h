/*
** Draws pools: reads the columns of every pool, chunk by chunk, culls objects outside of the view, sorts by layer and
** fills a batch; `looks` resolves sprite numbers. And draws text and shapes, for `g` and for the overlays.
*/
#ifndef SP_DEMO_DRAW_H
#define SP_DEMO_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "core/spawnpool.h"
#include "demo/draw/batch.h"
#include "demo/draw/sprites.h"
#include "demo/draw/text.h"
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

/* {== Shapes and text ====================================================
** Text, lines, rectangles, circles and sprites, added to a batch: what a game draws with `g`, and what the player draws
** its overlays with. */

/* So much may be drawn from graphics_begin to graphics_end; the rest is left out. */
#define GRAPHICS_QUADS_MOST 262144
#define GRAPHICS_LETTERS_MOST 65536
#define GRAPHICS_TEXT_MOST 65536 /* bytes of one text, also of one that is measured */

typedef struct graphics {
  const struct sp_reach *rows; /* the methods of `g` */
  sprites *sprites;
  text *text;
  draw_view view;
  game_view *world;          /* the game's view: graphics_camera sets its camera. NULL: there is none */
  bool below;                /* what is drawn now is in the world, seen by the camera */
  size_t first;              /* the first quad that is not ready to be shown */
  float shake_x, shake_y;    /* offset of the objects in the next picture */
  double update_ms, draw_ms; /* durations of the last steps and the last picture */
  bool is_measured;          /* the game has asked for one */
  batch *out;                /* NULL outside draw */
  SDL_Color color;
  size_t quads_left, letters_left;
  bool has_left_out; /* something, since the game has started */
} graphics;

/* Begin and end one call of draw, which draws into `out`. graphics_begin_below: what is drawn is in the world. */
void graphics_begin(graphics *it, batch *out, const draw_view *view);
void graphics_begin_below(graphics *it, batch *out, const draw_view *view);
void graphics_end(graphics *it);

/* Sets the camera of the view, for objects and for what is drawn below them from now on. */
void graphics_camera(graphics *it, const view_camera *c);

/* }== */

/* {== Drawing, as the methods do ========================================= */

/* Draws a text into it->out, as far as it may. */
void graphics_write(graphics *it, float x, float y, const text_style *style, const char *s, size_t length);

/* Each draws into it->out in it->color; false when memory is refused. Numbers must be finite. */
bool graphics_line(graphics *it, float x1, float y1, float x2, float y2, float width);
bool graphics_rect(graphics *it, float x, float y, float w, float h, bool filled);
bool graphics_circle(graphics *it, float x, float y, float radius, bool filled);
bool graphics_sprite(graphics *it, const sprite *shape, float x, float y, float angle, float radius);

/* }== */

#endif
