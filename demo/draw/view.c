/*
** The position of the view is rounded to whole pixels, so that pictures stay sharp at integer scales.
*/
#include "demo/draw/view.h"

#include <math.h>

/* {== Fitting ============================================================ */

/* Returns the pixels per unit of a view that keeps its shape. */
static float uniform_scale(view_scale mode, float across, float down)
{
  float scale = fminf(across, down);
  return mode == VIEW_INTEGER && scale >= 1 ? floorf(scale) : scale;
}

static void show_whole_window(game_view *v, const window *w)
{
  v->width = (float)w->width;
  v->height = (float)w->height;
  v->left = v->top = 0;
  v->unit_x = v->unit_y = 1;
}

void view_fit(game_view *v, const window *w)
{
  float across, down, wide = (float)w->width * w->scale, high = (float)w->height * w->scale;
  v->density = w->scale;
  if (v->mode == VIEW_NONE || v->own_width <= 0 || v->own_height <= 0) {
    show_whole_window(v, w);
    return;
  }
  v->width = (float)v->own_width;
  v->height = (float)v->own_height;
  across = wide / v->width;
  down = high / v->height;
  if (v->mode != VIEW_STRETCH)
    across = down = uniform_scale(v->mode, across, down);
  v->unit_x = across / w->scale;
  v->unit_y = down / w->scale;
  v->left = floorf((wide - v->width * across) / 2) / w->scale;
  v->top = floorf((high - v->height * down) / 2) / w->scale;
}

float view_pixels(const game_view *v) { return fmaxf(v->unit_x, v->unit_y) * v->density; }

float view_points(const game_view *v)
{
  float points = fminf(v->unit_x, v->unit_y);
  return points > 0 ? points : 1;
}

/* }== */

/* {== Converting ========================================================= */

view_map camera_map(const view_camera *c, float width, float height)
{
  view_map map = {1, 0, 0, 1, 0, 0};
  if (!c->on)
    return map;
  map.xx = map.yy = cosf(c->angle) * c->zoom;
  map.xy = sinf(c->angle) * c->zoom;
  map.yx = -map.xy;
  map.x0 = width / 2 - (map.xx * c->x + map.xy * c->y);
  map.y0 = height / 2 - (map.yx * c->x + map.yy * c->y);
  return map;
}

view_map view_world_map(const game_view *v)
{
  view_map map = camera_map(&v->camera, v->width, v->height);
  map.x0 += v->shift_x;
  map.y0 += v->shift_y;
  return map;
}

SDL_FPoint view_apply(const view_map *map, float x, float y)
{
  return (SDL_FPoint){map->xx * x + map->xy * y + map->x0, map->yx * x + map->yy * y + map->y0};
}

/* The linear part rotates and scales uniformly, so its inverse is its transpose divided by the square of the zoom. */
SDL_FPoint view_to_world(const game_view *v, float x, float y)
{
  const view_camera *c = &v->camera;
  float dx = x - v->width / 2, dy = y - v->height / 2, along, across;
  if (!c->on)
    return (SDL_FPoint){x, y};
  along = cosf(c->angle) / c->zoom;
  across = sinf(c->angle) / c->zoom;
  return (SDL_FPoint){c->x + along * dx - across * dy, c->y + across * dx + along * dy};
}

SDL_FPoint view_from_window(const game_view *v, float x, float y)
{
  if (v->unit_x <= 0 || v->unit_y <= 0)
    return (SDL_FPoint){x, y};
  return (SDL_FPoint){(x - v->left) / v->unit_x, (y - v->top) / v->unit_y};
}

SDL_FPoint view_to_window(const game_view *v, float x, float y)
{
  if (v->unit_x <= 0 || v->unit_y <= 0)
    return (SDL_FPoint){x, y};
  return (SDL_FPoint){v->left + x * v->unit_x, v->top + y * v->unit_y};
}

/* }== */

/* {== Showing ============================================================ */

static bool fills_window(const game_view *v) { return v->left == 0 && v->top == 0 && v->unit_x == 1 && v->unit_y == 1; }

static void clear(SDL_Renderer *renderer, SDL_Color color)
{
  SDL_SetRenderDrawColor(renderer, color.r, color.g, color.b, 255);
  SDL_RenderClear(renderer);
}

/* The rest of the window stays black. The renderer scales what is drawn, and cuts it off at the viewport, which is
   given in pixels. */
static void play_scaled(const game_view *v, const batch *picture, SDL_Renderer *renderer, SDL_Color background)
{
  float across = v->unit_x * v->density, down = v->unit_y * v->density;
  SDL_Rect place = {(int)lroundf(v->left * v->density), (int)lroundf(v->top * v->density),
                    (int)lroundf(v->width * across), (int)lroundf(v->height * down)};
  clear(renderer, (SDL_Color){0, 0, 0, 255});
  SDL_RenderSetScale(renderer, 1, 1);
  SDL_RenderSetViewport(renderer, &place);
  SDL_SetRenderDrawColor(renderer, background.r, background.g, background.b, 255);
  SDL_RenderFillRect(renderer, NULL);
  SDL_RenderSetScale(renderer, across, down);
  batch_play(picture, renderer);
  SDL_RenderSetScale(renderer, 1, 1);
  SDL_RenderSetViewport(renderer, NULL);
  SDL_RenderSetScale(renderer, v->density, v->density);
}

void view_play(const game_view *v, const batch *picture, SDL_Renderer *renderer, SDL_Color background)
{
  if (v && !fills_window(v)) {
    play_scaled(v, picture, renderer, background);
    return;
  }
  clear(renderer, background);
  batch_play(picture, renderer);
}

/* }== */
