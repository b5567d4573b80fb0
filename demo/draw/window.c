/*
** Without a display SDL2 chooses a hidden off-screen driver, and SDL3 may fail. A driver that shows nothing therefore
** counts as "no display", as a failure does, unless the user selected a driver by name.
*/
#include "demo/draw/window.h"

#include <SDL_image.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/draw/batch.h"

#if !SDL_VERSION_ATLEAST(2, 0, 18)
#error "SDL 2.0.18 or newer is needed: SDL_RenderGeometryRaw draws everything"
#endif

#define TITLE 40 /* points: the height of a title bar, which cannot be measured before the window is shown */
#define TEXTURE_MOST_UNKNOWN 4096 /* the software renderer reports no limit; every GPU supports this */

static bool shows_nothing(const char *driver)
{
  return !driver || strcmp(driver, "dummy") == 0 || strcmp(driver, "offscreen") == 0;
}

static bool is_set(const char *variable)
{
  const char *value = SDL_getenv(variable);
  return value && *value;
}

/* SDL2 over SDL3 lets the compositor of Wayland scale windows, so that they lose sharpness or size, unless a program
   turns that off. It sets this hint itself when it is first initialised; a variable of the user takes precedence. */
static bool start_display(void)
{
  if (SDL_Init(SDL_INIT_EVENTS) != 0)
    return false;
  SDL_SetHint("SDL_VIDEO_WAYLAND_SCALE_TO_DISPLAY", "0");
  return SDL_Init(SDL_INIT_VIDEO) == 0;
}

static bool start(void)
{
  const bool chosen = is_set("SDL_VIDEODRIVER") || is_set("SDL_VIDEO_DRIVER");
  SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
  SDL_SetHint(SDL_HINT_RENDER_BATCHING, "1"); /* even if SDL_RENDER_DRIVER names a renderer, which would disable it */
  const bool is_started = start_display();
  if (!chosen && (!is_started || shows_nothing(SDL_GetCurrentVideoDriver())))
    return SDL_SetError("no display was found") == 0;
  return is_started;
}

/* Opens it by its number: without one, SDL3 allows no other renderer than the one that SDL_RENDER_DRIVER names. */
static SDL_Renderer *open_software(SDL_Window *handle)
{
  SDL_RendererInfo info;
  for (int i = 0; i < SDL_GetNumRenderDrivers(); i++)
    if (SDL_GetRenderDriverInfo(i, &info) == 0 && strcmp(info.name, "software") == 0)
      return SDL_CreateRenderer(handle, i, SDL_RENDERER_SOFTWARE);
  return NULL;
}

static bool open_shown(window *w, const char *title)
{
  Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | SDL_WINDOW_HIDDEN;
  if (!start())
    return false;
  w->handle = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, w->width, w->height, flags);
  if (!w->handle)
    return false;
  w->renderer = SDL_CreateRenderer(w->handle, -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC);
  if (!w->renderer)
    w->renderer = open_software(w->handle);
  return w->renderer != NULL;
}

static bool open_canvas(window *w)
{
  w->canvas = SDL_CreateRGBSurfaceWithFormat(0, w->width, w->height, 32, SDL_PIXELFORMAT_RGB888);
  w->renderer = w->canvas ? SDL_CreateSoftwareRenderer(w->canvas) : NULL;
  return w->renderer != NULL;
}

static bool open_unseen(window *w, bool pictured)
{
  return SDL_Init(SDL_INIT_EVENTS) == 0 && (!pictured || open_canvas(w));
}

/* SDL_image may load a library for PNGs, which must come before the second wall (wall.h). */
static bool prepare(window *w)
{
  SDL_RendererInfo info;
  if (!w->renderer)
    return true;
  if (!(IMG_Init(IMG_INIT_PNG) & IMG_INIT_PNG) || SDL_GetRendererInfo(w->renderer, &info) != 0)
    return false;
  w->software = (info.flags & SDL_RENDERER_SOFTWARE) != 0;
  w->texture_most = info.max_texture_width > 0 ? info.max_texture_width : TEXTURE_MOST_UNKNOWN;
  SDL_SetRenderDrawBlendMode(w->renderer, SDL_BLENDMODE_BLEND);
  return true;
}

/* A program that was built with a newer SDL may start with an older one: the first call of a missing function ends it.
 */
static bool has_geometry(void)
{
  SDL_version v;
  SDL_GetVersion(&v);
  return SDL_VERSIONNUM(v.major, v.minor, v.patch) >= SDL_VERSIONNUM(2, 0, 18) ||
         SDL_SetError("SDL %d.%d.%d is too old: SDL 2.0.18 or newer is needed", v.major, v.minor, v.patch) == 0;
}

bool window_open(window *w, const char *title, int width, int height, window_kind kind, char *error, size_t error_size)
{
  bool shown = kind == WINDOW_SHOWN, drawn = kind != WINDOW_BLIND;
  *w = (window){.width = width, .height = height, .scale = 1};
  if ((!drawn || has_geometry()) && (shown ? open_shown(w, title) : open_unseen(w, drawn)) && prepare(w)) {
    window_measure(w);
    return true;
  }
  snprintf(error, error_size, shown ? "cannot open a window: %s; --headless plays without one" : "cannot draw: %s",
           SDL_GetError());
  window_close(w);
  return false;
}

void window_close(window *w)
{
  if (w->renderer)
    SDL_DestroyRenderer(w->renderer);
  if (w->handle)
    SDL_DestroyWindow(w->handle);
  SDL_FreeSurface(w->canvas);
  memset(w, 0, sizeof *w);
  SDL_Quit();
}

void window_show(window *w)
{
  if (w->handle)
    SDL_ShowWindow(w->handle);
}

void window_set_title(window *w, const char *title)
{
  if (w->handle)
    SDL_SetWindowTitle(w->handle, title);
}

int window_multiple(const window *w, int width, int height)
{
  SDL_Rect room;
  if (!w->handle || SDL_GetDisplayUsableBounds(SDL_GetWindowDisplayIndex(w->handle), &room) != 0)
    return 1;
  int across = room.w / width, down = (room.h - TITLE) / height, most = across < down ? across : down;
  return most > 1 ? most : 1;
}

bool window_resize(window *w, int width, int height, bool *lost)
{
  *lost = false;
  if (w->width == width && w->height == height)
    return true;
  if (w->handle) {
    SDL_SetWindowSize(w->handle, width, height);
    SDL_SetWindowPosition(w->handle, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
    window_measure(w);
    return true;
  }
  w->width = width;
  w->height = height;
  if (!w->renderer)
    return true;
  *lost = true;
  SDL_DestroyRenderer(w->renderer);
  SDL_FreeSurface(w->canvas);
  w->renderer = NULL;
  return open_canvas(w) && prepare(w);
}

bool window_fall_back(window *w)
{
  if (!w->handle || w->software)
    return false;
  SDL_DestroyRenderer(w->renderer);
  w->renderer = open_software(w->handle);
  if (!w->renderer || !prepare(w))
    return false;
  window_measure(w);
  return true;
}

bool window_is_full_screen(const window *w)
{
  return (SDL_GetWindowFlags(w->handle) & SDL_WINDOW_FULLSCREEN_DESKTOP) == SDL_WINDOW_FULLSCREEN_DESKTOP;
}

/* Leaving full screen also restores the size, because not every driver does. */
bool window_toggle_full_screen(window *w)
{
  bool full = window_is_full_screen(w);
  int width = w->width, height = w->height;
  if (SDL_SetWindowFullscreen(w->handle, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP) != 0)
    return false;
  if (full) {
    SDL_SetWindowSize(w->handle, w->width_before, w->height_before);
  } else {
    w->width_before = width;
    w->height_before = height;
  }
  window_measure(w);
  return true;
}

void window_set_icon(window *w, uint32_t *pixels, int width, int height)
{
  SDL_Surface *icon = NULL;
  if (w->handle && pixels)
    icon = SDL_CreateRGBSurfaceWithFormatFrom(pixels, width, height, 32, width * 4, SDL_PIXELFORMAT_ARGB8888);
  if (icon)
    SDL_SetWindowIcon(w->handle, icon);
  SDL_FreeSurface(icon);
}

void window_show_cursor(const window *w, bool on)
{
  if (w->handle && (SDL_ShowCursor(SDL_QUERY) == SDL_ENABLE) != on)
    SDL_ShowCursor(on ? SDL_ENABLE : SDL_DISABLE);
}

void window_measure(window *w)
{
  int pixels_wide = 0, pixels_high = 0;
  if (!w->handle)
    return;
  SDL_GetWindowSize(w->handle, &w->width, &w->height);
  SDL_GetRendererOutputSize(w->renderer, &pixels_wide, &pixels_high);
  if (w->width < 1)
    w->width = 1;
  if (w->height < 1)
    w->height = 1;
  w->scale = pixels_wide > 0 ? (float)pixels_wide / (float)w->width : 1;
}

/* {== Fitting ============================================================
** The position of the view is rounded to whole pixels, so that pictures stay sharp at integer scales. */

#define ROUNDING 1e-2f /* pixels: a view of the size of the window begins at 0 */

#define FILLED 0.6f /* of the area that fits */

/* Returns the pixels per unit of a view that keeps its shape. */
static float uniform_scale(const game_view *v, float across, float down)
{
  const float scale = fminf(across, down), whole = floorf(scale);
  const bool is_small = v->fills && whole * whole < FILLED * scale * scale;
  return v->mode == VIEW_INTEGER && scale >= 1 && !is_small ? whole : scale;
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
    across = down = uniform_scale(v, across, down);
  v->unit_x = across / w->scale;
  v->unit_y = down / w->scale;
  v->left = floorf((wide - v->width * across) / 2 + ROUNDING) / w->scale;
  v->top = floorf((high - v->height * down) / 2 + ROUNDING) / w->scale;
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

static bool clear(SDL_Renderer *renderer, SDL_Color color)
{
  SDL_SetRenderDrawColor(renderer, color.r, color.g, color.b, 255);
  return SDL_RenderClear(renderer) == 0;
}

/* The rest of the window stays black: what is drawn is cut off at the viewport. */
static bool play_scaled(const game_view *v, const batch *picture, SDL_Renderer *renderer, SDL_Color background)
{
  float across = v->unit_x * v->density, down = v->unit_y * v->density;
  SDL_Rect place = {(int)lroundf(v->left * v->density), (int)lroundf(v->top * v->density),
                    (int)lroundf(v->width * across), (int)lroundf(v->height * down)};
  if (!clear(renderer, (SDL_Color){0, 0, 0, 255}))
    return false;
  SDL_RenderSetViewport(renderer, &place);
  SDL_SetRenderDrawColor(renderer, background.r, background.g, background.b, 255);
  SDL_RenderFillRect(renderer, NULL);
  const bool fine = batch_play(picture, renderer, across, down);
  SDL_RenderSetViewport(renderer, NULL);
  return fine;
}

bool view_play(const game_view *v, const batch *picture, SDL_Renderer *renderer, SDL_Color background)
{
  if (!fills_window(v))
    return play_scaled(v, picture, renderer, background);
  return clear(renderer, background) && batch_play(picture, renderer, v->density, v->density);
}

/* }== */
