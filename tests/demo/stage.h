/*
** What tests of drawing stand on: a headless window, the sprites, a manager and a batch; and the pixels that come out.
*/
#ifndef SP_TESTS_STAGE_H
#define SP_TESTS_STAGE_H

#include "demo/draw/batch.h"
#include "demo/draw/draw.h"
#include "demo/draw/sprites.h"
#include "demo/draw/text.h"
#include "demo/draw/window.h"
#include "support/desc.h"

/* The numbers that pools on the stage give to sprites. A name past these can be set in `extra`. */
enum { STAGE_CIRCLE, STAGE_SQUARE, STAGE_TRIANGLE, STAGE_RING, STAGE_SPARK, STAGE_EXTRA };

typedef struct stage {
  window window;
  assets *files; /* the PNGs, or NULL */
  sprites *sprites;
  text *text;
  draw *draw;
  sp_manager *pools;
  batch batch;
  graphics graphics; /* begun: draws into `batch` */
  draw_view view;
  const char *extra;
} stage;

/* `folder` with PNGs, or NULL. Text is in the built-in letters. Fails the test when something cannot be opened. */
void stage_open(stage *s, int width, int height, const char *folder);
void stage_close(stage *s);

/* A pool whose objects are white squares of radius 4 on layer 0. */
sp_pool *stage_pool(stage *s, const char *type);

/* An object at x, y; its looks, to be changed. */
sp_look *stage_object(sp_pool *pool, float x, float y);

/* Draws the pools into the batch. */
void stage_draw(stage *s);

/* Plays the batch on black and forgets it. Then stage_pixel gives 0xRRGGBB. */
void stage_show(stage *s);
uint32_t stage_pixel(stage *s, int x, int y);

/* How many pixels of the last picture are not black. */
int stage_lit(stage *s);

#endif
