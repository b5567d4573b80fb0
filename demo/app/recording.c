/*
** One table holds the format: a row for each kind of line, which writes it and reads it. The file is read as a whole
** and cut into lines in place; a text is kept in the memory of its line. Nothing in it is trusted.
*/
#include "demo/app/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/game_folder.h"
#include "demo/app/options.h"
#include "demo/app/zip_game.h"
#include "demo/input/input.h"
#include "demo/support/stats.h"
#include "script/state/disk.h"
#include "script/state/platform.h"
#include "script/state/strings.h"

#define FORMAT "spawnpool-recording"
#define BYTES_MOST ((size_t)1 << 30) /* of a file */
#define LINE_MOST ((size_t)8 << 20)  /* bytes: JSON takes up to forty times as much memory while it is read */
#define FAR 1000000                  /* points: limit of a mouse position, far outside of any window */
#define NAMED_MOST 3                 /* objects, and fields, that a difference names */
#define FRAMES_MOST 0x1p40           /* five hundred years */
#define GAP_MOST 5184000             /* frames between two lines: a day, for which a game may be paused */

/* {== The format ========================================================= */

static const char *key_name(int key) { return SDL_GetKeyName(key); }

static int find_key(const char *name)
{
  SDL_Keycode key = SDL_GetKeyFromName(name);
  return key == SDLK_UNKNOWN ? -1 : key;
}

static const char *button_name(int button)
{
  return SDL_GameControllerGetStringForButton((SDL_GameControllerButton)button);
}

static int find_button(const char *name) { return SDL_GameControllerGetButtonFromString(name); }

#define IN(type, member) .offset = offsetof(type, member)
#define FIELD(key, what, type, member)                                                                                 \
  {                                                                                                                    \
    .name = key, .kind = what, IN(type, member)                                                                        \
  }
#define NUMBER(key, what, type, member, least, most)                                                                   \
  {                                                                                                                    \
    .name = key, .kind = what, IN(type, member), .low = least, .high = most                                            \
  }
#define NAME(key, what, member, of, find)                                                                              \
  {                                                                                                                    \
    .name = key, .kind = what, IN(recording_entry, member), .name_of = of, .value_of = find                            \
  }
#define SIZE(type)                                                                                                     \
  NUMBER("width", JSON_INT, type, width, 1, OPTIONS_SIZE_MOST),                                                        \
      NUMBER("height", JSON_INT, type, height, 1, OPTIONS_SIZE_MOST),                                                  \
      NUMBER("density", JSON_FLOAT, type, density, 0.01, 100)
#define ORDINAL(key, member, most) NUMBER(key, JSON_ORDINAL, recording_entry, member, 1, most)
#define FRAME NUMBER("frame", JSON_UINT64, recording_entry, frame, 0, FRAMES_MOST)
#define END                                                                                                            \
  {                                                                                                                    \
    .name = NULL                                                                                                       \
  }

static const json_field head_fields[] = {
    NUMBER("version", JSON_INT, recording_head, version, RECORDING_VERSION, RECORDING_VERSION),
    FIELD("player", JSON_TEXT, recording_head, player),
    FIELD("game", JSON_TEXT, recording_head, game),
    FIELD("files", JSON_HEX, recording_head, files),
    FIELD("seed", JSON_HEX, recording_head, seed),
    SIZE(recording_head),
    NUMBER("step", JSON_DOUBLE, recording_head, step, 1e-6, 1), /* a manager takes no smaller one */
    NUMBER("start", JSON_UINT64, recording_head, start, 0, 0x1p40),
    NUMBER("memory", JSON_UINT64, recording_head, memory, 1, 0x1p63),
    FIELD("trust", JSON_FLAG, recording_head, trust),
    FIELD("clocks", JSON_FLAG, recording_head, clocks),
    FIELD("arguments", JSON_TEXTS, recording_head, arguments),
    END,
};

/* The fields of a kind of entry, beside its frame; those of an event. */
#define ENTRY(...) ((const json_field[]){FRAME, __VA_ARGS__, END})
#define EVENT(...) ENTRY(__VA_ARGS__, FIELD("unheard", JSON_FLAG, recording_entry, unheard))
#define INPUT(key, what, member, least, most) NUMBER(key, what, recording_entry, event.member, least, most)
#define POINT(of) INPUT("x", JSON_INT, of.x, -FAR, FAR), INPUT("y", JSON_INT, of.y, -FAR, FAR)
#define TEXT(key, member) FIELD(key, JSON_TEXT, recording_entry, member)
#define HEX(key, member) FIELD(key, JSON_HEX, recording_entry, member)
#define COUNT(key, most) NUMBER(key, JSON_UINT64, recording_entry, number, 0, most)

#define KEY EVENT(NAME("key", JSON_NAME, event.key.keysym.sym, key_name, find_key))
#define PAD(...) EVENT(ORDINAL("pad", pad, INPUT_PADS), __VA_ARGS__)
#define CLICK EVENT(POINT(button), INPUT("button", JSON_UINT8, button.button, 0, UINT8_MAX))
#define MOVE                                                                                                           \
  EVENT(POINT(motion), INPUT("dx", JSON_INT, motion.xrel, -FAR, FAR), INPUT("dy", JSON_INT, motion.yrel, -FAR, FAR))
#define AXIS                                                                                                           \
  PAD(INPUT("axis", JSON_UINT8, caxis.axis, 0, SDL_CONTROLLER_AXIS_MAX - 1),                                           \
      INPUT("value", JSON_INT16, caxis.value, INT16_MIN, INT16_MAX))
#define BUTTON PAD(NAME("button", JSON_NAME8, event.cbutton.button, button_name, find_button))
#define FINGER                                                                                                         \
  EVENT(INPUT("finger", JSON_UINT64, tfinger.fingerId, 1, INPUT_FINGERS),                                              \
        INPUT("x", JSON_FLOAT, tfinger.x, -FAR, FAR), INPUT("y", JSON_FLOAT, tfinger.y, -FAR, FAR))
#define COMES EVENT(ORDINAL("pad", pad, INPUT_PADS))
#define BARE ENTRY(FIELD("unheard", JSON_FLAG, recording_entry, unheard))

typedef struct row {
  const char *name; /* of the kind of line */
  recording_kind kind;
  const json_field *fields;
  Uint32 type;  /* of an event */
  Uint8 window; /* of an SDL_WINDOWEVENT */
} row;

static const row rows[] = {
    {"key_down", RECORDING_EVENT, KEY, SDL_KEYDOWN, 0},
    {"key_up", RECORDING_EVENT, KEY, SDL_KEYUP, 0},
    {"mouse_move", RECORDING_EVENT, MOVE, SDL_MOUSEMOTION, 0},
    {"mouse_down", RECORDING_EVENT, CLICK, SDL_MOUSEBUTTONDOWN, 0},
    {"mouse_up", RECORDING_EVENT, CLICK, SDL_MOUSEBUTTONUP, 0},
    {"wheel", RECORDING_EVENT, EVENT(POINT(wheel)), SDL_MOUSEWHEEL, 0},
    {"text", RECORDING_EVENT, EVENT(INPUT("text", JSON_CHARS, text.text, 0, SDL_TEXTINPUTEVENT_TEXT_SIZE)),
     SDL_TEXTINPUT, 0},
    {"pad_added", RECORDING_EVENT, COMES, SDL_CONTROLLERDEVICEADDED, 0},
    {"pad_removed", RECORDING_EVENT, COMES, SDL_CONTROLLERDEVICEREMOVED, 0},
    {"pad_axis", RECORDING_EVENT, AXIS, SDL_CONTROLLERAXISMOTION, 0},
    {"pad_down", RECORDING_EVENT, BUTTON, SDL_CONTROLLERBUTTONDOWN, 0},
    {"pad_up", RECORDING_EVENT, BUTTON, SDL_CONTROLLERBUTTONUP, 0},
    {"finger_down", RECORDING_EVENT, FINGER, SDL_FINGERDOWN, 0},
    {"finger_up", RECORDING_EVENT, FINGER, SDL_FINGERUP, 0},
    {"finger_move", RECORDING_EVENT, FINGER, SDL_FINGERMOTION, 0},
    {"focus_lost", RECORDING_EVENT, BARE, SDL_WINDOWEVENT, SDL_WINDOWEVENT_FOCUS_LOST},
    {"focus_gained", RECORDING_EVENT, BARE, SDL_WINDOWEVENT, SDL_WINDOWEVENT_FOCUS_GAINED},
    {"steps", RECORDING_STEPS, ENTRY(COUNT("count", CLOCK_CATCH_UP)), 0, 0},
    {"size", RECORDING_SIZE, ENTRY(SIZE(recording_entry)), 0, 0},
    {"eval", RECORDING_EVAL, ENTRY(HEX("object", object), TEXT("text", text)), 0, 0},
    {"set", RECORDING_SET, ENTRY(HEX("object", object), TEXT("field", name), TEXT("text", text)), 0, 0},
    {"clock", RECORDING_CLOCK, ENTRY(NUMBER("value", JSON_DOUBLE, recording_entry, value, -1e300, 1e300)), 0, 0},
    {"stored", RECORDING_STORED, ENTRY(TEXT("name", name), TEXT("text", text)), 0, 0},
    {"quit", RECORDING_QUIT, ENTRY(FIELD("ended", JSON_FLAG, recording_entry, ended)), 0, 0},
    {"reload", RECORDING_RELOAD, ENTRY(FIELD("now", JSON_FLAG, recording_entry, at_once)), 0, 0},
    {"error", RECORDING_ERROR, ENTRY(TEXT("text", text)), 0, 0},
    {"digest", RECORDING_DIGEST, ENTRY(HEX("hash", number)), 0, 0},
    {"pool", RECORDING_POOL, ENTRY(TEXT("pool", name), FIELD("parts", JSON_OBJECT, recording_entry, text)), 0, 0},
    {"file", RECORDING_FILE,
     ENTRY(TEXT("name", name), TEXT("text", text), FIELD("gone", JSON_FLAG, recording_entry, gone)), 0, 0},
    {"hash", RECORDING_HASH, ENTRY(HEX("hash", number)), 0, 0},
    {"back", RECORDING_BACK, ENTRY(COUNT("to", FRAMES_MOST)), 0, 0},
    {"end", RECORDING_END, ((const json_field[]){FRAME, END}), 0, 0},
};

#define ROWS (sizeof rows / sizeof *rows)

static const row *row_of(recording_kind kind, const SDL_Event *event)
{
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].kind == kind &&
        (kind != RECORDING_EVENT ||
         (rows[i].type == event->type && (event->type != SDL_WINDOWEVENT || rows[i].window == event->window.event))))
      return &rows[i];
  return NULL;
}

/* }== */

/* {== Writing ============================================================ */

/* Games do not receive keys without a name, repeated keys, and axes and buttons that they do not know. */
bool recording_has_event(const SDL_Event *event)
{
  switch (event->type) {
  case SDL_KEYDOWN:
  case SDL_KEYUP:
    return event->key.repeat == 0 && SDL_GetKeyName(event->key.keysym.sym)[0] != '\0';
  case SDL_CONTROLLERAXISMOTION:
    return event->caxis.axis < SDL_CONTROLLER_AXIS_MAX;
  case SDL_CONTROLLERBUTTONDOWN:
  case SDL_CONTROLLERBUTTONUP:
    return event->cbutton.button < SDL_CONTROLLER_BUTTON_MAX;
  default:
    return row_of(RECORDING_EVENT, event) != NULL;
  }
}

void recording_write_head(FILE *out, const recording_head *head)
{
  fputs("{\"format\":\"" FORMAT "\"", out);
  json_write_fields(out, head_fields, head);
  fputs("}\n", out);
}

void recording_write_entry(FILE *out, const recording_entry *entry)
{
  const row *its = row_of(entry->kind, &entry->event);
  fprintf(out, "{\"kind\":\"%s\"", its->name);
  json_write_fields(out, its->fields, entry);
  fputs("}\n", out);
}

/* }== */

/* {== Reading ============================================================ */

typedef struct reader {
  json_reading json;
  recording *to;
  size_t line;
  size_t room; /* for entries */
} reader;

static bool read_head(reader *r, const cJSON *line)
{
  const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "format"));
  const cJSON *version = cJSON_GetObjectItemCaseSensitive(line, "version");
  if (!format || strcmp(format, FORMAT) != 0)
    return json_fail(&r->json, "not a recording of spawnpool");
  if (cJSON_IsNumber(version) && version->valuedouble > RECORDING_VERSION)
    return json_fail(&r->json, "a newer spawnpool wrote this: version %g of the format, this one reads %d",
                     version->valuedouble, RECORDING_VERSION);
  if (cJSON_IsNumber(version) && version->valuedouble == 1)
    return json_fail(&r->json, "recorded with order \"fifo\", which was the default: idle objects are used in another "
                               "order today, so it would go another way; record it again");
  return json_read_fields(&r->json, line, "format", head_fields, &r->to->head);
}

/* Drops the entries after a frame to which the player went back. */
static bool go_back(recording *to, uint64_t frame)
{
  while (to->count > 0 && to->entries[to->count - 1].frame > frame)
    to->count--;
  to->last = frame;
  return true;
}

static bool add_entry(reader *r, const recording_entry *e)
{
  recording *to = r->to;
  if (e->kind == RECORDING_BACK)
    return e->number <= e->frame ? go_back(to, e->number) : json_fail(&r->json, "'to' is a later frame");
  if (to->count == r->room) {
    size_t room = r->room ? 2 * r->room : 256;
    recording_entry *grown = realloc(to->entries, room * sizeof *grown);
    if (!grown)
      return json_fail(&r->json, "not enough memory");
    to->entries = grown;
    r->room = room;
  }
  to->entries[to->count++] = *e;
  to->last = e->frame;
  to->is_whole = e->kind == RECORDING_END;
  return true;
}

static void set_kind(recording_entry *e, const row *its)
{
  e->kind = its->kind;
  e->event.type = its->type;
  if (its->type == SDL_WINDOWEVENT)
    e->event.window.event = its->window;
  e->pad = 1;
}

/* Sets the devices of an event that was read. */
static void set_device(recording_entry *e)
{
  input_set_pad(&e->event, e->pad);
  if (e->event.type == SDL_FINGERDOWN || e->event.type == SDL_FINGERUP || e->event.type == SDL_FINGERMOTION)
    e->event.tfinger.touchId = INPUT_TOUCH;
}

static bool read_entry(reader *r, const cJSON *line)
{
  const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "kind"));
  const row *its = rows;
  recording_entry e = {.frame = 0};
  if (!kind)
    return json_fail(&r->json, "'kind' is missing");
  while (its < rows + ROWS && strcmp(its->name, kind) != 0)
    its++;
  if (its == rows + ROWS)
    return json_fail(&r->json, "there is no kind '%.60s'", kind);
  set_kind(&e, its);
  if (!json_read_fields(&r->json, line, "kind", its->fields, &e))
    return false;
  set_device(&e);
  if (r->to->is_whole)
    return json_fail(&r->json, "something follows the end");
  if (e.frame < r->to->last)
    return json_fail(&r->json, "frames do not go back");
  if (e.frame - r->to->last > GAP_MOST)
    return json_fail(&r->json, "the frame is more than a day after that of the line before");
  return add_entry(r, &e);
}

/* Returns whether a NUL is escaped: texts end at a NUL here. */
static bool has_nul(const char *line)
{
  for (; (line = strchr(line, '\\')) != NULL; line += line[1] ? 2 : 1)
    if (strncmp(line + 1, "u0000", 5) == 0)
      return true;
  return false;
}

static bool read_line(reader *r, char *line, size_t length)
{
  if (length > LINE_MOST)
    return json_fail(&r->json, "the line is longer than %zu bytes", LINE_MOST);
  if (strlen(line) < length || has_nul(line))
    return json_fail(&r->json, "there is a NUL in the line");
  if (!sp_utf8_is_valid(line, length))
    return json_fail(&r->json, "the line is no UTF-8");
  cJSON *object = cJSON_ParseWithOpts(line, NULL, true);
  r->json.texts = line;
  r->json.end = line + length + 1;
  bool fine = cJSON_IsObject(object) ? (r->line == 1 ? read_head : read_entry)(r, object)
                                     : json_fail(&r->json, r->line == 1 ? "not a recording of spawnpool"
                                                                        : "the line is not a JSON object");
  cJSON_Delete(object);
  return fine;
}

/* Cuts off what follows the last line end: the player was writing it when it was killed. */
static bool read_lines(reader *r, char *bytes, size_t length)
{
  for (char *end; (end = memchr(bytes, '\n', length)) != NULL; length -= (size_t)(end + 1 - bytes), bytes = end + 1) {
    *end = '\0';
    r->line++;
    if (!read_line(r, bytes, (size_t)(end - bytes)))
      return false;
  }
  return r->line > 0 || (r->line++, json_fail(&r->json, "not a recording of spawnpool, or its head is cut off"));
}

/* Skips the text of a log: returns the first line that can be a head. */
static char *find_head(char *bytes, size_t *length)
{
  static const char log[] = "\n{\"format\":\"" FORMAT "\"";
  for (char *at = bytes, *end = bytes + *length; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
    if ((size_t)(end - at) >= sizeof log && memcmp(at, log, sizeof log - 1) == 0) {
      *length = (size_t)(end - at) - 1;
      return at + 1;
    }
  return bytes;
}

/* Reads what `bytes` holds: they are owned by `r`, and NULL when they could not be had, for the reason `problem`. */
static bool read_owned(recording *r, const char *file, char *bytes, size_t length, const char *problem, char *error,
                       size_t error_size)
{
  reader reading = {.to = r};
  *r = (recording){.bytes = bytes};
  if (bytes)
    bytes = find_head(bytes, &length);
  if (bytes && read_lines(&reading, bytes, length))
    return true;
  if (r->bytes)
    snprintf(error, error_size, "%.1000s:%zu: %s", file, reading.line, reading.json.wrong);
  else
    snprintf(error, error_size, "cannot read the recording '%.1000s': %s", file, problem);
  recording_free(r);
  return false;
}

const sp_script_file *recording_in(const sp_script_file *files)
{
  while (files->name && strcmp(files->name, RECORDING_OWN) != 0)
    files++;
  return files->name ? files : NULL;
}

bool recording_read_listed(recording *r, const char *name, const sp_script_file *files, char *error, size_t error_size)
{
  const sp_script_file *file = recording_in(files);
  char *bytes = file ? malloc(file->size + 1) : NULL;
  if (bytes)
    memcpy(bytes, file->source, file->size);
  if (file)
    return read_owned(r, name, bytes, file->size, "not enough memory", error, error_size);
  snprintf(error, error_size, "%.1000s: no " RECORDING_OWN " in this zip", name);
  return false;
}

static bool read_zip(recording *r, const char *path, char *error, size_t error_size)
{
  zip_game zip;
  bool fine = zip_game_open(&zip, path, error) && recording_read_listed(r, path, zip.files, error, error_size);
  zip_game_close(&zip);
  return fine;
}

bool recording_read(recording *r, const char *folder, const char *file, char *error, size_t error_size)
{
  char problem[SP_FILE_PROBLEM_MOST] = "";
  size_t length = 0;
  *r = (recording){.count = 0};
  if (!folder && zip_game_is(file))
    return read_zip(r, file, error, error_size);
  const int opened = sp_folder_open(folder, file, problem);
  char *bytes = game_folder_read(opened, BYTES_MOST, &length);
  if (!bytes && !problem[0])
    sp_file_problem(errno, problem);
  return read_owned(r, file, bytes, length, problem, error, error_size);
}

void recording_free(recording *r)
{
  free(r->entries);
  free(r->bytes);
  *r = (recording){.count = 0};
}

size_t recording_after(const recording_entry *entries, size_t count, uint64_t frame)
{
  size_t low = 0;
  while (low < count) {
    size_t middle = low + (count - low) / 2;
    if (entries[middle].frame <= frame)
      low = middle + 1;
    else
      count = middle;
  }
  return low;
}

/* }== */

/* {== The files of a game =============================================== */

sp_script_file *recording_files_find(const recording_files *files, const char *name)
{
  for (size_t i = 0; i < files->count; i++)
    if (strcmp(files->list[i].name, name) == 0)
      return &files->list[i];
  return NULL;
}

sp_script_file *recording_files_take(recording_files *files, const recording_entry *e)
{
  sp_script_file *file = recording_files_find(files, e->name);
  if (!file)
    file = &files->list[files->count++];
  *file = (sp_script_file){e->name, e->gone ? NULL : e->text, strlen(e->text)};
  return file;
}

bool recording_files_at(recording_files *files, const recording_entry *entries, size_t count, uint64_t frame)
{
  size_t room = 1;
  recording_files_free(files);
  for (size_t i = 0; i < count; i++)
    room += entries[i].kind == RECORDING_FILE;
  files->list = calloc(room, sizeof *files->list);
  for (size_t i = 0; files->list && i < count && entries[i].frame <= frame; i++)
    if (entries[i].kind == RECORDING_FILE)
      recording_files_take(files, &entries[i]);
  return files->count > 0;
}

void recording_files_free(recording_files *files)
{
  free(files->list);
  *files = (recording_files){.list = NULL};
}

/* }== */

/* {== The parts of a state =============================================== */

/* Replaces what JSON cannot hold: names are the game's. */
static void copy_name(char *out, size_t size, const char *name)
{
  snprintf(out, size, "%.*s", (int)sp_utf8_fit(name, size - 1), name);
  if (!sp_utf8_is_valid(out, strlen(out)))
    for (char *c = out; *c; c++)
      if ((unsigned char)*c >= 0x80)
        *c = '?';
}

/* Returns the member of an object, which is made if it is missing. */
static cJSON *member(cJSON *object, const char *name)
{
  cJSON *it = cJSON_GetObjectItemCaseSensitive(object, name);
  return it ? it : cJSON_AddObjectToObject(object, name);
}

static void add_part(void *ud, const char *pool, sp_hash_kind kind, const char *name, uint64_t number)
{
  char key[160], value[24];
  copy_name(key, sizeof key, pool);
  cJSON *parts = member(ud, key);
  copy_name(key, sizeof key, name);
  if (kind == SP_HASH_POOL)
    snprintf(value, sizeof value, "%" PRIx64, number);
  else
    snprintf(value, sizeof value, "%08" PRIx64, number >> 32); /* the upper half depends on every bit of the state */
  parts = kind == SP_HASH_POOL ? parts : member(parts, kind == SP_HASH_FIELD ? "fields" : "objects");
  cJSON_AddStringToObject(parts, key, value);
}

cJSON *state_parts(sp_script *script, uint64_t *hash)
{
  cJSON *all = cJSON_CreateObject();
  *hash = sp_script_hash(script, add_part, all);
  return all;
}

void recording_write_hash(FILE *out, sp_script *script, uint64_t frame, bool with_parts)
{
  uint64_t hash;
  cJSON *pools = state_parts(script, &hash);
  for (const cJSON *pool = pools && with_parts ? pools->child : NULL; pool; pool = pool->next) {
    char *parts = cJSON_PrintUnformatted(pool);
    recording_entry e = {.frame = frame, .kind = RECORDING_POOL, .name = pool->string, .text = parts};
    if (parts)
      recording_write_entry(out, &e);
    cJSON_free(parts);
  }
  cJSON_Delete(pools);
  recording_write_entry(out, &(recording_entry){.frame = frame, .kind = RECORDING_HASH, .number = hash});
}

cJSON *recording_parts(const recording *all, uint64_t frame)
{
  cJSON *pools = cJSON_CreateObject();
  for (size_t i = 0; i < all->count && all->entries[i].frame <= frame; i++)
    if (all->entries[i].frame == frame && all->entries[i].kind == RECORDING_POOL)
      cJSON_AddItemToObject(pools, all->entries[i].name, cJSON_Parse(all->entries[i].text));
  return pools;
}

/* }== */

/* {== Comparing states =================================================== */

typedef struct naming {
  char *out;
  size_t size, used;
  const char *noun; /* written before the first name */
  int count;
} naming;

static void name_one(naming *n, const char *before, const char *name)
{
  if (n->used < n->size)
    n->used += (size_t)snprintf(n->out + n->used, n->size - n->used, "%s%.80s", before, name);
}

/* Names the members of `all` that differ from those of `others`; or, `missing`, those that `others` lacks. */
static void name_members(naming *n, const cJSON *all, const cJSON *others, bool missing)
{
  for (const cJSON *it = all ? all->child : NULL; it; it = it->next) {
    const cJSON *other = cJSON_GetObjectItemCaseSensitive(others, it->string);
    if (missing ? other != NULL : cJSON_Compare(it, other, true))
      continue;
    if (n->count == 0)
      name_one(n, n->used > 0 ? ", " : "", n->noun);
    if (n->count < NAMED_MOST)
      name_one(n, n->count > 0 ? ", " : " ", it->string);
    n->count++;
  }
}

static void name_kind(naming *n, const char *noun, const cJSON *before, const cJSON *now)
{
  char more[40];
  n->noun = noun;
  n->count = 0;
  name_members(n, before, now, false);
  name_members(n, now, before, true);
  snprintf(more, sizeof more, " and %d more", n->count - NAMED_MOST);
  name_one(n, n->count > NAMED_MOST ? more : "", "");
}

static void compare_pools(const cJSON *before, const cJSON *now, char *out, size_t size)
{
  naming n = {.out = out, .size = size};
  snprintf(out, size, before ? "pool %.80s: " : "pool %.80s: it did not exist before", now->string);
  n.out += strlen(out);
  n.size -= strlen(out);
  if (!before)
    return;
  const char *const kinds[] = {"objects", "fields"}, *const nouns[] = {"object", "field"};
  for (int i = 0; i < 2; i++)
    name_kind(&n, nouns[i], cJSON_GetObjectItemCaseSensitive(before, kinds[i]),
              cJSON_GetObjectItemCaseSensitive(now, kinds[i]));
  if (n.used == 0)
    name_one(&n, "its counts, or the order of its idle objects", "");
}

void state_parts_compare(const cJSON *before, sp_script *now, char *out, size_t size)
{
  uint64_t hash;
  cJSON *pools = state_parts(now, &hash);
  const cJSON *pool = pools ? pools->child : NULL, *was = NULL;
  for (; pool; pool = pool->next) {
    was = cJSON_GetObjectItemCaseSensitive(before, pool->string);
    if (!was || !cJSON_Compare(was, pool, true))
      break;
  }
  if (pool)
    compare_pools(was, pool, out, size);
  else
    snprintf(out, size, "the clock of the game, or a pool that is gone");
  cJSON_Delete(pools);
}

/* }== */
