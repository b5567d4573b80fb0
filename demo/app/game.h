/*
** The game that is being played: its script, its pools, and its picture. A step moves it on, a draw makes the picture;
** a callback that fails stops it, until that is mended, and the last good picture stays. It is drawn into memory:
** showing it is the app's work.
*/
#ifndef SP_DEMO_GAME_H
#define SP_DEMO_GAME_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/app/options.h"
#include "demo/draw/assets.h"
#include "demo/draw/batch.h"
#include "demo/draw/draw.h"
#include "demo/draw/graphics.h"
#include "demo/input/input.h"
#include "demo/support/report.h"
#include "script/script.h"

/* The kinds of files beside the code. */
enum { GAME_SPRITES, GAME_ASSETS };

typedef struct game {
  sp_script *script;
  double step; /* seconds */
  report *report;
  input input;
  assets *assets[GAME_ASSETS];
  sprites *sprites;
  text *text;
  draw *draw;
  graphics graphics; /* what `g` points to */
  int g;             /* its place in the registry */
  batch scenes[2];   /* one is shown while the other is made */
  int shown;
  bool trusted; /* files may lie outside of its folder */
  bool stopped; /* a callback failed: nothing of the game runs until that is mended */
} game;

/* Opens the script, which runs nothing yet. False, with one line in `error`, when there is no such game. Safe to close
   in either case. `it` must not move afterwards. */
bool game_open(game *it, const options *o, report *r, char *error, size_t error_size);

/* Loads what drawing needs; the window must outlive it. False, with one line in `error`. */
bool game_load_graphics(game *it, const window *w, char *error, size_t error_size);

/* Lets go of all that was loaded for drawing, the last picture too; game_load_graphics loads it anew. */
void game_free_graphics(game *it);

/* Runs main.lua and load(args). A failure was reported, and stops the game. */
void game_start(game *it, const options *o, const draw_view *view);

/* What has stopped it is mended. */
void game_resume(game *it);

/* One step of the clock: update(dt), then the pools. */
void game_step(game *it);

/* Makes the picture: objects by layer, then what draw(g) adds. */
void game_draw(game *it, const draw_view *view);

/* A message without the folder of the game, which need not be said in its own window. */
const char *game_shortened(const game *it, const char *message);

/* The pools to draw and count: the default manager, or NULL once the script has closed it. */
sp_manager *game_pools(const game *it);

/* The last good picture. */
const batch *game_scene(const game *it);

/* Hands a change of keys, mouse or pad to the callbacks that exist. */
void game_input(game *it, const input_change *change);

/* Asks quit(): false when the game wants to stay. A stopped one never does. */
bool game_may_quit(game *it);

/* Returns whether the game wants to pause while another window has the focus. */
bool game_pauses_unfocused(const game *it);

/* Closes the script first: it may still call what the rest provides. */
void game_close(game *it);

#endif
