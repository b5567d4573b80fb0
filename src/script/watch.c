/*
** Pending files wait until they are still, for each other, and for one round over everything, so that what was saved
** together is told together. Then they are read, and the hash says which of them really changed: what is told is what
** was hashed.
*/
#include "script/watch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "script/watch_look.h"

/* Seconds. */
#define STEP_MOST 0.1
#define SETTLE 0.040
#define SETTLE_EMPTY 0.2
#define HOLD_MOST 1.0

/* {== Telling ============================================================ */

static void settle(sp_watch *w, sp_watch_file *f)
{
  f->pending = false;
  w->pending--;
}

static bool is_overdue(const sp_watch *w, const sp_watch_file *f) { return w->time - f->first >= HOLD_MOST; }

static bool is_settled(const sp_watch *w, const sp_watch_file *f)
{
  bool is_empty = f->node.stamp.kind == SP_DISK_FILE && f->node.stamp.size == 0;
  return w->time - f->last >= (is_empty ? SETTLE_EMPTY : SETTLE) || is_overdue(w, f);
}

/* Whether what has settled may be told: all has, or something waited long enough. */
static bool is_due(const sp_watch *w)
{
  bool all = w->round_left == 0 && !w->dir, overdue = false;
  for (size_t i = 0; i < w->files.count; i++) {
    const sp_watch_file *f = sp_watch_file_at(&w->files, i);
    if (f->pending) {
      all = all && is_settled(w, f);
      overdue = overdue || is_overdue(w, f);
    }
  }
  return all || overdue;
}

static bool make_room(sp_watch *w)
{
  if (w->change_count == w->change_capacity) {
    size_t wanted = w->change_capacity ? w->change_capacity * 2 : 8, item = sizeof(*w->changes);
    sp_watch_change *changes = w->memory.alloc(w->memory.ud, w->changes, w->change_capacity * item, wanted * item);
    if (!changes)
      return false;
    w->changes = changes;
    w->change_capacity = wanted;
  }
  return true;
}

/* Tries again when the file has had time to settle. */
static void put_off(sp_watch *w, sp_watch_file *f)
{
  f->first = f->last = w->time;
  w->refused = true;
}

static void tell(sp_watch *w, sp_watch_file *f, sp_watch_kind kind)
{
  const sp_disk_text *text = &f->text;
  w->changes[w->change_count++] = (sp_watch_change){.kind = kind,
                                                    .path = f->node.path,
                                                    .text = f->troubled ? NULL : text->bytes,
                                                    .size = f->troubled ? 0 : text->size,
                                                    .problem = f->troubled ? text->bytes : NULL};
}

static void tell_gone(sp_watch *w, sp_watch_file *f)
{
  settle(w, f);
  f->gone = w->forget = true;
  f->troubled = false;
  if (f->known)
    tell(w, f, SP_WATCH_GONE);
}

/* The problem as a text of its own; false when memory is refused. */
static bool keep_problem(sp_watch *w, sp_watch_file *f, const char *problem)
{
  size_t size = strlen(problem), block = size + 1;
  char *bytes = w->memory.alloc(w->memory.ud, NULL, 0, block);
  if (!bytes)
    return false;
  f->text = (sp_disk_text){memcpy(bytes, problem, block), size, block};
  return true;
}

/* Whether f->text, content or problem, is another than the one known. It is known from now on. */
static bool is_news(sp_watch *w, sp_watch_file *f, bool troubled)
{
  uint64_t hash = sp_disk_hash(f->text.bytes, f->text.size);
  bool news = !f->known || f->hash != hash || f->troubled != troubled;
  settle(w, f);
  f->hash = hash;
  f->troubled = troubled;
  f->doubtful = false;
  if (news || troubled)
    sp_watch_doubt(f, w->time);
  return news;
}

/* Reads a settled file and tells what is new of it. `anyway`: even while it is being written. */
static void tell_text(sp_watch *w, sp_watch_file *f, bool anyway)
{
  char problem[SP_DISK_PROBLEM_MOST];
  sp_disk_result result = sp_disk_read(f->node.path, &f->node.stamp, anyway, &w->memory, &f->text, problem);
  if (result == SP_DISK_MOVED) {
    f->last = w->time;
    return;
  }
  if (result == SP_DISK_REFUSED || (result == SP_DISK_FAILED && !keep_problem(w, f, problem))) {
    put_off(w, f);
    return;
  }
  if (is_news(w, f, result == SP_DISK_FAILED))
    tell(w, f, f->known ? SP_WATCH_CHANGED : SP_WATCH_NEW);
  else
    sp_watch_free_text(w, &f->text);
  f->known = true;
}

static void tell_file(sp_watch *w, sp_watch_file *f, bool anyway)
{
  if (!make_room(w))
    put_off(w, f);
  else if (f->node.stamp.kind == SP_DISK_NOTHING)
    tell_gone(w, f);
  else
    tell_text(w, f, anyway);
}

static void tell_settled(sp_watch *w, bool hurry)
{
  if (w->pending == 0 || (!hurry && !is_due(w)))
    return;
  for (size_t i = 0; i < w->files.count; i++) {
    sp_watch_file *f = sp_watch_file_at(&w->files, i);
    if (f->pending && (hurry || is_settled(w, f)))
      tell_file(w, f, hurry || is_overdue(w, f));
  }
}

/* What was told in the last poll is no longer needed. */
static void untell(sp_watch *w)
{
  if (w->change_count == 0 && !w->forget)
    return;
  for (size_t i = 0; i < w->files.count; i++)
    sp_watch_free_text(w, &sp_watch_file_at(&w->files, i)->text);
  if (w->forget) {
    sp_watch_list_sweep(&w->files, &w->memory);
    w->cursor = 0;
    if (w->round_left > 0)
      sp_watch_look_round(w);
  }
  w->forget = false;
  w->change_count = 0;
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

/* What is there now is known without being told. A file that is seconds old may yet get a save of the same time. */
static void know_all(sp_watch *w)
{
  uint64_t now = (uint64_t)time(NULL) * 1000000000u, near = UINT64_C(3000000000);
  for (size_t i = 0; i < w->files.count; i++) {
    sp_watch_file *f = sp_watch_file_at(&w->files, i);
    tell_file(w, f, true);
    sp_watch_free_text(w, &f->text);
    w->change_count = 0;
    f->doubtful = f->doubtful && (f->troubled || now - f->node.stamp.modified + near < 2 * near);
  }
}

sp_watch *sp_watch_open(const char *folder, size_t depth,
                        void *(*alloc)(void *ud, void *ptr, size_t osize, size_t nsize), void *ud)
{
  sp_disk_memory memory = {alloc ? alloc : alloc_libc, ud};
  sp_watch *w = memory.alloc(ud, NULL, 0, sizeof *w);
  if (!w)
    return NULL;
  *w = (sp_watch){.memory = memory, .depth = depth < SP_WATCH_DEEPEST ? depth : SP_WATCH_DEEPEST};
  if (sp_watch_look_add_root(w, folder)) {
    sp_watch_look_everywhere(w);
    know_all(w);
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
  sp_disk_memory memory = w->memory;
  sp_watch_look_end(w);
  for (size_t i = 0; i < w->files.count; i++)
    sp_watch_free_text(w, &sp_watch_file_at(&w->files, i)->text);
  sp_watch_list_free(&w->files, &memory);
  sp_watch_list_free(&w->folders, &memory);
  if (w->changes)
    memory.alloc(memory.ud, w->changes, w->change_capacity * sizeof(*w->changes), 0);
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

size_t sp_watch_poll(sp_watch *w, double now, bool hurry, const sp_watch_change **changes)
{
  double passed = pass_time(w, now);
  untell(w);
  if (hurry)
    sp_watch_look_everywhere(w);
  else
    sp_watch_look(w, passed);
  tell_settled(w, hurry);
  *changes = w->changes;
  return w->change_count;
}

void sp_watch_wake(sp_watch *w, const char *folder)
{
  bool found = false;
  size_t i = folder ? sp_watch_list_find(&w->folders, folder, &found) : 0;
  if (found)
    sp_watch_dir_at(&w->folders, i)->woken = true;
  else
    sp_watch_look_round(w);
}

const char *sp_watch_folder(const sp_watch *w, size_t i)
{
  return i < w->folders.count ? w->folders.items[i]->path : NULL;
}

unsigned sp_watch_folder_serial(const sp_watch *w) { return w->serial; }

size_t sp_watch_file_count(const sp_watch *w) { return w->files.count; }

/* }== */
