#include "demo/ui/picker.h"

#include <math.h>

/* Returns how many points of the window a unit of the world is. */
static float points_per_unit(const game_view *v)
{
  float unit = v->unit_x > 0 ? fmaxf(v->unit_x, v->unit_y) : 1;
  return v->camera.on ? unit * v->camera.zoom : unit;
}

/* Returns the radius at which an object can be clicked, in the world. */
static float radius_of(const sp_look *look, float least)
{
  float radius = fabsf(look->radius * look->scale);
  return radius > least ? radius : least; /* NaN gives the minimum too */
}

typedef struct found {
  sp_ref object;
  float distance;
} found;

static void pick_in_pool(sp_pool *pool, float x, float y, float least, found *best)
{
  const sp_manager *pools = sp_pool_manager(pool);
  sp_walk walk = sp_pool_walk(pool);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    const sp_look *look = sp_peek(pools, object, SP_LOOK);
    sp_place place;
    float distance;
    if (!look || !look->visible || !sp_world_place(pools, object, &place))
      continue;
    distance = hypotf(place.x - x, place.y - y);
    if (distance <= radius_of(look, least) && distance <= best->distance)
      *best = (found){object, distance};
  }
}

sp_ref picker_find(const sp_manager *pools, const game_view *v, float x, float y)
{
  SDL_FPoint at = view_from_window(v, x, y);
  found best = {SP_NONE_REF, INFINITY};
  at = view_to_world(v, at.x, at.y);
  for (uint32_t i = 0; i < sp_count_pools(pools); i++)
    pick_in_pool(sp_get_pool(pools, i), at.x, at.y, PICKER_LEAST / points_per_unit(v), &best);
  return best.object;
}

/* Draws four corners around the position: they frame it and hide nothing. */
static void draw_corners(graphics *g, float x, float y, float away, float arm, float width)
{
  for (int corner = 0; corner < 4; corner++) {
    float dx = corner & 1 ? -1.0f : 1.0f, dy = corner & 2 ? -1.0f : 1.0f;
    float cx = x - dx * away, cy = y - dy * away;
    graphics_line(g, cx, cy, cx + dx * arm, cy, width);
    graphics_line(g, cx, cy, cx, cy + dy * arm, width);
  }
}

bool picker_place(const sp_manager *pools, const game_view *v, sp_ref object, SDL_FPoint *at)
{
  sp_place place;
  view_map map = view_world_map(v);
  if (!sp_is_live(pools, object) || !sp_world_place(pools, object, &place) || !isfinite(place.x + place.y))
    return false;
  *at = view_apply(&map, place.x, place.y);
  *at = view_to_window(v, at->x, at->y);
  return true;
}

void picker_outline(graphics *g, const sp_manager *pools, const game_view *v, sp_ref object)
{
  const sp_look *look = sp_peek(pools, object, SP_LOOK);
  SDL_FPoint at;
  float away, arm, unit = points_per_unit(v);
  if (!look || !picker_place(pools, v, object, &at))
    return;
  away = floorf(fminf(radius_of(look, PICKER_LEAST / unit) * unit, 1e4f)) + 4;
  arm = floorf(fmaxf(4, away * 0.5f));
  at.x = roundf(at.x);
  at.y = roundf(at.y);
  g->color = (SDL_Color){0, 0, 0, 160};
  draw_corners(g, at.x, at.y, away, arm, 3);
  g->color = (SDL_Color){255, 225, 90, 255};
  draw_corners(g, at.x, at.y, away, arm, 1);
}
