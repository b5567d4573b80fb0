#include "session/events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/state/strings.h"

/* {== Kinds =============================================================== */

typedef enum known {
  KEY_PRESSED,
  KEY_RELEASED,
  MOUSE_PRESSED,
  MOUSE_RELEASED,
  MOUSE_MOVED,
  WHEEL,
  TEXT_INPUT,
  PAD_PRESSED,
  PAD_RELEASED,
  PAD_AXIS,
  FINGER_PRESSED,
  FINGER_MOVED,
  FINGER_RELEASED,
  RESIZED,
  FOCUS,
  QUIT,
  KNOWN,
  OTHER = KNOWN
} known;

/* `takes` has a letter for each argument: s a string, n a number, b a boolean. */
static const struct {
  const char *kind, *takes, *names;
  bool has_callback;
} rows[KNOWN] = {[KEY_PRESSED] = {"key_pressed", "s", "key", true},
                 [KEY_RELEASED] = {"key_released", "s", "key", true},
                 [MOUSE_PRESSED] = {"mouse_pressed", "nnn", "x, y, button", true},
                 [MOUSE_RELEASED] = {"mouse_released", "nnn", "x, y, button", true},
                 [MOUSE_MOVED] = {"mouse_moved", "nnnn", "x, y, dx, dy", true},
                 [WHEEL] = {"wheel", "nn", "dx, dy", true},
                 [TEXT_INPUT] = {"text_input", "s", "text", true},
                 [PAD_PRESSED] = {"pad_pressed", "sn", "button, n", true},
                 [PAD_RELEASED] = {"pad_released", "sn", "button, n", true},
                 [PAD_AXIS] = {"pad_axis", "snn", "axis, n, value", false},
                 [FINGER_PRESSED] = {"finger_pressed", "nnn", "n, x, y", false},
                 [FINGER_MOVED] = {"finger_moved", "nnn", "n, x, y", false},
                 [FINGER_RELEASED] = {"finger_released", "nnn", "n, x, y", false},
                 [RESIZED] = {"resized", "nn", "w, h", true},
                 [FOCUS] = {"focus", "b", "on", true},
                 [QUIT] = {"quit", "", "", true}};

static known find_kind(const char *kind)
{
  int i = 0;
  while (i < KNOWN && strcmp(rows[i].kind, kind) != 0)
    i++;
  return (known)i;
}

/* }== */

/* {== Checks ============================================================== */

/* Kinds that a frame calls itself, which are no events. */
static bool is_reserved(const char *kind)
{
  static const char *const names[] = {"load", "update", "draw", "draw_below", "draw_above", "hash"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], kind) == 0)
      return true;
  return false;
}

static bool refuse(char problem[SP_EVENT_PROBLEM_MOST], const char *kind, const char *why)
{
  snprintf(problem, SP_EVENT_PROBLEM_MOST, "event '%.60s': %.100s", kind, why);
  for (char *c = problem; *c; c++)
    if ((unsigned char)*c < ' ')
      *c = '?';
  return false;
}

static bool is_text(const char *text) { return sp_utf8_is_valid(text, strlen(text)); }

/* Returns what is wrong with a field, or NULL. Adds its bytes. */
static const char *wrong_field(const sp_session_event_field *field, size_t *bytes)
{
  if (!field->name || !is_text(field->name))
    return "a field has no name, or one that is no UTF-8";
  *bytes += strlen(field->name) + (field->text ? strlen(field->text) : 0);
  if (field->text ? !is_text(field->text) : !isfinite(field->number))
    return field->text ? "a text that is no UTF-8" : "a number that is NaN or infinite";
  return NULL;
}

/* Pads and fingers have numbers. */
static const char *wrong_number(const sp_session_event *event, known kind)
{
  const sp_session_event_field *f = event->fields;
  const bool is_finger = kind >= FINGER_PRESSED && kind <= FINGER_RELEASED;
  const double number = is_finger ? f[0].number : kind >= PAD_PRESSED && kind <= PAD_AXIS ? f[1].number : 1;
  if (!(number >= 1 && number <= (is_finger ? SP_INPUT_FINGERS : SP_INPUT_PADS)) || number != floor(number))
    return is_finger ? "n is the number of a finger, 1 to 10" : "n is the number of a gamepad, 1 to 8";
  if (kind == RESIZED && !(f[0].number >= 1 && f[1].number >= 1 && f[0].number <= 65536 && f[1].number <= 65536))
    return "w and h are sizes, 1 to 65536";
  return NULL;
}

static bool check_known(const sp_session_event *event, known kind, char problem[SP_EVENT_PROBLEM_MOST])
{
  char text[SP_EVENT_PROBLEM_MOST];
  const size_t count = kind == OTHER ? 0 : strlen(rows[kind].takes);
  bool fine = event->field_count >= count;
  for (size_t i = 0; i < count && fine; i++)
    fine = (event->fields[i].text != NULL) == (rows[kind].takes[i] == 's');
  if (!fine) {
    snprintf(text, sizeof text, "its fields are %s", rows[kind].names);
    return refuse(problem, event->kind, text);
  }
  const char *why = kind == OTHER ? NULL : wrong_number(event, kind);
  return !why || refuse(problem, event->kind, why);
}

bool sp_event_check(const sp_session_event *event, char problem[SP_EVENT_PROBLEM_MOST])
{
  size_t bytes = 0;
  if (!event || !event->kind || !event->kind[0] || (event->field_count > 0 && !event->fields))
    return refuse(problem, "", "it has no kind, or no fields");
  if (strlen(event->kind) >= SP_EVENT_KIND_MOST || !is_text(event->kind))
    return refuse(problem, "", "its kind is a name of less than 64 bytes of UTF-8");
  if (is_reserved(event->kind))
    return refuse(problem, event->kind, "a frame calls that itself, and it is no event");
  if (event->field_count > SP_EVENT_FIELDS_MOST)
    return refuse(problem, event->kind, "more than 16 fields");
  for (size_t i = 0; i < event->field_count; i++) {
    const char *why = wrong_field(&event->fields[i], &bytes);
    if (why)
      return refuse(problem, event->kind, why);
  }
  if (bytes > SP_EVENT_TEXT_MOST)
    return refuse(problem, event->kind, "more than 64 KiB of text");
  return check_known(event, find_kind(event->kind), problem);
}

/* }== */

/* {== What they change ==================================================== */

bool sp_event_note(const sp_session_event *event, sp_input *input, sp_view *view)
{
  const sp_session_event_field *f = event->fields;
  const known kind = find_kind(event->kind);
  switch (kind) {
  case KEY_PRESSED:
  case KEY_RELEASED:
    return sp_input_key(input, f[0].text, kind == KEY_PRESSED);
  case MOUSE_PRESSED:
  case MOUSE_RELEASED:
    sp_input_point(input, f[0].number, f[1].number);
    return sp_input_button(input, (int)f[2].number, kind == MOUSE_PRESSED);
  case MOUSE_MOVED:
    sp_input_point(input, f[0].number, f[1].number);
    return true;
  case PAD_PRESSED:
  case PAD_RELEASED:
    return sp_input_pad_button(input, (int)f[1].number, f[0].text, kind == PAD_PRESSED);
  case PAD_AXIS:
    sp_input_pad_axis(input, (int)f[1].number, f[0].text, f[2].number);
    return true;
  case FINGER_PRESSED:
  case FINGER_MOVED:
  case FINGER_RELEASED:
    sp_input_finger(input, (int)f[0].number, f[1].number, f[2].number,
                    kind == FINGER_MOVED     ? 0
                    : kind == FINGER_PRESSED ? 1
                                             : -1);
    return true;
  case RESIZED:
    sp_view_resize(view, f[0].number, f[1].number);
    return true;
  case FOCUS:
    if (f[0].number == 0)
      sp_input_release_all(input);
    return true;
  default:
    return true;
  }
}

size_t sp_event_values(const sp_session_event *event, sp_call_value values[SP_CALL_VALUES_MOST], bool *has_callback)
{
  const known kind = find_kind(event->kind);
  const size_t count = kind == OTHER ? event->field_count : strlen(rows[kind].takes);
  *has_callback = kind == OTHER || rows[kind].has_callback;
  for (size_t i = 0; i < count; i++) {
    const sp_session_event_field *f = &event->fields[i];
    const bool is_whole = !f->text && f->number == floor(f->number) && fabs(f->number) < 0x1p53;
    const bool is_flag = kind != OTHER && rows[kind].takes[i] == 'b';
    values[i] = (sp_call_value){.kind = f->text    ? 's'
                                        : is_flag  ? 'b'
                                        : is_whole ? 'i'
                                                   : 'n',
                                .number = f->number,
                                .text = f->text};
  }
  return count;
}

/* }== */
