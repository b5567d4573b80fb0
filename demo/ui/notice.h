/*
** What the window says at its bottom: one line about what just happened, which goes by itself; and trouble that stands
** until it is fixed. Lines are wrapped to the width of the window; what is too much for its height ends in dots.
*/
#ifndef SP_DEMO_NOTICE_H
#define SP_DEMO_NOTICE_H

#include "demo/ui/panel.h"

/* White, green, yellow, red; what is worse is shown for longer. */
typedef enum notice_kind { NOTICE_INFO, NOTICE_SUCCESS, NOTICE_WARNING, NOTICE_ERROR } notice_kind;

#define NOTICE_MOST 1024 /* bytes of a line, with its end */

typedef struct notice {
  char text[NOTICE_MOST];
  char error[NOTICE_MOST], source[NOTICE_MOST], hint[NOTICE_MOST], consequence[NOTICE_MOST]; /* standing "": nothing */
  double until;                                                                              /* real seconds */
  notice_kind kind, error_kind;
} notice;

/* Shows the first line of `message`, from `now` (real seconds) on, for some seconds. */
void notice_set(notice *n, notice_kind kind, const char *message, double now);

/* The error `message` stands from now on: its first line, its source line, its hint, and what it means for the game
   below them; what was shown goes. */
void notice_set_error(notice *n, notice_kind kind, const char *message, const char *consequence);

/* Nothing stands any more. */
void notice_clear_error(notice *n);

/* Draws the line until its time is over, and then what stands; or the line alone, if it is neither good nor bad. */
void notice_draw(const notice *n, graphics *g, double now);
void notice_draw_info(const notice *n, graphics *g, double now);

#endif
