/*
** Time that cannot be caught up is dropped: after a break in a debugger or a suspend, or on a slow machine.
*/
#include "demo/support/clock.h"

#include <SDL.h>
#include <math.h>

#define SNAP 0.1 /* of a step: see clock_steps in clock.h */

double clock_now(void) { return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency(); }

void clock_start(game_clock *clock, double step)
{
  clock->step = step;
  clock->backlog = 0;
}

int clock_steps(game_clock *clock, double elapsed)
{
  double whole = round(elapsed / clock->step), due;
  if (whole >= 1 && fabs(elapsed - whole * clock->step) <= SNAP * clock->step)
    elapsed = whole * clock->step;
  if (elapsed > 0)
    clock->backlog += elapsed;
  /* A tolerance of a thousandth: sums of rounded steps would sometimes be one step short. */
  due = floor(clock->backlog / clock->step + 1e-3);
  if (due > CLOCK_CATCH_UP) {
    clock->backlog = 0;
    return CLOCK_CATCH_UP;
  }
  clock->backlog -= due * clock->step;
  return (int)due;
}

double clock_wait(const game_clock *clock)
{
  double wait = clock->step - clock->backlog;
  return wait > 0 ? wait : 0;
}
