/*
** Signals as events. Ctrl-C: the first asks the player to quit in good order, the next one ends it at once, even in a
** script that never returns. SIGUSR1 asks for a reload. Any other signal does what it always does.
*/
#ifndef SP_DEMO_INTERRUPT_H
#define SP_DEMO_INTERRUPT_H

#include <SDL.h>

#define INTERRUPT_RELOAD SDL_USEREVENT /* the type of the event that SIGUSR1 makes */

typedef struct interrupt {
  SDL_Thread *thread; /* NULL: not started */
  SDL_atomic_t stopping;
} interrupt;

/* Call before SDL starts: threads made later must not get the signals. They wait from now on. */
void interrupt_prepare(void);

/* Call once SDL runs: from now on they arrive as SDL_QUIT and INTERRUPT_RELOAD. If that is not possible, Ctrl-C ends
   the program as usual. `it` must not move until it is stopped. */
void interrupt_start(interrupt *it);

/* Ctrl-C is back to as usual, and SIGUSR1 does nothing any more: there is nothing left to reload. Safe when it was not
   started. */
void interrupt_stop(interrupt *it);

#endif
