#include "demo/app/input_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "demo/app/edits.h"
#include "demo/app/game_folder.h"
#include "demo/app/zip_game.h"
#include "demo/support/platform.h"
#include "demo/support/stats.h"
#include "script/host/callbacks.h"
#include "script/host/inspect.h"
#include "script/state/platform.h"
#include "script/state/strings.h"

#define PROBLEM_MOST (OPTIONS_FILE_MOST + 256)

/* {== Recording ========================================================== */

/* Makes the head of the run. */
static void make_head(input_log *l, const window *w)
{
  const options *o = l->options;
  if (l->replay.is_on)
    snprintf(l->name, sizeof l->name, "%s", l->replay.recording.head.game);
  else
    game_folder_name(o->path, l->name, sizeof l->name);
  l->head = (recording_head){.game = l->name,
                             .player = SP_VERSION,
                             .version = RECORDING_VERSION,
                             .seed = o->seed,
                             .width = w->width,
                             .height = w->height,
                             .density = w->scale,
                             .step = l->recorder.game->step,
                             .start = (uint64_t)o->start_time,
                             .memory = o->memory,
                             .trust = o->trust,
                             .clocks = o->real_clocks,
                             .arguments.count = o->game_argc < JSON_TEXTS_MOST ? o->game_argc : JSON_TEXTS_MOST};
  for (int i = 0; i < l->head.arguments.count; i++)
    l->head.arguments.list[i] = o->game_argv[i];
}

static void write_head(input_log *l, FILE *out)
{
  l->head.files = game_folder_hash(l->options->path, l->options->files);
  recording_write_head(out, &l->head);
}

static void add_stored(void *ud, const char *name, const char *digits)
{
  recorder_add(ud, (recording_entry){.kind = RECORDING_STORED, .name = name, .text = digits});
}

/* Writes the head, before the script starts, and what the game finds stored. */
static void start_recorder(input_log *l, const window *w)
{
  recorder *r = &l->recorder;
  r->window = *w;
  make_head(l, w);
  if (r->file)
    write_head(l, r->file);
  if (r->file || r->history)
    edits_record(r, &l->replay.files, l->options);
  storage_each(&r->game->storage, add_stored, r);
  recorder_flush(r);
}

const char *input_log_problem(const input_log *l)
{
  return !l->history.game ? "this run is not recorded, as with --no-timeline and --trust"
         : l->history.is_cut
             ? "the start of this run is no longer kept: it was too long, or an edit could not be recorded; "
               "start the game again"
             : recorder_problem(l->options);
}

void input_log_write(input_log *l, FILE *out, uint64_t last, bool with_state)
{
  recorder *r = &l->recorder;
  uint64_t stop = r->game->stopped && r->history ? history_error(r->history) : last;
  last = last < stop ? last : stop;
  write_head(l, out);
  for (size_t i = 0; i < l->history.count && l->history.entries[i].frame <= last; i++)
    if (edits_need(r->game, &l->history.entries[i]))
      recording_write_entry(out, &l->history.entries[i]);
  if (with_state)
    recording_write_hash(out, r->game->script, last, true);
  recording_write_entry(out, &(recording_entry){.frame = last, .kind = RECORDING_END});
}

/* }== */

/* {== Replaying: the file ================================================ */

static void say(const char *format, ...)
{
  char line[640] = "replay: ";
  va_list args;
  va_start(args, format);
  vsnprintf(line + strlen(line), sizeof line - strlen(line), format, args);
  va_end(args);
  report_line(line);
}

/* Checks that this is the recorded game, by its files, or, if it was edited since, by its name; and that it was given
   nothing then that the options do not give it now. */
static bool check_head(replay *r, const options *o, char *error, size_t error_size)
{
  const recording_head *head = &r->recording.head;
  char name[200];
  game_folder_name(o->path, name, sizeof name);
  r->is_edited = game_folder_hash(o->path, o->files) != head->files && !edits_are_there(&r->recording, o);
  if (r->is_edited && !o->is_own && !o->tested && strcmp(name, head->game) != 0)
    snprintf(error, error_size, "'%.500s' is the input of another game: %.200s, not %.200s", o->replay, head->game,
             name);
  else if (head->trust && !o->trust)
    snprintf(error, error_size,
             "'%.500s' was recorded with --trust: the game had the full Lua libraries; add --trust "
             "if you trust it too",
             o->replay);
  else if (head->memory > o->memory && !o->bug)
    snprintf(error, error_size,
             "'%.500s' was recorded with more memory: add --memory %" PRIu64 " if the game may have it", o->replay,
             (head->memory + (1 << 20) - 1) >> 20);
  else
    return true;
  return false;
}

static void report_differences(const replay *r, const options *o)
{
  const recording_head *head = &r->recording.head;
  if (r->is_quiet)
    return;
  if (r->is_edited)
    say("the game was edited since this was recorded; the replay may differ");
  if (strcmp(head->player, SP_VERSION) != 0)
    say("recorded with version %.100s of spawnpool, this is " SP_VERSION "; it may go another way", head->player);
  if (o->sized && (o->width != head->width || o->height != head->height))
    say("recorded in %dx%d, which the game sees; the view is scaled to %dx%d", head->width, head->height, o->width,
        o->height);
  if (!r->recording.is_whole)
    say("the recording is incomplete: the player was stopped while recording");
}

static void use_head(const replay *r, options *o)
{
  const recording_head *head = &r->recording.head;
  o->seed = head->seed;
  o->seeded = true;
  o->memory = head->memory < o->memory ? (size_t)head->memory : o->memory;
  o->start_time = (int64_t)head->start;
  o->real_clocks = head->clocks;
  o->step = head->step;
  o->game_argc = head->arguments.count;
  o->game_argv = (char **)head->arguments.list;
  if (o->sized)
    return;
  o->width = head->width;
  o->height = head->height;
}

/* Sets the options of recorded input. The time zone is UTC, so that a replay does not depend on that of the machine. */
static void prepare(options *o)
{
  if (!options_are_repeatable(o))
    return;
  platform_use_utc();
  if (o->start_time == 0)
    o->start_time = (int64_t)time(NULL);
}

/* Returns whether the game holds a recording that is to be played: nothing else was asked for. */
static bool has_own(const options *o)
{
  char path[OPTIONS_FILE_MOST];
  bool is_plain = !o->replay[0] && !o->record_input[0] && !o->synctest && !o->seeded && !o->exec_count &&
                  !o->game_argc && !o->release;
  snprintf(path, sizeof path, "%.900s/" RECORDING_OWN, o->path);
  return is_plain && (o->files ? recording_in(o->files) != NULL : platform_exists(path));
}

/* Reads the recording: a file, one in a bug file, or that of the game. */
static bool read_recording(input_log *l, options *o, char *error, size_t error_size)
{
  recording *r = &l->replay.recording;
  o->is_own = !o->replay[0];
  if (o->is_own)
    snprintf(o->replay, sizeof o->replay, "%.900s/" RECORDING_OWN, o->path);
  o->bug = o->is_own || zip_game_is(o->replay);
  return o->is_own && o->files ? recording_read_listed(r, o->replay, o->files, error, error_size)
                               : recording_read(r, o->is_own ? o->path : NULL, o->replay, error, error_size);
}

bool input_log_load(input_log *l, options *o, char *error, size_t error_size)
{
  *l = (input_log){.options = o};
  if (o->replay[0] || has_own(o)) {
    if (!read_recording(l, o, error, error_size) || !check_head(&l->replay, o, error, error_size))
      return false;
    l->replay.is_on = true;
    l->replay.is_quiet = l->replay.is_reported = o->tested;
    l->hurries = o->bug && !o->headless;
    report_differences(&l->replay, o);
    use_head(&l->replay, o);
  } else {
    o->real_clocks = options_are_recorded(o);
  }
  prepare(o);
  return true;
}

/* Gives the game the files of that frame. */
static void use_files(replay *r, uint64_t frame)
{
  r->edits = r->edits && recording_files_at(&r->files, r->recording.entries, r->recording.count, frame);
  sp_script_use_texts(r->game->script, r->edits ? r->files.list : NULL);
}

static void start_replay(replay *r, game *it, recorder *to, bool as_recorded)
{
  const recording_head *head = &r->recording.head;
  r->game = it;
  r->recorder = to;
  r->steps = 1;
  r->window = (window){.width = head->width, .height = head->height, .scale = head->density};
  r->edits = as_recorded || !r->is_edited;
  use_files(r, 0);
  for (size_t i = 0; i < r->recording.count && r->recording.entries[i].frame == 0; i++)
    if (r->recording.entries[i].kind == RECORDING_STORED)
      storage_give(&it->storage, r->recording.entries[i].name, r->recording.entries[i].text);
}

void replay_seek(replay *r, const checkpoint *at)
{
  r->frame = at->frame;
  r->steps = at->frame_steps;
  r->window = at->window;
  r->has_ended = false;
  r->next = r->next_clock = recording_after(r->recording.entries, r->recording.count, at->frame);
  use_files(r, r->frame);
}

/* }== */

/* {== Replaying: input =================================================== */

static void give_event(replay *r, const recording_entry *e)
{
  recorder_event(r->recorder, &e->event, e->unheard);
  input_change change = input_event(&r->game->input, &e->event, !e->unheard);
  if (!e->unheard)
    game_input(r->game, &change);
  if (e->event.type == SDL_WINDOWEVENT)
    game_focus(r->game, e->event.window.event == SDL_WINDOWEVENT_FOCUS_GAINED);
}

/* Sets the size of the window to that of the entry; returns whether it differs. */
static bool resize(replay *r, const recording_entry *e)
{
  bool resized = e->width != r->window.width || e->height != r->window.height;
  r->window = (window){.width = e->width, .height = e->height, .scale = e->density};
  recorder_size(r->recorder, &r->window);
  game_fit(r->game, &r->window);
  return resized;
}

static void give_command(replay *r, const recording_entry *e)
{
  char unused[512];
  sp_script_select(r->game->script, e->object);
  if (e->kind == RECORDING_EVAL)
    sp_script_eval(r->game->script, e->text);
  else
    sp_script_set_field(r->game->script, e->object, e->name, e->text, unused, sizeof unused);
}

/* Runs the files that this poll had found changed. */
static void repeat_poll(replay *r, sp_poll how)
{
  r->has_polled = true;
  game_reloaded(r->game, sp_script_repeat(r->game->script, how));
}

static void give(replay *r, const recording_entry *e)
{
  switch (e->kind) {
  case RECORDING_EVENT:
    give_event(r, e);
    break;
  case RECORDING_STEPS:
    r->steps = (int)e->number;
    break;
  case RECORDING_SIZE:
    if (resize(r, e))
      game_resized(r->game, e->width, e->height);
    break;
  case RECORDING_EVAL:
  case RECORDING_SET:
    give_command(r, e);
    break;
  case RECORDING_QUIT:
    game_may_quit(r->game);
    r->has_ended = e->ended;
    recorder_add(r->recorder, *e);
    break;
  case RECORDING_FILE:
    if (r->frame > 0 && r->edits) {
      sp_script_change(r->game->script, recording_files_take(&r->files, e));
      recorder_add(r->recorder, *e);
    }
    break;
  case RECORDING_RELOAD:
    if (r->edits) {
      repeat_poll(r, e->at_once ? SP_POLL_NOW : SP_POLL_LOOK);
      recorder_add(r->recorder, *e);
    } else {
      game_resume(r->game); /* the edited files run from the start */
    }
    break;
  default:
    break;
  }
}

/* Returns the next entry, if it belongs to the current frame. */
static const recording_entry *next_entry(const replay *r)
{
  const recording_entry *e = r->next < r->recording.count ? &r->recording.entries[r->next] : NULL;
  return e && e->frame == r->frame ? e : NULL;
}

/* Replays the input of the current frame, up to the entries that are compared at its end. */
static void give_input(replay *r)
{
  for (const recording_entry *e; (e = next_entry(r)) != NULL; r->next++) {
    if (e->kind == RECORDING_HASH || e->kind == RECORDING_POOL || e->kind == RECORDING_DIGEST)
      return;
    give(r, e);
  }
}

/* }== */

/* {== Replaying: comparing =============================================== */

static void report_first(replay *r, uint64_t at)
{
  char where[400];
  unsigned second = 0;
  cJSON *recorded = recording_parts(&r->recording, at);
  for (size_t i = 0; i < r->next; i++)
    second += r->recording.entries[i].kind == RECORDING_HASH;
  state_parts_compare(recorded, r->game->script, where, sizeof where);
  say("frame %" PRIu64 " is the first that differs from the recording; at the end of second %u, frame %" PRIu64 ": %s",
      r->first, second + 1, at, where);
  cJSON_Delete(recorded);
  r->is_reported = true;
}

static void compare_hash(replay *r, const recording_entry *e)
{
  r->hashes++;
  if (sp_script_hash(r->game->script, NULL, NULL) == e->number) {
    r->same_to = e->frame;
    return;
  }
  r->differing++;
  r->first = r->first ? r->first : e->frame;
  if (!r->is_reported)
    report_first(r, e->frame);
}

/* Ends the frame: compares the state of the game with the recording. */
static void compare(replay *r)
{
  for (const recording_entry *e; (e = next_entry(r)) != NULL; r->next++)
    if (e->kind == RECORDING_HASH)
      compare_hash(r, e);
    else if (e->kind == RECORDING_DIGEST && r->first == 0 && sp_script_digest(r->game->script) != e->number)
      r->first = e->frame;
}

bool replay_begin_frame(replay *r)
{
  if (r->frame >= r->recording.last)
    return false;
  r->frame++;
  if (r->watch)
    sp_watch_frame(r->watch, r->frame);
  recorder_begin_frame(r->recorder);
  r->has_polled = false;
  give_input(r);
  if (r->has_ended)
    compare(r);
  else if (r->edits && !r->has_polled)
    repeat_poll(r, SP_POLL_LOOK);
  return !r->has_ended;
}

/* Prints the result; returns whether the run was as recorded, or the game was edited. */
static bool print_result(const replay *r)
{
  if (r->is_quiet)
    return true;
  const char *end = r->game && r->game->stopped ? "; it ends in the error of the script" : "";
  if (r->differing == 0 && r->first > 0)
    say("frame %" PRIu64 " differs from the recording, but no hash does%s", r->first, end);
  else if (r->differing > 0)
    say("%" PRIu64 " frames; %" PRIu64 " of %" PRIu64 " hashes differ%s", r->frame, r->differing, r->hashes, end);
  else if (!r->watch)
    say("%" PRIu64 " frames, %" PRIu64 " hash%s, all as recorded%s", r->frame, r->hashes, r->hashes == 1 ? "" : "es",
        end);
  return (r->differing == 0 && r->first == 0) || r->is_edited;
}

/* }== */

/* {== The run ============================================================ */

bool input_log_open(input_log *l, game *it, messages *m, char *error, size_t error_size)
{
  l->messages = m;
  if (!recorder_open(&l->recorder, l->options, it, error, error_size))
    return false;
  history_open(&l->history, it, options_are_recorded(l->options));
  l->recorder.history = l->history.game ? &l->history : NULL;
  snprintf(error, error_size, "--synctest: the system has no address space for copies of the game");
  return sp_script_has_checkpoints(it->script) || !l->options->synctest;
}

/* Runs the texts of --exec in order. False after an error, which skips the rest. */
static bool run_texts(const options *o, const game *it, report *r)
{
  for (int i = 0; i < o->exec_count && !it->stopped; i++) {
    sp_eval outcome = sp_script_eval(it->script, o->exec[i]);
    if (outcome == SP_EVAL_MORE)
      report_say(r, SP_REPORT_ERROR, "--exec: the code is incomplete");
    if (outcome != SP_EVAL_DONE)
      return false;
  }
  return true;
}

bool input_log_start_game(input_log *l, const window *w, report *r)
{
  game *it = l->recorder.game;
  if (l->replay.is_on)
    start_replay(&l->replay, it, &l->recorder, l->options->as_recorded);
  input_log_fit(l, w);
  start_recorder(l, l->replay.is_on ? &l->replay.window : w);
  game_start(it, l->options);
  bool fine = run_texts(l->options, it, r);
  if (l->replay.is_on)
    give_input(&l->replay);
  return fine;
}

static void report_problem(input_log *l, const char *problem)
{
  report_line(problem);
  messages_notice(l->messages, NOTICE_ERROR, problem, clock_now());
  l->failed = true;
}

bool input_log_end(input_log *l)
{
  char problem[PROBLEM_MOST];
  if (!recorder_close(&l->recorder, problem, sizeof problem))
    report_problem(l, problem);
  return !l->replay.is_on || print_result(&l->replay);
}

void input_log_close(input_log *l)
{
  history_close(&l->history);
  recording_files_free(&l->replay.files);
  recording_free(&l->replay.recording);
}

/* }== */

/* {== The window ========================================================= */

/* Returns the window as the game sees it. */
static const window *seen_window(const input_log *l, const window *w)
{
  return l->past ? &l->past->window : l->replay.is_on ? &l->replay.window : w;
}

void input_log_fit(const input_log *l, const window *w) { game_fit(l->recorder.game, seen_window(l, w)); }

void input_log_resize(input_log *l, const window *w)
{
  bool resized = !l->replay.is_on && recorder_size(&l->recorder, w);
  input_log_fit(l, w);
  if (resized)
    game_resized(l->recorder.game, w->width, w->height);
}

/* A recorded size before the first frame is the one that main.lua has asked for. It stands behind what the game had. */
void input_log_fit_settings(input_log *l, const window *w)
{
  replay *r = &l->replay;
  const recording_entry *e = NULL;
  while (r->is_on && r->frame == 0 && (e = next_entry(r)) != NULL &&
         (e->kind == RECORDING_FILE || e->kind == RECORDING_STORED))
    r->next++;
  if (e && e->kind == RECORDING_SIZE) {
    resize(r, e);
    r->next++;
  } else if (!r->is_on) {
    recorder_size(&l->recorder, w);
  }
  input_log_fit(l, w);
}

game_view input_log_shown(const input_log *l, const window *w)
{
  game_view shown = l->recorder.game->view;
  const window *seen = seen_window(l, w);
  if (seen == w || (l->past && seen->width == w->width && seen->height == w->height))
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

/* A replay skips frames without steps, in which the game was paused. */
bool input_log_add_due(input_log *l, int steps)
{
  if (!l->replay.is_on)
    return steps > 0;
  l->owed = l->rests ? steps : l->owed + steps;
  return l->owed > 0;
}

bool input_log_is_late(const input_log *l)
{
  return l->replay.is_on && !l->rests && (l->owed > 0 || l->replay.steps == 0 || l->hurries);
}

/* During a replay input_log_begin_frame begins the frame, when it is known that it runs. */
void input_log_new_frame(input_log *l)
{
  if (!l->replay.is_on)
    recorder_begin_frame(&l->recorder);
}

int input_log_begin_frame(input_log *l, bool runs, int steps, bool *ended)
{
  steps = runs ? steps : 0;
  if (l->replay.is_on) {
    l->rests = !runs;
    if (!runs)
      return -1;
    *ended = !replay_begin_frame(&l->replay);
    steps = l->replay.steps;
    l->owed -= steps;
    if (*ended)
      return -1;
  }
  recorder_steps(&l->recorder, steps);
  return steps;
}

checkpoint input_log_state(const input_log *l, uint64_t played, uint64_t steps)
{
  const recorder *r = &l->recorder;
  return (checkpoint){.played = played, .steps = steps, .frame_steps = (int)r->steps, .window = r->window};
}

void input_log_end_frame(input_log *l, bool second, uint64_t played, uint64_t steps)
{
  char problem[PROBLEM_MOST];
  if (l->replay.is_on)
    compare(&l->replay);
  if (!recorder_check(&l->recorder, second, problem, sizeof problem))
    report_problem(l, problem);
  checkpoint state = input_log_state(l, played, steps);
  history_end_frame(&l->history, &state);
}

void input_log_reload(input_log *l, bool at_once)
{
  replay *r = &l->replay;
  recorder_add(&l->recorder, (recording_entry){.kind = RECORDING_RELOAD, .at_once = at_once});
  r->is_edited = r->is_reported = true;
  if (r->edits) {
    r->edits = false;
    use_files(r, r->frame);
    sp_script_compare(r->game->script);
  }
}

/* }== */
