/*
** A cursor goes round all folders and files and stats them; a folder whose stamp changed is listed for new names. A
** file whose stamp changed is pending, and from then on looked at in every poll. No call does more than so many looks.
*/
#define _DEFAULT_SOURCE /* d_type: most names need no stat */

#include "script/watch_look.h"

#include <stdio.h>
#include <string.h>

/* Seconds. */
#define LOOK_EACH 0.12
#define RATE_MOST 4200.0 /* looks in a second: a large tree must not take more of a processor for that */
#define LIST_EACH 3.0

/* In one poll: each about 1 us, 0.3 us and 10 us. */
enum { LOOKS_MOST = 200, NAMES_MOST = 300, READS_MOST = 4 };
enum { PATH_MOST = 4096 };

/* {== Files ============================================================== */

void sp_watch_look_round(sp_watch *w) { w->round_left = w->folders.count + w->files.count; }

static void notice(sp_watch *w, sp_watch_file *f)
{
  f->last = w->time;
  if (f->pending)
    return;
  f->pending = true;
  f->first = w->time;
  w->pending++;
  sp_watch_look_round(w);
}

void sp_watch_free_text(sp_watch *w, sp_disk_text *text)
{
  if (text->bytes)
    w->memory.alloc(w->memory.ud, text->bytes, text->block, 0);
  *text = (sp_disk_text){0};
}

/* A stamp cannot tell two saves apart where times are coarse, so what changed is read once more later. */
static void read_again(sp_watch *w, sp_watch_file *f)
{
  char problem[SP_DISK_PROBLEM_MOST];
  sp_disk_text text = {0};
  sp_stamp stamp = f->node.stamp;
  if (w->reads_left == 0)
    return;
  w->reads_left--;
  f->doubtful = false;
  sp_disk_result result = sp_disk_read(f->node.path, &stamp, false, &w->memory, &text, problem);
  if (result == SP_DISK_FAILED && f->troubled)
    sp_watch_doubt(f, w->time);
  else if (result != SP_DISK_READ || f->troubled || sp_disk_hash(text.bytes, text.size) != f->hash)
    notice(w, f);
  sp_watch_free_text(w, &text);
}

static void look_file(sp_watch *w, sp_watch_file *f, bool hurry)
{
  sp_stamp stamp = sp_disk_stamp(f->node.path);
  if (stamp.kind == SP_DISK_FOLDER)
    stamp = (sp_stamp){.kind = SP_DISK_NOTHING};
  if (!sp_stamp_is_same(&stamp, &f->node.stamp)) {
    f->node.stamp = stamp;
    notice(w, f);
  } else if (!f->pending && f->doubtful && (hurry || w->time >= f->again)) {
    read_again(w, f);
  }
}

static bool add_file(sp_watch *w, size_t i, const char *path, const sp_stamp *stamp)
{
  sp_watch_file *f = (sp_watch_file *)sp_watch_list_add(&w->files, i, sizeof *f, path, &w->memory);
  if (!f)
    return false;
  if (w->cursor > w->folders.count + i)
    w->cursor++;
  f->node.stamp = *stamp;
  notice(w, f);
  return true;
}

/* }== */

/* {== Folders ============================================================ */

/* Looks at `path` from its end to the root: a folder linked into itself would never end. */
static bool is_own_ancestor(const sp_watch *w, const char *path, const sp_stamp *stamp)
{
  char above[PATH_MOST];
  size_t root = strlen(w->root->node.path);
  snprintf(above, sizeof above, "%s", path);
  for (size_t i = strlen(above); i-- > root;) {
    bool found;
    if (above[i] != '/')
      continue;
    above[i] = '\0';
    size_t at = sp_watch_list_find(&w->folders, above, &found);
    const sp_watch_node *node = found ? w->folders.items[at] : NULL;
    if (node && node->stamp.inode == stamp->inode && node->stamp.device == stamp->device)
      return true;
  }
  return false;
}

static size_t depth_of(const sp_watch *w, const char *path)
{
  size_t depth = 0;
  for (const char *c = path + strlen(w->root->node.path); *c; c++)
    depth += *c == '/';
  return depth;
}

/* Its stamp stays empty: the first look finds it changed. */
static sp_watch_dir *add_folder(sp_watch *w, size_t i, const char *path)
{
  sp_watch_dir *d = (sp_watch_dir *)sp_watch_list_add(&w->folders, i, sizeof *d, path, &w->memory);
  if (!d)
    return NULL;
  if (w->cursor > i)
    w->cursor++;
  w->serial++;
  sp_watch_look_round(w);
  return d;
}

static void remove_folder(sp_watch *w, size_t i)
{
  sp_watch_list_remove(&w->folders, i, &w->memory);
  if (w->cursor > i)
    w->cursor--;
  w->serial++;
}

/* }== */

/* {== Listing ============================================================ */

static bool ends_with(const char *name, const char *end)
{
  size_t length = strlen(name), tail = strlen(end);
  return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* What editors leave lying about. */
static bool is_litter(const char *name)
{
  return name[0] == '.' || ends_with(name, "~") || ends_with(name, ".swp") || strcmp(name, "4913") == 0;
}

static bool may_be_folder(const struct dirent *entry)
{
#ifdef DT_DIR
  return entry->d_type == DT_DIR || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN;
#else
  (void)entry;
  return true;
#endif
}

/* A name in the folder being listed. False when memory was refused. */
static bool take_name(sp_watch *w, const struct dirent *entry)
{
  char path[PATH_MOST];
  bool is_lua = ends_with(entry->d_name, ".lua"), is_file, is_folder;
  if (is_litter(entry->d_name) || (!is_lua && !may_be_folder(entry)))
    return true;
  int length = snprintf(path, sizeof path, "%s/%s", w->listing->node.path, entry->d_name);
  if (length < 0 || (size_t)length >= sizeof path)
    return true;
  size_t in_files = sp_watch_list_find(&w->files, path, &is_file);
  size_t in_folders = sp_watch_list_find(&w->folders, path, &is_folder);
  if (is_file || is_folder)
    return true;
  sp_stamp stamp = sp_disk_stamp(path);
  if (stamp.kind == SP_DISK_FOLDER)
    return depth_of(w, path) > w->depth || is_own_ancestor(w, path, &stamp) || add_folder(w, in_folders, path);
  return !is_lua || stamp.kind == SP_DISK_NOTHING || add_file(w, in_files, path, &stamp);
}

void sp_watch_look_end(sp_watch *w)
{
  if (w->dir)
    closedir(w->dir);
  w->dir = NULL;
}

static void begin_listing(sp_watch *w, sp_watch_dir *d)
{
  w->listing = d;
  w->dir = opendir(d->node.path);
  d->listed = w->time;
  d->unlisted = false;
}

/* Goes on with the listing; false when there are more names than one poll may take. */
static bool list_on(sp_watch *w)
{
  while (w->dir && w->names_left > 0) {
    struct dirent *entry = readdir(w->dir); /* NOLINT(concurrency-mt-unsafe): nobody else has this stream */
    w->names_left--;
    if (entry && take_name(w, entry))
      continue;
    if (entry)
      w->refused = w->listing->unlisted = true;
    sp_watch_look_end(w);
  }
  return !w->dir;
}

/* The folder's first look lists it; a root that is missing is waited for. False when it was removed from the list. */
static bool look_folder(sp_watch *w, size_t i, bool list)
{
  sp_watch_dir *d = sp_watch_dir_at(&w->folders, i);
  sp_stamp stamp = sp_disk_stamp(d->node.path);
  if (stamp.kind != SP_DISK_FOLDER && stamp.kind != SP_DISK_HIDDEN && d != w->root) {
    remove_folder(w, i);
    return false;
  }
  if (!sp_stamp_is_same(&stamp, &d->node.stamp)) {
    if (stamp.inode != d->node.stamp.inode || stamp.device != d->node.stamp.device)
      w->serial++;
    d->node.stamp = stamp;
    d->fresh = w->time + SP_WATCH_TIMES_COARSE;
  }
  if (stamp.kind == SP_DISK_FOLDER && (list || d->unlisted || w->time < d->fresh || w->time - d->listed >= LIST_EACH)) {
    begin_listing(w, d);
    list_on(w);
  }
  return true;
}

bool sp_watch_look_add_root(sp_watch *w, const char *folder)
{
  char path[PATH_MOST];
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/')
    length--;
  if (length >= sizeof path)
    return false;
  memcpy(path, folder, length);
  path[length] = '\0';
  return (w->root = add_folder(w, 0, path)) != NULL;
}

/* }== */

/* {== Looking ============================================================ */

static void look_pending(sp_watch *w)
{
  for (size_t i = 0; w->pending > 0 && i < w->files.count; i++)
    if (sp_watch_file_at(&w->files, i)->pending)
      look_file(w, sp_watch_file_at(&w->files, i), false);
}

static size_t look_files_in(sp_watch *w, const sp_watch_dir *d, size_t most)
{
  char path[PATH_MOST];
  bool found;
  int length = snprintf(path, sizeof path, "%s/", d->node.path);
  size_t begin = (size_t)length, looks = 0;
  for (size_t i = sp_watch_list_find(&w->files, path, &found); i < w->files.count && looks < most; i++) {
    sp_watch_file *f = sp_watch_file_at(&w->files, i);
    if (strncmp(f->node.path, path, begin) != 0)
      break;
    if (f->pending || strchr(f->node.path + begin, '/'))
      continue;
    look_file(w, f, false);
    looks++;
  }
  return looks;
}

/* From the last to the first: what is found or removed on the way is at `i` or behind it. */
static void look_woken(sp_watch *w)
{
  size_t left = LOOKS_MOST;
  for (size_t i = w->folders.count; i-- > 0 && list_on(w);) {
    sp_watch_dir *d = sp_watch_dir_at(&w->folders, i);
    if (!d->woken)
      continue;
    d->woken = false;
    if (look_folder(w, i, false))
      left -= look_files_in(w, d, left);
    if (left == 0)
      sp_watch_look_round(w);
  }
}

static void look_next(sp_watch *w)
{
  if (w->cursor >= w->folders.count + w->files.count)
    w->cursor = 0;
  size_t i = w->cursor++;
  if (i < w->folders.count)
    look_folder(w, i, false);
  else if (!sp_watch_file_at(&w->files, i - w->folders.count)->pending)
    look_file(w, sp_watch_file_at(&w->files, i - w->folders.count), false);
  if (w->round_left > 0)
    w->round_left--;
}

/* As much of the round as the time since the last poll asks for; all that one poll may do while something is pending, for
   what is saved next belongs to it. */
static void look_around(sp_watch *w, double passed)
{
  size_t count = w->folders.count + w->files.count, looks = LOOKS_MOST;
  double rate = (double)count / LOOK_EACH;
  w->owed += (rate < RATE_MOST ? rate : RATE_MOST) * passed;
  if (w->owed > (double)LOOKS_MOST)
    w->owed = (double)LOOKS_MOST;
  if (w->pending == 0 && w->round_left == 0)
    looks = (size_t)w->owed;
  if (looks > count)
    looks = count;
  w->owed = w->owed > (double)looks ? w->owed - (double)looks : 0;
  for (size_t i = 0; i < looks && list_on(w); i++)
    look_next(w);
}

/* Folders found on the way come behind the one they are in. */
void sp_watch_look_everywhere(sp_watch *w)
{
  w->names_left = w->reads_left = SIZE_MAX;
  sp_watch_look_end(w);
  for (size_t i = 0; i < w->folders.count;)
    i += look_folder(w, i, true);
  for (size_t i = 0; i < w->files.count; i++)
    look_file(w, sp_watch_file_at(&w->files, i), true);
  w->round_left = 0;
}

void sp_watch_look(sp_watch *w, double passed)
{
  w->names_left = NAMES_MOST;
  w->reads_left = READS_MOST;
  look_pending(w);
  look_woken(w);
  look_around(w, passed);
}

/* }== */
