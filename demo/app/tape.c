#define _XOPEN_SOURCE 700 /* tzset */

#include "demo/app/tape.h"

#include <stdlib.h>
#include <time.h>

#include "demo/app/exec_texts.h"

#define PROBLEM_MOST (OPTIONS_FILE_MOST + 256)

/* {== Opening ============================================================ */

/* Times of day are those of UTC, wherever the recording is played. */
static void prepare(options *o)
{
  if (!options_are_repeatable(o))
    return;
  setenv("TZ", "UTC0", 1);
  tzset();
  if (o->start_time == 0)
    o->start_time = (int64_t)time(NULL);
}

bool tape_load(tape *t, options *o, char *error, size_t error_size)
{
  *t = (tape){.options = o};
  if (!replay_open(&t->replay, o, error, error_size))
    return false;
  prepare(o);
  return true;
}

bool tape_open(tape *t, game *it, notice *n, char *error, size_t error_size)
{
  t->notice = n;
  return recorder_open(&t->recorder, t->options, it, error, error_size);
}

bool tape_start_game(tape *t, game *it, draw_view view, report *r)
{
  if (t->replay.is_on)
    replay_start(&t->replay, it, &t->recorder);
  view = tape_view(t, view);
  recorder_start(&t->recorder, t->options, &view);
  game_start(it, t->options, &view);
  bool fine = exec_texts_run(t->options, it, r);
  if (t->replay.is_on)
    replay_begin(&t->replay);
  return fine;
}

/* }== */

/* {== Frames ============================================================= */

static void report_problem(tape *t, const char *problem)
{
  report_line(problem);
  notice_set(t->notice, NOTICE_ERROR, problem,
             (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency());
  t->failed = true;
}

draw_view tape_view(const tape *t, draw_view own) { return t->replay.is_on ? t->replay.view : own; }

/* Stretches without steps are those in which the game was paused: they pass at once. */
bool tape_add_due(tape *t, int steps)
{
  if (!t->replay.is_on)
    return steps > 0;
  t->owed = t->rests ? steps : t->owed + steps;
  return t->owed > 0;
}

bool tape_is_late(const tape *t) { return t->replay.is_on && !t->rests && (t->owed > 0 || t->replay.steps == 0); }

/* During a replay the frame begins only when it is known that it runs. */
void tape_new_frame(tape *t)
{
  if (!t->replay.is_on)
    recorder_begin_frame(&t->recorder);
}

static int begin_replayed(tape *t, bool runs, bool *ended)
{
  t->rests = !runs;
  if (!runs)
    return -1;
  *ended = !replay_begin_frame(&t->replay);
  t->owed -= t->replay.steps;
  if (*ended)
    return -1;
  recorder_run(&t->recorder, t->replay.steps, &t->replay.view);
  return t->replay.steps;
}

int tape_begin_frame(tape *t, bool runs, int steps, draw_view view, bool *ended)
{
  if (t->replay.is_on)
    return begin_replayed(t, runs, ended);
  steps = runs ? steps : 0;
  recorder_run(&t->recorder, steps, &view);
  return steps;
}

void tape_end_frame(tape *t, bool second)
{
  char problem[PROBLEM_MOST];
  if (t->replay.is_on)
    replay_end_frame(&t->replay);
  if (!recorder_end_frame(&t->recorder, second, problem, sizeof problem))
    report_problem(t, problem);
}

void tape_reload(tape *t)
{
  t->edited = true;
  recorder_reload(&t->recorder, t->options);
  replay_edited(&t->replay);
}

bool tape_end(tape *t)
{
  char problem[PROBLEM_MOST];
  if (!recorder_close(&t->recorder, problem, sizeof problem))
    report_problem(t, problem);
  return !t->replay.is_on || replay_tell(&t->replay);
}

void tape_close(tape *t) { replay_close(&t->replay); }

/* }== */
