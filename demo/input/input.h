/*
** Which keys and buttons are held: followed from events instead of asking the system, so that the events of a test or a
** recording work the same.
*/
#ifndef SP_DEMO_INPUT_H
#define SP_DEMO_INPUT_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

/* {== Gamepads ===========================================================
** All connected gamepads are treated as one. SDL maps sticks and buttons of known models; gamepads may be connected and
** removed at any time. Like keys, held buttons are followed from events. */

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

/* }== */

#define INPUT_KEYS 32 /* held at the same time */
#define INPUT_NAME_MOST 32

/* Mouse buttons as games number them. */
enum { INPUT_LEFT = 1, INPUT_RIGHT = 2, INPUT_MIDDLE = 3, INPUT_BUTTONS = 5 };

typedef struct input {
  SDL_Keycode keys[INPUT_KEYS]; /* held, unordered */
  int key_count;
  int mouse_x, mouse_y;            /* points of the window */
  float left, top, unit_x, unit_y; /* of the view, in points, for positions in its units; units of 0: in points */
  bool buttons[INPUT_BUTTONS + 1]; /* by number, from 1 */
  gamepad gamepad;
} input;

typedef enum input_kind {
  INPUT_NOTHING, /* the event is not for the game, or changed nothing (a key that repeats) */
  INPUT_KEY_PRESSED,
  INPUT_KEY_RELEASED,
  INPUT_MOUSE_PRESSED,
  INPUT_MOUSE_RELEASED,
  INPUT_GAMEPAD_PRESSED,
  INPUT_GAMEPAD_RELEASED,
  INPUT_MOUSE_MOVED,
  INPUT_WHEEL,
  INPUT_TEXT
} input_kind;

/* The meaning of an event for the game. */
typedef struct input_change {
  input_kind kind;
  SDL_Keycode key;
  char name[INPUT_NAME_MOST]; /* of the key: "left", "space", "a"; of a gamepad's button; or the text typed */
  int x, y;                   /* of the mouse */
  int dx, dy;                 /* how far it was moved, or the wheel turned: dy up */
  int button;                 /* 1 left, 2 right, 3 middle, then the extra ones */
} input_change;

/* Updates the state by an event, and returns its meaning for the game. */
input_change input_event(input *in, const SDL_Event *event);

/* Returns the position of the mouse in units of the view, rounded down. */
SDL_Point input_mouse(const input *in);

bool input_down(const input *in, SDL_Keycode key);

/* Writes a key's name as games use it: SDL's, in lower case. */
void input_key_name(SDL_Keycode key, char *name, size_t size);

#endif
