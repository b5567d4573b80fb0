/*
** Ctrl-C: the first asks the player to quit in good order, the next one ends it at once, even in a script that never
** returns. Any other signal does what it always does.
*/
#ifndef SP_DEMO_INTERRUPT_H
#define SP_DEMO_INTERRUPT_H

#include <SDL.h>

typedef struct interrupt {
  SDL_Thread *thread; /* NULL: not started */
  SDL_atomic_t stopping;
} interrupt;

/* Call before SDL starts: threads made later must not get the signal. */
void interrupt_prepare(void);

/* Call once SDL runs: from now on Ctrl-C arrives as SDL_QUIT. If that is not possible, it ends the program as usual.
   `it` must not move until it is stopped. */
void interrupt_start(interrupt *it);

/* Back to as usual. Safe when it was not started. */
void interrupt_stop(interrupt *it);

#endif
