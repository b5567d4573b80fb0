/*
** All connected gamepads, treated as one. SDL maps sticks and buttons of known models; gamepads may be connected and
** removed at any time. Like keys, held buttons are followed from events.
*/
#ifndef SP_DEMO_GAMEPAD_H
#define SP_DEMO_GAMEPAD_H

#include <SDL.h>
#include <stdbool.h>

typedef struct gamepad {
  bool buttons[SDL_CONTROLLER_BUTTON_MAX]; /* held */
  float axes[SDL_CONTROLLER_AXIS_MAX];     /* -1 .. 1, triggers 0 .. 1; 0 near the centre */
  int connected;
} gamepad;

#define GAMEPAD_NONE (-2) /* the device in events of recorded input: nothing is opened for it */

/* Enables gamepad events, also for gamepads that are already connected. A failure is ignored: the game is then played
   without gamepads. SDL_Quit disables them. */
void gamepad_start(void);

/* Handles an event. True when it pressed or released a button: `*button` and `*pressed` say which. */
bool gamepad_event(gamepad *p, const SDL_Event *event, SDL_GameControllerButton *button, bool *pressed);

/* Releases everything. */
void gamepad_clear(gamepad *p);

#endif
