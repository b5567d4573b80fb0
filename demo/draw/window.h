/*
** The SDL window and its renderer, or their substitutes without a window: SDL's software renderer draws pictures into
** memory, and where no pictures are needed only the event queue is opened. Headless runs therefore need no video
** driver; otherwise the window is real, or opening it fails with a clear message. Sizes are in points, the unit that
** games draw in; `scale` is the number of pixels per point.
*/
#ifndef SP_DEMO_WINDOW_H
#define SP_DEMO_WINDOW_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
