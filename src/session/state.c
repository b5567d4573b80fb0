/*
** The state that a host asks for: live or not, which frame, and what it has said.
*/
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/spawnpool_tools.h"
#include "script/host/host.h"
#include "session/session.h"

/* {== Words =============================================================== */

bool sp_session_refuse(sp_session *s, const char *format, ...)
{
  char text[sizeof s->problem];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  memcpy(s->problem, text, sizeof text);
  return false;
}

static void keep_said(sp_session *s, const char *text)
{
  char *copy = malloc(strlen(text) + 1);
  if (!copy)
    return;
  char **place = &s->said[s->said_count++ % SP_SESSION_SAID_MOST];
  free(*place);
  *place = strcpy(copy, text);
}

/* Frames that are played again have said the same before. */
void sp_session_tell(sp_session *s, sp_report kind, const char *text)
{
  if ((s->past.is_on || s->is_again) && !(s->past.is_trial && kind == SP_REPORT_ERROR))
    return;
  keep_said(s, text);
  if (s->script_options.report)
    s->script_options.report(s->script_options.report_ud, kind, text);
  else
    sp_host_print(kind, text);
}

void sp_session_warn(sp_session *s, const char *text)
{
  const bool was_told = s->said_count > 0 && strcmp(s->said[(s->said_count - 1) % SP_SESSION_SAID_MOST], text) == 0;
  if (!was_told)
    sp_session_tell(s, SP_REPORT_WARNING, text);
}

uint64_t sp_session_frame(const sp_session *s)
{
  return s->is_running || !s->memory->is_started ? s->memory->frame : s->memory->frame + 1;
}

bool sp_session_is_live(const sp_session *s) { return !s->is_replay && !s->past.is_on && !s->is_again; }

/* }== */

/* {== Queries ============================================================= */

sp_script *sp_session_script(const sp_session *s) { return s->script; }

void *sp_session_memory(sp_session *s, size_t size)
{
  sp_area *m = s->memory;
  if (!m->host && size > 0) {
    m->host = sp_area_take(sp_script_state(s->script), size);
    m->host_size = m->host ? size : 0;
  }
  return m->host;
}

void sp_session_say(sp_session *s, const char *text) { keep_said(s, text); }

const char *sp_session_problem(const sp_session *s) { return s->problem; }

sp_session_frames sp_session_at(const sp_session *s)
{
  const uint64_t first = s->history.count > 0 ? s->history.list[0].frame : s->present;
  return (sp_session_frames){first, s->past.is_on ? s->memory->frame : s->present, s->present};
}

void sp_session_name_object(const sp_session *s, sp_ref object, char *name, size_t size)
{
  const sp_manager *m = sp_script_pools(s->script);
  const sp_pool *pool = m && object ? sp_object_pool(m, object) : NULL;
  name[0] = '\0';
  if (pool && sp_object_is_live(m, object))
    snprintf(name, size, "%.200s#%u", sp_pool_desc_of(pool)->type, (unsigned)sp_object_number(m, object));
}

sp_ref sp_session_find_object(const sp_session *s, const char *name)
{
  const sp_manager *m = sp_script_pools(s->script);
  sp_watched what;
  sp_pool *pool = m && sp_watched_parse(&what, name) ? sp_manager_pool(m, what.type) : NULL;
  sp_walk walk;
  if (!pool)
    return SP_NULL_REF;
  walk = sp_pool_walk(pool);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF;)
    if (sp_object_number(m, object) == what.number)
      return object;
  return SP_NULL_REF;
}

void sp_session_draw(sp_session *s, bool shown)
{
  const uint64_t errors = s->errors;
  if (!s->options.draw || s->memory->is_stopped)
    return;
  s->options.draw(s->options.ud, s, shown);
  s->memory->is_stopped = s->errors != errors;
}

/* }== */
