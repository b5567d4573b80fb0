/*
** Which keys and buttons are held, pressed and released: followed from events instead of asking the system, so that the
** events of a test or a recording work the same. And the keys that the player reserves.
*/
#ifndef SP_DEMO_INPUT_H
#define SP_DEMO_INPUT_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#define INPUT_KEYS 64 /* held, or pressed and released since the last step */
#define INPUT_NAME_MOST 32
#define INPUT_PADS 8
#define INPUT_FINGERS 10

/* Mouse buttons as games number them. */
enum { INPUT_LEFT = 1, INPUT_RIGHT = 2, INPUT_MIDDLE = 3, INPUT_BUTTONS = 5 };

/* {== Devices ============================================================
** Gamepads and fingers have numbers, from 1 on: the lowest that is free when one comes. The numbers belong to the
** devices of now, so they are not in the state of the game, which goes back in time. */

typedef struct input_devices {
  SDL_GameController *pads[INPUT_PADS]; /* NULL: none has this number */
  SDL_FingerID fingers[INPUT_FINGERS];
  bool touching[INPUT_FINGERS];
} input_devices;

/* Enables gamepad events, also for gamepads that are already connected. A failure is ignored: the game is then played
   without gamepads. SDL_Quit disables them. */
void devices_start(void);

/* Replaces the device in an event by its number, and the position of a finger by points of a window of this size:
   input_event takes events with numbers. Opens a gamepad that comes, and closes one that goes. False: the event is not
   for the game, because the device has no number. An event with a number is left as it is. */
bool devices_number(input_devices *d, SDL_Event *event, int width, int height);

#define INPUT_TOUCH ((SDL_TouchID)-2) /* the touch device in an event with a number */

/* Return and set the number of a gamepad in an event; 0: it is about none, or has an SDL device. */
int input_pad_of(const SDL_Event *event);
void input_set_pad(SDL_Event *event, int number);

/* }== */

/* {== State ==============================================================
** A switch is what is held or not: a key, a button, half of an axis, a finger. It keeps what has happened to it until
** the next step has seen it, so that a press between two steps is not lost. */

enum {
  SWITCH_HELD = 1,
  SWITCH_PRESSED = 2, /* between the last two steps */
  SWITCH_RELEASED = 4,
  SWITCH_NEXT = 2 /* to shift them by: since the last step */
};

typedef struct input_key {
  SDL_Keycode code;
  uint8_t state;
} input_key;

typedef struct input_pad {
  bool connected;
  uint8_t buttons[SDL_CONTROLLER_BUTTON_MAX];
  uint8_t halves[SDL_CONTROLLER_AXIS_MAX][2]; /* of axes: to the left or up, to the right or down */
  float axes[SDL_CONTROLLER_AXIS_MAX];        /* -1 .. 1, triggers 0 .. 1; 0 near the centre */
} input_pad;

typedef struct input_finger {
  uint8_t state;
  float x, y; /* points of the window */
} input_finger;

typedef struct input {
  input_key keys[INPUT_KEYS]; /* unordered */
  int key_count;
  int mouse_x, mouse_y;               /* points of the window */
  float left, top, unit_x, unit_y;    /* of the view, in points, for positions in its units; units of 0: in points */
  uint8_t buttons[INPUT_BUTTONS + 1]; /* switches, by number, from 1 */
  input_pad pads[INPUT_PADS];
  input_finger fingers[INPUT_FINGERS];
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
  int pad;                    /* number of the gamepad */
} input_change;

/* Updates the state by an event, and returns its meaning for the game. `heard`: the game hears it, so that the next
   step sees what was pressed and released. */
input_change input_event(input *in, const SDL_Event *event, bool heard);

/* {== Events of the player's own ==========================================
** They never enter SDL's queue, which SDL2 may share with SDL3: that knows no gamepads but its own. */

#define INPUT_HELD_MOST                                                                                                \
  (INPUT_KEYS + INPUT_BUTTONS + INPUT_PADS * (SDL_CONTROLLER_BUTTON_MAX + SDL_CONTROLLER_AXIS_MAX) + INPUT_FINGERS)

/* A zeroed queue is empty. */
typedef struct input_queue {
  SDL_Event events[INPUT_HELD_MOST];
  int first, count; /* those before `first` were taken */
} input_queue;

/* Replaces what is in the queue by events that release all that is held. */
void input_release_held(const input *in, input_queue *queue);

/* Takes the next event: of the queue, and when that is empty of SDL. False: there is none. */
bool input_next_event(input_queue *queue, SDL_Event *event);

/* }== */

/* Begins a step, which sees what was pressed and released since the last one. */
void input_step(input *in);

/* Returns the position of the mouse, or of a point of the window, in units of the view, rounded down. */
SDL_Point input_mouse(const input *in);
SDL_Point input_units(const input *in, float x, float y);

/* Writes a key's name as games use it: SDL's, in lower case. */
void input_key_name(SDL_Keycode key, char *name, size_t size);

/* }== */

/* {== Sources ============================================================
** An action of a game consists of these: "space", "mouse:left", "pad:a", "pad2:-leftx". */

typedef enum source_kind { SOURCE_KEY, SOURCE_MOUSE, SOURCE_BUTTON, SOURCE_AXIS } source_kind;

typedef struct input_source {
  source_kind kind;
  int code; /* of the key, or number of the button or axis */
  int pad;  /* number of the gamepad; 0: any */
  int sign; /* of an axis: -1 or 1, this half; 0: all of it */
} input_source;

/* Finds the source with this name; of a gamepad without "pad:" if `of_pad`. False: there is none. */
bool input_find_source(const char *name, bool of_pad, input_source *source);

/* Offers the names of all sources: of gamepads only, and without "pad:", if `of_pad`. */
void input_each_source(bool of_pad, void (*offer)(void *ud, const char *name), void *ud);

/* Return the state of a source, of all its switches together, and its value: 0 to 1, an axis also below 0. `pad` is
   the only gamepad that counts, and nothing else does; 0: everything counts. */
unsigned input_state(const input *in, const input_source *source, int pad);
float input_value(const input *in, const input_source *source, int pad);

/* }== */

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
