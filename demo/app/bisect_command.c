/*
** Each trial is a separate process, which plays a part of the input without a window and records the run, so the result
** is a recording like any other, with its hashes. First entries are removed, by Zeller's ddmin: halves, then quarters,
** down to single ones; then the time between them, then entries again, because more of them may be removable now.
*/
#include "demo/app/bisect_command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/app.h"
#include "demo/app/app_process.h"
#include "demo/app/recording.h"
#include "demo/support/platform.h"
#include "demo/support/report.h"
#include "script/state/platform.h"

#define ERROR_MOST 512
#define ROUNDS_MOST 4

typedef struct bisect {
  const options *options;
  recording input;        /* what is left of it; its last frame is that of the error */
  char error[ERROR_MOST]; /* that a trial must end in, in comparable form */
  char wording[ERROR_MOST];
  char trial[OPTIONS_FILE_MOST], result[OPTIONS_FILE_MOST], best[OPTIONS_FILE_MOST];
  unsigned trials;
} bisect;

/* {== Trials ============================================================= */

/* Replaces the digits after the first blank of a message, because numbers in it may differ when less happens before.
   The position of the error comes before the blank and stays. */
static void make_comparable(const char *message, char out[ERROR_MOST])
{
  size_t used = strcspn(message, " ");
  used = used < ERROR_MOST - 1 ? used : ERROR_MOST - 1;
  memcpy(out, message, used);
  for (const char *c = message + used; *c && used < ERROR_MOST - 1; c++) {
    bool digit = *c >= '0' && *c <= '9';
    if (!digit || used == 0 || out[used - 1] != '0')
      out[used++] = digit ? '0' : *c;
  }
  out[used] = '\0';
}

/* Returns the first entry with this error, or for "" the last entry if that is an error; NULL when there is none. */
static const recording_entry *find_error(const recording *r, const char *error)
{
  const recording_entry *last = NULL;
  char comparable[ERROR_MOST];
  for (const recording_entry *e = r->entries; e < r->entries + r->count; e++) {
    if (e->kind != RECORDING_ERROR)
      continue;
    make_comparable(e->text, comparable);
    if (strcmp(comparable, error) == 0)
      return e;
    last = error[0] ? NULL : e;
  }
  return last;
}

static bool is_input(const recording_entry *e)
{
  return e->kind == RECORDING_EVENT || e->kind == RECORDING_EVAL || e->kind == RECORDING_SET ||
         e->kind == RECORDING_QUIT || e->kind == RECORDING_STEPS || e->kind == RECORDING_SIZE;
}

/* Plays a file and records it to b->result. */
static bool play(bisect *b, const char *file, bool quiet)
{
  options o = *b->options;
  o.bisect_input[0] = '\0';
  snprintf(o.replay, sizeof o.replay, "%s", file);
  snprintf(o.record_input, sizeof o.record_input, "%s", b->result);
  o.headless = o.no_watch = true;
  b->trials++;
  int code = app_process_run(&o, quiet);
  if (code == APP_PROCESS_NONE)
    report_line("cannot start a process");
  return code != APP_PROCESS_NONE && code != APP_USAGE;
}

/* Returns whether these entries, up to frame `last`, still end in the error. Then they become the input and its run the
   best result so far. The list is from malloc and is taken over. */
static bool try_entries(bisect *b, recording_entry *entries, size_t count, uint64_t last)
{
  char problem[OPTIONS_FILE_MOST + 256];
  recording run = {.count = 0};
  FILE *out = entries ? sp_stream_open(b->trial, "w") : NULL;
  if (out) {
    recording_write_head(out, &b->input.head);
    for (size_t i = 0; i < count; i++)
      recording_write_entry(out, &entries[i]);
    recording_write_entry(out, &(recording_entry){.kind = RECORDING_END, .frame = last});
  }
  bool fine =
      out && fclose(out) == 0 && play(b, b->trial, true) && recording_read(&run, b->result, problem, sizeof problem);
  const recording_entry *error = fine ? find_error(&run, b->error) : NULL;
  if (error) {
    platform_rename(b->result, b->best);
    free(b->input.entries);
    b->input.entries = entries;
    b->input.last = error->frame;
    for (b->input.count = 0; b->input.count < count && entries[b->input.count].frame <= error->frame;)
      b->input.count++;
  } else {
    free(entries);
  }
  recording_free(&run);
  return error != NULL;
}

/* }== */

/* {== Shortening ========================================================= */

static recording_entry *copy(const bisect *b)
{
  recording_entry *entries = malloc((b->input.count + 1) * sizeof *entries);
  return entries ? memcpy(entries, b->input.entries, b->input.count * sizeof *entries) : NULL;
}

/* Tries to remove parts of this length, from the end, because late input rarely contributes to the error. */
static bool remove_parts(bisect *b, size_t length)
{
  bool any = false;
  for (size_t end = b->input.count; end > 0;) {
    size_t from = end > length ? end - length : 0, count = b->input.count;
    recording_entry *entries = copy(b);
    if (entries)
      memmove(entries + from, entries + end, (count - end) * sizeof *entries);
    any |= try_entries(b, entries, count - (end - from), b->input.last);
    end = from < b->input.count ? from : b->input.count;
  }
  return any;
}

static void remove_entries(bisect *b)
{
  for (size_t length = b->input.count; length > 0;) {
    bool any = remove_parts(b, length);
    length = length == 1 && !any ? 0 : (length + 1) / 2;
  }
}

/* Shortens the time before entry `i`: completely, or else by halves of the rest. */
static bool shorten_gap(bisect *b, size_t i, uint64_t before)
{
  bool any = false;
  for (uint64_t by = b->input.entries[i].frame - before; by > 0 && i < b->input.count; by /= 2) {
    recording_entry *entries = b->input.entries[i].frame - before >= by ? copy(b) : NULL;
    for (size_t k = i; entries && k < b->input.count; k++)
      entries[k].frame -= by;
    any |= entries && try_entries(b, entries, b->input.count, b->input.last - by);
  }
  return any;
}

static bool shorten_gaps(bisect *b)
{
  bool any = false;
  uint64_t before = 1;
  for (size_t i = 0; i < b->input.count; i++) {
    any |= b->input.entries[i].frame > before && shorten_gap(b, i, before);
    before = i < b->input.count && b->input.entries[i].frame > before ? b->input.entries[i].frame : before;
  }
  return any;
}

/* }== */

/* Reads the input and plays all of it, to find the error and its frame; what follows, and is no input, is dropped. */
static bool find_whole(bisect *b, char *problem, size_t size)
{
  const char *file = b->options->bisect_input;
  recording run = {.count = 0};
  if (!recording_read(&b->input, file, problem, size))
    return false;
  snprintf(problem, size, "'%.1000s' was not played", file);
  if (!play(b, file, false) || !recording_read(&run, b->result, problem, size))
    return false;
  const recording_entry *error = find_error(&run, "");
  snprintf(problem, size, "'%.1000s' ends in no error of the script: there is nothing to look for", file);
  if (error) {
    size_t count = 0;
    snprintf(b->wording, sizeof b->wording, "%s", error->text);
    make_comparable(error->text, b->error);
    platform_rename(b->result, b->best);
    for (size_t i = 0; i < b->input.count; i++)
      if (is_input(&b->input.entries[i]) && b->input.entries[i].frame <= error->frame)
        b->input.entries[count++] = b->input.entries[i];
    b->input.count = count;
    b->input.last = error->frame;
  }
  recording_free(&run);
  return error != NULL;
}

int bisect_command_run(const options *o)
{
  bisect b = {.options = o};
  char problem[OPTIONS_FILE_MOST + 1024];
  snprintf(b.best, sizeof b.best, "%.1000s.short", o->bisect_input);
  snprintf(b.trial, sizeof b.trial, "%.1000s.short.trial", o->bisect_input);
  snprintf(b.result, sizeof b.result, "%.1000s.short.result", o->bisect_input);
  bool found = find_whole(&b, problem, sizeof problem);
  size_t events = b.input.count;
  uint64_t frames = b.input.last;
  for (int round = 0; found && round < ROUNDS_MOST; round++) {
    remove_entries(&b);
    bool again = shorten_gaps(&b);
    fprintf(stderr, "spawnpool: %u trials: %zu events in %" PRIu64 " frames\n", b.trials, b.input.count, b.input.last);
    if (!again)
      break;
  }
  if (found)
    printf("%zu events in %" PRIu64 " frames, shortened to %zu in %" PRIu64 " (%u trials): %s\n%s\n", events, frames,
           b.input.count, b.input.last, b.trials, b.best, b.wording);
  else
    report_line(problem);
  platform_remove(b.trial);
  platform_remove(b.result);
  recording_free(&b.input);
  return found ? APP_FINE : APP_USAGE;
}
