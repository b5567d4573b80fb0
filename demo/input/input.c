/*
** Key codes are stored rather than names or scan codes: they match what is printed on the keys.
*/
#include "demo/input/input.h"

#include <math.h>
#include <string.h>

/* {== Gamepads ===========================================================
** A gamepad is opened when SDL announces it. SDL keeps track of open ones, so nothing is stored for each. */

#define DEAD 0.2f /* of a stick's range: worn ones do not return to the centre */
#define FULL 32767.0f

void gamepad_start(void) { SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER); }

void gamepad_clear(gamepad *p)
{
  memset(p->buttons, 0, sizeof p->buttons);
  memset(p->axes, 0, sizeof p->axes);
}

/* Scales the range outside of the dead zone to 0..1, so that values rise from 0 without a jump. */
static float axis_value(Sint16 value)
{
  float v = (float)value / FULL, size = v < 0 ? -v : v;
  if (size < DEAD)
    return 0;
  size = (size - DEAD) / (1 - DEAD);
  size = size < 1 ? size : 1;
  return v < 0 ? -size : size;
}

static void remove_pad(gamepad *p, SDL_JoystickID which)
{
  SDL_GameController *controller = which == GAMEPAD_NONE ? NULL : SDL_GameControllerFromInstanceID(which);
  if (controller)
    SDL_GameControllerClose(controller);
  if (p->connected > 0)
    p->connected--;
  gamepad_clear(p);
}

static bool press(gamepad *p, const SDL_ControllerButtonEvent *event, SDL_GameControllerButton *button, bool *pressed)
{
  bool down = event->type == SDL_CONTROLLERBUTTONDOWN;
  if (event->button >= SDL_CONTROLLER_BUTTON_MAX || p->buttons[event->button] == down)
    return false;
  p->buttons[event->button] = down;
  *button = (SDL_GameControllerButton)event->button;
  *pressed = down;
  return true;
}

bool gamepad_event(gamepad *p, const SDL_Event *event, SDL_GameControllerButton *button, bool *pressed)
{
  switch (event->type) {
  case SDL_CONTROLLERDEVICEADDED:
    p->connected += event->cdevice.which == GAMEPAD_NONE || SDL_GameControllerOpen(event->cdevice.which) != NULL;
    break;
  case SDL_CONTROLLERDEVICEREMOVED:
    remove_pad(p, event->cdevice.which);
    break;
  case SDL_CONTROLLERAXISMOTION:
    if (event->caxis.axis < SDL_CONTROLLER_AXIS_MAX)
      p->axes[event->caxis.axis] = axis_value(event->caxis.value);
    break;
  case SDL_CONTROLLERBUTTONDOWN:
  case SDL_CONTROLLERBUTTONUP:
    return press(p, &event->cbutton, button, pressed);
  default:
    break;
  }
  return false;
}

/* }== */

static int find_key(const input *in, SDL_Keycode key)
{
  for (int i = 0; i < in->key_count; i++)
    if (in->keys[i] == key)
      return i;
  return -1;
}

bool input_down(const input *in, SDL_Keycode key) { return find_key(in, key) >= 0; }

/* Releases all keys and buttons: the window has lost the focus, and does not receive their release. */
static void release_all(input *in)
{
  in->key_count = 0;
  memset(in->buttons, 0, sizeof in->buttons);
  gamepad_clear(&in->gamepad);
}

void input_key_name(SDL_Keycode key, char *name, size_t size)
{
  SDL_strlcpy(name, SDL_GetKeyName(key), size);
  for (char *c = name; *c; c++)
    if (*c >= 'A' && *c <= 'Z')
      *c = (char)(*c - 'A' + 'a'); /* ASCII only: other UTF-8 bytes are kept */
}

static input_change key_event(input *in, const SDL_KeyboardEvent *event)
{
  input_change change = {.key = event->keysym.sym};
  int held = find_key(in, change.key);
  input_key_name(change.key, change.name, sizeof change.name);
  if (change.name[0] == '\0')
    return change;
  if (event->type == SDL_KEYDOWN && held < 0) {
    if (in->key_count < INPUT_KEYS)
      in->keys[in->key_count++] = change.key;
    change.kind = INPUT_KEY_PRESSED;
  } else if (event->type == SDL_KEYUP && held >= 0) {
    in->keys[held] = in->keys[--in->key_count];
    change.kind = INPUT_KEY_RELEASED;
  }
  return change;
}

SDL_Point input_mouse(const input *in)
{
  if (in->unit_x <= 0 || in->unit_y <= 0)
    return (SDL_Point){in->mouse_x, in->mouse_y};
  return (SDL_Point){(int)floorf(((float)in->mouse_x - in->left) / in->unit_x),
                     (int)floorf(((float)in->mouse_y - in->top) / in->unit_y)};
}

/* Mouse positions are whole units for games, so movements within one unit are no events. */
static input_change motion_event(input *in, const SDL_MouseMotionEvent *event)
{
  SDL_Point before = input_mouse(in), now;
  in->mouse_x = event->x;
  in->mouse_y = event->y;
  now = input_mouse(in);
  return (input_change){.kind = now.x != before.x || now.y != before.y ? INPUT_MOUSE_MOVED : INPUT_NOTHING,
                        .x = now.x,
                        .y = now.y,
                        .dx = now.x - before.x,
                        .dy = now.y - before.y};
}

static input_change wheel_event(const SDL_MouseWheelEvent *event)
{
  int sign = event->direction == SDL_MOUSEWHEEL_FLIPPED ? -1 : 1;
  return (input_change){.kind = INPUT_WHEEL, .dx = event->x * sign, .dy = event->y * sign};
}

/* Text that a hotkey of the player produces does not reach the game. */
static input_change text_event(const SDL_TextInputEvent *event)
{
  input_change change = {.kind = strcmp(event->text, "`") == 0 || !event->text[0] ? INPUT_NOTHING : INPUT_TEXT};
  SDL_strlcpy(change.name, event->text, sizeof change.name);
  return change;
}

/* SDL numbers left, middle, right; games left, right, middle. */
static int button_number(Uint8 button)
{
  return button == SDL_BUTTON_MIDDLE ? INPUT_MIDDLE : button == SDL_BUTTON_RIGHT ? INPUT_RIGHT : button;
}

static input_change button_event(input *in, const SDL_MouseButtonEvent *event)
{
  input_change change = {.button = button_number(event->button)};
  SDL_Point at;
  bool down = event->type == SDL_MOUSEBUTTONDOWN;
  if (change.button < 1 || change.button > INPUT_BUTTONS)
    return change;
  in->mouse_x = event->x;
  in->mouse_y = event->y;
  at = input_mouse(in);
  change.x = at.x;
  change.y = at.y;
  if (in->buttons[change.button] == down)
    return change;
  in->buttons[change.button] = down;
  change.kind = down ? INPUT_MOUSE_PRESSED : INPUT_MOUSE_RELEASED;
  return change;
}

static input_change gamepad_change(input *in, const SDL_Event *event)
{
  SDL_GameControllerButton button;
  bool pressed;
  input_change change = {.kind = INPUT_NOTHING};
  if (!gamepad_event(&in->gamepad, event, &button, &pressed))
    return change;
  change.kind = pressed ? INPUT_GAMEPAD_PRESSED : INPUT_GAMEPAD_RELEASED;
  SDL_strlcpy(change.name, SDL_GameControllerGetStringForButton(button), sizeof change.name);
  return change;
}

input_change input_event(input *in, const SDL_Event *event)
{
  switch (event->type) {
  case SDL_KEYDOWN:
  case SDL_KEYUP:
    return key_event(in, &event->key);
  case SDL_MOUSEBUTTONDOWN:
  case SDL_MOUSEBUTTONUP:
    return button_event(in, &event->button);
  case SDL_MOUSEMOTION:
    return motion_event(in, &event->motion);
  case SDL_MOUSEWHEEL:
    return wheel_event(&event->wheel);
  case SDL_TEXTINPUT:
    return text_event(&event->text);
  case SDL_WINDOWEVENT:
    if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
      release_all(in);
    break;
  default:
    return gamepad_change(in, event);
  }
  return (input_change){.kind = INPUT_NOTHING};
}

/* {== Keys of the player =================================================
** The player uses only function keys, the backtick and Esc, so that all letters are left to games. Backspace is used
** only where the game does not need it. */

static const key_row rows[] = {
    {SDLK_F1, KEY_HELP, "F1", "this help"},
    {SDLK_F2, KEY_HUD, "F2", "pools and times; again: with curves"},
    {SDLK_F3, KEY_INSPECTOR, "F3", "look into pools and objects"},
    {SDLK_F5, KEY_RELOAD, "F5", "reload now"},
    {SDLK_F6, KEY_PAUSE, "F6", "pause, go on"},
    {SDLK_F7, KEY_STEP, "F7", "pause, and one frame at a time"},
    {SDLK_F8, KEY_SCREENSHOT, "F8", "screenshot"},
    {SDLK_F9, KEY_BUG, "F9", "bug file: the game and its input, to send"},
    {SDLK_F10, KEY_TIMELINE, "F10", "timeline; hold Backspace: run backwards"},
    {SDLK_F11, KEY_FULL_SCREEN, "F11", "full screen; Alt+Enter too"},
    {SDLK_BACKQUOTE, KEY_CONSOLE, "`", "console: Lua that runs in the game"},
    {SDLK_ESCAPE, KEY_QUIT, "Esc", "close what is open, or quit"},
};

const key_row *hotkeys_all(size_t *count)
{
  *count = sizeof rows / sizeof *rows;
  return rows;
}

SDL_Keycode hotkeys_code(const SDL_Keysym *key)
{
  return key->scancode == SDL_SCANCODE_GRAVE ? SDLK_BACKQUOTE : key->sym;
}

static key_action action_of(SDL_Keycode key)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].key == key)
      return rows[i].action;
  return KEY_NONE;
}

key_action hotkeys_event(const SDL_Event *event)
{
  bool is_key = event->type == SDL_KEYDOWN || event->type == SDL_KEYUP;
  key_action action = is_key ? action_of(hotkeys_code(&event->key.keysym)) : KEY_NONE;
  return action == KEY_HUD && (event->key.keysym.mod & KMOD_SHIFT) ? KEY_POOLS : action;
}

bool hotkeys_pressed_with(const SDL_Event *event, SDL_Keycode key, SDL_Keymod mod)
{
  return event->type == SDL_KEYDOWN && event->key.keysym.sym == key && (event->key.keysym.mod & mod) != 0;
}

/* }== */
