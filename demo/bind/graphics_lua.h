/*
** The object `g` that a game's draw(g) gets. It works while draw runs, and says so otherwise.
**
**   g:color(r, g, b, a?)                0..1 each, for what follows; white at the start of every draw
**   g:text(x, y, s, size?, align?)      top at y; "left", "center" or "right" of each line at x; size 16 if not given
**   g:measure(s, size?)                 -> width and height of that text
**   g:line(x1, y1, x2, y2, width?)
**   g:rect(x, y, w, h, mode?)           mode "fill" (if not given) or "line"
**   g:circle(x, y, radius, mode?)
**   g:sprite(name, x, y, angle?, scale?)  as an object of radius 8 shows it
**   g:camera(x, y, zoom?, angle?)       the world at x, y is in the middle of the view; without arguments: no camera
**   g:shake(x, y)                       the next picture shows the world that far from where it is
**   g.width, g.height                   of the view
**   g.update_ms, g.draw_ms              what the last steps took, and the last picture up to the renderer
*/
#ifndef SP_DEMO_GRAPHICS_LUA_H
#define SP_DEMO_GRAPHICS_LUA_H

#include <lua.h>

#include "demo/draw/graphics.h"

/* Makes `g` in a state; `*reference` is its number in the registry. `it` must outlive the state. False, with one
   line in `error`, when memory is refused. */
bool graphics_install(graphics *it, lua_State *L, int *reference, char *error, size_t error_size);

#endif
