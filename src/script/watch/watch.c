/*
** Pending files wait until they are still, for each other, and for one round over the whole tree, so that files saved
** together are reported together. Then they are read, and the hash decides which of them really changed. The reported
** text is exactly the hashed text.
*/
#include "script/watch/watch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "script/watch/watch_scan.h"

/* Seconds. */
#define STEP_MOST 0.1
#define SETTLE 0.040
#define SETTLE_EMPTY 0.2
#define HOLD_MOST 1.0

/* {== Settling =========================================================== */

static bool is_overdue(const sp_watch *w, const sp_watch_entry *e) { return w->time - e->first >= HOLD_MOST; }

static bool is_settled(const sp_watch *w, const sp_watch_entry *e)
{
  bool is_empty = e->stamp.kind == SP_DISK_FILE && e->stamp.size == 0;
  return w->time - e->last >= (is_empty ? SETTLE_EMPTY : SETTLE) || is_overdue(w, e);
}

/* Returns whether settled changes are reported now: all have settled, or one has waited long enough. */
static bool is_due(const sp_watch *w)
{
  bool all = w->round_left == 0, overdue = false;
  for (size_t i = 0; i < w->list.count; i++) {
    const sp_watch_entry *e = w->list.items[i];
    if (e->pending) {
      all = all && is_settled(w, e);
      overdue = overdue || is_overdue(w, e);
    }
  }
  return all || overdue;
}

/* }== */

/* {== Telling ============================================================ */

static void settle(sp_watch *w, sp_watch_entry *e)
{
  w->pending -= e->pending;
  e->pending = false;
}

/* A young file may be saved again within the resolution of its time stamp. */
static bool is_young(const sp_stamp *stamp)
{
  uint64_t now = (uint64_t)time(NULL) * 1000000000u, near = UINT64_C(3000000000);
  return now - stamp->modified + near < 2 * near || now - stamp->altered + near < 2 * near;
}

/* Marks the content as known. Returns whether it differs from the content known before. */
static bool note_content(sp_watch *w, sp_watch_entry *e, bool failed, const char *bytes, size_t size)
{
  uint64_t hash = sp_disk_hash(bytes, size);
  bool news = !e->known || e->hash != hash || e->failed != failed;
  settle(w, e);
  e->known = true;
  e->hash = hash;
  e->failed = failed;
  e->recheck = false;
  if (failed || (news && is_young(&e->stamp)))
    sp_watch_recheck_later(e, w->time);
  return news;
}

/* Tries again when the file has had time to settle. */
static void retry_later(sp_watch *w, sp_watch_entry *e, bool refused)
{
  w->refused = w->refused || refused;
  e->last = w->time;
  if (refused)
    e->first = w->time;
}

/* Reads a settled file. False when there is nothing to report. */
static bool report_content(sp_watch *w, sp_watch_entry *e, sp_watch_change *change)
{
  bool anyway = w->hurry || is_overdue(w, e);
  sp_disk_result result = sp_disk_read(&w->reader, e->path, &e->stamp, anyway, &w->text, w->problem);
  *change = (sp_watch_change){.kind = e->known ? SP_WATCH_CHANGED : SP_WATCH_NEW, .path = e->path};
  if (result == SP_DISK_READ) {
    change->text = w->text.bytes;
    change->size = w->text.size;
    return note_content(w, e, false, change->text, change->size);
  }
  if (result == SP_DISK_FAILED) {
    change->problem = w->problem;
    return note_content(w, e, true, change->problem, strlen(change->problem));
  }
  retry_later(w, e, result == SP_DISK_REFUSED);
  return false;
}

static bool report(sp_watch *w, sp_watch_entry *e, sp_watch_change *change)
{
  if (e->kind == SP_WATCH_FILE && e->stamp.kind != SP_DISK_NOTHING)
    return report_content(w, e, change);
  settle(w, e);
  *change = (sp_watch_change){.kind = SP_WATCH_NEW, .path = e->path, .problem = e->problem};
  if (e->kind != SP_WATCH_FILE)
    return e->problem != NULL;
  change->kind = SP_WATCH_GONE;
  w->gone = e;
  return e->known;
}

/* Frees the change that was returned last. */
static void release_report(sp_watch *w)
{
  bool found;
  sp_disk_free(&w->reader, &w->text);
  if (!w->gone)
    return;
  size_t i = sp_watch_find(&w->list, w->gone->path, &found);
  w->next_report -= w->next_report > i;
  w->gone = NULL;
  sp_watch_remove(w, i);
}

bool sp_watch_next(sp_watch *w, sp_watch_change *change)
{
  release_report(w);
  while (w->next_report < w->list.count) {
    sp_watch_entry *e = w->list.items[w->next_report++];
    if (e->pending && (w->hurry || is_settled(w, e)) && report(w, e, change))
      return true;
    release_report(w);
  }
  return false;
}

/* }== */

/* {== The watch ========================================================== */

static void *alloc_libc(void *ud, void *ptr, size_t osize, size_t nsize)
{
  (void)ud;
  (void)osize;
  if (nsize > 0)
    return realloc(ptr, nsize);
  free(ptr);
  return NULL;
}

/* Marks all existing files as known without reporting them. Folders that cannot be watched are still reported. */
static void mark_all_known(sp_watch *w)
{
  sp_watch_change unused;
  w->hurry = true;
  for (w->next_report = 0; w->next_report < w->list.count;) {
    sp_watch_entry *e = w->list.items[w->next_report++];
    if (e->kind == SP_WATCH_FILE)
      report(w, e, &unused);
    release_report(w);
  }
}

static char *copy_text(const sp_disk_memory *memory, const char *text)
{
  size_t size = strlen(text) + 1;
  char *copy = memory->alloc(memory->ud, NULL, 0, size);
  return copy ? memcpy(copy, text, size) : NULL;
}

sp_watch *sp_watch_open(const sp_watch_options *o)
{
  sp_disk_memory memory = {o->alloc ? o->alloc : alloc_libc, o->ud};
  sp_watch *w = memory.alloc(o->ud, NULL, 0, sizeof *w);
  if (!w)
    return NULL;
  *w = (sp_watch){.reader = {.memory = memory},
                  .endings = o->endings,
                  .covered = o->covered,
                  .depth = o->depth < SP_WATCH_DEEPEST ? o->depth : SP_WATCH_DEEPEST};
  w->reader.folder = o->folder ? copy_text(&memory, o->folder) : NULL;
  if ((!o->folder || w->reader.folder) && sp_watch_add_root(w, o->root)) {
    sp_watch_scan_all(w);
    if (!o->tell_first)
      mark_all_known(w);
    if (!w->refused)
      return w;
  }
  sp_watch_close(w);
  return NULL;
}

void sp_watch_close(sp_watch *w)
{
  if (!w)
    return;
  sp_disk_memory memory = w->reader.memory;
  sp_disk_free(&w->reader, &w->text);
  sp_watch_free_entries(w);
  if (w->reader.folder)
    memory.alloc(memory.ud, (void *)w->reader.folder, strlen(w->reader.folder) + 1, 0);
  memory.alloc(memory.ud, w, sizeof *w, 0);
}

static double pass_time(sp_watch *w, double now)
{
  double passed = w->polled && now > w->now ? now - w->now : 0;
  if (passed > STEP_MOST)
    passed = STEP_MOST;
  w->polled = true;
  w->now = now;
  w->time += passed;
  return passed;
}

bool sp_watch_poll(sp_watch *w, double now, bool hurry)
{
  double passed = pass_time(w, now);
  release_report(w);
  if (hurry)
    sp_watch_scan_all(w);
  else
    sp_watch_scan(w, passed);
  w->hurry = hurry;
  bool due = w->pending > 0 && (hurry || is_due(w));
  w->next_report = due ? 0 : SIZE_MAX;
  return due;
}

bool sp_watch_is_pending(const sp_watch *w) { return w->pending > 0; }

void sp_watch_wake(sp_watch *w, const char *folder)
{
  bool found;
  size_t i = folder ? sp_watch_find(&w->list, folder, &found) : 0;
  w->cursor = i < w->list.count ? i : 0; /* the files of a folder follow it in the list */
  sp_watch_begin_round(w);
}

unsigned sp_watch_folders(const sp_watch *w, void (*fn)(void *ud, const char *folder), void *ud)
{
  for (size_t i = 0; fn && i < w->list.count; i++)
    if (w->list.items[i]->kind == SP_WATCH_FOLDER)
      fn(ud, w->list.items[i]->path);
  return w->serial;
}

size_t sp_watch_file_count(const sp_watch *w)
{
  size_t count = 0;
  for (size_t i = 0; i < w->list.count; i++)
    count += w->list.items[i]->kind == SP_WATCH_FILE;
  return count;
}

/* }== */
