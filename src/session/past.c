#include "session/past.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/host/callbacks.h"
#include "script/state/platform.h"
#include "session/frame.h"
#include "session/recorder.h"
#include "session/twice.h"

/* {== Files and copies ==================================================== */

/* The files of today run in a replay that was opened with them: nothing of the log is given. */
static void use_texts_of_past(sp_session *s, uint64_t frame)
{
  if (s->runs_recorded || !s->is_replay)
    sp_session_use_texts(s, frame);
}

/* }== */

/* {== Playing ============================================================= */

uint64_t sp_past_deadline(double seconds)
{
  const double most = 1e6;
  const double bounded = seconds > 0 ? seconds < most ? seconds : most : 0;
  return sp_clock_nanoseconds() + (uint64_t)(bounded * 1e9);
}

bool sp_past_is_late(uint64_t deadline) { return sp_clock_nanoseconds() >= deadline; }

/* Enters the past: the present is kept. */
static bool enter(sp_session *s)
{
  if (s->past.is_on)
    return true;
  if (!sp_session_can_copy(s))
    return false;
  s->past.present = sp_script_checkpoint(s->script, NULL);
  if (!s->past.present)
    return sp_session_refuse(s, "out of memory: the present could not be kept");
  s->past.is_on = s->past.is_exact = true;
  return true;
}

bool sp_past_return_before(sp_session *s, uint64_t frame, bool from_start)
{
  const sp_moment *moment = from_start ? NULL : sp_history_find(&s->history, frame > 0 ? frame - 1 : 0);
  moment = moment || from_start ? moment : sp_history_find(&s->history, frame);
  if (!moment && !s->history.start)
    return sp_session_refuse(s, "frame %" PRIu64 " can no longer be gone to", frame);
  sp_session_return(s, moment ? moment->copy : s->history.start);
  use_texts_of_past(s, s->memory->frame);
  s->past.is_exact = true;
  return true;
}

sp_work sp_past_play(sp_session *s, uint64_t frame, uint64_t deadline, bool shown)
{
  s->is_busy = true;
  if (!s->memory->is_started)
    sp_frame_logged_start(s);
  while (s->memory->frame < frame) {
    const uint64_t next = s->memory->frame + 1;
    s->past.is_shown = shown && next == frame;
    sp_frame_logged(s, next, s->past.is_shown);
    s->memory->frame = next; /* also of a game that has stopped */
    if (next < frame && sp_past_is_late(deadline))
      break;
  }
  s->is_busy = false;
  return s->memory->frame < frame ? SP_WORK_GOING_ON : SP_WORK_DONE;
}

/* Shows the state as it is, without a trace of it. */
static void show(sp_session *s)
{
  sp_checkpoint *copy = s->options.draw ? sp_script_checkpoint(s->script, NULL) : NULL;
  if (!copy)
    return;
  s->is_busy = true;
  sp_session_draw(s, true);
  s->is_busy = false;
  sp_session_return(s, copy);
  sp_checkpoint_free(copy);
  s->past.is_shown = true;
}

/* }== */

/* {== Seeking ============================================================= */

static void end_trial(sp_session *s)
{
  sp_past *p = &s->past;
  for (size_t i = 0; i < p->kept_count; i++)
    free(p->kept[i]);
  free(p->kept);
  sp_texts_free(&p->trial_texts);
  sp_checkpoint_free(p->trial);
  p->kept = NULL;
  p->trial = NULL;
  p->kept_count = p->kept_room = 0;
  p->is_exact = p->is_exact && !p->is_loaded;
  p->is_trial = p->is_loaded = false;
}

static bool begin_call(sp_session *s)
{
  s->problem[0] = '\0';
  if (s->is_busy)
    return sp_session_refuse(s, "not from within a callback of the session");
  sp_session_undo(s);
  return true;
}

static bool check_frame(sp_session *s, uint64_t frame)
{
  const sp_session_frames at = sp_session_at(s);
  if (frame >= at.first && frame <= at.last)
    return true;
  return sp_session_refuse(s, "frame %" PRIu64 ": frames from %" PRIu64 " to %" PRIu64 " can be gone to", frame,
                           at.first, at.last);
}

/* Goes to a frame as it was recorded. */
static sp_work seek(sp_session *s, uint64_t frame, uint64_t deadline, bool shown)
{
  const sp_moment *near = sp_history_find(&s->history, frame > 0 ? frame - 1 : 0); /* as sp_past_return_before does */
  const bool goes_on = s->past.is_exact && s->memory->frame < frame && (!near || near->frame <= s->memory->frame);
  if (s->past.is_exact && s->memory->frame == frame) {
    if (shown && !s->past.is_shown)
      show(s);
    return SP_WORK_DONE;
  }
  if (!goes_on && !sp_past_return_before(s, frame, false))
    return SP_WORK_FAILED;
  s->past.is_shown = false;
  if (s->memory->is_started && s->memory->frame == frame) {
    if (shown)
      show(s);
    return SP_WORK_DONE;
  }
  return sp_past_play(s, frame, deadline, shown);
}

/* Goes to a frame of the trial. */
static sp_work seek_trial(sp_session *s, uint64_t frame, uint64_t deadline)
{
  if (frame < s->memory->frame) {
    sp_session_return(s, s->past.trial);
    sp_script_use_texts(s->script, s->past.trial_texts.list);
    if (frame == s->memory->frame)
      show(s);
  }
  return sp_past_play(s, frame, deadline, true);
}

sp_work sp_session_seek(sp_session *s, uint64_t frame, double seconds)
{
  const uint64_t deadline = sp_past_deadline(seconds);
  if (!begin_call(s) || !sp_session_can_copy(s) || !check_frame(s, frame))
    return SP_WORK_FAILED;
  if (!enter(s))
    return SP_WORK_FAILED;
  if (s->past.is_loaded && frame >= s->past.trial_from)
    return seek_trial(s, frame, deadline);
  if (s->past.is_trial)
    end_trial(s);
  return seek(s, frame, deadline, true);
}

void sp_session_back(sp_session *s)
{
  if (!begin_call(s) || !s->past.is_on)
    return;
  end_trial(s);
  sp_session_return(s, s->past.present);
  show(s);
  sp_checkpoint_free(s->past.present);
  s->past.present = NULL;
  s->past.is_on = false;
  sp_session_use_files(s);
}

/* The log ends with the frame that is shown. */
static void become_present(sp_session *s)
{
  const uint64_t frame = s->memory->frame;
  sp_log_cut(&s->log, frame);
  sp_history_cut(&s->history, frame);
  s->past.is_on = false;
  sp_recorder_back(s, frame);
  s->present = frame;
  s->is_replay = false;
  s->event_count = 0;
  s->has_polled = false;
  sp_session_use_files(s);
  if (!s->runs_recorded)
    sp_script_compare(s->script); /* what was edited since then is found by the next poll */
  sp_twice_begin(s);
}

void sp_session_go_on(sp_session *s)
{
  if (!begin_call(s) || (!s->past.is_on && !s->is_replay))
    return;
  if (s->past.is_on && s->past.is_trial) {
    const uint64_t frame = s->memory->frame;
    end_trial(s);
    s->past.is_exact = false;
    if (seek(s, frame, UINT64_MAX, true) == SP_WORK_FAILED)
      return;
  }
  sp_checkpoint_free(s->past.present);
  s->past.present = NULL;
  if (!s->memory->is_started) { /* a replay that has not begun */
    s->is_busy = true;
    sp_frame_logged_start(s);
    s->is_busy = false;
  }
  become_present(s);
}

/* }== */

/* {== A trial ============================================================= */

typedef struct collecting {
  sp_session *session;
  bool is_lost;
} collecting;

static char *keep(sp_past *p, const char *bytes, size_t size)
{
  if (p->kept_count == p->kept_room) {
    const size_t room = p->kept_room ? 2 * p->kept_room : 32;
    char **grown = realloc(p->kept, room * sizeof *grown);
    if (!grown)
      return NULL;
    p->kept = grown;
    p->kept_room = room;
  }
  char *copy = malloc(size + 1);
  if (!copy)
    return NULL;
  memcpy(copy, bytes, size);
  copy[size] = '\0';
  return p->kept[p->kept_count++] = copy;
}

static void collect(void *ud, const char *name, const char *text, size_t size)
{
  collecting *c = ud;
  sp_past *p = &c->session->past;
  const char *named = sp_texts_name(name, c->session->runs_recorded ? c->session->head.main : "");
  const char *kept_name = keep(p, named, strlen(named)), *kept_text = keep(p, text, size);
  c->is_lost = c->is_lost || !kept_name || !kept_text ||
               !sp_texts_set(&p->trial_texts, &(sp_script_file){kept_name, kept_text, size});
}

/* Returns the number of files that are not as they were at the frame, after they were given to the script. */
static size_t give_changes(sp_session *s)
{
  const sp_texts *now = &s->past.trial_texts, *then = &s->texts;
  size_t count = 0;
  for (size_t i = 0; i < now->count; i++) {
    const sp_script_file *file = &now->list[i], *was = sp_texts_find(then, file->name);
    if (was && was->size == file->size && memcmp(was->source, file->source, file->size) == 0)
      continue;
    count++;
    sp_script_change(s->script, file);
  }
  for (size_t i = 0; i < then->count; i++)
    if (!sp_texts_find(now, then->list[i].name)) {
      count++;
      sp_script_change(s->script, &(sp_script_file){then->list[i].name, NULL, 0});
    }
  return count;
}

static sp_work load_trial(sp_session *s)
{
  collecting c = {.session = s};
  if (!sp_texts_each(&s->script_options, s->head.main, collect, &c) || s->past.trial_texts.count == 0 || c.is_lost) {
    sp_session_refuse(s, c.is_lost ? "out of memory" : "the files of the game are not on the disk");
    return SP_WORK_FAILED;
  }
  use_texts_of_past(s, s->memory->frame);
  if (give_changes(s) > 0) {
    sp_script_use_texts(s->script, s->past.trial_texts.list);
    s->is_busy = true;
    const sp_poll_result result = sp_script_repeat(s->script, SP_POLL_NOW);
    if (result == SP_POLL_RELOADED) {
      s->memory->is_stopped = false;
      sp_frame_read_settings(s);
    }
    s->is_busy = false;
    if (result == SP_POLL_REFUSED) {
      sp_session_refuse(s, "the edited files do not load: %.700s", sp_script_error(s->script));
      return SP_WORK_FAILED;
    }
  }
  s->past.trial = sp_script_checkpoint(s->script, NULL);
  s->past.is_loaded = s->past.trial != NULL;
  return s->past.is_loaded ? SP_WORK_DONE : SP_WORK_FAILED;
}

/* Begins a trial, or goes on with the one of that frame. */
static sp_work reach_trial(sp_session *s, uint64_t from, uint64_t deadline)
{
  if (s->past.is_loaded && s->past.trial_from == from)
    return SP_WORK_DONE;
  if (s->past.is_loaded || (s->past.is_trial && s->past.trial_from != from))
    end_trial(s);
  s->past.trial_from = from;
  const sp_work work = seek(s, from, deadline, false);
  if (work != SP_WORK_DONE)
    return work;
  s->past.is_trial = true;
  const sp_work loaded = load_trial(s);
  if (loaded == SP_WORK_FAILED) {
    s->past.is_loaded = true; /* the game is not as it was recorded */
    end_trial(s);
    s->past.is_exact = false;
  }
  return loaded;
}

sp_work sp_session_try(sp_session *s, uint64_t from, uint64_t to, double seconds)
{
  const uint64_t deadline = sp_past_deadline(seconds);
  if (!begin_call(s) || !sp_session_can_copy(s) || !check_frame(s, from) || !check_frame(s, to))
    return SP_WORK_FAILED;
  if (from > to || !s->head.reload) {
    sp_session_refuse(s, from > to ? "a trial goes from a frame to a later one"
                                   : "the game was opened without reload: no edit can be tried");
    return SP_WORK_FAILED;
  }
  if (!enter(s))
    return SP_WORK_FAILED;
  const sp_work reached = reach_trial(s, from, deadline);
  return reached == SP_WORK_DONE ? seek_trial(s, to, deadline) : reached;
}

/* }== */

void sp_past_close(sp_session *s)
{
  end_trial(s);
  sp_checkpoint_free(s->past.present);
  sp_checkpoint_free(s->past.undo);
  s->past = (sp_past){.is_on = false};
}

/* {== Marks =============================================================== */

void sp_session_each_mark(sp_session *s, uint64_t from,
                          void (*fn)(void *ud, uint64_t frame, const char *kind, const char *text), void *ud)
{
  for (size_t i = sp_log_find(&s->log, from); i < s->log.count && s->log.list[i].frame <= s->present + 1; i++) {
    const sp_entry *e = &s->log.list[i];
    switch (e->kind) {
    case SP_ENTRY_EVENT:
      fn(ud, e->frame, "event", e->name);
      break;
    case SP_ENTRY_EVAL:
      fn(ud, e->frame, "eval", e->text);
      break;
    case SP_ENTRY_SET:
      fn(ud, e->frame, "set", e->name);
      break;
    case SP_ENTRY_CALL:
      fn(ud, e->frame, "call", e->name);
      break;
    case SP_ENTRY_ERROR:
      fn(ud, e->frame, "error", e->text);
      break;
    case SP_ENTRY_FILE:
      if (e->file == SP_FILE_EDITED || e->file == SP_FILE_GONE)
        fn(ud, e->frame, "edit", e->name);
      break;
    default:
      break;
    }
  }
}

/* }== */
