/*
** The notice at the bottom of the window: one line about what just happened, which disappears by itself; and an error,
** which stays until it is fixed. Lines are wrapped to the width of the window; what exceeds its height ends in dots.
*/
#ifndef SP_DEMO_NOTICE_H
#define SP_DEMO_NOTICE_H

#include "demo/ui/panel.h"

/* White, green, yellow, red; more severe ones are shown longer. */
typedef enum notice_kind { NOTICE_INFO, NOTICE_SUCCESS, NOTICE_WARNING, NOTICE_ERROR } notice_kind;

#define NOTICE_MOST 1024 /* bytes of a line, with its end */

typedef struct notice {
  char text[NOTICE_MOST];
  char error[NOTICE_MOST], source[NOTICE_MOST], hint[NOTICE_MOST], consequence[NOTICE_MOST]; /* error "": none */
  double until;                                                                              /* real seconds */
  notice_kind kind, error_kind;
} notice;

/* Shows the first line of `message` for some seconds, from `now` (real seconds) on. */
void notice_set(notice *n, notice_kind kind, const char *message, double now);

/* Shows an error until it is cleared: the first line of `message`, its source line, its hint, and the consequence
   for the game. Replaces the current line. */
void notice_set_error(notice *n, notice_kind kind, const char *message, const char *consequence);

/* Shows one line instead of an error, until it is cleared, after the current line. */
void notice_set_state(notice *n, notice_kind kind, const char *message);

/* Removes the error. */
void notice_clear_error(notice *n);

/* Draws the line until its time is over, then the error. notice_draw_info draws the line only, and only information
   and warnings. */
void notice_draw(const notice *n, graphics *g, double now);
void notice_draw_info(const notice *n, graphics *g, double now);

#endif
