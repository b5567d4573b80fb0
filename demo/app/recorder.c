#include "demo/app/recorder.h"

#include <errno.h>
#include <string.h>

#include "demo/app/game_files.h"
#include "demo/app/state_parts.h"
#include "demo/support/utf8.h"
#include "script/host/inspect.h"
#include "script/state/platform.h"

/* The first problem counts: a stream that has failed once may fail without a reason later. */
static void note_problem(recorder *r, bool is_wrong)
{
  if (is_wrong && !r->problem)
    r->problem = errno;
}

static bool flush(recorder *r)
{
  bool done = fflush(r->file) == 0;
  note_problem(r, !done);
  return done;
}

void recorder_add(recorder *r, recording_entry e)
{
  e.frame = r->frame;
  if (r->rests)
    return;
  if (r->file)
    recording_write_entry(r->file, &e);
  note_problem(r, r->file && ferror(r->file));
  if (r->history)
    history_add(r->history, &e);
}

static bool is_on(const recorder *r) { return r->file || r->history; }

/* {== Opening ============================================================ */

static void on_command(void *ud, sp_ref object, const char *field, const char *said)
{
  recorder_add(ud, (recording_entry){
                       .kind = field ? RECORDING_SET : RECORDING_EVAL, .object = object, .name = field, .text = said});
}

/* Returns why the options cannot be recorded exactly; NULL: they can. */
static const char *problem_of(const options *o)
{
  bool valid = true;
  for (int i = 0; i < o->game_argc; i++)
    valid = valid && utf8_is_valid(o->game_argv[i], strlen(o->game_argv[i]));
  for (int i = 0; i < o->exec_count; i++)
    valid = valid && utf8_is_valid(o->exec[i], strlen(o->exec[i]));
  return o->game_argc > JSON_TEXTS_MOST ? "the game has more than 64 arguments"
         : !valid                       ? "an argument of the game, or a text of --exec, is no UTF-8"
                                        : NULL;
}

bool recorder_open(recorder *r, const options *o, game *it, char *error, size_t error_size)
{
  *r = (recorder){.name = o->record_input, .game = it, .steps = 1};
  if (!o->record_input[0])
    return true;
  const char *problem = problem_of(o);
  r->file = problem ? NULL : sp_stream_open(o->record_input, "w+");
  if (!r->file)
    snprintf(error, error_size, "cannot write the recorded input to '%.1000s': %s", o->record_input,
             problem ? problem : strerror(errno));
  return r->file != NULL;
}

static void note_size(recorder *r, const window *w)
{
  r->width = w->width;
  r->height = w->height;
  r->density = w->scale;
}

void recorder_start(recorder *r, const options *o, const window *w)
{
  char name[200];
  note_size(r, w);
  if (is_on(r))
    sp_script_on_command(r->game->script, on_command, r);
  if (!r->file)
    return;
  game_files_name(o->path, name, sizeof name);
  recording_head head = {.game = name,
                         .player = SP_VERSION,
                         .version = RECORDING_VERSION,
                         .files = game_files_hash(o->path),
                         .seed = o->seed,
                         .width = w->width,
                         .height = w->height,
                         .density = w->scale,
                         .step = r->game->step,
                         .start = (uint64_t)o->start_time,
                         .memory = o->memory,
                         .trust = o->trust,
                         .arguments.count = o->game_argc};
  for (int i = 0; i < o->game_argc; i++)
    head.arguments.list[i] = o->game_argv[i];
  recording_write_head(r->file, &head);
  flush(r);
}

/* }== */

/* {== Entries ============================================================ */

void recorder_begin_frame(recorder *r)
{
  r->frame++;
  if (r->history)
    r->history->frame = r->frame;
}

void recorder_drop_frame(recorder *r)
{
  r->frame--;
  if (r->history)
    r->history->frame = r->frame;
}

void recorder_event(recorder *r, const SDL_Event *event, bool unheard)
{
  if (is_on(r) && recording_has_event(event))
    recorder_add(r, (recording_entry){.kind = RECORDING_EVENT, .event = *event, .unheard = unheard});
}

void recorder_error(recorder *r, const char *message)
{
  char line[512];
  snprintf(line, sizeof line, "%.*s", (int)strcspn(message, "\n"), message);
  recorder_add(r, (recording_entry){.kind = RECORDING_ERROR, .text = line});
}

void recorder_resize(recorder *r, const window *w)
{
  if (!is_on(r) || r->rests || (w->width == r->width && w->height == r->height && w->scale == r->density))
    return;
  note_size(r, w);
  recorder_add(r,
               (recording_entry){.kind = RECORDING_SIZE, .width = w->width, .height = w->height, .density = w->scale});
}

void recorder_run(recorder *r, int steps)
{
  if (!is_on(r))
    return;
  if ((uint64_t)steps != r->steps)
    recorder_add(r, (recording_entry){.kind = RECORDING_STEPS, .number = (uint64_t)steps});
  r->steps = (uint64_t)steps;
  if (r->file)
    flush(r); /* the frame may crash the player */
}

/* }== */

/* Writes the parts of the pools before the hash, so that a replay has them when it compares the hash. */
static void write_hash(recorder *r)
{
  uint64_t hash;
  cJSON *pools = state_parts(r->game->script, &hash);
  for (const cJSON *pool = pools ? pools->child : NULL; pool; pool = pool->next) {
    char *parts = cJSON_PrintUnformatted(pool);
    if (parts)
      recorder_add(r, (recording_entry){.kind = RECORDING_POOL, .name = pool->string, .text = parts});
    cJSON_free(parts);
  }
  cJSON_Delete(pools);
  recorder_add(r, (recording_entry){.kind = RECORDING_HASH, .number = hash});
}

/* Ends the recording. */
static bool give_up(recorder *r, char *error, size_t error_size)
{
  snprintf(error, error_size, "the recording has stopped: cannot write '%.1000s': %s", r->name, strerror(r->problem));
  fclose(r->file);
  r->file = NULL;
  r->failed = true;
  return false;
}

bool recorder_end_frame(recorder *r, bool second, char *error, size_t error_size)
{
  if (!r->file)
    return true;
  recorder_add(r, (recording_entry){.kind = RECORDING_DIGEST, .number = sp_script_digest(r->game->script)});
  if (second)
    write_hash(r);
  if (second && !flush(r))
    return give_up(r, error, error_size);
  return !ferror(r->file) || give_up(r, error, error_size);
}

void recorder_rest(recorder *r) { r->rests = true; }

void recorder_go_on(recorder *r) { r->rests = false; }

/* Forgets which steps were written last: the reader drops all lines after the frame, so they are written again. */
void recorder_back(recorder *r, uint64_t frame, const window *w)
{
  note_size(r, w);
  r->frame++; /* lines of the next frame may have been written already */
  recorder_add(r, (recording_entry){.kind = RECORDING_BACK, .number = frame});
  r->frame = frame;
  r->steps = UINT64_MAX;
}

void recorder_hang(recorder *r, const char *what)
{
  r->history = NULL;
  if (!r->file)
    return;
  recorder_error(r, what);
  recorder_add(r, (recording_entry){.kind = RECORDING_END});
  flush(r);
}

bool recorder_close(recorder *r, char *error, size_t error_size)
{
  if (!r->file)
    return true;
  write_hash(r);
  recorder_add(r, (recording_entry){.kind = RECORDING_END});
  if (!flush(r) || ferror(r->file))
    return give_up(r, error, error_size);
  fclose(r->file);
  r->file = NULL;
  sp_script_on_command(r->game->script, NULL, NULL);
  return true;
}
