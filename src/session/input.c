#include "session/input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/state/strings.h"

/* {== Names =============================================================== */

/* Keys with a name of more than one letter. */
static const char *const key_names[] = {"return",
                                        "escape",
                                        "backspace",
                                        "tab",
                                        "space",
                                        "capslock",
                                        "f1",
                                        "f2",
                                        "f3",
                                        "f4",
                                        "f5",
                                        "f6",
                                        "f7",
                                        "f8",
                                        "f9",
                                        "f10",
                                        "f11",
                                        "f12",
                                        "printscreen",
                                        "scrolllock",
                                        "pause",
                                        "insert",
                                        "home",
                                        "pageup",
                                        "delete",
                                        "end",
                                        "pagedown",
                                        "right",
                                        "left",
                                        "down",
                                        "up",
                                        "numlock",
                                        "keypad /",
                                        "keypad *",
                                        "keypad -",
                                        "keypad +",
                                        "keypad enter",
                                        "keypad 1",
                                        "keypad 2",
                                        "keypad 3",
                                        "keypad 4",
                                        "keypad 5",
                                        "keypad 6",
                                        "keypad 7",
                                        "keypad 8",
                                        "keypad 9",
                                        "keypad 0",
                                        "keypad .",
                                        "application",
                                        "power",
                                        "keypad =",
                                        "f13",
                                        "f14",
                                        "f15",
                                        "f16",
                                        "f17",
                                        "f18",
                                        "f19",
                                        "f20",
                                        "f21",
                                        "f22",
                                        "f23",
                                        "f24",
                                        "execute",
                                        "help",
                                        "menu",
                                        "select",
                                        "stop",
                                        "again",
                                        "undo",
                                        "cut",
                                        "copy",
                                        "paste",
                                        "find",
                                        "mute",
                                        "volumeup",
                                        "volumedown",
                                        "keypad ,",
                                        "keypad = (as400)",
                                        "alterase",
                                        "sysreq",
                                        "cancel",
                                        "clear",
                                        "prior",
                                        "separator",
                                        "out",
                                        "oper",
                                        "clear / again",
                                        "crsel",
                                        "exsel",
                                        "keypad 00",
                                        "keypad 000",
                                        "thousandsseparator",
                                        "decimalseparator",
                                        "currencyunit",
                                        "currencysubunit",
                                        "keypad (",
                                        "keypad )",
                                        "keypad {",
                                        "keypad }",
                                        "keypad tab",
                                        "keypad backspace",
                                        "keypad a",
                                        "keypad b",
                                        "keypad c",
                                        "keypad d",
                                        "keypad e",
                                        "keypad f",
                                        "keypad xor",
                                        "keypad ^",
                                        "keypad %",
                                        "keypad <",
                                        "keypad >",
                                        "keypad &",
                                        "keypad &&",
                                        "keypad |",
                                        "keypad ||",
                                        "keypad :",
                                        "keypad #",
                                        "keypad space",
                                        "keypad @",
                                        "keypad !",
                                        "keypad memstore",
                                        "keypad memrecall",
                                        "keypad memclear",
                                        "keypad memadd",
                                        "keypad memsubtract",
                                        "keypad memmultiply",
                                        "keypad memdivide",
                                        "keypad +/-",
                                        "keypad clear",
                                        "keypad clearentry",
                                        "keypad binary",
                                        "keypad octal",
                                        "keypad decimal",
                                        "keypad hexadecimal",
                                        "left ctrl",
                                        "left shift",
                                        "left alt",
                                        "left gui",
                                        "right ctrl",
                                        "right shift",
                                        "right alt",
                                        "right gui",
                                        "modeswitch",
                                        "audionext",
                                        "audioprev",
                                        "audiostop",
                                        "audioplay",
                                        "audiomute",
                                        "mediaselect",
                                        "www",
                                        "mail",
                                        "calculator",
                                        "computer",
                                        "ac search",
                                        "ac home",
                                        "ac back",
                                        "ac forward",
                                        "ac stop",
                                        "ac refresh",
                                        "ac bookmarks",
                                        "brightnessdown",
                                        "brightnessup",
                                        "displayswitch",
                                        "kbdillumtoggle",
                                        "kbdillumdown",
                                        "kbdillumup",
                                        "eject",
                                        "sleep",
                                        "app1",
                                        "app2",
                                        "audiorewind",
                                        "audiofastforward",
                                        "softleft",
                                        "softright",
                                        "call",
                                        "endcall"};

static const char *const button_names[SP_INPUT_PAD_BUTTONS] = {"a",
                                                               "b",
                                                               "x",
                                                               "y",
                                                               "back",
                                                               "guide",
                                                               "start",
                                                               "leftstick",
                                                               "rightstick",
                                                               "leftshoulder",
                                                               "rightshoulder",
                                                               "dpup",
                                                               "dpdown",
                                                               "dpleft",
                                                               "dpright",
                                                               "misc1",
                                                               "paddle1",
                                                               "paddle2",
                                                               "paddle3",
                                                               "paddle4",
                                                               "touchpad"};

static const char *const axis_names[SP_INPUT_AXES] = {"leftx",  "lefty",       "rightx",
                                                      "righty", "lefttrigger", "righttrigger"};

static const char *const mouse_names[SP_INPUT_BUTTONS] = {"left", "right", "middle", "4", "5"};

#define KEY_NAMES (sizeof key_names / sizeof *key_names)

/* Returns the index of a name; the count when it is none. */
static int find_name(const char *const *names, int count, const char *name)
{
  int i = 0;
  while (i < count && strcmp(names[i], name) != 0)
    i++;
  return i;
}

static bool is_letter(const char *name)
{
  const char *at = name, *end = name + strlen(name);
  return at < end && sp_utf8_next(&at, end) != SP_UTF8_REPLACEMENT && at == end;
}

static bool is_key(const char *name)
{
  return is_letter(name) || find_name(key_names, KEY_NAMES, name) < (int)KEY_NAMES;
}

/* Writes a name in lower case; bytes beyond ASCII are kept. */
static void lower(const char *from, char to[SP_INPUT_NAME_MOST])
{
  snprintf(to, SP_INPUT_NAME_MOST, "%.*s", (int)sp_utf8_fit(from, SP_INPUT_NAME_MOST - 1), from);
  for (char *c = to; *c; c++)
    *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
}

/* }== */

/* {== Switches ============================================================ */

/* Returns whether this changes it. */
static bool turn(uint8_t *state, bool down)
{
  if (((*state & SP_SWITCH_HELD) != 0) == down)
    return false;
  const unsigned change = down ? SP_SWITCH_PRESSED : SP_SWITCH_RELEASED;
  *state = (uint8_t)((*state ^ SP_SWITCH_HELD) | change << SP_SWITCH_NEXT);
  return true;
}

static void step(uint8_t *state)
{
  const unsigned seen = SP_SWITCH_PRESSED | SP_SWITCH_RELEASED;
  *state = (uint8_t)((*state & SP_SWITCH_HELD) | (((unsigned)*state >> SP_SWITCH_NEXT) & seen));
}

/* Calls `each` for all switches but those of keys. */
static void each_switch(sp_input *in, void (*each)(uint8_t *state))
{
  for (int i = 0; i <= SP_INPUT_BUTTONS; i++)
    each(&in->buttons[i]);
  for (int i = 0; i < SP_INPUT_FINGERS; i++)
    each(&in->fingers[i].state);
  for (int i = 0; i < SP_INPUT_PADS; i++) {
    for (int k = 0; k < SP_INPUT_PAD_BUTTONS; k++)
      each(&in->pads[i].buttons[k]);
    for (int k = 0; k < 2 * SP_INPUT_AXES; k++)
      each(&in->pads[i].halves[k / 2][k % 2]);
  }
}

/* Keys are forgotten when the step has seen their release. */
void sp_input_step(sp_input *in)
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

static void release(uint8_t *state) { turn(state, false); }

void sp_input_release_all(sp_input *in)
{
  for (int i = 0; i < in->key_count; i++)
    release(&in->keys[i].state);
  each_switch(in, release);
  for (int i = 0; i < SP_INPUT_PADS; i++)
    memset(in->pads[i].axes, 0, sizeof in->pads[i].axes);
}

/* }== */

/* {== Devices ============================================================= */

static int find_key(const sp_input *in, const char *name)
{
  int i = 0;
  while (i < in->key_count && strcmp(in->keys[i].name, name) != 0)
    i++;
  return i;
}

bool sp_input_key(sp_input *in, const char *name, bool down)
{
  char lowered[SP_INPUT_NAME_MOST];
  lower(name, lowered);
  const int at = find_key(in, lowered);
  if (at == in->key_count && (!down || at == SP_INPUT_KEYS))
    return down; /* too many are held: what is not known to be held is heard all the same */
  if (at == in->key_count) {
    in->key_count++;
    in->keys[at].state = 0;
    memcpy(in->keys[at].name, lowered, sizeof lowered);
  }
  return turn(&in->keys[at].state, down);
}

bool sp_input_button(sp_input *in, int button, bool down)
{
  return button >= 1 && button <= SP_INPUT_BUTTONS ? turn(&in->buttons[button], down) : true;
}

void sp_input_point(sp_input *in, double x, double y)
{
  in->mouse_x = floor(x);
  in->mouse_y = floor(y);
}

bool sp_input_pad_button(sp_input *in, int number, const char *name, bool down)
{
  sp_input_pad *pad = &in->pads[number - 1];
  const int button = find_name(button_names, SP_INPUT_PAD_BUTTONS, name);
  pad->connected = true;
  return button < SP_INPUT_PAD_BUTTONS ? turn(&pad->buttons[button], down) : true;
}

#define DEAD 0.2  /* of a stick's range: worn ones do not return to the centre */
#define PRESS 0.5 /* from here on half an axis is held, until it is back at LEAVE */
#define LEAVE 0.4

/* Scales the range outside of the dead zone to 0..1, so that values rise from 0 without a jump. */
static double axis_value(double value)
{
  const double size = (fmin(fabs(value), 1) - DEAD) / (1 - DEAD);
  return size <= 0 ? 0 : value < 0 ? -size : size;
}

void sp_input_pad_axis(sp_input *in, int number, const char *name, double value)
{
  sp_input_pad *pad = &in->pads[number - 1];
  const int axis = find_name(axis_names, SP_INPUT_AXES, name);
  pad->connected = true;
  if (axis == SP_INPUT_AXES)
    return;
  pad->axes[axis] = axis_value(value);
  for (int half = 0; half < 2; half++) {
    uint8_t *state = &pad->halves[axis][half];
    const double far = half ? pad->axes[axis] : -pad->axes[axis];
    turn(state, far >= (*state & SP_SWITCH_HELD ? LEAVE : PRESS));
  }
}

void sp_input_finger(sp_input *in, int number, double x, double y, int change)
{
  sp_input_finger_state *finger = &in->fingers[number - 1];
  finger->x = floor(x);
  finger->y = floor(y);
  if (change != 0)
    turn(&finger->state, change > 0);
}

/* }== */

/* {== Sources ============================================================= */

static bool find_control(const char *name, sp_input_source *source)
{
  source->kind = SP_SOURCE_BUTTON;
  source->code = find_name(button_names, SP_INPUT_PAD_BUTTONS, name);
  if (source->code < SP_INPUT_PAD_BUTTONS)
    return true;
  source->kind = SP_SOURCE_AXIS;
  source->sign = *name == '-' ? -1 : *name == '+' ? 1 : 0;
  source->code = find_name(axis_names, SP_INPUT_AXES, name + (source->sign != 0));
  return source->code < SP_INPUT_AXES;
}

static bool find_mouse_button(const char *name, sp_input_source *source)
{
  source->kind = SP_SOURCE_MOUSE;
  for (int i = 0; i < SP_INPUT_BUTTONS; i++)
    if (strcmp(name, mouse_names[i]) == 0 || (name[0] == '1' + i && !name[1]))
      source->code = i + 1;
  return source->code > 0;
}

bool sp_input_find(const char *name, bool of_pad, sp_input_source *source)
{
  const bool is_pad = strncmp(name, "pad", 3) == 0, has_digit = is_pad && name[3] >= '1' && name[3] <= '8';
  memset(source, 0, sizeof *source);
  if (of_pad)
    return find_control(name, source);
  if (strncmp(name, "mouse:", 6) == 0)
    return find_mouse_button(name + 6, source);
  if (is_pad && name[3 + has_digit] == ':') {
    source->pad = has_digit ? name[3] - '0' : 0;
    return find_control(name + 4 + has_digit, source);
  }
  lower(name, source->key);
  return strlen(name) < SP_INPUT_NAME_MOST && is_key(source->key);
}

void sp_input_each_name(bool of_pad, void (*offer)(void *ud, const char *name), void *ud)
{
  static const char *const signs[] = {"", "-", "+"};
  const char *prefix = of_pad ? "" : "pad:";
  char name[2 * SP_INPUT_NAME_MOST];
  for (int i = 0; i < SP_INPUT_PAD_BUTTONS + 3 * SP_INPUT_AXES; i++) {
    const int axis = i - SP_INPUT_PAD_BUTTONS;
    snprintf(name, sizeof name, "%s%s%s", prefix, axis < 0 ? "" : signs[axis % 3],
             axis < 0 ? button_names[i] : axis_names[axis / 3]);
    offer(ud, name);
  }
  for (int i = 0; i < SP_INPUT_BUTTONS && !of_pad; i++) {
    snprintf(name, sizeof name, "mouse:%s", mouse_names[i]);
    offer(ud, name);
  }
  for (size_t i = 0; i < KEY_NAMES && !of_pad; i++)
    offer(ud, key_names[i]);
}

/* Returns whether a source counts for the gamepad `number`, while `pad` is the only one that does, or 0. */
static bool counts(const sp_input_source *source, int number, int pad)
{
  return (source->pad == 0 || source->pad == number) && (pad == 0 || pad == number);
}

static unsigned state_of_axis(const sp_input_pad *pad, const sp_input_source *source)
{
  return (source->sign <= 0 ? pad->halves[source->code][0] : 0u) |
         (source->sign >= 0 ? pad->halves[source->code][1] : 0u);
}

unsigned sp_input_state(const sp_input *in, const sp_input_source *source, int pad)
{
  unsigned state = 0;
  if (source->kind == SP_SOURCE_KEY) {
    const int at = find_key(in, source->key);
    return pad == 0 && at < in->key_count ? in->keys[at].state : 0;
  }
  if (source->kind == SP_SOURCE_MOUSE)
    return pad == 0 ? in->buttons[source->code] : 0;
  for (int i = 0; i < SP_INPUT_PADS; i++)
    if (counts(source, i + 1, pad))
      state |= source->kind == SP_SOURCE_AXIS ? state_of_axis(&in->pads[i], source) : in->pads[i].buttons[source->code];
  return state;
}

static double value_of_axis(const sp_input_pad *pad, const sp_input_source *source)
{
  const double value = pad->axes[source->code] * (source->sign < 0 ? -1 : 1);
  return source->sign != 0 && value < 0 ? 0 : value;
}

double sp_input_value(const sp_input *in, const sp_input_source *source, int pad)
{
  double value = 0;
  if (source->kind != SP_SOURCE_AXIS)
    return sp_input_state(in, source, pad) & SP_SWITCH_HELD ? 1 : 0;
  for (int i = 0; i < SP_INPUT_PADS; i++) {
    const double its = counts(source, i + 1, pad) ? value_of_axis(&in->pads[i], source) : 0;
    value = fabs(its) > fabs(value) ? its : value;
  }
  return value;
}

/* }== */
