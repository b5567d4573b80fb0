/*
** Ctrl-C: the first asks the player to quit in good order, the next one ends it at once, even in a script that never
** returns. Any other signal does what it always does.
*/
#ifndef SP_DEMO_INTERRUPT_H
#define SP_DEMO_INTERRUPT_H

#include <stdbool.h>

/* Call before SDL starts: threads made later must not get the signal. */
void interrupt_prepare(void);

/* Call once SDL runs: from now on Ctrl-C arrives as SDL_QUIT. False when that is not possible; it then ends the program
   as usual. */
bool interrupt_start(void);

#endif
