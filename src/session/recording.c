#include "session/recording.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/strings.h"
#include "session/events.h"

#define FORMAT "spawnpool-recording"
#define LINE_MOST ((size_t)16 << 20) /* bytes */
#define FRAMES_MOST 0x1p40           /* five hundred years */
#define GAP_MOST 1000000             /* frames between two lines: each second has one */
#define ENTRIES_MOST ((size_t)1 << 24)
#define DIGEST_DIGITS 8
#define LINE_DIGESTS 1000 /* of one line */

/* {== The head ============================================================ */

void sp_head_free(sp_head *head)
{
  for (int i = 0; i < head->argument_count; i++)
    free(head->arguments[i]);
  head->argument_count = 0;
}

bool sp_head_set_arguments(sp_head *head, int count, char *const *arguments)
{
  sp_head_free(head);
  for (int i = 0; i < count; i++) {
    const size_t length = strlen(arguments[i]);
    char *copy =
        count <= SP_RECORDING_ARGUMENTS_MOST && sp_utf8_is_valid(arguments[i], length) ? malloc(length + 1) : NULL;
    if (!copy)
      return false;
    head->arguments[head->argument_count++] = memcpy(copy, arguments[i], length + 1);
  }
  head->arguments[head->argument_count] = NULL;
  return true;
}

static const struct {
  const char *name;
  size_t at;
} flags[] = {{"reload", offsetof(sp_head, reload)},
             {"trust", offsetof(sp_head, trust)},
             {"apply", offsetof(sp_head, needs_apply)},
             {"draw", offsetof(sp_head, needs_draw)},
             {"opened", offsetof(sp_head, needs_opened)}};

#define FLAGS (sizeof flags / sizeof *flags)

void sp_recording_head(sp_text *out, const sp_head *h)
{
  sp_text_format(out, "{\"format\":\"" FORMAT "\",\"version\":%d", SP_RECORDING_VERSION);
  sp_text_member_string(out, "library", h->library);
  sp_text_member_string(out, "game", h->game);
  if (h->main[0])
    sp_text_member_string(out, "main", h->main);
  sp_text_member_hex(out, "seed", h->seed);
  sp_text_member(out, "step");
  sp_text_number(out, h->step);
  sp_text_member(out, "start");
  sp_text_number(out, h->start);
  sp_text_format(out, ",\"memory\":%" PRIu64, h->memory);
  sp_text_member_hex(out, "powers", h->powers);
  for (size_t i = 0; i < FLAGS; i++)
    if (*(const bool *)((const char *)h + flags[i].at))
      sp_text_format(out, ",\"%s\":true", flags[i].name);
  sp_text_put(out, ",\"arguments\":[");
  for (int i = 0; i < h->argument_count; i++) {
    sp_text_put(out, i > 0 ? "," : "");
    sp_text_json(out, h->arguments[i]);
  }
  sp_text_put(out, "]}\n");
}

/* }== */

/* {== Writing ============================================================= */

/* Text that JSON cannot hold as it is stands there in hexadecimal digits. */
static void write_bytes(sp_text *out, const char *name, const char *bytes, size_t size)
{
  if (memchr(bytes, '\0', size) || !sp_utf8_is_valid(bytes, size)) {
    sp_text_put(out, ",\"hex\":\"");
    sp_text_hex(out, bytes, size);
    sp_text_put(out, "\"");
  } else {
    sp_text_member_string(out, name, bytes);
  }
}

static void write_fields(sp_text *out, const sp_entry *e)
{
  sp_text_put(out, ",\"fields\":[");
  for (size_t i = 0; i < e->field_count; i++) {
    sp_text_put(out, i > 0 ? ",[" : "[");
    sp_text_json(out, e->fields[i].name);
    sp_text_put(out, ",");
    if (e->fields[i].text)
      sp_text_json(out, e->fields[i].text);
    else
      sp_text_number(out, e->fields[i].number);
    sp_text_put(out, "]");
  }
  sp_text_put(out, "]");
}

static void write_file(sp_text *out, const sp_entry *e)
{
  sp_text_member_string(out, "file", e->name);
  if (e->file == SP_FILE_LISTED)
    sp_text_member_hex(out, "sum", e->number);
  else if (e->file == SP_FILE_GONE)
    sp_text_put(out, ",\"gone\":true");
  else
    write_bytes(out, "text", e->text, e->size);
  if (e->file == SP_FILE_EDITED)
    sp_text_put(out, ",\"edited\":true");
}

static const char *const polls[] = {[SP_POLL_LOOK] = "look", [SP_POLL_NOW] = "now", [SP_POLL_REST] = "rest"};

static void write_rest(sp_text *out, const sp_entry *e)
{
  switch (e->kind) {
  case SP_ENTRY_EVENT:
    sp_text_member_string(out, "event", e->name);
    write_fields(out, e);
    break;
  case SP_ENTRY_CALL:
    sp_text_member_string(out, "call", e->name);
    write_fields(out, e);
    break;
  case SP_ENTRY_ANSWER:
    sp_text_member_string(out, "answer", e->name);
    sp_text_member(out, "value");
    sp_text_number(out, e->value);
    if (e->number > 1)
      sp_text_format(out, ",\"from\":%" PRIu64, e->number);
    break;
  case SP_ENTRY_EVAL:
    sp_text_member(out, "eval");
    sp_text_json(out, e->text);
    if (e->name[0])
      sp_text_member_string(out, "object", e->name);
    break;
  case SP_ENTRY_SET:
    sp_text_member_string(out, "set", e->field);
    sp_text_member_string(out, "object", e->name);
    write_bytes(out, "text", e->text, e->size);
    break;
  case SP_ENTRY_POLL:
    sp_text_member_string(out, "poll", polls[e->number < 3 ? e->number : 0]);
    break;
  case SP_ENTRY_REDRAW:
    sp_text_put(out, ",\"redraw\":true");
    break;
  case SP_ENTRY_FILE:
    write_file(out, e);
    break;
  case SP_ENTRY_STORED:
    sp_text_member_string(out, "stored", e->name);
    sp_text_put(out, ",\"hex\":\"");
    sp_text_hex(out, e->text, e->size);
    sp_text_put(out, "\"");
    break;
  case SP_ENTRY_ERROR:
    sp_text_member_string(out, "error", e->text);
    break;
  case SP_ENTRY_PARTS:
    sp_text_member_string(out, "pool", e->name);
    sp_text_member(out, "parts");
    sp_text_put(out, e->text);
    break;
  case SP_ENTRY_HASH:
    sp_text_member_hex(out, "hash", e->number);
    break;
  default:
    sp_text_put(out, ",\"end\":true");
    break;
  }
}

void sp_recording_entry(sp_text *out, const sp_entry *e)
{
  sp_text_format(out, "{\"frame\":%" PRIu64, e->frame);
  write_rest(out, e);
  sp_text_put(out, "}\n");
}

void sp_recording_digests(sp_text *out, const sp_log *log, uint64_t first, uint64_t last)
{
  if (last < first)
    return;
  sp_text_format(out, "{\"frame\":%" PRIu64 ",\"digests\":\"", last);
  for (uint64_t frame = first; frame <= last; frame++)
    sp_text_format(out, "%08" PRIx32, sp_log_digest(log, frame));
  sp_text_put(out, "\"}\n");
}

void sp_recording_end(sp_text *out, uint64_t frame)
{
  sp_recording_entry(out, &(sp_entry){.frame = frame, .kind = SP_ENTRY_END});
}

/* }== */

/* {== Reading ============================================================= */

typedef struct reader {
  sp_recording *to;
  size_t line;
  int used;     /* members of the line that were read */
  char *memory; /* that the entry needs beside JSON, or NULL */
  sp_session_event_field fields[SP_EVENT_FIELDS_MOST];
  char wrong[200];
} reader;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static bool
fail(reader *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(r->wrong, sizeof r->wrong, format, args);
  va_end(args);
  for (char *c = r->wrong; *c; c++)
    if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
      *c = '?'; /* names may be a stranger's */
  return false;
}

static const cJSON *take(reader *r, const cJSON *line, const char *name)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(line, name);
  r->used += item != NULL;
  return item;
}

static bool read_string(reader *r, const cJSON *line, const char *name, const char **to)
{
  const char *text = cJSON_GetStringValue(take(r, line, name));
  *to = text ? text : "";
  return text || fail(r, "'%s' is missing, or no string", name);
}

static bool read_name(reader *r, const cJSON *line, const char *name, char *to, size_t size)
{
  const char *text;
  if (!read_string(r, line, name, &text))
    return false;
  if (strlen(text) >= size)
    return fail(r, "'%s' is a string of less than %zu bytes", name, size);
  memcpy(to, text, strlen(text) + 1);
  return true;
}

static bool to_number(const cJSON *item, double *to)
{
  const char *text = cJSON_GetStringValue(item);
  if (cJSON_IsNumber(item))
    *to = item->valuedouble;
  else if (text && strcmp(text, "nan") == 0)
    *to = NAN;
  else if (text && (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0))
    *to = *text == '-' ? -INFINITY : INFINITY;
  else
    return false;
  return true;
}

static bool read_number(reader *r, const cJSON *line, const char *name, double low, double high, double *to)
{
  const cJSON *item = take(r, line, name);
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= low && item->valuedouble <= high))
    return fail(r, "'%s' is a number from %.9g to %.9g", name, low, high);
  *to = item->valuedouble;
  return true;
}

static bool read_whole(reader *r, const cJSON *line, const char *name, double high, uint64_t *to)
{
  double number;
  if (!read_number(r, line, name, 0, high, &number))
    return false;
  *to = (uint64_t)number;
  return (double)*to == number || fail(r, "'%s' is a whole number", name);
}

static bool read_hex(reader *r, const cJSON *line, const char *name, uint64_t *to)
{
  const char *text;
  if (!read_string(r, line, name, &text))
    return false;
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return fail(r, "'%s' is a string of 16 hexadecimal digits", name);
  *to = strtoull(text, NULL, 16);
  return true;
}

static bool read_head(reader *r, const cJSON *line)
{
  sp_head *h = &r->to->head;
  const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "format"));
  const cJSON *version = cJSON_GetObjectItemCaseSensitive(line, "version"), *arguments, *it;
  char *list[SP_RECORDING_ARGUMENTS_MOST];
  int count = 0;
  if (!format || strcmp(format, FORMAT) != 0 || !cJSON_IsNumber(version))
    return fail(r, "not a recording of spawnpool");
  if (version->valuedouble > SP_RECORDING_VERSION)
    return fail(r, "a newer spawnpool wrote this: version %g of the format, this one reads %d", version->valuedouble,
                SP_RECORDING_VERSION);
  if (version->valuedouble < SP_RECORDING_VERSION)
    return fail(r, "version %g of the format is no longer read: record it again", version->valuedouble);
  if (!read_name(r, line, "library", h->library, sizeof h->library) ||
      !read_name(r, line, "game", h->game, sizeof h->game) || !read_hex(r, line, "seed", &h->seed) ||
      !read_number(r, line, "step", 1e-6, 1, &h->step) || !read_number(r, line, "start", -0x1p40, 0x1p40, &h->start) ||
      !read_whole(r, line, "memory", 0x1p53, &h->memory) || !read_hex(r, line, "powers", &h->powers))
    return false;
  if (cJSON_HasObjectItem(line, "main") && !read_name(r, line, "main", h->main, sizeof h->main))
    return false;
  for (size_t i = 0; i < FLAGS; i++)
    *(bool *)((char *)h + flags[i].at) = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, flags[i].name));
  arguments = cJSON_GetObjectItemCaseSensitive(line, "arguments");
  for (it = arguments ? arguments->child : NULL; it && count < SP_RECORDING_ARGUMENTS_MOST; it = it->next)
    if (cJSON_IsString(it))
      list[count++] = it->valuestring;
  if (!cJSON_IsArray(arguments) || it || count != cJSON_GetArraySize(arguments))
    return fail(r, "'arguments' is a list of up to %d strings", SP_RECORDING_ARGUMENTS_MOST);
  return sp_head_set_arguments(h, count, list) || fail(r, "not enough memory");
}

static bool read_fields(reader *r, const cJSON *line, sp_entry *e)
{
  const cJSON *list = take(r, line, "fields");
  if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > SP_EVENT_FIELDS_MOST)
    return fail(r, "'fields' is a list of up to %d pairs [name, value]", SP_EVENT_FIELDS_MOST);
  for (const cJSON *pair = list->child; pair; pair = pair->next) {
    const cJSON *name = cJSON_IsArray(pair) ? pair->child : NULL, *value = name ? name->next : NULL;
    sp_session_event_field *field = &r->fields[e->field_count++];
    *field = (sp_session_event_field){.name = cJSON_GetStringValue(name)};
    if (!field->name || !value || value->next || !(cJSON_IsString(value) || cJSON_IsNumber(value)))
      return fail(r, "a field is a pair of a name and a number or a string");
    field->text = cJSON_GetStringValue(value);
    field->number = field->text ? 0 : value->valuedouble;
  }
  e->fields = r->fields;
  return true;
}

/* Reads a text that stands there as a string, or in hexadecimal digits. */
static bool read_bytes(reader *r, const cJSON *line, const char *name, sp_entry *e)
{
  const char *digits;
  if (cJSON_HasObjectItem(line, name)) {
    bool fine = read_string(r, line, name, &e->text);
    e->size = fine ? strlen(e->text) : 0;
    return fine;
  }
  if (!read_string(r, line, "hex", &digits))
    return false;
  const size_t length = strlen(digits);
  free(r->memory);
  r->memory = malloc(length / 2 + 1);
  if (!r->memory)
    return fail(r, "not enough memory");
  if (!sp_text_read_hex(digits, length, r->memory))
    return fail(r, "'hex' has pairs of hexadecimal digits");
  r->memory[length / 2] = '\0';
  e->text = r->memory;
  e->size = length / 2;
  return true;
}

static bool read_event(reader *r, const cJSON *line, sp_entry *e)
{
  char problem[SP_EVENT_PROBLEM_MOST];
  e->kind = SP_ENTRY_EVENT;
  if (!read_string(r, line, "event", &e->name) || !read_fields(r, line, e))
    return false;
  const sp_session_event event = {e->name, e->fields, e->field_count};
  return sp_event_check(&event, problem) || fail(r, "%s", problem);
}

static bool read_call(reader *r, const cJSON *line, sp_entry *e)
{
  e->kind = SP_ENTRY_CALL;
  if (!read_string(r, line, "call", &e->name) || !read_fields(r, line, e))
    return false;
  for (size_t i = 0; i < e->field_count; i++)
    if (strlen(e->fields[i].name) != 1 || !strchr("nibs", e->fields[i].name[0]) ||
        (e->fields[i].name[0] == 's') != (e->fields[i].text != NULL))
      return fail(r, "an argument of a call is 'n', 'i', 'b' or 's', and its value");
  return true;
}

static bool read_answer(reader *r, const cJSON *line, sp_entry *e)
{
  e->kind = SP_ENTRY_ANSWER;
  e->number = 1;
  return read_string(r, line, "answer", &e->name) &&
         (to_number(take(r, line, "value"), &e->value) || fail(r, "'value' is a number")) &&
         (!cJSON_HasObjectItem(line, "from") || read_whole(r, line, "from", 0x1p32, &e->number));
}

static bool read_eval(reader *r, const cJSON *line, sp_entry *e)
{
  e->kind = SP_ENTRY_EVAL;
  if (!read_string(r, line, "eval", &e->text))
    return false;
  e->size = strlen(e->text);
  return !cJSON_HasObjectItem(line, "object") || read_string(r, line, "object", &e->name);
}

static bool read_set(reader *r, const cJSON *line, sp_entry *e)
{
  e->kind = SP_ENTRY_SET;
  return read_string(r, line, "set", &e->field) && read_string(r, line, "object", &e->name) &&
         read_bytes(r, line, "text", e);
}

static bool read_poll(reader *r, const cJSON *line, sp_entry *e)
{
  const char *name;
  e->kind = SP_ENTRY_POLL;
  if (!read_string(r, line, "poll", &name))
    return false;
  while (e->number < 3 && strcmp(polls[e->number], name) != 0)
    e->number++;
  return e->number < 3 || fail(r, "'poll' is look, now or rest");
}

static bool read_redraw(reader *r, const cJSON *line, sp_entry *e)
{
  e->kind = SP_ENTRY_REDRAW;
  return cJSON_IsTrue(take(r, line, "redraw")) || fail(r, "'redraw' is true");
}

static bool read_file(reader *r, const cJSON *line, sp_entry *e)
{
  const bool edited = cJSON_IsTrue(take(r, line, "edited")), gone = cJSON_IsTrue(take(r, line, "gone"));
  e->kind = SP_ENTRY_FILE;
  e->file = edited ? SP_FILE_EDITED : gone ? SP_FILE_GONE : SP_FILE_READ;
  if (!read_string(r, line, "file", &e->name))
    return false;
  if (e->name[0] == '\0' || e->name[0] == '/' || strstr(e->name, ".."))
    return fail(r, "'file' is the name of a file in the folder of the game");
  if (gone)
    return true;
  if (!cJSON_HasObjectItem(line, "sum"))
    return read_bytes(r, line, "text", e);
  e->file = SP_FILE_LISTED;
  return read_hex(r, line, "sum", &e->number);
}

static bool read_stored(reader *r, const cJSON *line, sp_entry *e)
{
  e->kind = SP_ENTRY_STORED;
  return read_string(r, line, "stored", &e->name) && read_bytes(r, line, "text", e);
}

static bool read_error(reader *r, const cJSON *line, sp_entry *e)
{
  e->kind = SP_ENTRY_ERROR;
  if (!read_string(r, line, "error", &e->text))
    return false;
  e->size = strlen(e->text);
  return true;
}

static bool read_parts(reader *r, const cJSON *line, sp_entry *e)
{
  const cJSON *parts = take(r, line, "parts");
  e->kind = SP_ENTRY_PARTS;
  if (!read_string(r, line, "pool", &e->name))
    return false;
  free(r->memory);
  r->memory = cJSON_IsObject(parts) ? cJSON_PrintUnformatted(parts) : NULL;
  if (!r->memory)
    return fail(r, "'parts' is an object");
  e->text = r->memory;
  e->size = strlen(e->text);
  return true;
}

static bool read_hash(reader *r, const cJSON *line, sp_entry *e)
{
  e->kind = SP_ENTRY_HASH;
  return read_hex(r, line, "hash", &e->number);
}

static bool read_digests(reader *r, const cJSON *line, sp_entry *e)
{
  sp_log *log = &r->to->log;
  const char *digits;
  char digest[DIGEST_DIGITS + 1] = "";
  e->kind = SP_ENTRY_KINDS;
  if (!read_string(r, line, "digests", &digits))
    return false;
  const size_t count = strlen(digits) / DIGEST_DIGITS;
  if (count == 0 || count > LINE_DIGESTS || strlen(digits) % DIGEST_DIGITS != 0 || count > e->frame ||
      strspn(digits, "0123456789abcdef") != strlen(digits) || e->frame - count > log->digest_count)
    return fail(r, "'digests' has eight hexadecimal digits for each frame since the last ones");
  for (size_t i = 0; i < count; i++) {
    memcpy(digest, digits + i * DIGEST_DIGITS, DIGEST_DIGITS);
    sp_log_set_digest(log, e->frame - count + i + 1, (uint32_t)strtoul(digest, NULL, 16));
  }
  return true;
}

/* The run was gone back to the end of another frame, and goes on from there. */
static bool read_back(reader *r, const cJSON *line, sp_entry *e)
{
  uint64_t frame;
  e->kind = SP_ENTRY_KINDS;
  if (!read_whole(r, line, "back", FRAMES_MOST, &frame))
    return false;
  if (frame > r->to->last)
    return fail(r, "'back' is a later frame");
  sp_log_cut(&r->to->log, frame);
  r->to->last = frame;
  e->frame = frame;
  return true;
}

static bool read_end(reader *r, const cJSON *line, sp_entry *e)
{
  e->kind = SP_ENTRY_KINDS;
  r->to->is_whole = cJSON_IsTrue(take(r, line, "end"));
  return r->to->is_whole || fail(r, "'end' is true");
}

static const struct {
  const char *name;
  bool (*read)(reader *r, const cJSON *line, sp_entry *e);
} kinds[] = {{"event", read_event},     {"call", read_call},   {"answer", read_answer}, {"eval", read_eval},
             {"set", read_set},         {"poll", read_poll},   {"redraw", read_redraw}, {"file", read_file},
             {"stored", read_stored},   {"error", read_error}, {"pool", read_parts},    {"hash", read_hash},
             {"digests", read_digests}, {"back", read_back},   {"end", read_end}};

#define KINDS (sizeof kinds / sizeof *kinds)

static bool read_entry(reader *r, const cJSON *line)
{
  sp_entry e = {.name = "", .field = "", .text = NULL};
  sp_recording *to = r->to;
  size_t kind = 0;
  r->used = 0;
  if (!read_whole(r, line, "frame", FRAMES_MOST, &e.frame))
    return false;
  const char *name = line->child && line->child->next ? line->child->next->string : "";
  while (kind < KINDS && strcmp(kinds[kind].name, name) != 0)
    kind++;
  if (kind == KINDS)
    return fail(r, "behind 'frame' there is no kind '%.60s'", name);
  if (to->is_whole)
    return fail(r, "something follows the end");
  if (e.frame < to->last)
    return fail(r, "frames do not go back");
  if (e.frame - to->last > GAP_MOST)
    return fail(r, "the frame is more than %d after that of the line before", GAP_MOST);
  if (!kinds[kind].read(r, line, &e))
    return false;
  if (r->used != cJSON_GetArraySize(line))
    return fail(r, "a line of the kind '%s' has members that are not known, or some twice", name);
  to->last = e.frame;
  if (e.kind == SP_ENTRY_KINDS)
    return true;
  return (to->log.count < ENTRIES_MOST && sp_log_add(&to->log, &e)) || fail(r, "not enough memory");
}

/* Returns whether a NUL is escaped: strings end at a NUL here. */
static bool has_nul(const char *line)
{
  for (; (line = strchr(line, '\\')) != NULL; line += line[1] ? 2 : 1)
    if (strncmp(line + 1, "u0000", 5) == 0)
      return true;
  return false;
}

static bool read_line(reader *r, const char *line, size_t length)
{
  if (length > LINE_MOST)
    return fail(r, "the line is longer than %zu bytes", LINE_MOST);
  if (strlen(line) < length || has_nul(line))
    return fail(r, "there is a NUL in the line");
  if (!sp_utf8_is_valid(line, length))
    return fail(r, "the line is no UTF-8");
  cJSON *object = cJSON_ParseWithOpts(line, NULL, true);
  bool fine = cJSON_IsObject(object)
                  ? (r->line == 1 ? read_head : read_entry)(r, object)
                  : fail(r, r->line == 1 ? "not a recording of spawnpool" : "the line is no JSON object");
  cJSON_Delete(object);
  free(r->memory);
  r->memory = NULL;
  return fine;
}

bool sp_recording_read(sp_recording *to, const char *bytes, size_t size, char *error, size_t error_size)
{
  reader r = {.to = to};
  const char *end = bytes + size, *next;
  sp_text line = {.bytes = NULL};
  bool fine = true;
  *to = (sp_recording){.last = 0};
  for (; fine && (next = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL; bytes = next + 1) {
    sp_text_clear(&line);
    sp_text_add(&line, bytes, (size_t)(next - bytes));
    r.line++;
    fine = line.is_lost ? fail(&r, "not enough memory") : read_line(&r, line.bytes, line.size);
    if (bytes == end)
      break;
  }
  sp_text_free(&line);
  if (fine && r.line == 0)
    fine = fail(&r, "not a recording of spawnpool, or its head is cut off");
  if (!fine)
    snprintf(error, error_size, "line %zu of the recording: %s", r.line > 0 ? r.line : 1, r.wrong);
  return fine;
}

void sp_recording_free(sp_recording *r)
{
  sp_head_free(&r->head);
  sp_log_free(&r->log);
  *r = (sp_recording){.last = 0};
}

/* }== */
