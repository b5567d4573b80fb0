/*
** The calls by which a host runs a game.
*/
#include "session/frame.h"
#include "session/replay.h"
#include "session/twice.h"

bool sp_session_start(sp_session *s, int argc, char **argv)
{
  s->problem[0] = '\0';
  if (s->is_replay)
    return true;
  if (s->is_busy || s->memory->is_started)
    return sp_session_refuse(s,
                             s->is_busy ? "not from within a callback of the session" : "the game is started already");
  if (!sp_head_set_arguments(&s->head, argc, argv))
    return sp_session_refuse(s, "more than %d arguments, or one that is no UTF-8", SP_RECORDING_ARGUMENTS_MOST);
  s->is_busy = true;
  sp_frame_start(s);
  if (s->options.history >= 0 && sp_script_has_checkpoints(s->script))
    sp_history_take(&s->history, s->script, 0, false);
  sp_twice_begin(s);
  s->is_busy = false;
  return !s->memory->is_stopped;
}

bool sp_session_step(sp_session *s)
{
  s->problem[0] = '\0';
  if (s->is_busy)
    return sp_session_refuse(s, "not from within a callback of the session");
  sp_session_undo(s);
  if (s->past.is_on)
    return true;
  if (!s->is_replay && !s->memory->is_started)
    return sp_session_refuse(s, "the game is not started: call sp_session_start first");
  if (sp_session_is_over(s))
    return true;
  s->is_busy = true;
  const bool runs = s->is_replay ? sp_frame_replay(s) : sp_frame_live(s);
  if (runs && !s->is_replay)
    sp_twice_check(s);
  s->problem[0] = '\0';
  if (!runs)
    sp_session_refuse(s, "the game has stopped with an error: an edit can mend it");
  s->is_busy = false;
  return runs;
}

sp_poll_result sp_session_poll(sp_session *s, sp_poll how)
{
  s->problem[0] = '\0';
  if (s->is_busy) {
    sp_session_refuse(s, "not from within a callback of the session");
    return SP_POLL_NOTHING;
  }
  sp_session_undo(s);
  if (!sp_session_is_live(s) || !s->memory->is_started)
    return SP_POLL_NOTHING;
  const sp_poll_result result = sp_frame_poll(s, how, true);
  sp_twice_begin(s);
  return result;
}

bool sp_session_redraw(sp_session *s)
{
  s->problem[0] = '\0';
  if (s->is_busy || !s->options.draw || s->memory->is_stopped || !s->memory->is_started)
    return sp_session_refuse(s, s->is_busy              ? "not from within a callback of the session"
                                : !s->options.draw      ? "the session has no function that draws"
                                : s->memory->is_stopped ? "the game has stopped"
                                                        : "the game is not started");
  sp_session_undo(s);
  if (!sp_session_is_live(s))
    sp_session_before_change(s);
  else
    sp_session_note(s, (sp_entry){.kind = SP_ENTRY_REDRAW});
  s->is_busy = true;
  sp_session_draw(s, true);
  s->is_busy = false;
  if (!sp_session_is_live(s))
    sp_session_undo(s);
  return true;
}
