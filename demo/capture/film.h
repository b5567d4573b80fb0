/*
** The last seconds of play as a moving picture. Frames are kept as lists of quads, which costs a copy now and then
** and no drawing; only when somebody asks they are drawn, read back and written, one per call, as an animated PNG:
** true colours, no library but the one for PNG, and whoever shows PNGs shows at least its first frame.
*/
#ifndef SP_DEMO_FILM_H
#define SP_DEMO_FILM_H

#include "demo/capture/png.h"
#include "demo/draw/batch.h"

#define FILM_SECONDS 5       /* of game time that F9 saves */
#define FILM_SECONDS_MOST 60 /* that --record takes */
#define FILM_RATE 20         /* frames of a second of game time */

typedef struct film_frame {
  batch scene;
  int steps; /* of the clock, that it is shown for */
} film_frame;

typedef struct film {
  film_frame *frames; /* a ring; NULL: nothing is kept */
  int room, first, count;
  size_t quads;           /* room for them, in all frames together */
  int every, steps, rate; /* steps between frames, since the last one, and in a second */
  /* Being written: */
  int next;          /* frame to write; -1: none is */
  int width, height; /* of all its frames */
  uint32_t *before;  /* the pixels of the last one */
  uint32_t sequence; /* number of the next chunk */
  png_bytes out;
} film;

typedef enum film_state { FILM_IDLE, FILM_WRITING, FILM_DONE, FILM_FAILED } film_state;

/* Keeps the last `seconds` from now on, of a game with steps of `step` seconds. False when memory is refused: then
   nothing is kept. A zeroed film keeps nothing; film_close is safe on it. */
bool film_open(film *f, int seconds, double step);
void film_close(film *f);

/* Forgets what was kept: its textures are no more. */
void film_clear(film *f);

/* `scene` is shown after another `steps` steps: takes a copy if a frame is due, and nothing is being written. Of huge
   scenes fewer seconds are kept. */
void film_take(film *f, const batch *scene, int steps);

/* What was kept is to be written. False when there is nothing, or it is being written already. */
bool film_begin(film *f);

/* Writes one more frame, if there is one to be written: it is drawn over what is on the renderer. FILM_DONE: the file's
   content is in f->out, until film_clear. FILM_FAILED: SDL_GetError says why. */
film_state film_write(film *f, SDL_Renderer *renderer, SDL_Color background);

#endif
