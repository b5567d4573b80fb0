/*
** The object `g` that a game's draw(g) gets. Its methods draw only while draw runs, and raise an error otherwise;
** `measure` works at any time.
**
**   g:color(r, g, b, a?)                sets the colour, 0..1 each; white at the start of every draw
**   g:text(x, y, s, size?, align?, font?)  top at y; "left", "center" or "right" of each line at x; size 16 by
**                                       default; font "sans" or "mono"
**   g:measure(s, size?, font?)          -> width and height of the text
**   g:line(x1, y1, x2, y2, width?)
**   g:rect(x, y, w, h, mode?)           mode "fill" (the default) or "line"
**   g:circle(x, y, radius, mode?)
**   g:sprite(name, x, y, angle?, scale?)  at the size of an object of radius 8
**   g:camera(x, y, zoom?, angle?)       centres the view on x, y of the world; without arguments: no camera
**   g:shake(x, y)                       shifts the world by x, y in the next frame
**   g.width, g.height                   size of the view, in units
**   g.scale                             points of the window per unit of the view
**   g.update_ms, g.draw_ms              duration of the last steps, and CPU time of the last frame's drawing
*/
#ifndef SP_DEMO_GRAPHICS_LUA_H
#define SP_DEMO_GRAPHICS_LUA_H

#include <lua.h>

#include "demo/draw/graphics.h"
#include "script/state/border.h"

/* Creates `g` in a state, with the functions of `rows`; `*reference` is its number in the registry. `it` must outlive
   the state. False, with one line in `error`, when memory is refused. */
bool graphics_install(graphics *it, const sp_reach *rows, lua_State *L, int *reference, char *error, size_t error_size);

#endif
