/*
** The SDL window and its renderer. The video driver is always chosen here, never left to the environment of a test
** machine: headless means the dummy driver and the software renderer; otherwise a real window or a clear refusal.
** Sizes are in points, the unit games draw in; `scale` is how many pixels a point has.
*/
#ifndef SP_DEMO_WINDOW_H
#define SP_DEMO_WINDOW_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct window {
  SDL_Window *handle;
  SDL_Renderer *renderer;
  int width, height;               /* points */
  float scale;                     /* pixels per point */
  int width_before, height_before; /* points, of the window that is full screen now */
  int texture_most;                /* largest side of a texture, pixels */
} window;

/* Starts SDL and opens a window of width x height points. False: `error` then holds one line, and nothing is left
   open. Close with window_close. */
bool window_open(window *w, const char *title, int width, int height, bool headless, char *error, size_t error_size);

/* Closes what is open and stops SDL. Safe on a zeroed window, and twice. */
void window_close(window *w);

/* Makes the window as large as the desktop, or as large as it was before. False when SDL refuses. */
bool window_toggle_full_screen(window *w);

/* Reads the size anew; call after the window changed. */
void window_measure(window *w);

#endif
