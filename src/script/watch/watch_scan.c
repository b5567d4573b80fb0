/*
** A cursor goes round all entries and stats them; a folder whose stamp changed is listed for new names. A file whose
** stamp changed is pending, and from then on looked at in every poll. No poll makes more than a fixed number of looks.
*/
#define _DEFAULT_SOURCE /* d_type: most names need no stat */

#include "script/watch/watch_scan.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Seconds. */
#define LOOK_EACH 0.12
#define RATE_MOST 4200.0 /* looks in a second: a large tree must not take more of a processor for that */
/* A folder is listed when its times changed, for a while after that, and now and then for disks that do not change
   them. Listing costs by the name, so large folders are listed less often. */
#define LIST_EACH 3.0
#define LIST_GAP 1e-4 /* for each name, at least so long between two times */
#define LIST_GAPS 100 /* so many more when nothing has changed */

/* In one poll: each about 1 us and 10 us. In one listing: 0.3 us. */
enum { LOOKS_MOST = 200, READS_MOST = 4, NAMES_MOST = 1000000 };
enum { PATH_MOST = 4096 };

static const char OUTSIDE[] = "it is a link that leads out of the game's folder, and is not followed";
static const char DEEP[] = "it lies more than 16 folders deep, and is not watched";
static const char CLOSED[] = "this folder cannot be listed; check its permissions";
static const char FULL[] =
    "there are more than 20000 files and folders here, and the rest is not watched; give the game "
    "a folder of its own";
_Static_assert(SP_WATCH_DEEPEST == 16 && SP_WATCH_MOST == 20000, "the texts above say so");

/* {== Entries ============================================================ */

void sp_watch_look_round(sp_watch *w) { w->round_left = w->list.count; }

static void notice(sp_watch *w, sp_watch_entry *e)
{
  e->last = w->time;
  if (e->pending)
    return;
  e->pending = true;
  e->first = w->time;
  w->pending++;
  sp_watch_look_round(w);
}

/* A folder's problem is told once, until it is gone and comes back. */
static void set_problem(sp_watch *w, sp_watch_entry *e, const char *problem)
{
  if (problem && !e->problem)
    notice(w, e);
  e->problem = problem;
}

static sp_watch_entry *add(sp_watch *w, size_t i, const char *path, sp_watch_entry_kind kind)
{
  if (w->list.count >= SP_WATCH_MOST) {
    set_problem(w, w->root, FULL);
    return NULL;
  }
  sp_watch_entry *e = sp_watch_list_add(&w->list, i, path, &w->reader.memory);
  if (!e) {
    w->refused = true;
    return NULL;
  }
  e->kind = kind;
  w->cursor += w->cursor > i;
  w->serial += kind == SP_WATCH_FOLDER;
  if (kind == SP_WATCH_FILE)
    notice(w, e);
  else
    sp_watch_look_round(w);
  return e;
}

void sp_watch_look_forget(sp_watch *w, size_t i)
{
  const sp_watch_entry *e = w->list.items[i];
  w->pending -= e->pending;
  w->serial += e->kind == SP_WATCH_FOLDER;
  w->cursor -= w->cursor > i;
  sp_watch_list_remove(&w->list, i, &w->reader.memory);
}

/* }== */

/* {== Files ============================================================== */

/* A stamp cannot tell two saves apart where times are coarse, so what changed is read once more later. */
static void read_again(sp_watch *w, sp_watch_entry *e)
{
  char problem[SP_FILE_PROBLEM_MOST];
  sp_disk_text text = {0};
  sp_stamp stamp = e->stamp;
  if (w->reads_left == 0)
    return;
  w->reads_left--;
  e->doubtful = false;
  sp_disk_result result = sp_disk_read(&w->reader, e->path, &stamp, false, &text, problem);
  if (result == SP_DISK_FAILED && e->troubled)
    sp_watch_doubt(e, w->time);
  else if (result != SP_DISK_READ || e->troubled || sp_disk_hash(text.bytes, text.size) != e->hash)
    notice(w, e);
  sp_disk_free(&w->reader, &text);
}

static void look_file(sp_watch *w, sp_watch_entry *e, bool hurry)
{
  sp_stamp stamp = sp_disk_stamp(e->path);
  if (stamp.kind == SP_DISK_FOLDER)
    stamp = (sp_stamp){.kind = SP_DISK_NOTHING};
  if (!sp_stamp_is_same(&stamp, &e->stamp)) {
    e->stamp = stamp;
    notice(w, e);
  } else if (!e->pending && e->doubtful && (hurry || w->time >= e->again)) {
    read_again(w, e);
  }
}

/* }== */

/* {== Listing ============================================================ */

static bool ends_with(const char *name, const char *end)
{
  size_t length = strlen(name), tail = strlen(end);
  return length >= tail && strcasecmp(name + length - tail, end) == 0;
}

/* What editors leave lying about. */
static bool is_litter(const char *name)
{
  return name[0] == '.' || ends_with(name, "~") || ends_with(name, ".swp") || strcmp(name, "4913") == 0;
}

static bool has_ending(const sp_watch *w, const char *name)
{
  const char *const *ending = w->endings;
  while (*ending && !ends_with(name, *ending))
    ending++;
  return *ending != NULL;
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

static bool is_link(const char *path)
{
  char target[1];
  return readlink(path, target, sizeof target) >= 0;
}

static size_t depth_of(const sp_watch *w, const char *path)
{
  size_t depth = 0;
  for (const char *c = path + strlen(w->root->path); *c; c++)
    depth += *c == '/';
  return depth;
}

/* Why a folder is not looked into, or NULL. */
static const char *why_shut(const sp_watch *w, const char *path)
{
  return is_link(path) ? OUTSIDE : depth_of(w, path) > w->depth ? DEEP : NULL;
}

/* One that is not looked into is an entry all the same, so that it is told once only. A link that stays inside is no
   news; nor is anything below a depth that somebody has chosen: there may be much that is not the game's own. */
static bool add_folder(sp_watch *w, size_t i, const char *path, const sp_stamp *stamp)
{
  const char *problem = why_shut(w, path);
  if (problem && (w->depth < SP_WATCH_DEEPEST || (problem == OUTSIDE && sp_folder_holds(w->root->path, path))))
    return true;
  sp_watch_entry *e = add(w, i, path, problem ? SP_WATCH_SHUT : SP_WATCH_FOLDER);
  if (e && problem) {
    e->stamp = *stamp;
    set_problem(w, e, problem);
  }
  return e != NULL;
}

/* A name in a folder that is listed. False when it could not be taken. */
static bool take_name(sp_watch *w, const sp_watch_entry *folder, const struct dirent *entry)
{
  char path[PATH_MOST];
  bool wanted = has_ending(w, entry->d_name), found;
  if (is_litter(entry->d_name) || (!wanted && !may_be_folder(entry)))
    return true;
  int length = snprintf(path, sizeof path, "%s/%s", folder->path, entry->d_name);
  if (length < 0 || (size_t)length >= sizeof path)
    return true;
  size_t i = sp_watch_list_find(&w->list, path, &found);
  if (found && w->list.items[i]->kind != SP_WATCH_SHUT)
    return true;
  sp_stamp stamp = sp_disk_stamp(path);
  if (found && sp_stamp_is_same(&stamp, &w->list.items[i]->stamp))
    return true;
  if (found)
    sp_watch_look_forget(w, i);
  if (stamp.kind == SP_DISK_FOLDER)
    return add_folder(w, i, path, &stamp);
  sp_watch_entry *e = wanted && stamp.kind != SP_DISK_NOTHING ? add(w, i, path, SP_WATCH_FILE) : NULL;
  if (e)
    e->stamp = stamp;
  return e || !wanted || stamp.kind == SP_DISK_NOTHING;
}

static void list_folder(sp_watch *w, sp_watch_entry *e)
{
  const struct dirent *entry;
  DIR *dir = sp_folder_list(w->reader.folder, e->path);
  size_t names = 0;
  e->unlisted = false;
  if (!dir && errno == EACCES && (e == w->root || w->depth == SP_WATCH_DEEPEST))
    set_problem(w, e, CLOSED);
  else if (dir && e->problem != FULL)
    set_problem(w, e, NULL);
  /* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else has this stream */
  while (dir && names < NAMES_MOST && (entry = readdir(dir)) != NULL) {
    names++;
    if (!take_name(w, e, entry) && w->list.count < SP_WATCH_MOST)
      e->unlisted = true;
  }
  if (dir)
    closedir(dir);
  if (names == NAMES_MOST)
    set_problem(w, w->root, FULL);
  e->listed = w->time;
  e->gap = LIST_GAP * (double)names;
}

/* }== */

/* {== Folders ============================================================ */

/* What was a folder may be a link by now, or lie behind one. The root alone may be a link. */
static bool is_own(const sp_watch *w, const sp_watch_entry *e)
{
  if (e == w->root)
    return !w->reader.folder || sp_folder_holds(w->reader.folder, e->path);
  return !is_link(e->path) && sp_folder_holds(w->root->path, e->path);
}

/* False when it was removed from the list; a root that is missing is waited for. */
static bool look_folder(sp_watch *w, size_t i, bool list)
{
  sp_watch_entry *e = w->list.items[i];
  sp_stamp stamp = sp_disk_stamp(e->path);
  bool unreachable = stamp.kind == SP_DISK_UNFIT && stamp.inode == 0; /* it may be there still */
  if (!sp_stamp_is_same(&stamp, &e->stamp)) {
    w->serial += stamp.inode != e->stamp.inode || stamp.device != e->stamp.device;
    e->stamp = stamp;
    e->unlisted = true;
    e->fresh = w->time + SP_WATCH_TIMES_COARSE;
  }
  double since = w->time - e->listed;
  bool due = e->unlisted || w->time < e->fresh || since >= LIST_EACH + LIST_GAPS * e->gap;
  bool listed = stamp.kind == SP_DISK_FOLDER && (list || (due && since >= e->gap)), own = !listed || is_own(w, e);
  if (e != w->root && ((stamp.kind != SP_DISK_FOLDER && !unreachable) || !own)) {
    sp_watch_look_forget(w, i);
    return false;
  }
  if (listed && own)
    list_folder(w, e);
  else if (listed)
    set_problem(w, e, OUTSIDE);
  return true;
}

bool sp_watch_look_add_root(sp_watch *w, const char *root)
{
  char path[PATH_MOST];
  size_t length = strlen(root);
  while (length > 1 && root[length - 1] == '/')
    length--;
  if (length >= sizeof path)
    return false;
  memcpy(path, root, length);
  path[length] = '\0';
  return (w->root = add(w, 0, path, SP_WATCH_FOLDER)) != NULL;
}

/* }== */

/* {== Looking ============================================================ */

/* False when the entry was removed. `hurry`: also what need not be looked at now. */
static bool look_at(sp_watch *w, size_t i, bool hurry)
{
  sp_watch_entry *e = w->list.items[i];
  if (e->kind == SP_WATCH_FOLDER)
    return look_folder(w, i, hurry);
  if (e->kind == SP_WATCH_FILE)
    look_file(w, e, hurry);
  else if (sp_disk_stamp(e->path).kind == SP_DISK_NOTHING)
    return sp_watch_look_forget(w, i), false;
  return true;
}

static bool is_pending_file(const sp_watch_entry *e) { return e->pending && e->kind == SP_WATCH_FILE; }

static void look_pending(sp_watch *w)
{
  for (size_t i = 0; w->pending > 0 && i < w->list.count; i++)
    if (is_pending_file(w->list.items[i]))
      look_file(w, w->list.items[i], false);
}

/* As much of the round as the time since the last poll asks for; all that one poll may do while something is pending,
   for what is saved next belongs to it. */
static void look_around(sp_watch *w, double passed)
{
  size_t count = w->list.count, looks = LOOKS_MOST;
  double rate = (double)count / LOOK_EACH;
  w->owed += (rate < RATE_MOST ? rate : RATE_MOST) * passed;
  if (w->owed > (double)LOOKS_MOST)
    w->owed = (double)LOOKS_MOST;
  if (w->pending == 0 && w->round_left == 0)
    looks = (size_t)w->owed;
  if (looks > count)
    looks = count;
  w->owed = w->owed > (double)looks ? w->owed - (double)looks : 0;
  for (size_t i = 0; i < looks; i++) {
    if (w->cursor >= w->list.count)
      w->cursor = 0;
    size_t at = w->cursor++;
    if (!is_pending_file(w->list.items[at]))
      look_at(w, at, false);
    if (w->round_left > 0)
      w->round_left--;
  }
}

/* Entries found on the way come behind the folder that they are in. */
void sp_watch_look_everywhere(sp_watch *w)
{
  w->reads_left = SIZE_MAX;
  for (size_t i = 0; i < w->list.count;)
    i += look_at(w, i, true);
  w->round_left = 0;
}

void sp_watch_look(sp_watch *w, double passed)
{
  w->reads_left = READS_MOST;
  look_pending(w);
  look_around(w, passed);
}

/* }== */
