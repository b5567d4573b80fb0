/*
** The object `g` that a game's draw(g) gets: text, lines, rectangles, circles and sprites on top of the objects. It
** adds to a batch, so what a game draws is part of the same few submissions. It works while draw runs, and says so
** otherwise.
**
**   g:color(r, g, b, a?)                0..1 each, for what follows; white at the start of every draw
**   g:text(x, y, s, size?)              top left at x, y; size in points, 16 if not given
**   g:line(x1, y1, x2, y2, width?)
**   g:rect(x, y, w, h, mode?)           mode "fill" (if not given) or "line"
**   g:circle(x, y, radius, mode?)
**   g:sprite(name, x, y, angle?, scale?)  as an object of radius 8 shows it
**   g:shake(x, y)                       the next picture shows objects that far from where they are
**   g.width, g.height                   of the window
**   g.update_ms, g.draw_ms              what the last steps took, and the last picture up to the renderer
*/
#ifndef SP_DEMO_GRAPHICS_H
#define SP_DEMO_GRAPHICS_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/draw/batch.h"
#include "demo/draw/draw.h"
#include "demo/draw/sprites.h"
#include "demo/draw/text.h"

struct lua_State;

typedef struct graphics {
  sprites *sprites;
  text *text; /* NULL where nobody reads it */
  draw_view view;
  float shake_x, shake_y;    /* of the objects in the next picture */
  double update_ms, draw_ms; /* what the last steps and the last picture took */
  batch *out;                /* NULL outside draw */
  SDL_Color color;
} graphics;

/* Makes `g` in a state; `*reference` is its place in the registry. `it` must outlive the state. False, with one line in
   `error`, when memory is refused. */
bool graphics_install(graphics *it, struct lua_State *L, int *reference, char *error, size_t error_size);

/* Brackets one call of draw: what it draws goes to `out`. */
void graphics_begin(graphics *it, batch *out, const draw_view *view);
void graphics_end(graphics *it);

/* {== Drawing, as the methods do ========================================= */

/* Each adds to it->out in it->color; false when memory is refused. Numbers must be finite. */
bool graphics_line(graphics *it, float x1, float y1, float x2, float y2, float width);
bool graphics_rect(graphics *it, float x, float y, float w, float h, bool filled);
bool graphics_circle(graphics *it, float x, float y, float radius, bool filled);
bool graphics_sprite(graphics *it, const sprite *shape, float x, float y, float angle, float radius);

/* }== */

#endif
