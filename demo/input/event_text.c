/*
** Numbers are read into int and checked before they are narrowed: files may come from anywhere.
*/
#include "demo/input/event_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "demo/input/gamepad.h"
#include "demo/support/quoted.h"

#define FAR 1000000 /* points: limit of a mouse position, far outside of any window */

typedef enum row_shape {
  SHAPE_NOTHING,
  SHAPE_KEY,
  SHAPE_MOVE,
  SHAPE_BUTTON,
  SHAPE_WHEEL,
  SHAPE_TEXT,
  SHAPE_AXIS,
  SHAPE_PAD
} row_shape;

typedef struct event_row {
  const char *word;
  Uint32 type;
  Uint8 window; /* of SDL_WINDOWEVENT */
  row_shape shape;
} event_row;

static const event_row rows[] = {
    {"key_down", SDL_KEYDOWN, 0, SHAPE_KEY},
    {"key_up", SDL_KEYUP, 0, SHAPE_KEY},
    {"mouse_move", SDL_MOUSEMOTION, 0, SHAPE_MOVE},
    {"mouse_down", SDL_MOUSEBUTTONDOWN, 0, SHAPE_BUTTON},
    {"mouse_up", SDL_MOUSEBUTTONUP, 0, SHAPE_BUTTON},
    {"wheel", SDL_MOUSEWHEEL, 0, SHAPE_WHEEL},
    {"text", SDL_TEXTINPUT, 0, SHAPE_TEXT},
    {"pad_added", SDL_CONTROLLERDEVICEADDED, 0, SHAPE_NOTHING},
    {"pad_removed", SDL_CONTROLLERDEVICEREMOVED, 0, SHAPE_NOTHING},
    {"pad_axis", SDL_CONTROLLERAXISMOTION, 0, SHAPE_AXIS},
    {"pad_down", SDL_CONTROLLERBUTTONDOWN, 0, SHAPE_PAD},
    {"pad_up", SDL_CONTROLLERBUTTONUP, 0, SHAPE_PAD},
    {"focus_lost", SDL_WINDOWEVENT, SDL_WINDOWEVENT_FOCUS_LOST, SHAPE_NOTHING},
    {"focus_gained", SDL_WINDOWEVENT, SDL_WINDOWEVENT_FOCUS_GAINED, SHAPE_NOTHING},
};

static const event_row *row_of(const SDL_Event *event)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].type == event->type && (event->type != SDL_WINDOWEVENT || rows[i].window == event->window.event))
      return &rows[i];
  return NULL;
}

/* {== Writing ============================================================ */

/* Games do not receive keys without a name, repeated keys, and axes that they do not know. */
bool event_text_has(const SDL_Event *event)
{
  const event_row *row = row_of(event);
  if (!row)
    return false;
  if (row->shape == SHAPE_KEY)
    return event->key.repeat == 0 && SDL_GetKeyName(event->key.keysym.sym)[0] != '\0';
  if (row->shape == SHAPE_AXIS)
    return event->caxis.axis < SDL_CONTROLLER_AXIS_MAX;
  return row->shape != SHAPE_PAD || event->cbutton.button < SDL_CONTROLLER_BUTTON_MAX;
}

void event_text_write(FILE *out, const SDL_Event *event)
{
  const event_row *row = row_of(event);
  fputs(row->word, out);
  if (row->shape != SHAPE_NOTHING)
    putc(' ', out);
  switch (row->shape) {
  case SHAPE_KEY:
    quoted_write(out, SDL_GetKeyName(event->key.keysym.sym));
    break;
  case SHAPE_MOVE:
    fprintf(out, "%d %d %d %d", event->motion.x, event->motion.y, event->motion.xrel, event->motion.yrel);
    break;
  case SHAPE_BUTTON:
    fprintf(out, "%d %d %d", event->button.x, event->button.y, event->button.button);
    break;
  case SHAPE_WHEEL:
    fprintf(out, "%d %d", event->wheel.x, event->wheel.y);
    break;
  case SHAPE_TEXT:
    quoted_write(out, event->text.text);
    break;
  case SHAPE_AXIS:
    fprintf(out, "%d %d", event->caxis.axis, event->caxis.value);
    break;
  case SHAPE_PAD:
    quoted_write(out, SDL_GameControllerGetStringForButton((SDL_GameControllerButton)event->cbutton.button));
    break;
  default:
    break;
  }
}

/* }== */

/* {== Reading ============================================================ */

static bool read_numbers(char **at, int count, int *numbers)
{
  for (int i = 0; i < count; i++) {
    char *end;
    long number;
    if (*(*at)++ != ' ' || strchr(" \t\n", **at))
      return false;
    errno = 0;
    number = strtol(*at, &end, 10);
    if (end == *at || errno != 0 || number < -FAR || number > FAR)
      return false;
    numbers[i] = (int)number;
    *at = end;
  }
  return true;
}

static char *read_text(char **at) { return *(*at)++ == ' ' ? quoted_read(at) : NULL; }

static const char *read_key(char **at, SDL_Event *event)
{
  const char *name = read_text(at);
  if (!name)
    return "a key is a name in quotes";
  event->key.keysym.sym = SDL_GetKeyFromName(name);
  event->key.keysym.scancode = SDL_GetScancodeFromKey(event->key.keysym.sym);
  event->key.state = event->type == SDL_KEYDOWN ? SDL_PRESSED : SDL_RELEASED;
  return event->key.keysym.sym != SDLK_UNKNOWN ? NULL : "there is no such key";
}

static const char *read_button(char **at, SDL_Event *event)
{
  int numbers[3];
  if (!read_numbers(at, 3, numbers) || numbers[2] < 0 || numbers[2] > UINT8_MAX)
    return "a click has X, Y and a button";
  event->button.x = numbers[0];
  event->button.y = numbers[1];
  event->button.button = (Uint8)numbers[2];
  event->button.state = event->type == SDL_MOUSEBUTTONDOWN ? SDL_PRESSED : SDL_RELEASED;
  return NULL;
}

static const char *read_typed(char **at, SDL_Event *event)
{
  const char *text = read_text(at);
  if (!text || strlen(text) >= sizeof event->text.text)
    return "typed text is in quotes, and short";
  SDL_strlcpy(event->text.text, text, sizeof event->text.text);
  return NULL;
}

static const char *read_axis(char **at, SDL_Event *event)
{
  int numbers[2];
  if (!read_numbers(at, 2, numbers) || numbers[0] < 0 || numbers[0] >= SDL_CONTROLLER_AXIS_MAX ||
      numbers[1] < INT16_MIN || numbers[1] > INT16_MAX)
    return "an axis has a number, and a value from -32768 to 32767";
  event->caxis.axis = (Uint8)numbers[0];
  event->caxis.value = (Sint16)numbers[1];
  return NULL;
}

static const char *read_pad(char **at, SDL_Event *event)
{
  const char *name = read_text(at);
  SDL_GameControllerButton button = name ? SDL_GameControllerGetButtonFromString(name) : SDL_CONTROLLER_BUTTON_INVALID;
  if (button == SDL_CONTROLLER_BUTTON_INVALID)
    return "there is no such button";
  event->cbutton.button = (Uint8)button;
  event->cbutton.state = event->type == SDL_CONTROLLERBUTTONDOWN ? SDL_PRESSED : SDL_RELEASED;
  return NULL;
}

static const char *read_rest(const event_row *row, char **at, SDL_Event *event)
{
  int numbers[4];
  switch (row->shape) {
  case SHAPE_KEY:
    return read_key(at, event);
  case SHAPE_MOVE:
    if (!read_numbers(at, 4, numbers))
      return "a move of the mouse has X, Y and how far it went in each";
    event->motion.x = numbers[0];
    event->motion.y = numbers[1];
    event->motion.xrel = numbers[2];
    event->motion.yrel = numbers[3];
    return NULL;
  case SHAPE_BUTTON:
    return read_button(at, event);
  case SHAPE_WHEEL:
    if (!read_numbers(at, 2, numbers))
      return "a turn of the wheel has X and Y";
    event->wheel.x = numbers[0];
    event->wheel.y = numbers[1];
    return NULL;
  case SHAPE_TEXT:
    return read_typed(at, event);
  case SHAPE_AXIS:
    return read_axis(at, event);
  case SHAPE_PAD:
    return read_pad(at, event);
  default:
    return NULL;
  }
}

const char *event_text_read(char **at, SDL_Event *event)
{
  size_t length = strcspn(*at, " ");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strlen(rows[i].word) == length && strncmp(rows[i].word, *at, length) == 0) {
      memset(event, 0, sizeof *event);
      event->type = rows[i].type;
      if (event->type == SDL_WINDOWEVENT)
        event->window.event = rows[i].window;
      if (event->type == SDL_CONTROLLERDEVICEADDED || event->type == SDL_CONTROLLERDEVICEREMOVED)
        event->cdevice.which = GAMEPAD_NONE;
      *at += length;
      return read_rest(&rows[i], at, event);
    }
  return "there is no such event";
}

/* }== */
