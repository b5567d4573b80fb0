#include "session/recorder.h"

#include <stdio.h>
#include <string.h>

#include "core/binding.h"
#include "script/host/callbacks.h"
#include "script/state/strings.h"

/* {== Lines =============================================================== */

bool sp_recorder_is_on(const sp_session *s)
{
  return s->options.record && s->recorder.has_begun && !s->recorder.has_failed && !s->past.is_on;
}

/* When the host cannot write, the recording ends and the game goes on. */
static void flush(sp_session *s)
{
  sp_recorder *r = &s->recorder;
  if (r->line.size > 0 && (r->line.is_lost || !s->options.record(s->options.ud, r->line.bytes, r->line.size))) {
    r->has_failed = true;
    sp_session_warn(s, "the recording has stopped: it could not be written");
  }
  sp_text_clear(&r->line);
}

void sp_recorder_entry(sp_session *s, const sp_entry *entry)
{
  if (!sp_recorder_is_on(s))
    return;
  sp_recording_entry(&s->recorder.line, entry);
  flush(s);
}

void sp_recorder_lines(sp_session *s, const sp_text *lines)
{
  if (!sp_recorder_is_on(s) || lines->size == 0)
    return;
  sp_text_add(&s->recorder.line, lines->bytes, lines->size);
  flush(s);
}

void sp_session_note(sp_session *s, sp_entry entry)
{
  entry.frame = sp_session_frame(s);
  sp_recorder_entry(s, &entry);
  if (!s->log.is_cut && !sp_log_add(&s->log, &entry))
    s->log.is_cut = true;
}

void sp_recorder_digests(sp_session *s)
{
  if (!sp_recorder_is_on(s) || s->log.is_cut)
    return;
  sp_recording_digests(&s->recorder.line, &s->log, s->recorder.digests + 1, s->present);
  s->recorder.digests = s->present;
  flush(s);
}

void sp_recorder_back(sp_session *s, uint64_t frame)
{
  if (!sp_recorder_is_on(s))
    return;
  sp_text_format(&s->recorder.line, "{\"frame\":%llu,\"back\":%llu}\n", (unsigned long long)s->present,
                 (unsigned long long)frame);
  s->recorder.digests = s->recorder.digests < frame ? s->recorder.digests : frame;
  flush(s);
}

/* }== */

/* {== Files =============================================================== */

static void list_file(void *ud, const char *name, const char *text, size_t size)
{
  const uint64_t sum = sp_sum(SP_SUM_BEGIN, text, size);
  if (sp_utf8_is_valid(name, strlen(name)))
    sp_session_note(ud, (sp_entry){.kind = SP_ENTRY_FILE, .file = SP_FILE_LISTED, .name = name, .number = sum});
}

void sp_recorder_begin(sp_session *s)
{
  if (s->options.record && !s->recorder.has_begun) {
    sp_recording_head(&s->recorder.line, &s->head);
    s->recorder.has_begun = true;
    flush(s);
    for (size_t i = 0; i < s->log.count && !s->is_replay; i++) /* what the host has run before */
      sp_recorder_entry(s, &s->log.list[i]);
  }
  if (!s->is_replay)
    sp_texts_each(&s->script_options, s->head.main, list_file, s);
}

/* Returns the last entry that says what a file has in it; NULL: none. */
static const sp_entry *last_of(const sp_log *log, const char *name)
{
  for (size_t i = log->count; i-- > 0;) {
    const sp_entry *e = &log->list[i];
    if (e->kind == SP_ENTRY_FILE && e->file != SP_FILE_LISTED && strcmp(e->name, name) == 0)
      return e;
  }
  return NULL;
}

static void note_file(sp_session *s, sp_entry_file what, const char *name, const char *text, size_t size)
{
  if (!sp_utf8_is_valid(name, strlen(name)) || size > SP_TEXT_MOST)
    s->log.is_cut = true;
  else
    sp_session_note(s, (sp_entry){.kind = SP_ENTRY_FILE, .file = what, .name = name, .text = text, .size = size});
}

/* A poll that compares files with the disk, because they were not watched for a time, finds edits by reading. */
static void on_read(void *ud, const char *name, const char *text, size_t size)
{
  sp_session *s = ud;
  const sp_entry *last = sp_session_is_live(s) ? last_of(&s->log, name) : NULL;
  const bool is_known = last && last->file != SP_FILE_GONE && last->size == size && memcmp(last->text, text, size) == 0;
  if (sp_session_is_live(s) && !is_known)
    note_file(s, last && s->is_polling ? SP_FILE_EDITED : SP_FILE_READ, name, text, size);
}

static void on_edit(void *ud, const char *name, const char *text, size_t size)
{
  sp_session *s = ud;
  if (sp_session_is_live(s))
    note_file(s, text ? SP_FILE_EDITED : SP_FILE_GONE, name, text ? text : "", text ? size : 0);
}

void sp_recorder_listen(sp_session *s)
{
  sp_script_on_read(s->script, on_read, s);
  sp_script_on_edit(s->script, on_edit, s);
}

/* }== */

void sp_recorder_error(sp_session *s, const char *text)
{
  char line[512];
  const char *folder = sp_script_folder(s->script);
  const size_t length = strlen(folder), all = strcspn(text, "\n");
  if (strncmp(text, folder, length) == 0 && text[length] == '/')
    text += length + 1;
  snprintf(line, sizeof line, "%.*s", (int)sp_utf8_fit(text, all < 500 ? all : 500), text);
  line[strcspn(line, "\n")] = '\0';
  if (!sp_utf8_is_valid(line, strlen(line)))
    snprintf(line, sizeof line, "an error whose text is no UTF-8");
  sp_session_note(s, (sp_entry){.kind = SP_ENTRY_ERROR, .text = line, .size = strlen(line)});
}
