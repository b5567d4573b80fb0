/*
** Signals as events. The first Ctrl-C asks the player to quit normally, the next one ends it at once, even in a script
** that never returns. SIGUSR1 requests a reload. Other signals keep their default actions.
*/
#ifndef SP_DEMO_INTERRUPT_H
#define SP_DEMO_INTERRUPT_H

#include <SDL.h>

#define INTERRUPT_RELOAD SDL_USEREVENT /* the type of the event that SIGUSR1 makes */

typedef struct interrupt {
  SDL_Thread *thread; /* NULL: not started */
  SDL_atomic_t stopping;
} interrupt;

/* Call before SDL starts threads, which would inherit the signal mask otherwise. The signals are blocked from now
   on. */
void interrupt_prepare(void);

/* Call once SDL runs: from now on the signals arrive as SDL_QUIT and INTERRUPT_RELOAD. If that is not possible,
   Ctrl-C ends the program as usual. `it` must not move until it is stopped. */
void interrupt_start(interrupt *it);

/* Restores the default action of Ctrl-C and ignores SIGUSR1: there is nothing left to reload. Safe when it was not
   started. */
void interrupt_stop(interrupt *it);

#endif
