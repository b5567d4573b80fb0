/*
** Opening and closing, events, answers, and what the host asks. frame.c runs the frames.
*/
#include "session/session.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/binding.h"
#include "core/spawnpool_tools.h"
#include "script/host/callbacks.h"
#include "script/host/host.h"
#include "script/host/inspect.h"
#include "script/state/strings.h"
#include "session/clock.h"
#include "session/events.h"
#include "session/frame.h"
#include "session/module.h"
#include "session/open.h"
#include "session/past.h"
#include "session/recorder.h"
#include "session/replay.h"
#include "session/storage.h"
#include "session/voices.h"
#include "session/why.h"

#define HISTORY_SECONDS 120.0
#define HISTORY_BYTES ((size_t)256 << 20)

/* {== Options ============================================================= */

void sp_session_options_init(sp_session_options *options, size_t size)
{
  const sp_session_options defaults = {.size = size};
  memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

static const char *wrong_options(const sp_session_options *given, const sp_script_options *script)
{
  return given->size == 0                ? "sp_session_options: size is 0: make it by sp_session_defaults"
         : given->size > sizeof *given   ? "sp_session_options: size is that of a newer header than the library"
         : !given->script                ? "sp_session_options: script is missing"
         : script->size == 0             ? "sp_script_options: size is 0: make it by sp_script_defaults"
         : script->size > sizeof *script ? "sp_script_options: size is that of a newer header than the library"
         : script->repeatable || script->checkpoints ? "a session is repeatable, and has checkpoints, by itself: leave "
                                                       "these options of the script out"
         : script->real_clocks || script->start_time
             ? "clocks and the time at the start are the session's: leave these "
               "options of the script out"
         : isnan(given->history) ? "sp_session_options: history is a number of seconds"
                                 : NULL;
}

static char *copy_string(const char *text)
{
  char *copy = malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

static bool take_options(sp_session *s, const sp_session_options *given, char *error, size_t error_size)
{
  sp_script_options script = {.size = 0};
  if (given->size > 0 && given->size <= sizeof *given && given->script && given->script->size <= sizeof script)
    memcpy(&script, given->script, given->script->size);
  const char *wrong = wrong_options(given, &script);
  if (wrong) {
    snprintf(error, error_size, "%s", wrong);
    return false;
  }
  memcpy(&s->options, given, given->size);
  script.size = sizeof script;
  s->script_options = script;
  s->path = copy_string(script.path ? script.path : "");
  s->storage = given->storage ? copy_string(s->options.storage) : NULL;
  s->script_options.path = s->path;
  s->options.script = &s->script_options;
  s->options.storage = s->storage;
  if (s->path && (s->storage || !s->options.storage))
    return true;
  snprintf(error, error_size, "out of memory");
  return false;
}

/* }== */

/* {== Opening ============================================================= */

/* Everything that the script reports. */
static void on_report(void *ud, sp_report kind, const char *text)
{
  sp_session *s = ud;
  const bool is_error = kind == SP_REPORT_ERROR;
  s->errors += is_error;
  if (is_error && sp_session_is_live(s))
    sp_recorder_error(s, text);
  sp_session_tell(s, kind, text);
}

/* A command of a person, or a call of the program, between two frames. */
static void on_command(void *ud, sp_ref object, const char *field, const char *text)
{
  sp_session *s = ud;
  char name[300] = "";
  if (s->is_busy)
    return;
  sp_session_before_change(s);
  if (!sp_session_is_live(s))
    return;
  sp_session_name_object(s, object, name, sizeof name);
  if (!sp_utf8_is_valid(text, strlen(text)))
    s->log.is_cut = true;
  else if (field)
    sp_session_note(s,
                    (sp_entry){.kind = SP_ENTRY_SET, .name = name, .field = field, .text = text, .size = strlen(text)});
  else
    sp_session_note(s, (sp_entry){.kind = SP_ENTRY_EVAL, .name = name, .text = text, .size = strlen(text)});
}

static void on_call(void *ud, const char *name, const sp_call_value *values, size_t count)
{
  sp_session *s = ud;
  char letters[SP_CALL_VALUES_MOST][2];
  sp_session_event_field fields[SP_CALL_VALUES_MOST];
  bool is_plain = true;
  if (s->is_busy)
    return;
  sp_session_before_change(s);
  for (size_t i = 0; i < count; i++) {
    letters[i][0] = values[i].kind;
    letters[i][1] = '\0';
    fields[i] = (sp_session_event_field){letters[i], values[i].number, values[i].text};
    is_plain = is_plain && strchr("nibs", values[i].kind) && isfinite(values[i].number) &&
               (!values[i].text || sp_utf8_is_valid(values[i].text, strlen(values[i].text)));
  }
  if (!sp_session_is_live(s))
    return;
  if (is_plain)
    sp_session_note(s, (sp_entry){.kind = SP_ENTRY_CALL, .name = name, .fields = fields, .field_count = count});
  else
    s->log.is_cut = true; /* what it did cannot be repeated */
}

/* main.lua has returned its table. */
static void on_main(void *ud)
{
  sp_session *s = ud;
  sp_frame_read_settings(s);
  if (s->script_options.on_main)
    s->script_options.on_main(s->script_options.main_ud);
}

static void on_sound(void *ud, lua_State *L, sp_ref object, const char *sound)
{
  sp_session *s = ud;
  sp_voices_sound(s, L, object, sound);
  if (s->script_options.on_sound && sp_session_is_live(s))
    s->script_options.on_sound(s->script_options.sound_ud, L, object, sound);
}

static bool install(sp_session *s)
{
  lua_State *L = sp_script_state(s->script);
  return sp_input_install(s->seats, &s->memory->input, sp_session_reachable, L) &&
         sp_module_install("input", s->seats, L) && sp_module_install("view", &s->memory->view, L) &&
         sp_module_install("storage", s, L) && sp_module_install("audio", s, L) && sp_clock_install(s);
}

static bool open_script(sp_session *s, char *error, size_t error_size)
{
  sp_script_options o = s->script_options;
  static const sp_script_file no_files[] = {{"main.lua", "return {}", 0}, {NULL, NULL, 0}};
  o.repeatable = true;
  o.checkpoints = s->options.history >= 0;
  o.start_time = (int64_t)floor(s->head.start);
  o.report = on_report;
  o.report_ud = s;
  o.on_main = on_main;
  o.main_ud = s;
  o.on_sound = on_sound;
  o.sound_ud = s;
  if (s->runs_recorded) {
    o.files = no_files;
    o.path = s->head.game;
  }
  s->script = sp_script_open(&o, error, error_size);
  if (!s->script)
    return false;
  lua_State *L = sp_script_state(s->script);
  s->memory = sp_area_take(L, sizeof *s->memory);
  if (s->memory) {
    s->memory->volume = s->memory->music_volume = 1;
    sp_view_open(&s->memory->view);
  }
  if (s->memory && install(s))
    return true;
  snprintf(error, error_size, "not enough memory for the session");
  return false;
}

static double checked_powers(int i) { return pow(0.37 + i * 0.611, (i - 31) * 0.173); }

/* Returns a checksum of what `^` gives on this machine. */
static uint64_t sum_powers(void)
{
  uint64_t sum = SP_SUM_BEGIN;
  for (int i = 0; i < 64; i++) {
    const double power = checked_powers(i);
    sum = sp_sum(sum, &power, sizeof power);
  }
  return sum;
}

static void make_head(sp_session *s)
{
  sp_head *h = &s->head;
  const size_t length = strlen(s->path);
  const char *slash = strrchr(s->path, '/'), *name = slash ? slash + 1 : s->path;
  const bool is_file = length > 4 && strcmp(s->path + length - 4, ".lua") == 0 && !s->script_options.files;
  snprintf(h->game, sizeof h->game, "%s", name[0] && strcmp(name, ".") != 0 ? name : "game");
  if (!sp_utf8_is_valid(h->game, strlen(h->game)))
    snprintf(h->game, sizeof h->game, "game");
  snprintf(h->main, sizeof h->main, "%s", is_file ? name : "");
  snprintf(h->library, sizeof h->library, "%s", SP_VERSION);
  h->seed = s->script_options.seed;
  h->memory = s->script_options.memory_limit;
  h->start = floor(sp_clock_of_machine());
  h->reload = s->script_options.reload;
  h->trust = s->script_options.trust;
  h->needs_apply = s->options.apply != NULL;
  h->needs_draw = s->options.draw != NULL;
  h->needs_opened = s->options.opened != NULL;
  h->powers = sum_powers();
}

/* Says what may make the replay go another way. */
static void warn_of_head(sp_session *s)
{
  const sp_head *h = &s->head;
  char line[200];
  if (h->powers != sum_powers())
    sp_session_warn(s, "recorded on a machine that computes powers otherwise: it may go another way");
  if (strcmp(h->library, SP_VERSION) != 0) {
    snprintf(line, sizeof line, "recorded with version %s of spawnpool, this is " SP_VERSION, h->library);
    sp_session_warn(s, line);
  }
  if ((h->needs_apply && !s->options.apply) || (h->needs_opened && !s->options.opened)) {
    snprintf(line, sizeof line, "recorded by a program with functions of its own%s: it may go another way",
             h->needs_apply && !s->options.apply ? " for events" : "");
    sp_session_warn(s, line);
  }
}

/* The recording decides what the game depends on, but for memory and trust, which the host bounds. */
static bool use_recording(sp_session *s, sp_recording *r, char *error, size_t error_size)
{
  const size_t most = s->script_options.memory_limit;
  s->head = r->head;
  s->log = r->log;
  s->recorded_to = r->last;
  r->head.argument_count = 0;
  r->log = (sp_log){.list = NULL};
  s->is_replay = true;
  s->runs_recorded = s->options.files == SP_SESSION_FILES_RECORDED;
  s->script_options.seed = s->head.seed;
  s->script_options.step = s->head.step;
  s->script_options.reload = s->head.reload;
  s->script_options.memory_limit =
      most > 0 && (s->head.memory == 0 || s->head.memory > most) ? most : (size_t)s->head.memory;
  if (s->head.trust && !s->script_options.trust)
    snprintf(error, error_size, "recorded with trust, which this host does not give");
  s->script_options.trust = s->head.trust && s->script_options.trust && !s->runs_recorded;
  return !s->head.trust || s->script_options.trust;
}

static void measure_step(sp_session *s)
{
  sp_clock clock = {.step = 1.0 / 60};
  const sp_manager *m = sp_script_pools(s->script);
  if (m)
    sp_manager_clock(m, &clock);
  s->step = clock.step;
  s->second = (uint32_t)fmax(1, round(1 / clock.step));
  if (!s->is_replay)
    s->head.step = clock.step;
}

static void open_history(sp_session *s)
{
  const double seconds = s->options.history > 0 ? s->options.history : HISTORY_SECONDS;
  const size_t bytes = s->options.history_bytes > 0 ? s->options.history_bytes : HISTORY_BYTES;
  s->options.history_bytes = bytes;
  s->history = (sp_history){.most = bytes - bytes / 4,
                            .frames = seconds / s->step,
                            .every = s->options.checkpoint_every,
                            .second = s->second};
  if (s->options.history >= 0 && sp_script_has_checkpoints(s->script))
    s->history.start = sp_script_checkpoint(s->script, NULL);
}

sp_session *sp_session_open_with(const sp_session_options *options, sp_recording *r, char *error, size_t error_size)
{
  sp_session *s = calloc(1, sizeof *s);
  if (!s) {
    snprintf(error, error_size, "out of memory");
    return NULL;
  }
  bool fine = take_options(s, options, error, error_size);
  if (fine && r)
    fine = use_recording(s, r, error, error_size);
  else if (fine)
    make_head(s);
  fine = fine && open_script(s, error, error_size);
  if (!fine) {
    sp_session_close(s);
    return NULL;
  }
  measure_step(s);
  if (s->runs_recorded)
    sp_session_use_texts(s, 0);
  sp_script_on_command(s->script, on_command, s);
  sp_script_on_call(s->script, on_call, s);
  sp_recorder_listen(s);
  if (!r)
    sp_storage_read(s);
  s->is_busy = true;
  if (s->options.opened)
    s->options.opened(s->options.ud, s);
  s->is_busy = false;
  open_history(s);
  if (r)
    warn_of_head(s);
  return s;
}

sp_session *sp_session_open(const sp_session_options *options, char *error, size_t error_size)
{
  return sp_session_open_with(options, NULL, error, error_size);
}

void sp_session_close(sp_session *s)
{
  if (!s)
    return;
  if (s->script) {
    if (s->past.is_on)
      sp_session_back(s);
    sp_replay_end_recording(s);
    sp_why_end(s);
    sp_past_close(s);
  }
  sp_history_close(&s->history);
  sp_checkpoint_free(s->before);
  sp_checkpoint_free(s->after);
  if (s->memory && s->script)
    s->is_again = true; /* finalisers of the game are no part of the run */
  sp_area *memory = s->memory;
  if (memory && !sp_script_has_checkpoints(s->script))
    sp_area_close(sp_script_state(s->script), memory);
  sp_script_close(s->script);
  for (size_t i = 0; i < s->event_room; i++)
    sp_entry_free(&s->events[i]);
  free(s->events);
  for (size_t i = 0; i < SP_SESSION_SAID_MOST; i++)
    free(s->said[i]);
  sp_texts_free(&s->texts);
  sp_text_free(&s->recorder.line);
  sp_log_free(&s->log);
  sp_head_free(&s->head);
  free(s->path);
  free(s->storage);
  free(s);
}

/* }== */
