#include "session/log.h"

#include <stdlib.h>
#include <string.h>

/* {== Entries ============================================================= */

static size_t size_of(const char *string) { return string ? strlen(string) + 1 : 0; }

static const char *put(char **at, const char *string)
{
  const size_t size = size_of(string);
  if (size == 0)
    return "";
  memcpy(*at, string, size);
  *at += size;
  return *at - size;
}

static size_t bytes_of(const sp_entry *e)
{
  size_t bytes =
      e->field_count * sizeof *e->fields + size_of(e->name) + size_of(e->field) + (e->text ? e->size + 1 : 0);
  for (size_t i = 0; i < e->field_count; i++)
    bytes += size_of(e->fields[i].name) + size_of(e->fields[i].text);
  return bytes;
}

bool sp_entry_copy(sp_entry *to, const sp_entry *from)
{
  sp_entry copy = *from;
  copy.bytes = bytes_of(from);
  copy.memory = malloc(copy.bytes + 1);
  if (!copy.memory)
    return false;
  sp_session_event_field *fields = (sp_session_event_field *)(void *)copy.memory;
  char *at = copy.memory + from->field_count * sizeof *fields;
  for (size_t i = 0; i < from->field_count; i++) {
    const sp_session_event_field *field = &from->fields[i];
    fields[i] = (sp_session_event_field){put(&at, field->name), field->number, NULL};
    if (field->text)
      fields[i].text = put(&at, field->text);
  }
  copy.fields = fields;
  copy.name = put(&at, from->name);
  copy.field = put(&at, from->field);
  copy.text = "";
  if (from->text) {
    memcpy(at, from->text, from->size);
    at[from->size] = '\0';
    copy.text = at;
  }
  *to = copy;
  return true;
}

void sp_entry_free(sp_entry *e)
{
  free(e->memory);
  *e = (sp_entry){.frame = 0};
}

/* }== */

/* {== The list ============================================================ */

void sp_log_free(sp_log *log)
{
  for (size_t i = 0; i < log->count; i++)
    sp_entry_free(&log->list[i]);
  free(log->list);
  free(log->digests);
  *log = (sp_log){.list = NULL};
}

bool sp_log_add(sp_log *log, const sp_entry *entry)
{
  if (log->count == log->room) {
    size_t room = log->room ? 2 * log->room : 256;
    sp_entry *grown = realloc(log->list, room * sizeof *grown);
    if (!grown)
      return false;
    log->list = grown;
    log->room = room;
  }
  if (!sp_entry_copy(&log->list[log->count], entry))
    return false;
  log->bytes += log->list[log->count++].bytes;
  return true;
}

void sp_log_set_number(sp_log *log, size_t index, uint64_t number) { log->list[index].number = number; }

size_t sp_log_find(const sp_log *log, uint64_t frame)
{
  size_t low = 0, high = log->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (log->list[middle].frame < frame)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void sp_log_remove(sp_log *log, size_t index)
{
  log->bytes -= log->list[index].bytes;
  sp_entry_free(&log->list[index]);
  memmove(&log->list[index], &log->list[index + 1], (log->count - index - 1) * sizeof *log->list);
  log->count--;
}

void sp_log_cut(sp_log *log, uint64_t frame)
{
  size_t kept = sp_log_find(log, frame + 1);
  while (log->count > kept) {
    log->bytes -= log->list[log->count - 1].bytes;
    sp_entry_free(&log->list[--log->count]);
  }
  log->digest_count = log->digest_count < frame ? log->digest_count : (size_t)frame;
}

void sp_log_forget(sp_log *log, uint64_t frame)
{
  size_t end = sp_log_find(log, frame), kept = 0;
  for (size_t i = 0; i < log->count; i++)
    if (i >= end || log->list[i].kind == SP_ENTRY_FILE) {
      log->list[kept++] = log->list[i];
    } else {
      log->bytes -= log->list[i].bytes;
      sp_entry_free(&log->list[i]);
    }
  log->is_cut = log->is_cut || kept < log->count;
  log->count = kept;
}

size_t sp_log_bytes(const sp_log *log)
{
  return log->bytes + log->count * sizeof *log->list + log->digest_count * sizeof *log->digests;
}

/* }== */

/* {== Digests ============================================================= */

void sp_log_set_digest(sp_log *log, uint64_t frame, uint32_t digest)
{
  if (frame > log->digest_room) {
    size_t room = frame < 512 ? 1024 : (size_t)frame * 2;
    uint32_t *grown = realloc(log->digests, room * sizeof *grown);
    if (!grown)
      return;
    log->digests = grown;
    log->digest_room = room;
  }
  for (; log->digest_count < frame; log->digest_count++)
    log->digests[log->digest_count] = 0;
  if (frame > 0)
    log->digests[frame - 1] = digest ? digest : 1;
}

uint32_t sp_log_digest(const sp_log *log, uint64_t frame)
{
  return frame > 0 && frame <= log->digest_count ? log->digests[frame - 1] : 0;
}

/* }== */
