/*
** Game controllers, all as one: whichever a person takes. SDL knows which stick and button is which on the pads of this
** world; a pad may be plugged in and out at any time. Like keys, what is held is kept from events.
*/
#ifndef SP_DEMO_GAMEPAD_H
#define SP_DEMO_GAMEPAD_H

#include <SDL.h>
#include <stdbool.h>

typedef struct gamepad {
  bool buttons[SDL_CONTROLLER_BUTTON_MAX]; /* held */
  float axes[SDL_CONTROLLER_AXIS_MAX];     /* -1 .. 1, triggers 0 .. 1; 0 near the middle */
  int connected;
} gamepad;

/* Listens to pads from now on, those that are there already included. Without them the player plays on: what SDL has
   against it does not matter. SDL_Quit ends it. */
void gamepad_start(void);

/* Takes an event into account. True when it pressed or released a button: that is *button then, and *pressed which. */
bool gamepad_event(gamepad *p, const SDL_Event *event, SDL_GameControllerButton *button, bool *pressed);

/* Releases everything. */
void gamepad_clear(gamepad *p);

#endif
