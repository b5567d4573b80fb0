#include "session/twice.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>

#include "session/frame.h"
#include "session/replay.h"

static bool is_on(const sp_session *s)
{
  return s->options.twice && !s->is_replay && sp_script_has_checkpoints(s->script);
}

void sp_twice_begin(sp_session *s)
{
  if (is_on(s))
    s->before = sp_script_checkpoint(s->script, s->before);
}

static void tell(sp_session *s, const cJSON *first, const cJSON *second)
{
  char where[400];
  sp_comparing *c = &s->comparing;
  c->first = s->present;
  sp_replay_compare_parts(first, second, where, sizeof where);
  snprintf(c->text, sizeof c->text, "second %" PRIu64 ": frame %" PRIu64 " is not the same when it is played twice: %s",
           (c->first + s->second - 1) / s->second, c->first, where);
}

void sp_twice_check(sp_session *s)
{
  uint64_t once, again;
  if (!is_on(s) || !s->before)
    return;
  cJSON *first = sp_replay_parts(s, &once);
  s->after = sp_script_checkpoint(s->script, s->after);
  if (s->after) {
    const bool has_polled = s->has_polled;
    s->is_again = true;
    sp_session_return(s, s->before);
    if (sp_session_use_texts(s, s->present))
      sp_frame_logged(s, s->present, false);
    cJSON *second = sp_replay_parts(s, &again);
    if (again != once && s->comparing.first == 0)
      tell(s, first, second);
    cJSON_Delete(second);
    sp_session_use_files(s);
    sp_session_return(s, s->after);
    s->is_again = false;
    s->has_polled = has_polled;
  }
  cJSON_Delete(first);
  s->before = sp_script_checkpoint(s->script, s->before);
}
