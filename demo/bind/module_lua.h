/*
** Requests of a game to the player: fields of `spawnpool` and `spawnpool.window`, and `spawnpool.quit`.
*/
#ifndef SP_DEMO_MODULE_LUA_H
#define SP_DEMO_MODULE_LUA_H

#include <stdbool.h>

#define WINDOW_TITLE_MOST 256

/* The wishes of a game, which the app fulfils between frames; the app writes what else has happened into them. */
typedef struct game_wishes {
  double gc_budget; /* microseconds a frame; 0: none */
  bool quits;       /* it wants to end */
  bool fullscreen, no_cursor;
  bool changed;                  /* one of these, or the title, by the game since the app has looked */
  char title[WINDOW_TITLE_MOST]; /* "": that of main.lua's table */
  char shown[WINDOW_TITLE_MOST]; /* the title without that */
} game_wishes;

#endif
