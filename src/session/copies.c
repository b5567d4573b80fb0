/*
** Copies of the game are put back, with the files of that time.
*/
#include "script/host/callbacks.h"
#include "session/session.h"

bool sp_session_use_texts(sp_session *s, uint64_t frame)
{
  if (!sp_texts_at(&s->texts, &s->log, frame, s->runs_recorded ? s->head.main : ""))
    return sp_session_refuse(s, "out of memory");
  sp_script_use_texts(s->script, s->texts.list);
  sp_script_use_only_texts(s->script, true);
  return true;
}

/* A game whose files are those of a recording keeps them in the present, too. */
void sp_session_use_files(sp_session *s)
{
  if (s->runs_recorded) {
    sp_session_use_texts(s, s->present);
    return;
  }
  sp_script_use_texts(s->script, NULL);
  sp_script_use_only_texts(s->script, false);
}

bool sp_session_can_copy(sp_session *s)
{
  if (s->options.history < 0)
    return sp_session_refuse(s, "the session was opened without a history: it cannot go back");
  if (!sp_script_has_checkpoints(s->script))
    return sp_session_refuse(s, s->script_options.trust
                                    ? "a game that is trusted cannot go back: its memory is not all of its state"
                                    : "the system has no addresses for copies of the game");
  return true;
}

void sp_session_return(sp_session *s, const sp_checkpoint *copy)
{
  const bool was_busy = s->is_busy;
  sp_script_return(s->script, copy);
  s->is_running = false;
  s->is_busy = true;
  if (s->options.restored)
    s->options.restored(s->options.ud, s);
  s->is_busy = was_busy;
}

void sp_session_before_change(sp_session *s)
{
  if (!sp_session_is_live(s) && !s->past.undo && sp_script_has_checkpoints(s->script))
    s->past.undo = sp_script_checkpoint(s->script, NULL);
}

void sp_session_undo(sp_session *s)
{
  if (!s->past.undo)
    return;
  sp_session_return(s, s->past.undo);
  sp_checkpoint_free(s->past.undo);
  s->past.undo = NULL;
}
