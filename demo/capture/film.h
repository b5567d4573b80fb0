/*
** The last seconds of play as an animated PNG. Frames are kept as batches, which costs a copy now and then but no
** drawing; only when a film is requested they are drawn, read back and encoded, one per call. Animated PNGs have true
** colours, need no further library, and viewers that do not support them show the first frame.
*/
#ifndef SP_DEMO_FILM_H
#define SP_DEMO_FILM_H

#include "demo/capture/png.h"
#include "demo/draw/view.h"

#define FILM_SECONDS 5 /* of game time saved by F9 */
#define FILM_SECONDS_LEAST 0.1
#define FILM_SECONDS_MOST 60 /* of --record */
#define FILM_RATE 20         /* frames per second of game time */

typedef struct film_frame {
  batch scene;
  int steps; /* duration in steps of the clock */
} film_frame;

typedef struct film {
  film_frame *frames;    /* a ring; NULL: nothing is recorded */
  const game_view *view; /* where the pictures lie in the window; NULL: they fill it. Set after film_open */
  int room, first, count;
  size_t quads;           /* capacity of all frames together */
  int every, steps, rate; /* steps between frames, since the last one, and per second */
  /* Being written: */
  int next;          /* next frame to write; -1: not writing */
  int width, height; /* of all its frames */
  uint32_t *before;  /* pixels of the previous frame */
  uint32_t sequence; /* number of the next chunk */
  png_bytes out;
} film;

typedef enum film_state { FILM_IDLE, FILM_WRITING, FILM_DONE, FILM_FAILED } film_state;

/* Keeps the last `seconds` of a game with steps of `step` seconds. False when memory is refused: then nothing is
   kept. A zeroed film keeps nothing; film_close is safe on it. */
bool film_open(film *f, double seconds, double step);
void film_close(film *f);

/* Drops all frames: their textures are gone. */
void film_clear(film *f);

/* Records `scene`, shown after another `steps` steps, if a frame is due and no film is being written. Of huge scenes
   fewer seconds are kept. */
void film_take(film *f, const batch *scene, int steps);

/* Begins to write the film. False when there is nothing, or it is being written already. */
bool film_begin(film *f);

/* Writes one more frame, if a film is being written: it is drawn over what is on the renderer. FILM_DONE: the
   content of the file is in f->out, until film_clear. FILM_FAILED: SDL_GetError says why. */
film_state film_write(film *f, SDL_Renderer *renderer, SDL_Color background);

#endif
