/*
** The SDL window and its renderer, or their substitutes without a window: SDL's software renderer draws pictures into
** memory, and where no pictures are needed only the event queue is opened. Headless runs therefore need no video
** driver; otherwise the window is real, or opening it fails with a clear message. Sizes are in points, the unit that
** games draw in; `scale` is the number of pixels per point. The view is the part of it that a game fills.
*/
#ifndef SP_DEMO_WINDOW_H
#define SP_DEMO_WINDOW_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "demo/draw/batch.h"

typedef enum window_kind {
  WINDOW_SHOWN,
  WINDOW_PICTURED, /* not shown, but pictures are taken of it */
  WINDOW_BLIND     /* never drawn: it only has a size */
} window_kind;

typedef struct window {
  SDL_Window *handle;              /* NULL unless shown */
  SDL_Surface *canvas;             /* the target of a pictured one */
  SDL_Renderer *renderer;          /* NULL in a blind one */
  int width, height;               /* points */
  float scale;                     /* pixels per point */
  int width_before, height_before; /* points, before full screen */
  int texture_most;                /* largest side of a texture, pixels */
  bool software;                   /* SDL's software renderer draws: corners of quads are whole pixels */
} window;

/* Starts SDL and opens a window of width x height points, which appears with window_show. False: `error` then holds one
   line, and nothing is left open. Close with window_close. */
bool window_open(window *w, const char *title, int width, int height, window_kind kind, char *error, size_t error_size);

/* Closes what is open and stops SDL. Safe on a zeroed window, and twice. */
void window_close(window *w);

void window_show(window *w);

/* Resizes the window, in points. `*lost` is set when its textures are lost and must be created again. False when SDL
   fails: nothing can be drawn any more. */
bool window_resize(window *w, int width, int height, bool *lost);

/* Opens SDL's software renderer in place of one that has failed; all textures are lost. False when it drew already, or
   cannot be opened: then nothing can be drawn any more. */
bool window_fall_back(window *w);

/* Returns the largest whole multiple of this size that fits on the screen, beside the title of the window; 1 if none
   does, or nothing is shown. */
int window_multiple(const window *w, int width, int height);

void window_set_title(window *w, const char *title);

bool window_is_full_screen(const window *w);

/* Toggles full screen; leaving it restores the size. False when SDL refuses. */
bool window_toggle_full_screen(window *w);

/* Sets the picture of the window: 0xAARRGGBB, w x h. */
void window_set_icon(window *w, uint32_t *pixels, int width, int height);

/* Shows the mouse cursor over the window, or hides it. */
void window_show_cursor(const window *w, bool on);

/* Reads the size again; call it after the window changed. A window that is not shown keeps its size. */
void window_measure(window *w);

/* {== The view ===========================================================
** The view is the visible area of the game, in its own units, scaled into the window; the camera says which part of the
** world the view shows. There are four coordinate spaces: pixels, points of the window, units of the view, and the
** world of the objects. */

#define VIEW_ZOOM_LEAST 1e-3f
#define VIEW_ZOOM_MOST 1e3f

typedef enum view_scale { VIEW_NONE, VIEW_FIT, VIEW_INTEGER, VIEW_STRETCH } view_scale;

/* Shows the world around x, y in the middle of the view, enlarged by `zoom`; the camera is turned by `angle`. */
typedef struct view_camera {
  bool on; /* false: the view shows the world from 0, 0 on, in its own units */
  float x, y, zoom, angle;
} view_camera;

typedef struct game_view {
  int own_width, own_height; /* set by the game; 0: the size of the window */
  view_scale mode;
  bool fills;             /* VIEW_INTEGER: not where that leaves two fifths of the window empty */
  float width, height;    /* units */
  float left, top;        /* of the view in the window, points; negative where it is cut off */
  float unit_x, unit_y;   /* points per unit */
  float density;          /* pixels per point */
  float shift_x, shift_y; /* of the world in this frame, units: a shake */
  view_camera camera;
} game_view;

/* An affine map of the plane. */
typedef struct view_map {
  float xx, xy, yx, yy; /* x' = xx * x + xy * y + x0, y' = yx * x + yy * y + y0 */
  float x0, y0;
} view_map;

/* Fits the view into a window. Call it when the window or the first four members have changed. */
void view_fit(game_view *v, const window *w);

/* Returns the pixels per unit: how large pictures and letters are drawn. */
float view_pixels(const game_view *v);

/* Returns the points per unit, of the narrower direction in a stretched view; 1 in a zeroed view. */
float view_points(const game_view *v);

/* Returns the map from the world to a view of this size. A camera that is off maps nothing. */
view_map camera_map(const view_camera *c, float width, float height);
/* Returns the map from the world to the view, with its shift. */
view_map view_world_map(const game_view *v);
SDL_FPoint view_apply(const view_map *map, float x, float y);

/* Convert positions. In a zeroed view all spaces are the same. */
SDL_FPoint view_to_world(const game_view *v, float x, float y);
SDL_FPoint view_from_window(const game_view *v, float x, float y);
SDL_FPoint view_to_window(const game_view *v, float x, float y);

/* Clears the renderer and draws `picture` into the area of the view. False when the renderer refused a part of it. */
bool view_play(const game_view *v, const batch *picture, SDL_Renderer *renderer, SDL_Color background);

/* }== */

#endif
