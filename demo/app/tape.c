#include "demo/app/tape.h"

#include <time.h>

#include "demo/app/exec_texts.h"
#include "demo/app/game_files.h"
#include "demo/support/clock.h"
#include "demo/support/platform.h"

#define PROBLEM_MOST (OPTIONS_FILE_MOST + 256)

/* {== Opening ============================================================ */

/* Sets the options of recorded input. The time zone is UTC, so that a replay does not depend on that of the machine. */
static void prepare(options *o)
{
  if (!options_are_repeatable(o))
    return;
  platform_use_utc();
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

bool tape_open(tape *t, game *it, messages *m, char *error, size_t error_size)
{
  t->messages = m;
  if (!recorder_open(&t->recorder, t->options, it, error, error_size))
    return false;
  history_open(&t->history, it);
  if (!t->history.game) {
    snprintf(error, error_size, "--synctest: there are no addresses for copies of the game");
    return !t->options->synctest;
  }
  t->recorder.history = &t->history;
  t->clocks = (clock_filter){&t->history, history_answer_of};
  return options_are_repeatable(t->options) ||
         clock_lua_install(&t->clocks, sp_script_state(it->script), error, error_size);
}

bool tape_start_game(tape *t, game *it, const window *w, report *r)
{
  if (t->replay.is_on)
    replay_start(&t->replay, it, &t->recorder);
  t->width = w->width;
  t->height = w->height;
  tape_fit(t, it, w);
  recorder_start(&t->recorder, t->options, t->replay.is_on ? &t->replay.window : w);
  game_start(it, t->options);
  bool fine = exec_texts_run(t->options, it, r);
  if (t->replay.is_on)
    replay_begin(&t->replay);
  return fine;
}

/* }== */

/* {== The window ========================================================= */

void tape_fit(const tape *t, game *it, const window *w) { game_fit(it, t->replay.is_on ? &t->replay.window : w); }

/* Sets the size that the game sees; returns whether it has changed. */
static bool see_window(tape *t, game *it, const window *w)
{
  bool resized = t->width != w->width || t->height != w->height;
  t->width = w->width;
  t->height = w->height;
  recorder_resize(&t->recorder, w);
  game_fit(it, w);
  return resized;
}

void tape_resize(tape *t, game *it, const window *w)
{
  if (t->replay.is_on)
    return;
  if (see_window(t, it, w))
    game_resized(it, w->width, w->height);
}

void tape_fit_settings(tape *t, game *it, const window *w)
{
  if (t->replay.is_on)
    replay_take_size(&t->replay);
  else
    see_window(t, it, w);
}

game_view tape_shown(const tape *t, const game *it, const window *w)
{
  game_view shown = it->view;
  const window *seen = t->past ? t->past : t->replay.is_on ? &t->replay.window : NULL;
  if (!seen || (t->past && seen->width == w->width && seen->height == w->height))
    return shown;
  if (shown.mode == VIEW_NONE) {
    shown.own_width = seen->width;
    shown.own_height = seen->height;
    shown.mode = VIEW_FIT;
  }
  view_fit(&shown, w);
  return shown;
}

/* }== */

/* {== Frames ============================================================= */

static void report_problem(tape *t, const char *problem)
{
  report_line(problem);
  messages_notice(t->messages, NOTICE_ERROR, problem, clock_now());
  t->failed = true;
}

/* A replay skips frames without steps, in which the game was paused. */
bool tape_add_due(tape *t, int steps)
{
  if (!t->replay.is_on)
    return steps > 0;
  t->owed = t->rests ? steps : t->owed + steps;
  return t->owed > 0;
}

bool tape_is_late(const tape *t) { return t->replay.is_on && !t->rests && (t->owed > 0 || t->replay.steps == 0); }

/* Begins a frame of the recording. During a replay tape_begin_frame does that, when it is known that the frame runs. */
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
  recorder_run(&t->recorder, t->replay.steps);
  return t->replay.steps;
}

int tape_begin_frame(tape *t, bool runs, int steps, bool *ended)
{
  if (t->replay.is_on)
    return begin_replayed(t, runs, ended);
  steps = runs ? steps : 0;
  recorder_run(&t->recorder, steps);
  return steps;
}

moment tape_state(const tape *t, uint64_t played, uint64_t steps)
{
  const recorder *r = &t->recorder;
  return (moment){.played = played,
                  .steps = steps,
                  .frame_steps = (int)r->steps,
                  .width = r->width,
                  .height = r->height,
                  .density = r->density};
}

double tape_measured(tape *t, double ms)
{
  if (options_are_repeatable(t->options))
    return 0;
  return t->history.game ? history_answer_of(&t->history, ms) : ms;
}

void tape_end_frame(tape *t, bool second, uint64_t played, uint64_t steps)
{
  char problem[PROBLEM_MOST];
  if (t->replay.is_on)
    replay_end_frame(&t->replay);
  if (!recorder_end_frame(&t->recorder, second, problem, sizeof problem))
    report_problem(t, problem);
  moment state = tape_state(t, played, steps);
  history_end_frame(&t->history, &state);
}

void tape_reload(tape *t)
{
  t->edited = true;
  recorder_add(&t->recorder, (recording_entry){.kind = RECORDING_RELOAD, .number = game_files_hash(t->options->path)});
  replay_edited(&t->replay);
}

bool tape_end(tape *t)
{
  char problem[PROBLEM_MOST];
  if (!recorder_close(&t->recorder, problem, sizeof problem))
    report_problem(t, problem);
  return !t->replay.is_on || replay_print_result(&t->replay);
}

void tape_close(tape *t)
{
  history_close(&t->history);
  replay_close(&t->replay);
}

/* }== */
