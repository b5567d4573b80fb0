/*
** Converts real time of any granularity into game steps of one fixed length: elapsed time is accumulated, and whole
** steps are taken off. It takes times from its caller, so that tests need not wait.
*/
#ifndef SP_DEMO_CLOCK_H
#define SP_DEMO_CLOCK_H

#define CLOCK_CATCH_UP 5 /* most steps per frame: beyond that the game slows down rather than freeze */

typedef struct game_clock {
  double step;    /* seconds */
  double backlog; /* elapsed seconds that are not stepped yet */
} game_clock;

/* Returns real seconds from an arbitrary start. */
double clock_now(void);

/* Starts a clock with nothing due. `step` > 0. */
void clock_start(game_clock *clock, double step);

/* Adds `elapsed` seconds and takes off the steps that are due: 0 .. CLOCK_CATCH_UP. An elapsed time within a tenth
   of a step of a whole number of steps counts as that number, so that a display at the game's rate gets one step per
   frame in spite of jitter. */
int clock_steps(game_clock *clock, double elapsed);

/* Returns the seconds until the next step is due; 0 when one is. */
double clock_wait(const game_clock *clock);

#endif
