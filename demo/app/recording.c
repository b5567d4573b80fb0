/*
** The format is two tables: the members of the head, and for each kind of entry its word and its members. They are
** written and read by them alone. Numbers of 64 bits are strings of hexadecimal digits, which JSON has no numbers for.
*/
#include "demo/app/recording.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/options.h"
#include "demo/input/gamepad.h"
#include "demo/support/clock.h"
#include "demo/support/utf8.h"
#include "script/state/platform.h"

/* {== The format ========================================================= */

typedef enum member_type {
  INT = 1, /* whole numbers of some sizes */
  BYTE,
  SHORT,
  LONG,
  FLOAT, /* above 0 */
  DOUBLE,
  HEX,  /* uint64_t */
  FLAG, /* bool, which may be left out: false */
  TEXT,
  TYPED, /* of SDL's text events */
  KEY,   /* by its name, as PAD */
  PAD,
  JSON /* an object, as text */
} member_type;

typedef struct member {
  const char *name;
  member_type type;
  size_t offset;
  double low, high; /* of numbers */
} member;

#define LINE_MOST ((size_t)4 << 20)               /* bytes */
#define EXACT 9007199254740992.0                  /* 2^53: whole numbers up to there are doubles */
#define FRAMES_MOST ((double)((uint64_t)1 << 40)) /* five hundred years */
#define FAR 1000000                               /* points: limit of a mouse position, far outside of any window */
#define SIDE 1, OPTIONS_SIZE_MOST

#define HEAD(name) offsetof(recording_head, name)
static const member head_members[] = {
    {"player", TEXT, HEAD(player), 0, 0},
    {"game", TEXT, HEAD(game), 0, 0},
    {"files", HEX, HEAD(files), 0, 0},
    {"seed", HEX, HEAD(seed), 0, 0},
    {"width", INT, HEAD(width), SIDE},
    {"height", INT, HEAD(height), SIDE},
    {"density", FLOAT, HEAD(density), 0, 100},
    {"step", DOUBLE, HEAD(step), 1e-6, 1}, /* a manager takes no smaller one */
    {"start", LONG, HEAD(start), 0, FRAMES_MOST},
    {"memory", LONG, HEAD(memory), 1, EXACT},
    {"trust", FLAG, HEAD(trust), 0, 0},
    {NULL, 0, 0, 0, 0},
};

enum { MEMBERS_MOST = 5 };

typedef struct row {
  const char *word;
  recording_kind kind;
  Uint32 type;  /* of the event */
  Uint8 window; /* of SDL_WINDOWEVENT */
  member members[MEMBERS_MOST + 1];
} row;

#define AT(name) offsetof(recording_entry, name)
#define KEYS                                                                                                           \
  {                                                                                                                    \
    {"key", KEY, AT(event.key), 0, 0}, UNHEARD                                                                         \
  }
#define CLICK                                                                                                          \
  {                                                                                                                    \
    {"x", INT, AT(event.button.x), -FAR, FAR}, {"y", INT, AT(event.button.y), -FAR, FAR},                              \
        {"button", BYTE, AT(event.button.button), 0, UINT8_MAX}, UNHEARD                                               \
  }
#define BUTTON                                                                                                         \
  {                                                                                                                    \
    {"button", PAD, AT(event.cbutton), 0, 0}, UNHEARD                                                                  \
  }
#define UNHEARD                                                                                                        \
  {                                                                                                                    \
    "unheard", FLAG, AT(unheard), 0, 0                                                                                 \
  }
#define OBJECT                                                                                                         \
  {                                                                                                                    \
    "object", HEX, AT(object), 0, 0                                                                                    \
  }
static const row rows[] = {
    {"key_down", RECORDING_EVENT, SDL_KEYDOWN, 0, KEYS},
    {"key_up", RECORDING_EVENT, SDL_KEYUP, 0, KEYS},
    {"mouse_move",
     RECORDING_EVENT,
     SDL_MOUSEMOTION,
     0,
     {{"x", INT, AT(event.motion.x), -FAR, FAR},
      {"y", INT, AT(event.motion.y), -FAR, FAR},
      {"dx", INT, AT(event.motion.xrel), -FAR, FAR},
      {"dy", INT, AT(event.motion.yrel), -FAR, FAR},
      UNHEARD}},
    {"mouse_down", RECORDING_EVENT, SDL_MOUSEBUTTONDOWN, 0, CLICK},
    {"mouse_up", RECORDING_EVENT, SDL_MOUSEBUTTONUP, 0, CLICK},
    {"wheel",
     RECORDING_EVENT,
     SDL_MOUSEWHEEL,
     0,
     {{"x", INT, AT(event.wheel.x), -FAR, FAR}, {"y", INT, AT(event.wheel.y), -FAR, FAR}, UNHEARD}},
    {"text", RECORDING_EVENT, SDL_TEXTINPUT, 0, {{"text", TYPED, AT(event.text.text), 0, 0}, UNHEARD}},
    {"pad_added", RECORDING_EVENT, SDL_CONTROLLERDEVICEADDED, 0, {UNHEARD}},
    {"pad_removed", RECORDING_EVENT, SDL_CONTROLLERDEVICEREMOVED, 0, {UNHEARD}},
    {"pad_axis",
     RECORDING_EVENT,
     SDL_CONTROLLERAXISMOTION,
     0,
     {{"axis", BYTE, AT(event.caxis.axis), 0, SDL_CONTROLLER_AXIS_MAX - 1},
      {"value", SHORT, AT(event.caxis.value), INT16_MIN, INT16_MAX},
      UNHEARD}},
    {"pad_down", RECORDING_EVENT, SDL_CONTROLLERBUTTONDOWN, 0, BUTTON},
    {"pad_up", RECORDING_EVENT, SDL_CONTROLLERBUTTONUP, 0, BUTTON},
    {"focus_lost", RECORDING_EVENT, SDL_WINDOWEVENT, SDL_WINDOWEVENT_FOCUS_LOST, {UNHEARD}},
    {"focus_gained", RECORDING_EVENT, SDL_WINDOWEVENT, SDL_WINDOWEVENT_FOCUS_GAINED, {UNHEARD}},
    {"steps", RECORDING_STEPS, 0, 0, {{"count", LONG, AT(number), 0, CLOCK_CATCH_UP}}},
    {"size",
     RECORDING_SIZE,
     0,
     0,
     {{"width", INT, AT(width), SIDE}, {"height", INT, AT(height), SIDE}, {"density", FLOAT, AT(density), 0, 100}}},
    {"eval", RECORDING_EVAL, 0, 0, {OBJECT, {"text", TEXT, AT(text), 0, 0}}},
    {"set", RECORDING_SET, 0, 0, {OBJECT, {"field", TEXT, AT(field), 0, 0}, {"text", TEXT, AT(text), 0, 0}}},
    {"quit", RECORDING_QUIT, 0, 0, {{"ended", FLAG, AT(ended), 0, 0}}},
    {"reload", RECORDING_RELOAD, 0, 0, {{"files", HEX, AT(number), 0, 0}}},
    {"error", RECORDING_ERROR, 0, 0, {{"text", TEXT, AT(text), 0, 0}}},
    {"hash", RECORDING_HASH, 0, 0, {{"all", HEX, AT(number), 0, 0}, {"pools", JSON, AT(text), 0, 0}}},
    {"digests",
     RECORDING_DIGESTS,
     0,
     0,
     {{"from", LONG, AT(number), 1, FRAMES_MOST}, {"digits", TEXT, AT(text), 0, 0}}},
    {"back", RECORDING_BACK, 0, 0, {{"to", LONG, AT(number), 0, FRAMES_MOST}}},
    {"end", RECORDING_END, 0, 0, {{NULL, 0, 0, 0, 0}}},
};

enum { ROWS = sizeof rows / sizeof *rows };

static const row *row_of_event(const SDL_Event *event)
{
  for (int i = 0; rows[i].kind == RECORDING_EVENT; i++)
    if (rows[i].type == event->type && (event->type != SDL_WINDOWEVENT || rows[i].window == event->window.event))
      return &rows[i];
  return NULL;
}

static const row *row_of(const recording_entry *e)
{
  const row *at = rows;
  if (e->kind == RECORDING_EVENT)
    return row_of_event(&e->event);
  while (at->kind != e->kind)
    at++;
  return at;
}

/* Games do not receive keys without a name, repeated keys, and axes that they do not know. */
bool recording_has_event(const SDL_Event *event)
{
  const row *it = row_of_event(event);
  if (!it)
    return false;
  if (it->members[0].type == KEY)
    return event->key.repeat == 0 && SDL_GetKeyName(event->key.keysym.sym)[0] != '\0';
  if (event->type == SDL_CONTROLLERAXISMOTION)
    return event->caxis.axis < SDL_CONTROLLER_AXIS_MAX;
  return it->members[0].type != PAD || event->cbutton.button < SDL_CONTROLLER_BUTTON_MAX;
}

/* }== */

/* {== Writing ============================================================ */

static void write_text(FILE *out, const char *text)
{
  const char *end = text + strlen(text);
  putc('"', out);
  while (text < end) {
    const char *from = text;
    uint32_t letter = utf8_next(&text, end);
    if (letter < ' ')
      fprintf(out, "\\u%04x", (unsigned)letter);
    else if (letter == UTF8_REPLACEMENT)
      fputs("\xef\xbf\xbd", out);
    else
      fprintf(out, "%s%.*s", letter == '"' || letter == '\\' ? "\\" : "", (int)(text - from), from);
  }
  putc('"', out);
}

static long long whole_number(const member *m, const void *at)
{
  switch (m->type) {
  case INT:
    return *(const int *)at;
  case BYTE:
    return *(const uint8_t *)at;
  case SHORT:
    return *(const int16_t *)at;
  default:
    return (long long)*(const int64_t *)at;
  }
}

static void write_value(FILE *out, const member *m, const void *at)
{
  switch (m->type) {
  case FLOAT:
    fprintf(out, "%.9g", (double)*(const float *)at);
    break;
  case DOUBLE:
    fprintf(out, "%.17g", *(const double *)at);
    break;
  case HEX:
    fprintf(out, "\"%016" PRIx64 "\"", *(const uint64_t *)at);
    break;
  case FLAG:
    fputs("true", out);
    break;
  case TEXT:
    write_text(out, *(const char *const *)at);
    break;
  case TYPED:
    write_text(out, at);
    break;
  case KEY:
    write_text(out, SDL_GetKeyName(((const SDL_KeyboardEvent *)at)->keysym.sym));
    break;
  case PAD:
    write_text(out, SDL_GameControllerGetStringForButton(
                        (SDL_GameControllerButton)((const SDL_ControllerButtonEvent *)at)->button));
    break;
  case JSON:
    fputs(*(const char *const *)at, out);
    break;
  default:
    fprintf(out, "%lld", whole_number(m, at));
  }
}

static void write_members(FILE *out, const member *m, const void *base)
{
  for (; m->name; m++) {
    const void *at = (const char *)base + m->offset;
    if (m->type == FLAG && !*(const bool *)at)
      continue;
    fprintf(out, ",\"%s\":", m->name);
    write_value(out, m, at);
  }
}

void recording_write_head(FILE *out, const recording_head *head)
{
  fprintf(out, "{\"spawnpool-input\":%d", RECORDING_VERSION);
  write_members(out, head_members, head);
  fputs(",\"arguments\":[", out);
  for (int i = 0; i < head->argc; i++) {
    fputs(i ? "," : "", out);
    write_text(out, head->argv[i]);
  }
  fputs("]}\n", out);
}

void recording_write_entry(FILE *out, const recording_entry *entry)
{
  const row *it = row_of(entry);
  fprintf(out, "{\"frame\":%" PRIu64 ",\"do\":\"%s\"", entry->frame, it->word);
  write_members(out, it->members, entry);
  fputs("}\n", out);
}

/* }== */

/* {== Reading values ===================================================== */

typedef struct reader {
  recording *to;
  size_t line;
  size_t room; /* for entries */
  char *texts; /* where the texts of the line go: over it, as they are shorter than what they are read from */
  char wrong[200];
} reader;

static bool fail(reader *r, const char *name, const char *what)
{
  if (!r->wrong[0])
    snprintf(r->wrong, sizeof r->wrong, "\"%.60s\" %s", name, what);
  return false;
}

static bool say(reader *r, const char *what)
{
  if (!r->wrong[0])
    snprintf(r->wrong, sizeof r->wrong, "%s", what);
  return false;
}

static const char *keep_text(reader *r, const char *text)
{
  size_t size = strlen(text) + 1;
  char *copy = r->texts;
  memcpy(copy, text, size);
  r->texts += size;
  return copy;
}

static bool read_number(reader *r, const member *m, const cJSON *value, void *to)
{
  double number = cJSON_IsNumber(value) ? value->valuedouble : NAN;
  bool is_real = m->type == FLOAT || m->type == DOUBLE;
  char what[120];
  if (!(number >= m->low && number <= m->high) || (!is_real && number != floor(number)) ||
      (m->type == FLOAT && !((float)number > 0))) {
    snprintf(what, sizeof what, "is a %s from %.17g to %.17g", is_real ? "number" : "whole number", m->low, m->high);
    return fail(r, m->name, what);
  }
  if (m->type == INT)
    *(int *)to = (int)number;
  else if (m->type == BYTE)
    *(uint8_t *)to = (uint8_t)number;
  else if (m->type == SHORT)
    *(int16_t *)to = (int16_t)number;
  else if (m->type == LONG)
    *(int64_t *)to = (int64_t)number;
  else if (m->type == FLOAT)
    *(float *)to = (float)number;
  else
    *(double *)to = number;
  return true;
}

static bool read_hex(reader *r, const member *m, const char *text, uint64_t *to)
{
  size_t length = text ? strspn(text, "0123456789abcdef") : 0;
  if (length == 0 || length > 16 || text[length])
    return fail(r, m->name, "is a string of 1 to 16 hexadecimal digits");
  *to = strtoull(text, NULL, 16);
  return true;
}

static bool read_key(reader *r, const member *m, const char *name, SDL_KeyboardEvent *to)
{
  to->keysym.sym = name ? SDL_GetKeyFromName(name) : SDLK_UNKNOWN;
  to->keysym.scancode = SDL_GetScancodeFromKey(to->keysym.sym);
  to->state = to->type == SDL_KEYDOWN ? SDL_PRESSED : SDL_RELEASED;
  return to->keysym.sym != SDLK_UNKNOWN || fail(r, m->name, "is the name of a key");
}

static bool read_pad(reader *r, const member *m, const char *name, SDL_ControllerButtonEvent *to)
{
  SDL_GameControllerButton button = name ? SDL_GameControllerGetButtonFromString(name) : SDL_CONTROLLER_BUTTON_INVALID;
  if (button == SDL_CONTROLLER_BUTTON_INVALID)
    return fail(r, m->name, "is the name of a button of a gamepad");
  to->button = (Uint8)button;
  to->state = to->type == SDL_CONTROLLERBUTTONDOWN ? SDL_PRESSED : SDL_RELEASED;
  return true;
}

static bool read_flag(reader *r, const member *m, const cJSON *value, bool *to)
{
  *to = cJSON_IsTrue(value);
  return cJSON_IsBool(value) || fail(r, m->name, "is true or false");
}

/* The text of an object, as cJSON prints it: that has no more bytes than the line, or it is refused. */
static bool read_json(reader *r, const member *m, const cJSON *value, const char **to)
{
  char *text = cJSON_IsObject(value) ? cJSON_PrintUnformatted(value) : NULL;
  bool fits = text && strlen(text) < strlen(r->texts);
  if (fits)
    *to = keep_text(r, text);
  cJSON_free(text);
  return fits || fail(r, m->name, "is an object");
}

static bool read_value(reader *r, const member *m, const cJSON *value, void *to)
{
  const char *text = cJSON_IsString(value) ? value->valuestring : NULL;
  switch (m->type) {
  case HEX:
    return read_hex(r, m, text, to);
  case FLAG:
    return read_flag(r, m, value, to);
  case TEXT:
    if (!text)
      return fail(r, m->name, "is a string");
    *(const char **)to = keep_text(r, text);
    return true;
  case TYPED:
    if (!text || strlen(text) >= SDL_TEXTINPUTEVENT_TEXT_SIZE)
      return fail(r, m->name, "is a short string");
    SDL_strlcpy(to, text, SDL_TEXTINPUTEVENT_TEXT_SIZE);
    return true;
  case KEY:
    return read_key(r, m, text, to);
  case PAD:
    return read_pad(r, m, text, to);
  case JSON:
    return read_json(r, m, value, to);
  default:
    return read_number(r, m, value, to);
  }
}

/* Reads the members of an object, each of which is there once, and no others but `others`. */
static bool read_members(reader *r, const cJSON *object, const member *members, const char *const *others, void *base)
{
  uint32_t seen = 0, needed = 0;
  for (int i = 0; members[i].name; i++)
    needed |= members[i].type == FLAG ? 0 : 1u << i;
  for (const cJSON *value = object->child; value; value = value->next) {
    int i = 0, k = 0;
    while (members[i].name && strcmp(members[i].name, value->string) != 0)
      i++;
    while (others[k] && strcmp(others[k], value->string) != 0)
      k++;
    uint32_t bit = 1u << (members[i].name ? i : 16 + k);
    if (!members[i].name && !others[k])
      return fail(r, value->string, "is not known here");
    if (seen & bit)
      return fail(r, value->string, "was said before");
    seen |= bit;
    if (members[i].name && !read_value(r, &members[i], value, (char *)base + members[i].offset))
      return false;
  }
  for (int i = 0; members[i].name; i++)
    if (needed & ~seen & 1u << i)
      return fail(r, members[i].name, "is missing");
  return true;
}

/* }== */

/* {== Reading lines ====================================================== */

static bool read_head(reader *r, const cJSON *object)
{
  static const char *const others[] = {"spawnpool-input", "arguments", NULL};
  recording_head *h = &r->to->head;
  const cJSON *version = cJSON_GetObjectItemCaseSensitive(object, others[0]);
  const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(object, others[1]);
  if (!cJSON_IsNumber(version))
    return say(r, "this is no recorded input of spawnpool");
  if (version->valuedouble != RECORDING_VERSION)
    return say(r, "this version of the file cannot be read; a newer spawnpool may do it");
  if (!read_members(r, object, head_members, others, h))
    return false;
  if (!cJSON_IsArray(arguments) || cJSON_GetArraySize(arguments) > RECORDING_ARGUMENTS_MOST)
    return fail(r, others[1], "is a list of at most 64 strings");
  for (const cJSON *value = arguments->child; value; value = value->next)
    if (!cJSON_IsString(value))
      return fail(r, others[1], "is a list of at most 64 strings");
    else
      h->argv[h->argc++] = keep_text(r, value->valuestring);
  return true;
}

/* What the members alone do not say. */
static bool is_sound(reader *r, const recording_entry *e)
{
  if (e->frame < r->to->last)
    return say(r, "frames do not go back");
  if (e->kind == RECORDING_BACK && e->number > e->frame)
    return fail(r, "to", "is an earlier frame");
  if (e->kind != RECORDING_DIGESTS)
    return true;
  size_t digits = strspn(e->text, "0123456789abcdef");
  bool is_sound = !e->text[digits] && digits % 4 == 0 && e->number + digits / 4 <= e->frame + 1;
  return is_sound || fail(r, "digits", "has four hexadecimal digits for each frame");
}

/* Drops the entries after a frame to which the player went back. */
static void go_back(recording *to, uint64_t frame)
{
  while (to->count > 0 && to->entries[to->count - 1].frame > frame)
    to->count--;
  to->last = frame;
}

static bool add_entry(reader *r, const recording_entry *e)
{
  recording *to = r->to;
  if (e->kind == RECORDING_BACK) {
    go_back(to, e->number);
    return true;
  }
  if (to->count == r->room) {
    size_t room = r->room ? 2 * r->room : 256;
    recording_entry *grown = realloc(to->entries, room * sizeof *grown);
    if (!grown)
      return say(r, "not enough memory");
    to->entries = grown;
    r->room = room;
  }
  to->entries[to->count++] = *e;
  to->last = e->frame;
  to->is_whole = e->kind == RECORDING_END;
  return true;
}

static bool read_entry(reader *r, const cJSON *object)
{
  static const char *const others[] = {"frame", "do", NULL};
  static const member frame = {"frame", LONG, AT(frame), 0, FRAMES_MOST};
  const cJSON *word = cJSON_GetObjectItemCaseSensitive(object, "do");
  recording_entry e = {.frame = 0};
  const row *it = rows;
  if (r->to->is_whole)
    return say(r, "something follows the end");
  if (!read_number(r, &frame, cJSON_GetObjectItemCaseSensitive(object, "frame"), &e.frame))
    return false;
  while (it < rows + ROWS && !(cJSON_IsString(word) && strcmp(word->valuestring, it->word) == 0))
    it++;
  if (it == rows + ROWS)
    return fail(r, "do", "is no entry of a recording");
  e.kind = it->kind;
  e.event.type = it->type;
  if (it->type == SDL_WINDOWEVENT)
    e.event.window.event = it->window;
  if (it->type == SDL_CONTROLLERDEVICEADDED || it->type == SDL_CONTROLLERDEVICEREMOVED)
    e.event.cdevice.which = GAMEPAD_NONE;
  if (it->type == SDL_MOUSEBUTTONDOWN || it->type == SDL_MOUSEBUTTONUP)
    e.event.button.state = it->type == SDL_MOUSEBUTTONDOWN ? SDL_PRESSED : SDL_RELEASED;
  return read_members(r, object, it->members, others, &e) && is_sound(r, &e) && add_entry(r, &e);
}

static bool is_utf8(const char *line)
{
  const char *end = line + strlen(line);
  while (line < end) {
    const char *from = line;
    if (utf8_next(&line, end) == UTF8_REPLACEMENT && line - from == 1)
      return false;
  }
  return true;
}

static bool read_line(reader *r, char *line)
{
  r->line++;
  r->texts = line;
  if (!is_utf8(line))
    return say(r, "this is no UTF-8");
  cJSON *object = cJSON_ParseWithOpts(line, NULL, true);
  bool fine = cJSON_IsObject(object) || say(r, r->line == 1 ? "this is no recorded input of spawnpool"
                                                            : "this is no JSON object, on a line of its own");
  fine = fine && (r->line == 1 ? read_head(r, object) : read_entry(r, object));
  cJSON_Delete(object);
  return fine;
}

static bool read_lines(reader *r, char *bytes)
{
  for (char *end; (end = strchr(bytes, '\n')) != NULL; bytes = end + 1) {
    *end = '\0';
    bool is_long = (size_t)(end - bytes) > LINE_MOST;
    if (is_long ? (r->line++, !say(r, "a line has at most 4 MiB")) : !read_line(r, bytes))
      return false;
  }
  r->line += r->line == 0;
  return r->to->head.game || say(r, "this is no recorded input of spawnpool");
}

/* }== */

/* {== The file =========================================================== */

/* Reads the rest of the file into NUL-terminated memory from malloc; NULL with errno on failure. */
static char *read_bytes(FILE *in, size_t *length)
{
  size_t room = 0;
  char *bytes = NULL;
  *length = 0;
  do {
    room = 2 * room + 65536;
    char *grown = room < RECORDING_BYTES_MOST ? realloc(bytes, room + 1) : NULL;
    if (!grown) {
      errno = room < RECORDING_BYTES_MOST ? ENOMEM : EFBIG;
      break;
    }
    bytes = grown;
    *length += fread(bytes + *length, 1, room - *length, in);
  } while (*length == room);
  if (bytes && *length < room && !ferror(in)) {
    bytes[*length] = '\0';
    return bytes;
  }
  free(bytes);
  return NULL;
}

bool recording_read(recording *r, const char *file, char *error, size_t error_size)
{
  reader reading = {.to = r};
  size_t length = 0;
  FILE *in = sp_stream_open(file, "rb");
  *r = (recording){.bytes = in ? read_bytes(in, &length) : NULL};
  if (!r->bytes)
    snprintf(error, error_size, "cannot read the recorded input '%.1000s': %s", file, strerror(errno));
  if (in)
    fclose(in);
  if (!r->bytes)
    return false;
  if (strlen(r->bytes) < length)
    snprintf(error, error_size, "%.1000s: the file has NUL bytes", file);
  else if (!read_lines(&reading, r->bytes))
    snprintf(error, error_size, "%.1000s:%zu: %s", file, reading.line, reading.wrong);
  else
    return true;
  recording_free(r);
  return false;
}

void recording_free(recording *r)
{
  free(r->entries);
  free(r->bytes);
  *r = (recording){.count = 0};
}

/* }== */
