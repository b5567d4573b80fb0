/*
** The SDL window and its renderer, or what stands for them where nobody looks: pictures are then drawn by SDL's
** software renderer into memory, and where none is wanted nothing is opened but the queue of events. So no video driver
** has a say in a headless run; otherwise it is a real window or a clear refusal. Sizes are in points, the unit games
** draw in; `scale` is how many pixels a point has.
*/
#ifndef SP_DEMO_WINDOW_H
#define SP_DEMO_WINDOW_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum window_kind {
  WINDOW_SHOWN,
  WINDOW_PICTURED, /* unseen, but pictures are taken of it */
  WINDOW_BLIND     /* nothing of it is ever looked at: it only has a size */
} window_kind;

typedef struct window {
  SDL_Window *handle;              /* NULL unless it is shown */
  SDL_Surface *canvas;             /* what a pictured one is drawn on */
  SDL_Renderer *renderer;          /* NULL in a blind one */
  int width, height;               /* points */
  float scale;                     /* pixels per point */
  int width_before, height_before; /* points, of the window that is full screen now */
  int texture_most;                /* largest side of a texture, pixels */
} window;

/* Starts SDL and opens a window of width x height points. False: `error` then holds one line, and nothing is left
   open. Close with window_close. */
bool window_open(window *w, const char *title, int width, int height, window_kind kind, char *error, size_t error_size);

/* Closes what is open and stops SDL. Safe on a zeroed window, and twice. */
void window_close(window *w);

/* Makes the window as large as the desktop, or as large as it was before. False when SDL refuses. */
bool window_toggle_full_screen(window *w);

/* Reads the size anew; call after the window changed. One that is not shown keeps its size. */
void window_measure(window *w);

#endif
