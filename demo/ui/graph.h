/*
** Curves for the overlays: values over time as a filled area, and horizontal lines.
*/
#ifndef SP_DEMO_GRAPH_H
#define SP_DEMO_GRAPH_H

#include "demo/draw/graphics.h"

typedef struct graph_box {
  float x, y, w, h;
} graph_box;

/* Draws the background of a curve. */
void graph_back(graphics *g, const graph_box *box);

/* Draws `count` of at most `most` values, oldest first, the newest at the right edge. The upper edge is `top`, the
   lower one 0; higher values are cut. */
void graph_area(graphics *g, const graph_box *box, const float *values, int count, int most, float top,
                SDL_Color color);

/* Draws a line at `value`; nothing when it is above `top`. */
void graph_mark(graphics *g, const graph_box *box, float value, float top, SDL_Color color);

/* Returns the smallest of 1, 2, 5, 10, 20, 50 ... that is not below `value`, so that scales rarely change. */
float graph_top(float value);

#endif
