/*
** Which keys and buttons are held: followed from events instead of asking the system, so that the events of a test or a
** recording work the same. And the keys that the player reserves.
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

/* {== Keys of the player =================================================
** The keys that the player reserves, in one table: what each does, and its line of help. */

typedef enum key_action {
  KEY_NONE, /* not reserved */
  KEY_HELP,
  KEY_HUD,
  KEY_POOLS, /* with Shift */
  KEY_INSPECTOR,
  KEY_RELOAD,
  KEY_PAUSE,
  KEY_STEP,
  KEY_SCREENSHOT,
  KEY_BUG,
  KEY_FULL_SCREEN,
  KEY_TIMELINE,
  KEY_BACK, /* Backspace, where the game does not need it: see app.c */
  KEY_CONSOLE,
  KEY_QUIT
} key_action;

typedef struct key_row {
  SDL_Keycode key;
  key_action action;
  const char *name, *help;
} key_row;

/* Returns all rows in the order of the help; `*count` of them. */
const key_row *hotkeys_all(size_t *count);

/* Returns the key of an event as printed on it; but the key left of the 1 is the backtick on every keyboard. */
SDL_Keycode hotkeys_code(const SDL_Keysym *key);

/* Returns the action of the key that an event is about, pressed or released; KEY_NONE for other events. */
key_action hotkeys_event(const SDL_Event *event);

/* Returns whether an event presses `key` while one of the keys of `mod` is held. */
bool hotkeys_pressed_with(const SDL_Event *event, SDL_Keycode key, SDL_Keymod mod);

/* }== */

#endif
