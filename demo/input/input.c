/*
** Key codes are stored rather than names or scan codes: they match what is printed on the keys.
*/
#include "demo/input/input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* {== Devices ============================================================
** In an event with a number a gamepad is below 0, where SDL has no devices. */

void devices_start(void) { SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER); }

/* Returns the device of a gamepad's event, NULL for others: it is in the same place in all of them. */
static SDL_JoystickID *device_of(SDL_Event *event)
{
  switch (event->type) {
  case SDL_CONTROLLERDEVICEADDED:
  case SDL_CONTROLLERDEVICEREMOVED:
    return &event->cdevice.which;
  case SDL_CONTROLLERAXISMOTION:
    return &event->caxis.which;
  case SDL_CONTROLLERBUTTONDOWN:
  case SDL_CONTROLLERBUTTONUP:
    return &event->cbutton.which;
  default:
    return NULL;
  }
}

int input_pad_of(const SDL_Event *event)
{
  SDL_Event copy = *event;
  const SDL_JoystickID *which = device_of(&copy);
  return which && *which < 0 && *which >= -INPUT_PADS ? -*which : 0;
}

void input_set_pad(SDL_Event *event, int number)
{
  SDL_JoystickID *which = device_of(event);
  if (which)
    *which = -number;
}

/* Returns the number of a gamepad, or with NULL the lowest free one; 0: there is none. */
static int find_pad(const input_devices *d, const SDL_GameController *pad)
{
  for (int i = 0; i < INPUT_PADS; i++)
    if (d->pads[i] == pad)
      return i + 1;
  return 0;
}

/* SDL may announce a gamepad twice; it counts how often one is opened. */
static int add_pad(input_devices *d, int device)
{
  SDL_GameController *pad = SDL_GameControllerOpen(device);
  int number = pad && find_pad(d, pad) == 0 ? find_pad(d, NULL) : 0;
  if (number > 0)
    d->pads[number - 1] = pad;
  else if (pad)
    SDL_GameControllerClose(pad);
  return number;
}

static int number_of_pad(input_devices *d, Uint32 type, SDL_JoystickID which)
{
  if (type == SDL_CONTROLLERDEVICEADDED)
    return add_pad(d, which);
  SDL_GameController *pad = SDL_GameControllerFromInstanceID(which);
  int number = pad ? find_pad(d, pad) : 0;
  if (number > 0 && type == SDL_CONTROLLERDEVICEREMOVED) {
    SDL_GameControllerClose(pad);
    d->pads[number - 1] = NULL;
  }
  return number;
}

/* Returns the number of a finger, which gets one when it comes down; 0: it has none. */
static int number_of_finger(input_devices *d, const SDL_TouchFingerEvent *event)
{
  int number = 0, unused = 0;
  for (int i = INPUT_FINGERS; i > 0; i--) {
    number = d->touching[i - 1] && d->fingers[i - 1] == event->fingerId ? i : number;
    unused = d->touching[i - 1] ? unused : i;
  }
  if (number == 0 && event->type == SDL_FINGERDOWN)
    number = unused;
  if (number > 0) {
    d->fingers[number - 1] = event->fingerId;
    d->touching[number - 1] = event->type != SDL_FINGERUP;
  }
  return number;
}

static bool number_finger(input_devices *d, SDL_TouchFingerEvent *event, int width, int height)
{
  if (event->touchId == INPUT_TOUCH)
    return true;
  event->fingerId = number_of_finger(d, event);
  event->touchId = INPUT_TOUCH;
  event->x = floorf(event->x * (float)width);
  event->y = floorf(event->y * (float)height);
  return event->fingerId > 0;
}

bool devices_number(input_devices *d, SDL_Event *event, int width, int height)
{
  SDL_JoystickID *which = device_of(event);
  if (which && *which >= 0) {
    input_set_pad(event, number_of_pad(d, event->type, *which));
    return *which < 0;
  }
  bool is_finger = event->type == SDL_FINGERDOWN || event->type == SDL_FINGERUP || event->type == SDL_FINGERMOTION;
  return !is_finger || number_finger(d, &event->tfinger, width, height);
}

/* }== */

/* {== Switches =========================================================== */

/* Returns whether this changes it. */
static bool turn(uint8_t *state, bool down, bool heard)
{
  if (((*state & SWITCH_HELD) != 0) == down)
    return false;
  const unsigned change = down ? SWITCH_PRESSED : SWITCH_RELEASED;
  *state = (uint8_t)((*state ^ SWITCH_HELD) | (heard ? change << SWITCH_NEXT : 0u));
  return true;
}

static void step(uint8_t *state)
{
  const unsigned seen = SWITCH_PRESSED | SWITCH_RELEASED;
  *state = (uint8_t)((*state & SWITCH_HELD) | (((unsigned)*state >> SWITCH_NEXT) & seen));
}

/* Calls `each` for all switches but those of keys. */
static void each_switch(input *in, void (*each)(uint8_t *state))
{
  for (int i = 0; i <= INPUT_BUTTONS; i++)
    each(&in->buttons[i]);
  for (int i = 0; i < INPUT_FINGERS; i++)
    each(&in->fingers[i].state);
  for (int i = 0; i < INPUT_PADS; i++) {
    for (int k = 0; k < SDL_CONTROLLER_BUTTON_MAX; k++)
      each(&in->pads[i].buttons[k]);
    for (int k = 0; k < 2 * SDL_CONTROLLER_AXIS_MAX; k++)
      each(&in->pads[i].halves[k / 2][k % 2]);
  }
}

/* Keys are forgotten when the step has seen their release. */
void input_step(input *in)
{
  int kept = 0;
  for (int i = 0; i < in->key_count; i++) {
    step(&in->keys[i].state);
    if (in->keys[i].state)
      in->keys[kept++] = in->keys[i];
  }
  in->key_count = kept;
  each_switch(in, step);
}

static void release(uint8_t *state) { turn(state, false, true); }

/* Releases all keys and buttons: the window has lost the focus, and does not receive their release. */
static void release_all(input *in)
{
  for (int i = 0; i < in->key_count; i++)
    release(&in->keys[i].state);
  each_switch(in, release);
  for (int i = 0; i < INPUT_PADS; i++)
    memset(in->pads[i].axes, 0, sizeof in->pads[i].axes);
}

/* }== */

/* {== Gamepads =========================================================== */

#define DEAD 0.2f /* of a stick's range: worn ones do not return to the centre */
#define FULL 32767.0f
#define PRESS 0.5f /* from here on half an axis is held, until it is back at LEAVE */
#define LEAVE 0.4f

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

static void move_axis(input_pad *pad, int axis, Sint16 value, bool heard)
{
  pad->axes[axis] = axis_value(value);
  for (int half = 0; half < 2; half++) {
    uint8_t *state = &pad->halves[axis][half];
    float far = half ? pad->axes[axis] : -pad->axes[axis];
    turn(state, far >= (*state & SWITCH_HELD ? LEAVE : PRESS), heard);
  }
}

static void connect(input_pad *pad, bool connected)
{
  pad->connected = connected;
  memset(pad->axes, 0, sizeof pad->axes);
  for (int i = 0; i < SDL_CONTROLLER_BUTTON_MAX; i++)
    release(&pad->buttons[i]);
  for (int i = 0; i < 2 * SDL_CONTROLLER_AXIS_MAX; i++)
    release(&pad->halves[i / 2][i % 2]);
}

static input_change press_button(input_pad *pad, const SDL_ControllerButtonEvent *event, bool heard)
{
  input_change change = {.kind = INPUT_NOTHING};
  bool down = event->type == SDL_CONTROLLERBUTTONDOWN;
  if (event->button >= SDL_CONTROLLER_BUTTON_MAX || !turn(&pad->buttons[event->button], down, heard))
    return change;
  change.kind = down ? INPUT_GAMEPAD_PRESSED : INPUT_GAMEPAD_RELEASED;
  SDL_strlcpy(change.name, SDL_GameControllerGetStringForButton((SDL_GameControllerButton)event->button),
              sizeof change.name);
  return change;
}

static input_change pad_event(input *in, const SDL_Event *event, bool heard)
{
  input_change change = {.kind = INPUT_NOTHING};
  const int number = input_pad_of(event);
  if (number == 0)
    return change;
  input_pad *pad = &in->pads[number - 1];
  if (event->type == SDL_CONTROLLERDEVICEADDED || event->type == SDL_CONTROLLERDEVICEREMOVED)
    connect(pad, event->type == SDL_CONTROLLERDEVICEADDED);
  else if (event->type == SDL_CONTROLLERAXISMOTION && event->caxis.axis < SDL_CONTROLLER_AXIS_MAX)
    move_axis(pad, event->caxis.axis, event->caxis.value, heard);
  else if (event->type != SDL_CONTROLLERAXISMOTION)
    change = press_button(pad, &event->cbutton, heard);
  change.pad = number;
  return change;
}

/* }== */

/* {== Keys, mouse, fingers =============================================== */

/* Returns its index; the number of keys when nothing has happened to it. */
static int find_key(const input *in, SDL_Keycode code)
{
  int i = 0;
  while (i < in->key_count && in->keys[i].code != code)
    i++;
  return i;
}

/* Writes a name of SDL in lower case. */
static void write_name(const char *from, char *name, size_t size)
{
  SDL_strlcpy(name, from, size);
  for (char *c = name; *c; c++)
    if (*c >= 'A' && *c <= 'Z')
      *c = (char)(*c - 'A' + 'a'); /* ASCII only: other UTF-8 bytes are kept */
}

void input_key_name(SDL_Keycode key, char *name, size_t size) { write_name(SDL_GetKeyName(key), name, size); }

static input_change key_event(input *in, const SDL_KeyboardEvent *event, bool heard)
{
  input_change change = {.key = event->keysym.sym};
  const bool down = event->type == SDL_KEYDOWN;
  input_key_name(change.key, change.name, sizeof change.name);
  if (change.name[0] == '\0')
    return change;
  const int at = find_key(in, change.key);
  if (at == in->key_count && down && at < INPUT_KEYS)
    in->keys[in->key_count++] = (input_key){.code = change.key};
  if (at < in->key_count ? turn(&in->keys[at].state, down, heard) : down)
    change.kind = down ? INPUT_KEY_PRESSED : INPUT_KEY_RELEASED;
  return change;
}

SDL_Point input_units(const input *in, float x, float y)
{
  if (in->unit_x <= 0 || in->unit_y <= 0)
    return (SDL_Point){(int)x, (int)y};
  return (SDL_Point){(int)floorf((x - in->left) / in->unit_x), (int)floorf((y - in->top) / in->unit_y)};
}

SDL_Point input_mouse(const input *in) { return input_units(in, (float)in->mouse_x, (float)in->mouse_y); }

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

/* SDL numbers left, middle, right; games left, right, middle. Turns one into the other, both ways. */
static int button_number(Uint8 button)
{
  return button == SDL_BUTTON_MIDDLE ? INPUT_MIDDLE : button == SDL_BUTTON_RIGHT ? INPUT_RIGHT : button;
}

static input_change button_event(input *in, const SDL_MouseButtonEvent *event, bool heard)
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
  if (turn(&in->buttons[change.button], down, heard))
    change.kind = down ? INPUT_MOUSE_PRESSED : INPUT_MOUSE_RELEASED;
  return change;
}

/* Adds an event that the caller fills. */
static SDL_Event *add_event(input_queue *queue, Uint32 type)
{
  SDL_Event *event = &queue->events[queue->count++];
  SDL_zerop(event);
  event->type = type;
  return event;
}

static void release_pad(const input_pad *pad, int number, input_queue *queue)
{
  for (int i = 0; i < SDL_CONTROLLER_BUTTON_MAX; i++)
    if (pad->buttons[i] & SWITCH_HELD) {
      SDL_Event *event = add_event(queue, SDL_CONTROLLERBUTTONUP);
      input_set_pad(event, number);
      event->cbutton.button = (Uint8)i;
    }
  for (int i = 0; i < SDL_CONTROLLER_AXIS_MAX; i++)
    if (pad->axes[i] != 0) {
      SDL_Event *event = add_event(queue, SDL_CONTROLLERAXISMOTION);
      input_set_pad(event, number);
      event->caxis.axis = (Uint8)i;
    }
}

static void release_mouse(const input *in, input_queue *queue)
{
  for (int i = 1; i <= INPUT_BUTTONS; i++)
    if (in->buttons[i] & SWITCH_HELD) {
      SDL_MouseButtonEvent *event = &add_event(queue, SDL_MOUSEBUTTONUP)->button;
      event->button = (Uint8)button_number((Uint8)i);
      event->x = in->mouse_x;
      event->y = in->mouse_y;
    }
}

static void release_fingers(const input *in, input_queue *queue)
{
  for (int i = 0; i < INPUT_FINGERS; i++)
    if (in->fingers[i].state & SWITCH_HELD) {
      SDL_TouchFingerEvent *event = &add_event(queue, SDL_FINGERUP)->tfinger;
      event->touchId = INPUT_TOUCH;
      event->fingerId = i + 1;
      event->x = in->fingers[i].x;
      event->y = in->fingers[i].y;
    }
}

void input_release_held(const input *in, input_queue *queue)
{
  queue->first = queue->count = 0;
  for (int i = 0; i < in->key_count; i++)
    if (in->keys[i].state & SWITCH_HELD)
      add_event(queue, SDL_KEYUP)->key.keysym.sym = in->keys[i].code;
  release_mouse(in, queue);
  for (int i = 0; i < INPUT_PADS; i++)
    release_pad(&in->pads[i], i + 1, queue);
  release_fingers(in, queue);
}

bool input_next_event(input_queue *queue, SDL_Event *event)
{
  if (queue->first == queue->count)
    return SDL_PollEvent(event) != 0;
  *event = queue->events[queue->first++];
  return true;
}

static void finger_event(input *in, const SDL_TouchFingerEvent *event, bool heard)
{
  if (event->touchId != INPUT_TOUCH || event->fingerId < 1 || event->fingerId > INPUT_FINGERS)
    return;
  input_finger *finger = &in->fingers[event->fingerId - 1];
  finger->x = event->x;
  finger->y = event->y;
  if (event->type != SDL_FINGERMOTION)
    turn(&finger->state, event->type == SDL_FINGERDOWN, heard);
}

input_change input_event(input *in, const SDL_Event *event, bool heard)
{
  switch (event->type) {
  case SDL_KEYDOWN:
  case SDL_KEYUP:
    return key_event(in, &event->key, heard);
  case SDL_MOUSEBUTTONDOWN:
  case SDL_MOUSEBUTTONUP:
    return button_event(in, &event->button, heard);
  case SDL_MOUSEMOTION:
    return motion_event(in, &event->motion);
  case SDL_MOUSEWHEEL:
    return wheel_event(&event->wheel);
  case SDL_TEXTINPUT:
    return text_event(&event->text);
  case SDL_FINGERDOWN:
  case SDL_FINGERUP:
  case SDL_FINGERMOTION:
    finger_event(in, &event->tfinger, heard);
    break;
  case SDL_WINDOWEVENT:
    if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
      release_all(in);
    break;
  default:
    return pad_event(in, event, heard);
  }
  return (input_change){.kind = INPUT_NOTHING};
}

/* }== */

/* {== Sources ============================================================ */

static const char *const mouse_names[] = {"left", "right", "middle", "4", "5"};

static bool find_axis(const char *name, input_source *source)
{
  source->kind = SOURCE_AXIS;
  source->sign = *name == '-' ? -1 : *name == '+' ? 1 : 0;
  source->code = SDL_GameControllerGetAxisFromString(name + (source->sign != 0));
  return source->code != SDL_CONTROLLER_AXIS_INVALID;
}

static bool find_control(const char *name, input_source *source)
{
  source->kind = SOURCE_BUTTON;
  source->code = SDL_GameControllerGetButtonFromString(name);
  return source->code != SDL_CONTROLLER_BUTTON_INVALID || find_axis(name, source);
}

static bool find_mouse_button(const char *name, input_source *source)
{
  source->kind = SOURCE_MOUSE;
  for (int i = 0; i < INPUT_BUTTONS; i++)
    if (strcmp(name, mouse_names[i]) == 0 || (name[0] == '1' + i && !name[1]))
      source->code = i + 1;
  return source->code > 0;
}

bool input_find_source(const char *name, bool of_pad, input_source *source)
{
  const bool is_pad = strncmp(name, "pad", 3) == 0, has_digit = is_pad && name[3] >= '1' && name[3] < '1' + INPUT_PADS;
  *source = (input_source){.kind = SOURCE_KEY};
  if (of_pad)
    return find_control(name, source);
  if (strncmp(name, "mouse:", 6) == 0)
    return find_mouse_button(name + 6, source);
  if (is_pad && name[3 + has_digit] == ':') {
    source->pad = has_digit ? name[3] - '0' : 0;
    return find_control(name + 4 + has_digit, source);
  }
  source->code = SDL_GetKeyFromName(name);
  return source->code != SDLK_UNKNOWN;
}

/* Offers the names of a gamepad's buttons and axes behind `prefix`. */
static void each_control(const char *prefix, void (*offer)(void *ud, const char *name), void *ud)
{
  static const char *const signs[] = {"", "-", "+"};
  char name[2 * INPUT_NAME_MOST];
  for (int i = 0; i < SDL_CONTROLLER_BUTTON_MAX; i++) {
    snprintf(name, sizeof name, "%s%s", prefix, SDL_GameControllerGetStringForButton((SDL_GameControllerButton)i));
    offer(ud, name);
  }
  for (int i = 0; i < 3 * SDL_CONTROLLER_AXIS_MAX; i++) {
    snprintf(name, sizeof name, "%s%s%s", prefix, signs[i % 3],
             SDL_GameControllerGetStringForAxis((SDL_GameControllerAxis)(i / 3)));
    offer(ud, name);
  }
}

void input_each_source(bool of_pad, void (*offer)(void *ud, const char *name), void *ud)
{
  char name[INPUT_NAME_MOST];
  each_control(of_pad ? "" : "pad:", offer, ud);
  for (int i = 0; i < INPUT_BUTTONS && !of_pad; i++) {
    snprintf(name, sizeof name, "mouse:%s", mouse_names[i]);
    offer(ud, name);
  }
  for (int i = 0; i < SDL_NUM_SCANCODES && !of_pad; i++) {
    write_name(SDL_GetScancodeName((SDL_Scancode)i), name, sizeof name); /* the keys' own names need a window */
    if (name[0])
      offer(ud, name);
  }
}

static unsigned state_of_axis(const input_pad *pad, const input_source *source)
{
  return (source->sign <= 0 ? pad->halves[source->code][0] : 0u) |
         (source->sign >= 0 ? pad->halves[source->code][1] : 0u);
}

static float value_of_axis(const input_pad *pad, const input_source *source)
{
  float value = pad->axes[source->code] * (source->sign < 0 ? -1.0f : 1.0f);
  return source->sign != 0 && value < 0 ? 0 : value;
}

/* Returns whether a source counts for the gamepad `number`, while `pad` is the only one that does, or 0. */
static bool counts(const input_source *source, int number, int pad)
{
  return (source->pad == 0 || source->pad == number) && (pad == 0 || pad == number);
}

unsigned input_state(const input *in, const input_source *source, int pad)
{
  unsigned state = 0;
  if (source->kind == SOURCE_KEY) {
    const int at = find_key(in, source->code);
    return pad == 0 && at < in->key_count ? in->keys[at].state : 0;
  }
  if (source->kind == SOURCE_MOUSE)
    return pad == 0 ? in->buttons[source->code] : 0;
  for (int i = 0; i < INPUT_PADS; i++)
    if (counts(source, i + 1, pad))
      state |= source->kind == SOURCE_AXIS ? state_of_axis(&in->pads[i], source) : in->pads[i].buttons[source->code];
  return state;
}

float input_value(const input *in, const input_source *source, int pad)
{
  float value = 0;
  if (source->kind != SOURCE_AXIS)
    return input_state(in, source, pad) & SWITCH_HELD ? 1 : 0;
  for (int i = 0; i < INPUT_PADS; i++) {
    float its = counts(source, i + 1, pad) ? value_of_axis(&in->pads[i], source) : 0;
    value = fabsf(its) > fabsf(value) ? its : value;
  }
  return value;
}

/* }== */

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
