/*
** `spawnpool.window` and `spawnpool.quit`: what a game may ask of its window.
*/
#ifndef SP_DEMO_WINDOW_LUA_H
#define SP_DEMO_WINDOW_LUA_H

#include <stdbool.h>

#define WINDOW_TITLE_MOST 256

/* The wishes of the game, which the app fulfils between frames; the app writes what else has happened into them. */
typedef struct window_wishes {
  bool fullscreen;
  bool no_cursor;
  bool quits;                    /* the game wants to end */
  bool changed;                  /* the window, by the game since the app has looked */
  char title[WINDOW_TITLE_MOST]; /* "": that of main.lua's table */
  char shown[WINDOW_TITLE_MOST]; /* the title without that */
} window_wishes;

#endif
