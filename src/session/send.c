/*
** The ways into a game: events, and answers of the machine.
*/
#include <stdlib.h>
#include <string.h>

#include "script/host/callbacks.h"
#include "script/state/strings.h"
#include "session/events.h"
#include "session/session.h"

/* {== Events ============================================================== */

bool sp_session_send(sp_session *s, const sp_session_event *event)
{
  char problem[SP_EVENT_PROBLEM_MOST];
  s->problem[0] = '\0';
  if (s->past.is_on)
    return sp_session_refuse(s, "events are refused in the past: go on or back first");
  if (s->is_replay)
    return sp_session_refuse(s, "events are refused in a replay, which has its own; go on from it first");
  if (!sp_event_check(event, problem))
    return sp_session_refuse(s, "%s", problem);
  if (s->event_count == SP_SESSION_EVENTS_MOST)
    return sp_session_refuse(s, "event '%s': more than %d in a frame", event->kind, SP_SESSION_EVENTS_MOST);
  if (s->event_count == s->event_room) {
    const size_t room = s->event_room ? 2 * s->event_room : 16;
    sp_entry *grown = realloc(s->events, room * sizeof *grown);
    if (!grown)
      return sp_session_refuse(s, "out of memory");
    memset(grown + s->event_room, 0, (room - s->event_room) * sizeof *grown);
    s->events = grown;
    s->event_room = room;
  }
  const sp_entry entry = {
      .kind = SP_ENTRY_EVENT, .name = event->kind, .fields = event->fields, .field_count = event->field_count};
  sp_entry_free(&s->events[s->event_count]);
  if (!sp_entry_copy(&s->events[s->event_count], &entry))
    return sp_session_refuse(s, "out of memory");
  s->event_count++;
  return true;
}

bool sp_session_call(sp_session *s, const sp_session_event *event)
{
  char problem[SP_EVENT_PROBLEM_MOST];
  sp_call_value values[SP_CALL_VALUES_MOST];
  bool has_callback, answer;
  s->problem[0] = '\0';
  if (!sp_event_check(event, problem))
    return sp_session_refuse(s, "%s", problem);
  if (!s->is_running || s->memory->is_stopped)
    return sp_session_refuse(s, s->is_running ? "the game has stopped"
                                              : "a callback is called while a frame runs: send the event");
  const size_t count = sp_event_values(event, values, &has_callback);
  if (!has_callback)
    return false;
  const sp_call done = sp_script_call_values(s->script, event->kind, values, count, &answer);
  s->memory->is_stopped = done > SP_CALL_ABSENT;
  return done == SP_CALL_DONE;
}

/* }== */

/* {== Answers ============================================================= */

/* Returns the recorded answer to the `call`th question in a frame; NULL: there is none of its own. */
static const sp_entry *find_answer(const sp_session *s, uint64_t frame, const char *question, uint64_t call)
{
  for (size_t i = sp_log_find(&s->log, frame); i < s->log.count && s->log.list[i].frame == frame; i++) {
    const sp_entry *e = &s->log.list[i];
    if (e->kind == SP_ENTRY_ANSWER && e->number == call && strcmp(e->name, question) == 0)
      return e;
  }
  return NULL;
}

double sp_session_answer(sp_session *s, const char *question, double now)
{
  bool is_new = false;
  sp_answer *a = question && sp_utf8_is_valid(question, strlen(question))
                     ? sp_area_answer(sp_script_state(s->script), s->memory, question, &is_new)
                     : NULL;
  const uint64_t frame = sp_session_frame(s);
  if (!a) {
    s->log.is_cut = s->log.is_cut || sp_session_is_live(s);
    return now;
  }
  a->calls = a->frame == frame ? a->calls + 1 : 1;
  a->frame = frame;
  if (!sp_session_is_live(s)) {
    const sp_entry *e = find_answer(s, frame, question, a->calls);
    a->value = e ? e->value : is_new ? now : a->value;
    return a->value;
  }
  if (is_new || memcmp(&a->value, &now, sizeof now) != 0)
    sp_session_note(s, (sp_entry){.kind = SP_ENTRY_ANSWER, .name = question, .value = now, .number = a->calls});
  a->value = now;
  return now;
}

/* }== */
