/*
** Curves for the overlays: numbers over time as a filled area, and thin lines across.
*/
#ifndef SP_DEMO_GRAPH_H
#define SP_DEMO_GRAPH_H

#include "demo/draw/graphics.h"

typedef struct graph_box {
  float x, y, w, h;
} graph_box;

/* The plate that a curve stands on. */
void graph_back(graphics *g, const graph_box *box);

/* `count` of at most `most` values, oldest first, the newest at the right edge; `top` is at the upper edge, 0 at the
   lower one, and what is above it is cut. */
void graph_area(graphics *g, const graph_box *box, const float *values, int count, int most, float top,
                SDL_Color color);

/* A line at `value`; nothing when it is above `top`. */
void graph_mark(graphics *g, const graph_box *box, float value, float top, SDL_Color color);

/* The smallest of 1, 2, 5, 10, 20, 50 ... that is not below `value`: tops that do not change at every moment. */
float graph_top(float value);

#endif
