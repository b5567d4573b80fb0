#include "session/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/disk.h"

enum { DEEPEST = 8, FILES_MOST = 10000 };

/* {== The list ============================================================ */

void sp_texts_free(sp_texts *t)
{
  free(t->list);
  *t = (sp_texts){.list = NULL};
}

/* Returns the index of a name, or where it belongs. */
static size_t place_of(const sp_texts *t, const char *name)
{
  size_t low = 0, high = t->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(t->list[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const sp_script_file *sp_texts_find(const sp_texts *t, const char *name)
{
  const size_t at = place_of(t, name);
  return at < t->count && strcmp(t->list[at].name, name) == 0 ? &t->list[at] : NULL;
}

bool sp_texts_set(sp_texts *t, const sp_script_file *file)
{
  const size_t at = place_of(t, file->name);
  const bool is_there = at < t->count && strcmp(t->list[at].name, file->name) == 0;
  if (is_there && file->source) {
    t->list[at] = *file;
    return true;
  }
  if (!file->source) {
    if (is_there)
      memmove(&t->list[at], &t->list[at + 1], (t->count-- - at) * sizeof *t->list);
    return true;
  }
  if (t->count + 2 > t->room) {
    const size_t room = t->room ? 2 * t->room : 64;
    sp_script_file *grown = realloc(t->list, room * sizeof *grown);
    if (!grown)
      return false;
    t->list = grown;
    t->room = room;
  }
  memmove(&t->list[at + 1], &t->list[at], (t->count - at) * sizeof *t->list);
  t->list[at] = *file;
  t->list[++t->count] = (sp_script_file){NULL, NULL, 0};
  return true;
}

const char *sp_texts_name(const char *name, const char *main)
{
  return main[0] && strcmp(name, main) == 0 ? "main.lua" : name;
}

/* Returns whether the file was there at the start. */
static bool is_listed(const sp_log *log, const char *name)
{
  for (size_t i = 0; i < log->count && log->list[i].frame == 0; i++)
    if (log->list[i].kind == SP_ENTRY_FILE && log->list[i].file == SP_FILE_LISTED &&
        strcmp(log->list[i].name, name) == 0)
      return true;
  return false;
}

/* A file that was there at the start has the text that was read first, however late. One that was not there begins when
   it was read or edited. */
bool sp_texts_at(sp_texts *t, const sp_log *log, uint64_t frame, const char *main)
{
  bool fine = true;
  if (t->list)
    t->list[0] = (sp_script_file){NULL, NULL, 0};
  t->count = 0;
  for (size_t i = 0; i < log->count && fine; i++) {
    const sp_entry *e = &log->list[i];
    if (e->kind != SP_ENTRY_FILE || e->file == SP_FILE_LISTED)
      continue;
    const sp_script_file file = {sp_texts_name(e->name, main), e->file == SP_FILE_GONE ? NULL : e->text, e->size};
    if (e->frame <= frame)
      fine = sp_texts_set(t, &file);
    else if (e->file == SP_FILE_READ && !sp_texts_find(t, file.name) && is_listed(log, e->name))
      fine = sp_texts_set(t, &file);
  }
  return fine;
}

/* }== */

/* {== The files of now ==================================================== */

char *sp_texts_read(const char *folder, const char *name, size_t most, size_t *size)
{
  char path[SP_PATH_MOST], problem[SP_FILE_PROBLEM_MOST];
  sp_facts facts;
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= SP_PATH_MOST)
    return NULL;
  const int file = sp_folder_open(folder, path, problem);
  char *text = NULL;
  if (file >= 0 && sp_facts_of_file(file, &facts) && facts.kind == SP_KIND_FILE && facts.size <= most)
    text = malloc((size_t)facts.size + 1);
  const int64_t got = text ? sp_file_read(file, text, (size_t)facts.size) : -1;
  if (file >= 0)
    sp_file_close(file);
  if (got < 0) {
    free(text);
    return NULL;
  }
  text[got] = '\0';
  *size = (size_t)got;
  return text;
}

typedef struct walk {
  const char *folder;
  bool is_file; /* the game is one file: of other folders only pools/ is its own */
  int count;
  sp_texts_fn fn;
  void *ud;
} walk;

static bool is_lua(const char *name)
{
  const size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".lua") == 0;
}

static void walk_folder(walk *w, const char *inside, int depth)
{
  char path[SP_PATH_MOST], name[SP_PATH_MOST];
  snprintf(path, sizeof path, "%s%s%s", w->folder, inside[0] ? "/" : "", inside);
  sp_folder_stream *stream = sp_folder_list(w->folder, path);
  for (const char *part; stream && w->count < FILES_MOST && (part = sp_folder_stream_next(stream, NULL)) != NULL;) {
    size_t size;
    if (part[0] == '.' || snprintf(name, sizeof name, "%s%s%s", inside, inside[0] ? "/" : "", part) >= SP_PATH_MOST ||
        snprintf(path, sizeof path, "%s/%s", w->folder, name) >= SP_PATH_MOST)
      continue;
    const sp_disk_kind kind = sp_disk_stamp(path).kind;
    if (kind == SP_DISK_FOLDER && depth < DEEPEST && !sp_path_is_link(path) &&
        (!w->is_file || strcmp(name, "pools") == 0))
      walk_folder(w, name, depth + 1);
    if (kind != SP_DISK_FILE || !is_lua(part))
      continue;
    char *text = sp_texts_read(w->folder, name, SP_TEXT_MOST, &size);
    w->count++;
    if (text)
      w->fn(w->ud, name, text, size);
    free(text);
  }
  sp_folder_stream_close(stream);
}

bool sp_texts_each(const sp_script_options *script, const char *main, sp_texts_fn fn, void *ud)
{
  char folder[SP_PATH_MOST];
  sp_facts facts;
  for (const sp_script_file *file = script->files; file && file->name; file++)
    if (is_lua(file->name) && file->source)
      fn(ud, file->name, file->source, file->size ? file->size : strlen(file->source));
  if (script->files || !script->path)
    return script->files != NULL;
  snprintf(folder, sizeof folder, "%s", script->path);
  if (main[0]) {
    char *slash = strrchr(folder, '/');
    snprintf(slash ? slash : folder, 2, "%s", slash ? "" : ".");
  }
  if (!sp_facts_of_path(folder, true, &facts) || facts.kind != SP_KIND_FOLDER)
    return false;
  walk w = {.folder = folder, .is_file = main[0] != '\0', .fn = fn, .ud = ud};
  walk_folder(&w, "", 0);
  return true;
}

/* }== */
