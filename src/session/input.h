/*
** Which keys and buttons are held, pressed and released: followed from events, so that those of a recording work the
** same. Everything lies in one struct without pointers, in the memory of the game.
*/
#ifndef SP_SESSION_INPUT_H
#define SP_SESSION_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  SP_INPUT_KEYS = 64, /* held, or pressed and released since the last step */
  SP_INPUT_NAME_MOST = 32,
  SP_INPUT_BUTTONS = 5,
  SP_INPUT_PADS = 8,
  SP_INPUT_PAD_BUTTONS = 21,
  SP_INPUT_AXES = 6,
  SP_INPUT_FINGERS = 10
};

/* A switch is a key, a button, half of an axis, a finger. It keeps what has happened to it until the next step has seen
   it, so that a press between two steps is not lost. */
enum {
  SP_SWITCH_HELD = 1,
  SP_SWITCH_PRESSED = 2, /* between the last two steps */
  SP_SWITCH_RELEASED = 4,
  SP_SWITCH_NEXT = 2 /* to shift them by: since the last step */
};

typedef struct sp_input_key_state {
  char name[SP_INPUT_NAME_MOST];
  uint8_t state;
} sp_input_key_state;

typedef struct sp_input_pad {
  bool connected;
  uint8_t buttons[SP_INPUT_PAD_BUTTONS], halves[SP_INPUT_AXES][2]; /* left or up, right or down */
  double axes[SP_INPUT_AXES];                                      /* -1 .. 1; 0 near the centre */
} sp_input_pad;

typedef struct sp_input_finger_state {
  uint8_t state;
  double x, y; /* units of the view */
} sp_input_finger_state;

typedef struct sp_input {
  sp_input_key_state keys[SP_INPUT_KEYS]; /* in no order */
  int key_count;
  double mouse_x, mouse_y; /* units of the view */
  uint8_t buttons[SP_INPUT_BUTTONS + 1];
  sp_input_pad pads[SP_INPUT_PADS];
  sp_input_finger_state fingers[SP_INPUT_FINGERS];
} sp_input;

/* {== Changes ============================================================= */

/* Return whether this changes anything. Buttons and pads are counted from 1. */
bool sp_input_key(sp_input *in, const char *name, bool down);
bool sp_input_button(sp_input *in, int button, bool down);
bool sp_input_pad_button(sp_input *in, int pad, const char *name, bool down);
void sp_input_pad_axis(sp_input *in, int pad, const char *name, double value);
void sp_input_point(sp_input *in, double x, double y);
/* `change` 1: it came down; -1: it was lifted; 0: it moved. */
void sp_input_finger(sp_input *in, int number, double x, double y, int change);

/* Releases everything: the window has lost the focus, and does not get the events of it. */
void sp_input_release_all(sp_input *in);

/* Begins a step, which sees what was pressed and released since the last one. */
void sp_input_step(sp_input *in);

/* }== */

/* {== Sources =============================================================
** An action of a game consists of these: "space", "mouse:left", "pad:a", "pad2:-leftx". */

typedef enum sp_source_kind { SP_SOURCE_KEY, SP_SOURCE_MOUSE, SP_SOURCE_BUTTON, SP_SOURCE_AXIS } sp_source_kind;

typedef struct sp_input_source {
  sp_source_kind kind;
  int code; /* the number of the button or axis */
  int pad;  /* 0: any */
  int sign; /* of an axis: -1 or 1, this half; 0: all of it */
  char key[SP_INPUT_NAME_MOST];
} sp_input_source;

/* Finds the source with this name; of a gamepad without "pad:" if `of_pad`. False: there is none. */
bool sp_input_find(const char *name, bool of_pad, sp_input_source *source);
/* Offers the names of all sources: of gamepads only, and without "pad:", if `of_pad`. */
void sp_input_each_name(bool of_pad, void (*offer)(void *ud, const char *name), void *ud);

/* Return the state of a source, of all its switches together, and its value: 0 to 1, an axis also below 0. `pad`: the
   only gamepad that counts, and nothing else does; 0: everything counts. */
unsigned sp_input_state(const sp_input *in, const sp_input_source *source, int pad);
double sp_input_value(const sp_input *in, const sp_input_source *source, int pad);

/* }== */

#endif
