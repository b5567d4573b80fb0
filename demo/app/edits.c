#include "demo/app/edits.h"

#include <stdlib.h>
#include <string.h>

#include "demo/app/game_folder.h"
#include "script/host/callbacks.h"
#include "script/state/disk.h"
#include "script/state/strings.h"

/* {== Recording ========================================================== */

bool edits_need(const game *it, const recording_entry *e)
{
  size_t size;
  bool is_first = e->kind == RECORDING_FILE && e->frame == 0;
  char *now = is_first ? game_read_file(it, e->name, EDITS_TEXT_MOST, &size) : NULL;
  bool needed = !now || strcmp(now, e->text) != 0;
  free(now);
  return needed;
}

/* Fills the entry of a file; a NULL source: it was deleted. False when JSON cannot hold it. */
static bool make_entry(recording_entry *e, const char *name, const char *source, size_t size)
{
  *e = (recording_entry){.kind = RECORDING_FILE, .name = name, .text = source ? source : "", .gone = !source};
  return sp_utf8_is_valid(name, strlen(name)) && size <= EDITS_TEXT_MOST && strlen(e->text) == size &&
         sp_utf8_is_valid(e->text, size);
}

/* An edit that is not recorded cannot be replayed: the history begins behind it. */
static void on_edit(void *ud, const char *name, const char *source, size_t size)
{
  recorder *r = ud;
  recording_entry e;
  if (make_entry(&e, name, source, size))
    recorder_add(r, e);
  else if (r->history)
    history_lose(r->history);
}

typedef struct start {
  recorder *to;
  const recording_files *given;
} start;

static void add_text(void *ud, const char *path, const char *name)
{
  const start *s = ud;
  size_t size;
  recording_entry e;
  char *bytes = game_read_file(s->to->game, name, EDITS_TEXT_MOST, &size);
  (void)path;
  if (bytes && !recording_files_find(s->given, name) && make_entry(&e, name, bytes, size))
    recorder_add(s->to, e);
  free(bytes);
}

void edits_record(recorder *r, const recording_files *given, const options *o)
{
  recording_entry e;
  for (size_t i = 0; i < given->count; i++)
    if (make_entry(&e, given->list[i].name, given->list[i].source, given->list[i].size))
      recorder_add(r, e);
  if (!o->files && !o->release)
    game_folder_each_text(o->path, add_text, &(start){r, given});
  sp_script_on_edit(r->game->script, on_edit, r);
}

/* }== */

/* {== The end of the recorded run ======================================= */

typedef struct ending {
  recording_files files;
  bool differs;
} ending;

static void compare(void *ud, const char *path, const char *name)
{
  ending *e = ud;
  char problem[SP_FILE_PROBLEM_MOST];
  size_t size;
  char *now = game_folder_read(sp_folder_open(NULL, path, problem), EDITS_TEXT_MOST, &size);
  const sp_script_file *then = recording_files_find(&e->files, name);
  e->differs |= !now || !then || !then->source || size != then->size || memcmp(now, then->source, size) != 0;
  free(now);
}

bool edits_are_there(const recording *r, const options *o)
{
  ending e = {.differs = o->files};
  e.differs = e.differs || !recording_files_at(&e.files, r->entries, r->count, UINT64_MAX);
  if (!e.differs)
    game_folder_each_text(o->path, compare, &e);
  recording_files_free(&e.files);
  return !e.differs;
}

/* }== */
