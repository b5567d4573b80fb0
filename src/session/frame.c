#include "session/frame.h"

#include <stdio.h>
#include <string.h>

#include "core/spawnpool_tools.h"
#include "script/host/callbacks.h"
#include "script/host/inspect.h"
#include "session/changes.h"
#include "session/events.h"
#include "session/recorder.h"
#include "session/replay.h"
#include "session/storage.h"
#include "session/voices.h"

/* {== Parts of a frame ==================================================== */

static sp_session_event event_of(const sp_entry *e) { return (sp_session_event){e->name, e->fields, e->field_count}; }

static void apply(sp_session *s, const sp_entry *e)
{
  const sp_session_event event = event_of(e);
  sp_area *m = s->memory;
  if (!sp_event_note(&event, &m->input, &m->view) || m->is_stopped)
    return;
  if (s->options.apply)
    s->options.apply(s->options.ud, s, &event);
  else
    sp_session_call(s, &event);
}

/* Runs the rest of a frame, behind its events. */
static void run(sp_session *s, bool shown)
{
  sp_area *m = s->memory;
  const sp_call_value dt = {.kind = 'n', .number = s->step};
  bool unused;
  if (!m->is_stopped) {
    sp_input_step(&m->input);
    m->is_stopped = sp_script_call_values(s->script, "update", &dt, 1, &unused) > SP_CALL_ABSENT;
  }
  if (!m->is_stopped) {
    sp_script_update(s->script, s->step);
    sp_voices_step(s);
  }
  sp_session_draw(s, shown);
}

static void begin(sp_session *s, uint64_t frame)
{
  s->memory->frame = frame;
  s->is_running = true;
}

/* Input is bounded: a run that is too long can no longer be written down, and the past goes on. */
static void bound_log(sp_session *s)
{
  const size_t most = s->options.history_bytes / 4;
  if (s->is_replay || sp_log_bytes(&s->log) <= most)
    return;
  sp_checkpoint_free(s->history.start);
  s->history.start = NULL;
  if (s->history.count == 1 && s->history.list[0].frame < s->present)
    sp_history_take(&s->history, s->script, s->present, true);
  while (s->history.count > 1 && sp_log_bytes(&s->log) > most / 2) {
    sp_history_drop_first(&s->history);
    sp_log_forget(&s->log, s->history.list[0].frame);
  }
  if (s->history.count == 0)
    sp_log_forget(&s->log, s->present);
}

/* The end of a frame of the present. */
static void end(sp_session *s)
{
  s->present = s->memory->frame;
  s->has_polled = false;
  if (!s->memory->is_stopped)
    sp_replay_end_frame(s);
  s->is_running = false;
  if (s->options.history >= 0 && sp_script_has_checkpoints(s->script) && !s->memory->is_stopped)
    sp_history_take(&s->history, s->script, s->present, false);
  bound_log(s);
}

/* }== */

/* {== Edits =============================================================== */

static void warn_of_action(void *ud, const char *problem) { sp_session_warn(ud, problem); }

void sp_frame_read_settings(sp_session *s)
{
  sp_view_settle(&s->memory->view, s->script);
  if (sp_script_push_setting(s->script, "actions"))
    sp_input_take_actions(sp_script_state(s->script), warn_of_action, s);
}

static void after_poll(sp_session *s, sp_poll_result result, uint64_t frame)
{
  if (result == SP_POLL_RELOADED) {
    s->memory->is_stopped = false;
    sp_frame_read_settings(s);
  }
  if (result != SP_POLL_NOTHING && !s->past.is_on && s->options.edited)
    sp_changes_tell(s, result, frame);
}

static bool has_files(const sp_log *log, size_t from)
{
  for (; from < log->count; from++)
    if (log->list[from].kind == SP_ENTRY_FILE)
      return true;
  return false;
}

/* A poll that found nothing, and came after another one, changes nothing. */
sp_poll_result sp_frame_poll(sp_session *s, sp_poll how, bool by_host)
{
  const size_t from = s->log.count;
  const bool was_busy = s->is_busy;
  s->is_busy = s->is_polling = true;
  const sp_poll_result result = sp_script_poll(s->script, how);
  s->is_polling = false;
  if (result != SP_POLL_NOTHING || has_files(&s->log, from) || (by_host && !s->has_polled && s->head.reload))
    sp_session_note(s, (sp_entry){.kind = SP_ENTRY_POLL, .number = (uint64_t)how});
  s->has_polled = true;
  after_poll(s, result, sp_session_frame(s));
  s->is_busy = was_busy;
  return result;
}

/* }== */

/* {== Live ================================================================ */

static void start_script(sp_session *s)
{
  s->is_running = true;
  s->memory->is_stopped = !sp_script_start(s->script, s->head.argument_count, s->head.arguments);
  s->memory->is_started = true;
  s->is_running = false;
}

void sp_frame_start(sp_session *s)
{
  sp_recorder_begin(s);
  sp_storage_note(s);
  for (size_t i = 0; i < s->event_count; i++) {
    const sp_session_event event = event_of(&s->events[i]);
    sp_session_note(s, s->events[i]);
    sp_event_note(&event, &s->memory->input, &s->memory->view);
  }
  s->event_count = 0;
  start_script(s);
}

bool sp_frame_live(sp_session *s)
{
  sp_frame_poll(s, SP_POLL_LOOK, false);
  if (s->memory->is_stopped)
    return false;
  begin(s, s->present + 1);
  for (size_t i = 0; i < s->event_count; i++) {
    sp_session_note(s, s->events[i]);
    apply(s, &s->events[i]);
  }
  s->event_count = 0;
  run(s, true);
  end(s);
  return !s->memory->is_stopped;
}

/* }== */

/* {== From the log ======================================================== */

/* Returns whether edits are made again: not by files of now. */
static bool has_edits(const sp_session *s)
{
  return s->head.reload && !s->past.is_trial && (s->runs_recorded || !s->is_replay);
}

static void give_file(sp_session *s, const sp_entry *e)
{
  const sp_script_file file = {sp_texts_name(e->name, s->runs_recorded ? s->head.main : ""),
                               e->file == SP_FILE_GONE ? NULL : e->text, e->size};
  if (has_edits(s) && (e->file == SP_FILE_EDITED || e->file == SP_FILE_GONE))
    sp_script_change(s->script, &file);
}

static void give_call(sp_session *s, const sp_entry *e)
{
  sp_call_value values[SP_CALL_VALUES_MOST];
  bool unused;
  for (size_t i = 0; i < e->field_count; i++)
    values[i] = (sp_call_value){e->fields[i].name[0], e->fields[i].number, e->fields[i].text};
  sp_script_call_values(s->script, e->name, values, e->field_count, &unused);
}

/* Does again what came before the frame, or at its beginning. */
static void give(sp_session *s, const sp_entry *e)
{
  char unused[256];
  switch (e->kind) {
  case SP_ENTRY_EVENT:
    apply(s, e);
    break;
  case SP_ENTRY_CALL:
    give_call(s, e);
    break;
  case SP_ENTRY_EVAL:
    sp_script_select(s->script, sp_session_find_object(s, e->name));
    sp_script_eval(s->script, e->text);
    break;
  case SP_ENTRY_SET:
    sp_script_set_field(s->script, sp_session_find_object(s, e->name), e->field, e->text, unused, sizeof unused);
    break;
  case SP_ENTRY_POLL:
    if (has_edits(s))
      after_poll(s, sp_script_repeat(s->script, (sp_poll)e->number), e->frame);
    break;
  case SP_ENTRY_REDRAW:
    sp_session_draw(s, false);
    break;
  case SP_ENTRY_FILE:
    give_file(s, e);
    break;
  case SP_ENTRY_STORED:
    sp_storage_give(s, e);
    break;
  default:
    break; /* answers are asked for, and the rest is compared */
  }
}

static void tell_recorder(sp_session *s, const sp_entry *e)
{
  if (!s->past.is_on && !s->is_again && e->kind != SP_ENTRY_HASH && e->kind != SP_ENTRY_PARTS)
    sp_recorder_entry(s, e);
}

/* Files that appear in the frame are there from its beginning. */
static void use_texts_of(sp_session *s, size_t from, uint64_t frame)
{
  bool changes = false;
  for (size_t i = from; i < s->log.count && s->log.list[i].frame == frame; i++)
    changes = changes || s->log.list[i].kind == SP_ENTRY_FILE;
  if (changes && !s->past.is_trial && (s->runs_recorded || s->past.is_on || s->is_again) &&
      (s->runs_recorded || !s->is_replay))
    sp_session_use_texts(s, frame);
}

bool sp_frame_logged_start(sp_session *s)
{
  const bool was_again = s->is_again;
  if (!s->past.is_on && !was_again)
    sp_recorder_begin(s);
  use_texts_of(s, 0, 0);
  s->memory->frame = 0;
  for (size_t i = 0; i < s->log.count && s->log.list[i].frame == 0; i++) {
    const sp_entry *e = &s->log.list[i];
    const sp_session_event event = event_of(e);
    tell_recorder(s, e);
    if (e->kind == SP_ENTRY_EVENT)
      sp_event_note(&event, &s->memory->input, &s->memory->view);
    else if (e->kind != SP_ENTRY_FILE && e->kind != SP_ENTRY_POLL)
      give(s, e);
  }
  start_script(s);
  return !s->memory->is_stopped;
}

bool sp_frame_logged(sp_session *s, uint64_t frame, bool shown)
{
  bool has_begun = false;
  const size_t from = sp_log_find(&s->log, frame);
  use_texts_of(s, from, frame);
  for (size_t i = from; i <= s->log.count; i++) {
    const sp_entry *e = i < s->log.count && s->log.list[i].frame == frame ? &s->log.list[i] : NULL;
    if ((!e || e->kind == SP_ENTRY_EVENT) && !has_begun) {
      if (s->head.reload)
        after_poll(s, sp_script_repeat(s->script, SP_POLL_LOOK), frame);
      begin(s, frame);
      has_begun = true;
    }
    if (!e)
      break;
    tell_recorder(s, e);
    give(s, e);
  }
  run(s, shown);
  if (s->past.is_on || s->is_again)
    sp_replay_end_past(s);
  else
    end(s);
  s->is_running = false;
  return !s->memory->is_stopped;
}

bool sp_frame_replay(sp_session *s)
{
  if (!s->memory->is_started) {
    sp_frame_logged_start(s);
    if (s->options.history >= 0 && sp_script_has_checkpoints(s->script))
      sp_history_take(&s->history, s->script, 0, false);
  }
  if (s->present >= s->recorded_to)
    return !s->memory->is_stopped;
  return sp_frame_logged(s, s->present + 1, true);
}

/* }== */
