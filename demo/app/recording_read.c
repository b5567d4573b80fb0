/*
** The file is read as a whole and cut into lines and texts in place. Nothing in it is trusted: numbers have bounds,
** texts end where they should, and frames never go back.
*/
#include "demo/app/recording_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/options.h"
#include "demo/input/event_text.h"
#include "demo/support/clock.h"
#include "demo/support/quoted.h"
#include "script/state/platform.h"

#define FRAMES_MOST ((uint64_t)1 << 40) /* five hundred years */

typedef struct reader {
  recording *to;
  char *at; /* in the line */
  size_t line;
  size_t room;   /* for entries */
  uint64_t seen; /* bit per row of the head */
} reader;

/* {== Words ============================================================== */

static bool skip(char **at, const char *word)
{
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0)
    return false;
  *at += length;
  return true;
}

static bool read_unsigned(char **at, int base, uint64_t most, uint64_t *number)
{
  char *end;
  bool digits = **at >= '0' && **at <= '9';
  if (base == 16)
    digits = digits || (**at >= 'a' && **at <= 'f');
  if (!digits)
    return false;
  errno = 0;
  *number = strtoull(*at, &end, base);
  *at = end;
  return errno == 0 && *number <= most;
}

static bool read_side(char **at, int *side)
{
  uint64_t number;
  if (!skip(at, " ") || !read_unsigned(at, 10, OPTIONS_SIZE_MOST, &number))
    return false;
  *side = (int)number;
  return number > 0;
}

/* Reads a number above 0, up to `most`. */
static bool read_real(char **at, double most, double *number)
{
  char *end;
  if (!skip(at, " ") || **at == ' ')
    return false;
  *number = strtod(*at, &end);
  bool read = end != *at;
  *at = end;
  return read && *number > 0 && *number <= most;
}

static const char *read_size(char **at, int *width, int *height, float *density)
{
  double number;
  if (!read_side(at, width) || !read_side(at, height) || !read_real(at, 100, &number))
    return "a size has a width, a height, and the pixels per point";
  *density = (float)number;
  return NULL;
}

/* Reads a quoted text after a blank. */
static const char *read_text(char **at, const char **text)
{
  *text = skip(at, " ") ? quoted_read(at) : NULL;
  return *text ? NULL : "a text in quotes is missing";
}

/* }== */

/* {== Head =============================================================== */

typedef struct head_row {
  const char *word;
  const char *(*read)(reader *r, recording_head *h);
  bool repeats;
} head_row;

static const char *read_player(reader *r, recording_head *h) { return read_text(&r->at, &h->player); }
static const char *read_game(reader *r, recording_head *h) { return read_text(&r->at, &h->game); }

static const char *read_files(reader *r, recording_head *h)
{
  return skip(&r->at, " ") && read_unsigned(&r->at, 16, UINT64_MAX, &h->files) ? NULL : "a hash is missing";
}

static const char *read_seed(reader *r, recording_head *h)
{
  return skip(&r->at, " ") && read_unsigned(&r->at, 10, UINT64_MAX, &h->seed) ? NULL : "a seed is a whole number";
}

static const char *read_head_size(reader *r, recording_head *h)
{
  return read_size(&r->at, &h->width, &h->height, &h->density);
}

/* A manager takes no smaller step. */
static const char *read_step(reader *r, recording_head *h)
{
  bool done = read_real(&r->at, 1, &h->step) && h->step >= 1e-6;
  return done ? NULL : "a step is a number of seconds from 0.000001 to 1";
}

static const char *read_start(reader *r, recording_head *h)
{
  uint64_t start;
  if (!skip(&r->at, " ") || !read_unsigned(&r->at, 10, UINT64_C(1) << 40, &start))
    return "a start is a whole number of seconds";
  h->start = (int64_t)start;
  return NULL;
}

static const char *read_memory(reader *r, recording_head *h)
{
  return skip(&r->at, " ") && read_unsigned(&r->at, 10, SIZE_MAX, &h->memory) && h->memory > 0
             ? NULL
             : "a number of bytes is missing";
}

static const char *read_trust(reader *r, recording_head *h)
{
  h->trust = skip(&r->at, " yes");
  return h->trust || skip(&r->at, " no") ? NULL : "yes or no is missing";
}

static const char *read_argument(reader *r, recording_head *h)
{
  if (h->argc == RECORDING_ARGUMENTS_MOST)
    return "there are too many arguments";
  return read_text(&r->at, &h->argv[h->argc++]);
}

static const head_row head_rows[] = {
    {"player", read_player, false},    {"game", read_game, false},      {"files", read_files, false},
    {"seed", read_seed, false},        {"size", read_head_size, false}, {"step", read_step, false},
    {"start", read_start, false},      {"memory", read_memory, false},  {"trust", read_trust, false},
    {"argument", read_argument, true},
};

enum { HEAD_ROWS = sizeof head_rows / sizeof *head_rows };

static const char *read_head_line(reader *r)
{
  size_t length = strcspn(r->at, " ");
  for (int i = 0; i < HEAD_ROWS; i++)
    if (strlen(head_rows[i].word) == length && strncmp(head_rows[i].word, r->at, length) == 0) {
      uint64_t bit = UINT64_C(1) << i;
      if (r->seen & bit && !head_rows[i].repeats)
        return "this was said before";
      r->seen |= bit;
      r->at += length;
      return head_rows[i].read(r, &r->to->head);
    }
  return "the head has no such line";
}

/* }== */

/* {== Entries ============================================================ */

static const char *read_event(reader *r, recording_entry *e)
{
  const char *wrong = event_text_read(&r->at, &e->event);
  e->kind = RECORDING_EVENT;
  e->unheard = !wrong && skip(&r->at, " unheard");
  return wrong;
}

static const char *read_steps(reader *r, recording_entry *e)
{
  return skip(&r->at, " ") && read_unsigned(&r->at, 10, CLOCK_CATCH_UP, &e->number) ? NULL
                                                                                    : "a frame has from 0 to 5 steps";
}

static const char *read_entry_size(reader *r, recording_entry *e)
{
  return read_size(&r->at, &e->width, &e->height, &e->density);
}

static const char *read_object(reader *r, recording_entry *e)
{
  return skip(&r->at, " ") && read_unsigned(&r->at, 10, UINT64_MAX, &e->object) ? NULL : "an object is a number";
}

static const char *read_eval(reader *r, recording_entry *e)
{
  const char *wrong = read_object(r, e);
  return wrong ? wrong : read_text(&r->at, &e->text);
}

static const char *read_pool(reader *r, recording_entry *e)
{
  const char *wrong = read_text(&r->at, &e->field);
  return wrong ? wrong : read_text(&r->at, &e->text);
}

static const char *read_set(reader *r, recording_entry *e)
{
  const char *wrong = read_object(r, e);
  return wrong ? wrong : read_pool(r, e);
}

static const char *read_nothing(reader *r, recording_entry *e)
{
  (void)r, (void)e;
  return NULL;
}

static const char *read_quit(reader *r, recording_entry *e)
{
  e->number = skip(&r->at, " ended");
  return NULL;
}

static const char *read_hash(reader *r, recording_entry *e)
{
  return skip(&r->at, " ") && read_unsigned(&r->at, 16, UINT64_MAX, &e->number) ? NULL : "a hash is missing";
}

static const char *read_error(reader *r, recording_entry *e) { return read_text(&r->at, &e->text); }

static const char *read_frames(reader *r, recording_entry *e)
{
  if (!skip(&r->at, " ") || !read_unsigned(&r->at, 10, FRAMES_MOST, &e->number) || !skip(&r->at, " "))
    return "the first frame and digests are missing";
  e->text = r->at;
  r->at += strspn(r->at, "0123456789abcdef");
  size_t length = (size_t)(r->at - e->text);
  return length % 4 == 0 && e->number > 0 && e->number + length / 4 - 1 <= e->frame
             ? NULL
             : "a digest has four digits, and each frame one";
}

static const char *read_back(reader *r, recording_entry *e)
{
  return skip(&r->at, " ") && read_unsigned(&r->at, 10, e->frame, &e->number) ? NULL : "back goes to an earlier frame";
}

typedef struct entry_row {
  const char *word;
  recording_kind kind;
  const char *(*read)(reader *r, recording_entry *e);
} entry_row;

static const entry_row entry_rows[] = {
    {"steps", RECORDING_STEPS, read_steps}, {"size", RECORDING_SIZE, read_entry_size},
    {"eval", RECORDING_EVAL, read_eval},    {"set", RECORDING_SET, read_set},
    {"quit", RECORDING_QUIT, read_quit},    {"reload", RECORDING_RELOAD, read_hash},
    {"error", RECORDING_ERROR, read_error}, {"hash", RECORDING_HASH, read_hash},
    {"pool", RECORDING_POOL, read_pool},    {"frames", RECORDING_FRAMES, read_frames},
    {"back", RECORDING_BACK, read_back},    {"end", RECORDING_END, read_nothing},
};

static const char *read_kind(reader *r, recording_entry *e)
{
  size_t length = strcspn(r->at, " ");
  for (size_t i = 0; i < sizeof entry_rows / sizeof *entry_rows; i++)
    if (strlen(entry_rows[i].word) == length && strncmp(entry_rows[i].word, r->at, length) == 0) {
      e->kind = entry_rows[i].kind;
      r->at += length;
      return entry_rows[i].read(r, e);
    }
  return read_event(r, e);
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
      return false;
    to->entries = grown;
    r->room = room;
  }
  to->entries[to->count++] = *e;
  to->last = e->frame;
  to->is_whole = e->kind == RECORDING_END;
  return true;
}

static const char *read_entry_line(reader *r)
{
  recording_entry e = {.line = r->line};
  if (r->to->is_whole)
    return "something follows the end";
  if (!read_unsigned(&r->at, 10, FRAMES_MOST, &e.frame) || !skip(&r->at, " "))
    return "a line begins with the number of a frame";
  if (e.frame < r->to->last)
    return "frames do not go back";
  const char *wrong = read_kind(r, &e);
  if (!wrong && *r->at != '\0')
    wrong = "the line has more than it should";
  if (!wrong && !add_entry(r, &e))
    wrong = "not enough memory";
  return wrong;
}

/* }== */

/* {== Lines ============================================================== */

static const char *read_first_line(reader *r)
{
  uint64_t version;
  if (!skip(&r->at, "spawnpool-input ") || !read_unsigned(&r->at, 10, UINT64_MAX, &version) || *r->at)
    return "this is no recorded input of spawnpool";
  if (version != RECORDING_VERSION)
    return "this version of the file cannot be read; a newer spawnpool may do it";
  return NULL;
}

static const char *end_head(const reader *r)
{
  static const uint64_t needed = (UINT64_C(1) << (HEAD_ROWS - 1)) - 1;
  return (r->seen & needed) == needed ? NULL : "the head is not complete";
}

/* Reads a line. `*in_head`: it belongs to the head. */
static const char *read_line(reader *r, bool *in_head)
{
  if (r->line == 1)
    return read_first_line(r);
  if (!*in_head)
    return read_entry_line(r);
  if (strcmp(r->at, "begin") == 0) {
    *in_head = false;
    return end_head(r);
  }
  const char *wrong = read_head_line(r);
  return wrong || *r->at == '\0' ? wrong : "the line has more than it should";
}

static const char *read_lines(reader *r, char *bytes)
{
  bool in_head = true;
  const char *wrong = NULL;
  for (char *end; !wrong && (end = strchr(bytes, '\n')) != NULL; bytes = end + 1) {
    *end = '\0';
    r->at = bytes;
    r->line++;
    wrong = read_line(r, &in_head);
  }
  return !wrong && in_head
             ? (r->line++, r->line == 1 ? "this is no recorded input of spawnpool" : "the head is cut off")
             : wrong;
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

static bool read_stream(recording *r, FILE *in, const char *file, char *error, size_t error_size)
{
  reader reading = {.to = r};
  size_t length;
  *r = (recording){.bytes = read_bytes(in, &length)};
  if (!r->bytes) {
    snprintf(error, error_size, "cannot read the recorded input '%.1000s': %s", file, strerror(errno));
    return false;
  }
  const char *wrong = strlen(r->bytes) < length ? "the file has NUL bytes" : read_lines(&reading, r->bytes);
  if (!wrong)
    return true;
  snprintf(error, error_size, "%.1000s:%zu: %s", file, reading.line, wrong);
  recording_free(r);
  return false;
}

bool recording_read(recording *r, const char *file, char *error, size_t error_size)
{
  FILE *in = sp_stream_open(file, "rb");
  *r = (recording){.count = 0};
  if (!in) {
    snprintf(error, error_size, "cannot read the recorded input '%.1000s': %s", file, strerror(errno));
    return false;
  }
  bool fine = read_stream(r, in, file, error, error_size);
  fclose(in);
  return fine;
}

void recording_free(recording *r)
{
  free(r->entries);
  free(r->bytes);
  *r = (recording){.count = 0};
}

/* }== */
