/*
** A trail: where an object was in each frame of a stretch, as dots. The dots of the path that it took before an edit
** are hollow, those of the path after it are full.
*/
#ifndef SP_DEMO_TRAIL_H
#define SP_DEMO_TRAIL_H

#include "core/spawnpool.h"
#include "demo/draw/graphics.h"

#define TRAIL_POINTS 1200 /* frames: 20 seconds */

typedef struct trail_point {
  uint64_t frame;
  float x, y; /* in the world */
} trail_point;

typedef struct trail {
  trail_point points[TRAIL_POINTS];
  int count;
} trail;

void trail_clear(trail *t);

/* Adds the position of `object` at the end of `frame`, if it is live and later than the last one. */
void trail_add(trail *t, const sp_manager *pools, sp_ref object, uint64_t frame);

/* Draws the points up to `frame`, but for those that lie near the last one. */
void trail_draw(const trail *t, graphics *g, const game_view *view, uint64_t frame, bool hollow);

#endif
