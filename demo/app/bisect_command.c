/*
** Each trial is a separate process, which plays a part of the input without a window and records the run, so the result
** is a recording like any other, with its hashes. First events are removed, then the time between them, then events
** again, because more of them may be removable now.
*/
#include "demo/app/bisect_command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/app.h"
#include "demo/app/app_process.h"
#include "demo/app/ddmin.h"
#include "demo/app/recording.h"
#include "demo/support/platform.h"
#include "demo/support/report.h"

#define ERROR_MOST 512
#define ROUNDS_MOST 4

typedef struct bisect {
  const options *options;
  recording source;
  uint64_t *frames;         /* of its entries, in the result */
  bool *kept;               /* entries */
  uint64_t last;            /* frame */
  char error[ERROR_MOST];   /* the error that a trial must end in, in comparable form */
  char wording[ERROR_MOST]; /* as it was reported */
  char trial[OPTIONS_FILE_MOST], result[OPTIONS_FILE_MOST], best[OPTIONS_FILE_MOST];
  unsigned trials;
} bisect;

static bool fail(const char *problem)
{
  report_line(problem);
  return false;
}

/* {== Errors ============================================================= */

/* Replaces the digits after the first blank of a message, because numbers in it may differ when less happens before.
   The position of the error comes before the blank and stays. */
static void make_comparable(const char *message, char out[ERROR_MOST])
{
  size_t used = 0;
  bool in_place = true;
  for (const char *c = message; *c && used < ERROR_MOST - 1; c++) {
    bool digit = !in_place && *c >= '0' && *c <= '9';
    in_place = in_place && *c != ' ';
    if (!digit || used == 0 || out[used - 1] != '0')
      out[used++] = *c;
    if (digit)
      out[used - 1] = '0';
  }
  out[used] = '\0';
}

/* Returns the first entry with this error, or for NULL the last entry with any error; NULL when there is none. */
static const recording_entry *find_error(const recording *r, const char *error)
{
  const recording_entry *found = NULL;
  char comparable[ERROR_MOST];
  for (size_t i = 0; i < r->count; i++) {
    if (r->entries[i].kind != RECORDING_ERROR)
      continue;
    make_comparable(r->entries[i].text, comparable);
    if (error && strcmp(comparable, error) == 0)
      return &r->entries[i];
    found = error ? NULL : &r->entries[i];
  }
  return found;
}

/* }== */

/* {== Trials ============================================================= */

static bool is_input(const recording_entry *e)
{
  return e->kind == RECORDING_EVENT || e->kind == RECORDING_EVAL || e->kind == RECORDING_SET ||
         e->kind == RECORDING_QUIT || e->kind == RECORDING_STEPS || e->kind == RECORDING_SIZE;
}

static bool write_trial(const bisect *b, const bool *kept)
{
  FILE *out = sp_stream_open(b->trial, "w");
  if (!out)
    return false;
  recording_write_head(out, &b->source.head);
  for (size_t i = 0; i < b->source.count; i++) {
    recording_entry e = b->source.entries[i];
    e.frame = b->frames[i];
    if (kept[i] && e.frame <= b->last)
      recording_write_entry(out, &e);
  }
  recording_write_entry(out, &(recording_entry){.kind = RECORDING_END, .frame = b->last});
  bool fine = fflush(out) == 0 && !ferror(out);
  return fclose(out) == 0 && fine;
}

/* Plays a file and reads its recording into b->result. False on failure. */
static bool play(bisect *b, const char *file, bool quiet)
{
  options o = *b->options;
  o.bisect_input[0] = '\0';
  snprintf(o.replay, sizeof o.replay, "%s", file);
  snprintf(o.record_input, sizeof o.record_input, "%s", b->result);
  o.headless = true;
  o.no_watch = true;
  b->trials++;
  int code = app_process_run(&o, quiet);
  return code == APP_PROCESS_NONE ? fail("cannot start a process") : code != APP_USAGE;
}

/* Returns whether the kept entries, with the current frames, still end in the error. Then they become the best result
   so far. */
static bool ends_in_error(bisect *b, const bool *kept)
{
  char problem[1024];
  recording r;
  if (!write_trial(b, kept) || !play(b, b->trial, true) || !recording_read(&r, b->result, problem, sizeof problem))
    return false;
  const recording_entry *error = find_error(&r, b->error);
  if (error) {
    b->last = error->frame < b->last ? error->frame : b->last;
    platform_rename(b->result, b->best);
  }
  recording_free(&r);
  return error != NULL;
}

static bool test_kept(void *ud, const bool *kept, size_t count)
{
  (void)count;
  return ends_in_error(ud, kept);
}

/* }== */

/* {== Time =============================================================== */

/* Moves the entries from number `from` on, and the end, `by` frames earlier; later if `by` is negative. */
static void shift(bisect *b, size_t from, int64_t by)
{
  for (size_t i = from; i < b->source.count; i++)
    b->frames[i] -= (uint64_t)by;
  b->last -= (uint64_t)by;
}

/* Shortens the time before entry `i`: completely, or else by halves of the rest. */
static bool shorten_gap(bisect *b, size_t i, uint64_t before)
{
  bool any = false;
  for (uint64_t by = b->frames[i] - before; by > 0; by /= 2) {
    if (by > b->frames[i] - before)
      continue;
    uint64_t last = b->last;
    shift(b, i, (int64_t)by);
    if (ends_in_error(b, b->kept)) {
      any = true;
      continue;
    }
    shift(b, i, -(int64_t)by);
    b->last = last;
  }
  return any;
}

static bool shorten_gaps(bisect *b)
{
  bool any = false;
  uint64_t before = 1;
  for (size_t i = 0; i < b->source.count; i++) {
    if (!b->kept[i] || b->frames[i] > b->last)
      continue;
    any |= b->frames[i] > before && shorten_gap(b, i, before);
    before = b->frames[i] > before ? b->frames[i] : before;
  }
  return any;
}

/* }== */

/* {== The whole ========================================================== */

static size_t count_events(const bisect *b)
{
  size_t count = 0;
  for (size_t i = 0; i < b->source.count; i++)
    count += b->kept[i] && b->frames[i] <= b->last && b->source.entries[i].kind != RECORDING_STEPS;
  return count;
}

/* Renumbers the frames of the entries as if every frame had one step. */
static void count_steps(bisect *b)
{
  uint64_t from = 1, steps = 1, before = 0; /* from frame `from` on, and those of the frames before */
  for (size_t i = 0; i < b->source.count && b->source.entries[i].frame <= b->last; i++) {
    const recording_entry *e = &b->source.entries[i];
    if (e->frame > 0)
      b->frames[i] = before + (e->frame - from) * steps + 1;
    if (e->kind != RECORDING_STEPS)
      continue;
    before += (e->frame - from) * steps;
    from = e->frame;
    steps = e->number;
    b->kept[i] = false;
  }
  b->last = before + (b->last >= from ? (b->last - from + 1) * steps : 0);
}

/* Removes pauses and frames with several steps, if the error still occurs. */
static void drop_steps(bisect *b)
{
  size_t count = b->source.count;
  bisect before = *b;
  b->frames = malloc((count + 1) * sizeof *b->frames);
  b->kept = malloc(count + 1);
  if (b->frames && b->kept) {
    memcpy(b->frames, before.frames, count * sizeof *b->frames);
    memcpy(b->kept, before.kept, count);
    count_steps(b);
  }
  bool fine = b->frames && b->kept && ends_in_error(b, b->kept);
  free(fine ? before.frames : b->frames);
  free(fine ? before.kept : b->kept);
  if (fine)
    return;
  before.trials = b->trials;
  *b = before;
}

static void shorten(bisect *b)
{
  drop_steps(b);
  for (int round = 0; round < ROUNDS_MOST; round++) {
    if (!ddmin(b->kept, b->source.count, test_kept, b) || !shorten_gaps(b))
      break;
    fprintf(stderr, "spawnpool: %u trials: %zu events in %" PRIu64 " frames\n", b->trials, count_events(b), b->last);
  }
}

/* Reads the input and plays all of it, to find the error and its frame. */
static bool find_whole(bisect *b, char *problem, size_t size)
{
  const char *file = b->options->bisect_input;
  recording r = {.count = 0};
  if (!recording_read(&b->source, file, problem, size))
    return false;
  snprintf(problem, size, "'%.1000s' was not played", file);
  if (!play(b, file, false) || !recording_read(&r, b->result, problem, size))
    return false;
  const recording_entry *error = find_error(&r, NULL);
  if (error) {
    b->last = error->frame;
    snprintf(b->wording, sizeof b->wording, "%s", error->text);
    make_comparable(error->text, b->error);
    platform_rename(b->result, b->best);
  } else {
    snprintf(problem, size, "'%.1000s' ends in no error of the script: there is nothing to look for", file);
  }
  recording_free(&r);
  return error != NULL;
}

static bool prepare(bisect *b)
{
  size_t count = b->source.count;
  b->frames = malloc((count + 1) * sizeof *b->frames);
  b->kept = malloc(count + 1);
  for (size_t i = 0; b->frames && b->kept && i < count; i++) {
    b->frames[i] = b->source.entries[i].frame;
    b->kept[i] = is_input(&b->source.entries[i]) && b->frames[i] <= b->last;
  }
  return (b->frames && b->kept) || fail("not enough memory");
}

static void print_result(const bisect *b, size_t events, uint64_t frames)
{
  printf("%zu events in %" PRIu64 " frames, shortened to %zu in %" PRIu64 " (%u trials): %s\n%s\n", events, frames,
         count_events(b), b->last, b->trials, b->best, b->wording);
}

int bisect_command_run(const options *o)
{
  bisect b = {.options = o};
  char problem[OPTIONS_FILE_MOST + 1024];
  snprintf(b.best, sizeof b.best, "%.1000s.short", o->bisect_input);
  snprintf(b.trial, sizeof b.trial, "%.1000s.short.trial", o->bisect_input);
  snprintf(b.result, sizeof b.result, "%.1000s.short.result", o->bisect_input);
  bool found = find_whole(&b, problem, sizeof problem);
  bool fine = found ? prepare(&b) : fail(problem);
  if (fine) {
    size_t events = count_events(&b);
    uint64_t frames = b.last;
    shorten(&b);
    print_result(&b, events, frames);
  }
  platform_remove(b.trial);
  platform_remove(b.result);
  free(b.frames);
  free(b.kept);
  recording_free(&b.source);
  return fine ? APP_FINE : APP_USAGE;
}

/* }== */
