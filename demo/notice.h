/*
** One line at the bottom of the window that says what just happened, and goes by itself.
*/
#ifndef SP_DEMO_NOTICE_H
#define SP_DEMO_NOTICE_H

#include <stdbool.h>

#include "demo/panel.h"

typedef struct notice {
  char text[256];
  double until; /* real seconds */
  bool bad;
} notice;

/* Shows the first line of `message`, from `now` (real seconds) on; longer when it is `bad` news. */
void notice_set(notice *n, const char *message, bool bad, double now);

/* Draws the line unless its time is over. */
void notice_draw(const notice *n, graphics *g, double now);

#endif
