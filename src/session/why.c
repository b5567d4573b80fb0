#include "session/why.h"

#include <stdio.h>
#include <string.h>

#include "script/host/why.h"
#include "session/frame.h"
#include "session/past.h"

void sp_why_end(sp_session *s)
{
  sp_watch_free(s->search.watch);
  sp_checkpoint_free(s->search.state);
  s->search = (sp_search){.watch = NULL};
}

/* Texts of a write are "-" in its line where there is none. */
static void tell(const sp_session *s, void (*fn)(void *ud, const sp_session_cause *cause), void *ud)
{
  size_t count;
  const sp_write *writes = sp_watch_writes(s->search.watch, &count);
  for (size_t i = count; i-- > 0;) {
    const sp_write *w = &writes[i];
    if (s->search.what.field[0] && w->kind == SP_WRITE_END)
      continue;
    const sp_session_cause cause = {w->frame, w->count > 0 ? w->count : 1, w->before, w->after,
                                    w->by,    w->stack ? w->stack : ""};
    fn(ud, &cause);
  }
}

static bool begin(sp_session *s, const char *what)
{
  sp_search *q = &s->search;
  const uint64_t to = sp_session_at(s).now;
  if (q->watch && q->to == to && strcmp(q->name, what) == 0)
    return true;
  sp_why_end(s);
  if (strlen(what) >= sizeof q->name || !sp_watched_parse(&q->what, what))
    return sp_session_refuse(s, "'%.80s' is no name of an object or its field, such as \"Bullet#12.vx\"", what);
  q->watch = sp_watch_new(&q->what);
  if (!q->watch)
    return sp_session_refuse(s, "out of memory");
  snprintf(q->name, sizeof q->name, "%s", what);
  q->to = to;
  return true;
}

/* Plays a part of the search. The state of the game is the search's meanwhile. */
static sp_work play(sp_session *s, uint64_t deadline)
{
  sp_search *q = &s->search;
  if (!q->has_begun) {
    if (!sp_past_return_before(s, 0, s->history.start != NULL))
      return SP_WORK_FAILED;
    q->has_begun = true;
  } else {
    sp_session_return(s, q->state);
    if (s->runs_recorded || !s->is_replay)
      sp_session_use_texts(s, s->memory->frame);
  }
  sp_watch_begin(q->watch, s->script);
  s->is_busy = true;
  if (!s->memory->is_started) {
    sp_watch_frame(q->watch, 0);
    sp_frame_logged_start(s);
  }
  while (s->memory->frame < q->to) {
    const uint64_t next = s->memory->frame + 1;
    sp_watch_frame(q->watch, next);
    sp_frame_logged(s, next, false);
    s->memory->frame = next;
    if (next < q->to && sp_past_is_late(deadline))
      break;
  }
  s->is_busy = false;
  if (s->memory->frame == q->to) {
    sp_watch_frame(q->watch, q->to + 1);
    return SP_WORK_DONE;
  }
  q->state = sp_script_checkpoint(s->script, q->state);
  return q->state ? SP_WORK_GOING_ON : SP_WORK_FAILED;
}

sp_work sp_session_why(sp_session *s, const char *what, double seconds,
                       void (*fn)(void *ud, const sp_session_cause *cause), void *ud)
{
  const uint64_t deadline = sp_past_deadline(seconds);
  char problem[sizeof s->problem] = "";
  s->problem[0] = '\0';
  if (s->is_busy) {
    sp_session_refuse(s, "not from within a callback of the session");
    return SP_WORK_FAILED;
  }
  sp_session_undo(s);
  if (!sp_session_can_copy(s) || !begin(s, what))
    return SP_WORK_FAILED;
  sp_checkpoint *shown = sp_script_checkpoint(s->script, NULL);
  const bool was_past = s->past.is_on, was_exact = s->past.is_exact, was_trial = s->past.is_trial;
  if (!shown) {
    sp_session_refuse(s, "out of memory");
    return SP_WORK_FAILED;
  }
  s->past.is_on = true;
  s->past.is_trial = false;
  sp_work work = play(s, deadline);
  const bool is_wrong = work == SP_WORK_DONE && sp_watch_problem(s->search.watch, problem, sizeof problem);
  sp_session_return(s, shown);
  sp_checkpoint_free(shown);
  s->past.is_on = was_past;
  s->past.is_exact = was_exact;
  s->past.is_trial = was_trial;
  if (was_past && (s->runs_recorded || !s->is_replay))
    sp_session_use_texts(s, s->memory->frame);
  else
    sp_session_use_files(s);
  if (work == SP_WORK_DONE && !is_wrong)
    tell(s, fn, ud);
  if (is_wrong)
    sp_session_refuse(s, "%s", problem);
  if (work != SP_WORK_GOING_ON)
    sp_why_end(s);
  return is_wrong ? SP_WORK_FAILED : work;
}
