/*
** The timeline: a strip at the bottom of the window with the frames that were recorded, and marks where something
** happened. A frame is chosen with the mouse or the arrow keys; Enter goes there.
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
  uint64_t at, last; /* frames: the chosen one, and that in which the timeline was opened */
  double step;       /* seconds of a frame */
  timeline_mark *marks;
  size_t count, room;
  float x, width; /* of the strip, as drawn last */
  bool held;      /* the mouse moves the chosen frame */
} timeline;

typedef enum timeline_action { TIMELINE_IGNORED, TIMELINE_USED, TIMELINE_CLOSE, TIMELINE_GO } timeline_action;

/* Shows frames 1 to `last`, the last one chosen, without marks. */
void timeline_open(timeline *t, uint64_t last, double step);
void timeline_close(timeline *t);

/* Adds a mark; none when memory is refused. */
void timeline_add(timeline *t, uint64_t frame, timeline_kind kind);

/* Handles an event while it is shown: keys and the mouse are its own. */
timeline_action timeline_event(timeline *t, const SDL_Event *event);

/* Draws it, unless it is hidden. */
void timeline_draw(timeline *t, graphics *g);

#endif
