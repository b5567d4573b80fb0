#include "demo/app/recorder.h"

#include <errno.h>
#include <string.h>

#include "script/state/strings.h"

/* {== The file =========================================================== */

/* The first problem counts: a stream that has failed once may fail without a reason later. */
static void note_problem(recorder *r, bool is_wrong)
{
  if (is_wrong && !r->problem)
    r->problem = errno;
}

bool recorder_flush(recorder *r)
{
  bool done = !r->file || fflush(r->file) == 0;
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

static void on_command(void *ud, sp_ref object, const char *field, const char *code)
{
  recorder_add(ud, (recording_entry){
                       .kind = field ? RECORDING_SET : RECORDING_EVAL, .object = object, .name = field, .text = code});
}

const char *recorder_problem(const options *o)
{
  bool valid = true;
  for (int i = 0; i < o->game_argc; i++)
    valid = valid && sp_utf8_is_valid(o->game_argv[i], strlen(o->game_argv[i]));
  for (int i = 0; i < o->exec_count; i++)
    valid = valid && sp_utf8_is_valid(o->exec[i], strlen(o->exec[i]));
  return o->game_argc > JSON_TEXTS_MOST ? "the game has more than 64 arguments"
         : !valid                       ? "an argument of the game, or a text of --exec, is no UTF-8"
                                        : NULL;
}

bool recorder_open(recorder *r, const options *o, game *it, char *error, size_t error_size)
{
  *r = (recorder){.name = o->record_input, .game = it, .steps = 1, .is_lean = o->accept};
  sp_script_on_command(it->script, on_command, r);
  if (!o->record_input[0])
    return true;
  const char *problem = recorder_problem(o);
  r->file = problem ? NULL : fopen(o->record_input, o->tested ? "wx" : "w"); /* x: a new file */
  if (!r->file)
    snprintf(error, error_size, "cannot write the recorded input to '%.1000s': %s", o->record_input,
             problem ? problem : strerror(errno));
  return r->file != NULL;
}

static bool give_up(recorder *r, char *error, size_t error_size)
{
  snprintf(error, error_size, "the recording has stopped: cannot write '%.1000s': %s", r->name, strerror(r->problem));
  fclose(r->file);
  r->file = NULL;
  return false;
}

bool recorder_check(recorder *r, bool second, char *error, size_t error_size)
{
  if (!r->file)
    return true;
  if (!r->is_lean)
    recorder_add(r, (recording_entry){.kind = RECORDING_DIGEST, .number = sp_script_digest(r->game->script)});
  if (second)
    recording_write_hash(r->file, r->game->script, r->frame, !r->is_lean);
  return (!(second && !recorder_flush(r)) && !ferror(r->file)) || give_up(r, error, error_size);
}

bool recorder_close(recorder *r, char *error, size_t error_size)
{
  if (!r->file)
    return true;
  recording_write_hash(r->file, r->game->script, r->frame, !r->is_lean);
  recorder_add(r, (recording_entry){.kind = RECORDING_END});
  if (!recorder_flush(r) || ferror(r->file))
    return give_up(r, error, error_size);
  fclose(r->file);
  r->file = NULL;
  return true;
}

/* }== */

/* {== Entries ============================================================ */

static void set_frame(recorder *r, uint64_t frame)
{
  r->frame = frame;
  if (r->history)
    r->history->frame = frame;
}

void recorder_begin_frame(recorder *r) { set_frame(r, r->frame + 1); }

void recorder_drop_frame(recorder *r) { set_frame(r, r->frame - 1); }

void recorder_event(recorder *r, const SDL_Event *event, bool unheard)
{
  if ((r->file || r->history) && recording_has_event(event))
    recorder_add(
        r, (recording_entry){.kind = RECORDING_EVENT, .event = *event, .pad = input_pad_of(event), .unheard = unheard});
}

void recorder_error(recorder *r, const char *message)
{
  char line[512];
  report_shorten(sp_script_folder(r->game->script), message, line, sizeof line);
  line[strcspn(line, "\n")] = '\0';
  recorder_add(r, (recording_entry){.kind = RECORDING_ERROR, .text = line});
}

bool recorder_size(recorder *r, const window *w)
{
  bool resized = w->width != r->window.width || w->height != r->window.height;
  if (r->rests || (!resized && w->scale == r->window.scale))
    return resized;
  r->window = *w;
  recorder_add(r,
               (recording_entry){.kind = RECORDING_SIZE, .width = w->width, .height = w->height, .density = w->scale});
  return resized;
}

void recorder_steps(recorder *r, int steps)
{
  if ((uint64_t)steps != r->steps)
    recorder_add(r, (recording_entry){.kind = RECORDING_STEPS, .number = (uint64_t)steps});
  r->steps = (uint64_t)steps;
  recorder_flush(r); /* the frame may crash the player */
}

/* Forgets which steps were written last: the reader drops all lines after the frame, so they are written again. */
void recorder_back(recorder *r, uint64_t frame, const window *w)
{
  r->window = *w;
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
  recorder_flush(r);
}

/* }== */
