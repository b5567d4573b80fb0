/*
** A game runs in steps of one fixed length; real time comes in lumps of any length. The clock turns one into the other:
** what has elapsed piles up, whole steps are taken off. Arithmetic only, so it can be tested without waiting.
*/
#ifndef SP_DEMO_CLOCK_H
#define SP_DEMO_CLOCK_H

#define CLOCK_CATCH_UP 5 /* most steps in one frame: past that the game slows down rather than freeze */

typedef struct game_clock {
  double step;    /* seconds */
  double backlog; /* seconds elapsed and not yet stepped */
} game_clock;

/* A clock with nothing due. `step` > 0. */
void clock_start(game_clock *clock, double step);

/* Adds `elapsed` seconds and takes off the steps that are due: 0 .. CLOCK_CATCH_UP. An elapsed time within a tenth of a
   step of a whole number of steps counts as that number: a display at the game's own rate then gets one step a frame,
   however its frames jitter. */
int clock_steps(game_clock *clock, double elapsed);

/* Seconds to wait until the next step is due; 0 when one is. */
double clock_wait(const game_clock *clock);

#endif
