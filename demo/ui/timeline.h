/*
** The timeline: a strip at the bottom of the window with small pictures of the last minutes, and marks at input,
** reloads and errors. A frame is chosen with the mouse or the keys; Enter continues from it. A stretch can be marked,
** which is played in a loop.
*/
#ifndef SP_DEMO_TIMELINE_H
#define SP_DEMO_TIMELINE_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "demo/draw/graphics.h"

typedef enum timeline_kind { TIMELINE_INPUT, TIMELINE_RELOAD, TIMELINE_ERROR } timeline_kind;

typedef struct timeline_mark {
  uint64_t frame;
  timeline_kind kind;
} timeline_mark;

typedef struct timeline {
  bool shown;
  uint64_t at, first, last; /* frames: the chosen one, the first that can be chosen, and the present */
  uint64_t from, to;        /* the marked stretch; 0: that end is not marked */
  double step;              /* seconds of a frame */
  timeline_mark *marks;
  size_t count, room;
  float x, y, width, height; /* of the strip, as drawn last */
  bool held;                 /* the mouse moves the chosen frame */
  bool backs;                /* Backspace is held: it runs backwards */
  bool goes_on;              /* and continues when that is released */
  bool plays;                /* it plays on from the chosen frame */
  const char *note;          /* shown instead of the keys, or NULL */
  float progress;            /* from 0 to 1, while frames are played again; below 0: none are */
  SDL_Texture *pictures;     /* of the whole strip; NULL: none */
  SDL_Texture *still;        /* instead of the game's picture; NULL: that is the chosen frame */
} timeline;

typedef enum timeline_action {
  TIMELINE_IGNORED,
  TIMELINE_USED,
  TIMELINE_CLOSE,
  TIMELINE_GO,
  TIMELINE_MARK /* the marked stretch has changed */
} timeline_action;

/* Shows the frames `first` to `last`, with the last one chosen and no marks. */
void timeline_open(timeline *t, uint64_t first, uint64_t last, double step);
void timeline_close(timeline *t);

/* Adds a mark; none when memory is refused. */
void timeline_add(timeline *t, uint64_t frame, timeline_kind kind);

/* Returns whether a stretch is marked: both ends, in order. */
bool timeline_has_stretch(const timeline *t);

/* Call it at the beginning of each frame of the window: moves backwards while Backspace is held. */
void timeline_step(timeline *t);

/* Handles an event while it is shown: its keys, and the mouse on the strip. */
timeline_action timeline_event(timeline *t, const SDL_Event *event);

/* Returns the size of the strip in a view of this width, points. */
SDL_FPoint timeline_strip(float view_width);

/* Returns the height that it takes at the bottom of the window; 0 while it is hidden. */
float timeline_height(const timeline *t, graphics *g);

/* Draw the still, which belongs below everything else, and the strip, unless the timeline is hidden. */
void timeline_draw_still(const timeline *t, graphics *g);
void timeline_draw(timeline *t, graphics *g);

#endif
