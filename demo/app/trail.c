#include "demo/app/trail.h"

#include <math.h>

#define AWAY 8.0f   /* points between two dots, at least */
#define RADIUS 2.5f /* points */

void trail_clear(trail *t) { t->count = 0; }

void trail_add(trail *t, const sp_manager *pools, sp_ref object, uint64_t frame)
{
  sp_place place;
  if (t->count == TRAIL_POINTS || (t->count > 0 && t->points[t->count - 1].frame >= frame) || !pools || !object ||
      !sp_is_live(pools, object) || !sp_world_place(pools, object, &place))
    return;
  t->points[t->count++] = (trail_point){frame, place.x, place.y};
}

void trail_draw(const trail *t, graphics *g, const game_view *view, uint64_t frame, bool hollow)
{
  view_map map = view_world_map(view);
  SDL_FPoint last = {0, 0};
  for (int i = 0; i < t->count && t->points[i].frame <= frame; i++) {
    const trail_point *p = &t->points[i];
    SDL_FPoint at = view_apply(&map, p->x, p->y);
    at = view_to_window(view, at.x, at.y);
    if (i > 0 && hypotf(at.x - last.x, at.y - last.y) < AWAY)
      continue;
    last = at;
    g->color = hollow ? (SDL_Color){240, 240, 245, 255} : (SDL_Color){250, 210, 100, 255};
    graphics_circle(g, at.x, at.y, hollow ? RADIUS : RADIUS - 0.5f, !hollow);
  }
}
