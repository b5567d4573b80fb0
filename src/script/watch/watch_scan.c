/*
** A cursor moves over all entries and stats them; a folder whose stamp changed is listed for new names. A file whose
** stamp changed is pending, and from then on examined in every poll. No poll examines more than a fixed number of
** entries.
*/
#include "script/watch/watch_scan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Seconds. */
#define EXAMINE_EACH 0.12
#define RATE_MOST 4200.0 /* entries per second: a large tree must not cost more CPU time */
/* A folder is listed when its times change, for a while after that, and now and then for disks that do not change
   them. The cost of listing grows with the names, so large folders are listed less often. */
#define LIST_EACH 3.0
#define LIST_GAP 1e-4 /* per name: the least time between two listings */
#define LIST_GAPS 100 /* factor when nothing has changed */

/* Per poll; an examination costs about 1 us, a read 10 us. Per listing; a name costs 0.3 us. */
enum { EXAMINED_MOST = 200, READS_MOST = 4, NAMES_MOST = 1000000 };
enum { GLANCES_MOST = 15 }; /* between two examinations; two seconds */
enum { PATH_MOST = 4096 };

static const char OUTSIDE[] = "it is a link that leads out of the game's folder, and is not followed";
static const char DEEP[] = "it lies more than 16 folders deep, and is not watched";
static const char CLOSED[] = "this folder cannot be listed; check its permissions";
static const char FULL[] =
    "there are more than 20000 files and folders here, and the rest is not watched; give the game "
    "a folder of its own";
_Static_assert(SP_WATCH_DEEPEST == 16 && SP_WATCH_MOST == 20000, "the texts above say so");

/* {== The list ============================================================ */

size_t sp_watch_find(const sp_watch_list *list, const char *path, bool *found)
{
  size_t low = 0, high = list->count;
  *found = false;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = strcmp(list->items[middle]->path, path);
    if (order == 0)
      *found = true;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool make_room(sp_watch_list *list, const sp_disk_memory *memory)
{
  if (list->count < list->capacity)
    return true;
  size_t wanted = list->capacity ? list->capacity * 2 : 32, item = sizeof(*list->items);
  sp_watch_entry **items = memory->alloc(memory->ud, list->items, list->capacity * item, wanted * item);
  if (!items)
    return false;
  list->items = items;
  list->capacity = wanted;
  return true;
}

/* Inserts an entry at index `i`, zero but for its path; NULL when memory is refused. */
static sp_watch_entry *insert(sp_watch_list *list, size_t i, const char *path, const sp_disk_memory *memory)
{
  size_t length = strlen(path) + 1, block = sizeof(sp_watch_entry) + length;
  sp_watch_entry *e = make_room(list, memory) ? memory->alloc(memory->ud, NULL, 0, block) : NULL;
  if (!e)
    return NULL;
  *e = (sp_watch_entry){.block = block, .path = memcpy(e + 1, path, length)};
  memmove(list->items + i + 1, list->items + i, (list->count - i) * sizeof(*list->items));
  list->items[i] = e;
  list->count++;
  return e;
}

static void remove_at(sp_watch_list *list, size_t i, const sp_disk_memory *memory)
{
  sp_watch_entry *e = list->items[i];
  list->count--;
  memmove(list->items + i, list->items + i + 1, (list->count - i) * sizeof(*list->items));
  memory->alloc(memory->ud, e, e->block, 0);
}

void sp_watch_free_entries(sp_watch *w)
{
  sp_watch_list *list = &w->list;
  const sp_disk_memory *memory = &w->reader.memory;
  while (list->count > 0)
    remove_at(list, list->count - 1, memory);
  if (list->items)
    memory->alloc(memory->ud, list->items, list->capacity * sizeof(*list->items), 0);
}

/* }== */

/* {== Entries ============================================================ */

void sp_watch_begin_round(sp_watch *w) { w->round_left = w->list.count; }

static void set_pending(sp_watch *w, sp_watch_entry *e)
{
  e->last = w->time;
  if (e->pending)
    return;
  e->pending = true;
  e->first = w->time;
  w->pending++;
  sp_watch_begin_round(w);
}

/* Reports a problem of a folder once, until it is gone and comes back. */
static void set_problem(sp_watch *w, sp_watch_entry *e, const char *problem)
{
  if (problem && !e->problem)
    set_pending(w, e);
  e->problem = problem;
}

static sp_watch_entry *add(sp_watch *w, size_t i, const char *path, sp_watch_entry_kind kind)
{
  if (w->list.count >= SP_WATCH_MOST) {
    set_problem(w, w->root, FULL);
    return NULL;
  }
  sp_watch_entry *e = insert(&w->list, i, path, &w->reader.memory);
  if (!e) {
    w->refused = true;
    return NULL;
  }
  e->kind = kind;
  w->cursor += w->cursor > i;
  w->serial += kind == SP_WATCH_FOLDER;
  if (kind == SP_WATCH_FILE)
    set_pending(w, e);
  else
    sp_watch_begin_round(w);
  return e;
}

void sp_watch_remove(sp_watch *w, size_t i)
{
  const sp_watch_entry *e = w->list.items[i];
  w->pending -= e->pending;
  w->serial += e->kind == SP_WATCH_FOLDER;
  w->cursor -= w->cursor > i;
  remove_at(&w->list, i, &w->reader.memory);
}

/* }== */

/* {== Files ============================================================== */

/* Reads a changed file once more later: where times are coarse, a stamp does not distinguish two saves. One that is
   read before that, in a hurry, may still be saved again. */
static void read_again(sp_watch *w, sp_watch_entry *e)
{
  char problem[SP_FILE_PROBLEM_MOST];
  sp_disk_text text = {0};
  sp_stamp stamp = e->stamp;
  if (w->reads_left == 0)
    return;
  w->reads_left--;
  e->recheck = w->time < e->recheck_at;
  sp_disk_result result = sp_disk_read(&w->reader, e->path, &stamp, false, &text, problem);
  if (result == SP_DISK_FAILED && e->failed)
    sp_watch_recheck_later(e, w->time);
  else if (result != SP_DISK_READ || e->failed || sp_disk_hash(text.bytes, text.size) != e->hash)
    set_pending(w, e);
  sp_disk_free(&w->reader, &text);
}

static void examine_file(sp_watch *w, sp_watch_entry *e, bool hurry)
{
  sp_stamp stamp = sp_disk_stamp(e->path);
  if (stamp.kind == SP_DISK_FOLDER)
    stamp = (sp_stamp){.kind = SP_DISK_NOTHING};
  if (!sp_stamp_is_same(&stamp, &e->stamp)) {
    e->stamp = stamp;
    set_pending(w, e);
  } else if (!e->pending && e->recheck && (hurry || w->time >= e->recheck_at)) {
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

/* Returns whether the file is a temporary one of an editor. */
static bool is_temporary(const char *name)
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

static size_t depth_of(const sp_watch *w, const char *path)
{
  size_t depth = 0;
  for (const char *c = path + strlen(w->root->path); *c; c++)
    depth += *c == '/';
  return depth;
}

/* Returns why a folder is not scanned, or NULL. */
static const char *why_skipped(const sp_watch *w, const char *path)
{
  return sp_path_is_link(path) ? OUTSIDE : depth_of(w, path) > w->depth ? DEEP : NULL;
}

/* Returns whether another watch covers this folder. */
static bool is_covered(const sp_watch *w, const char *path)
{
  const char *const *name = w->covered, *in_root = path + strlen(w->root->path) + 1;
  while (name && *name && strcmp(*name, in_root) != 0)
    name++;
  return name && *name;
}

/* Returns whether a folder that is not scanned is no problem: a link that stays inside, or one that another watch
   reports, or anything below a depth that the caller chose, because much of it may not be the game's own. */
static bool is_fine(const sp_watch *w, const char *path, const char *problem)
{
  bool is_link = problem == OUTSIDE && (sp_folder_holds(w->root->path, path) || is_covered(w, path));
  return is_link || w->depth < SP_WATCH_DEEPEST;
}

/* Adds a folder. One that is not scanned becomes an entry too, so that it is reported only once. */
static bool add_folder(sp_watch *w, size_t i, const char *path, const sp_stamp *stamp)
{
  const char *problem = why_skipped(w, path);
  if (problem && is_fine(w, path, problem))
    return true;
  sp_watch_entry *e = add(w, i, path, problem ? SP_WATCH_SKIPPED : SP_WATCH_FOLDER);
  if (e && problem) {
    e->stamp = *stamp;
    set_problem(w, e, problem);
  }
  return e != NULL;
}

/* Adds a name found in a listed folder. False when there is no room or no memory for it. */
static bool take_name(sp_watch *w, const sp_watch_entry *folder, const char *name, bool may_be_folder)
{
  char path[PATH_MOST];
  bool wanted = has_ending(w, name), found;
  if (is_temporary(name) || (!wanted && !may_be_folder))
    return true;
  int length = snprintf(path, sizeof path, "%s/%s", folder->path, name);
  if (length < 0 || (size_t)length >= sizeof path)
    return true;
  size_t i = sp_watch_find(&w->list, path, &found);
  if (found && w->list.items[i]->kind != SP_WATCH_SKIPPED)
    return true;
  sp_stamp stamp = sp_disk_stamp(path);
  if (found && sp_stamp_is_same(&stamp, &w->list.items[i]->stamp))
    return true;
  if (found)
    sp_watch_remove(w, i);
  if (stamp.kind == SP_DISK_FOLDER)
    return add_folder(w, i, path, &stamp);
  sp_watch_entry *e = wanted && stamp.kind != SP_DISK_NOTHING ? add(w, i, path, SP_WATCH_FILE) : NULL;
  if (e)
    e->stamp = stamp;
  return e || !wanted || stamp.kind == SP_DISK_NOTHING;
}

static void list_folder(sp_watch *w, sp_watch_entry *e)
{
  const char *name;
  bool may_be_folder;
  sp_folder_stream *dir = sp_folder_list(w->reader.folder, e->path);
  size_t names = 0;
  e->unlisted = false;
  if (!dir && errno == EACCES && (e == w->root || w->depth == SP_WATCH_DEEPEST))
    set_problem(w, e, CLOSED);
  else if (dir && e->problem != FULL)
    set_problem(w, e, NULL);
  while (dir && names < NAMES_MOST && (name = sp_folder_stream_next(dir, &may_be_folder)) != NULL) {
    names++;
    if (!take_name(w, e, name, may_be_folder) && w->list.count < SP_WATCH_MOST)
      e->unlisted = true;
  }
  sp_folder_stream_close(dir);
  if (names == NAMES_MOST)
    set_problem(w, w->root, FULL);
  e->listed = w->time;
  e->gap = LIST_GAP * (double)names;
}

/* }== */

/* {== Folders ============================================================ */

/* A folder may have been replaced by a link, or lie behind one now. Only the root may be a link. */
static bool is_own(const sp_watch *w, const sp_watch_entry *e)
{
  if (e == w->root)
    return !w->reader.folder || sp_folder_holds(w->reader.folder, e->path);
  return !sp_path_is_link(e->path) && sp_folder_holds(w->root->path, e->path);
}

/* Examines a folder. False when it was removed from the list; the root stays when it is missing. */
static bool examine_folder(sp_watch *w, size_t i, bool list)
{
  sp_watch_entry *e = w->list.items[i];
  sp_stamp stamp = sp_disk_stamp(e->path);
  bool unreachable = stamp.kind == SP_DISK_UNFIT && stamp.inode == 0; /* it may still exist */
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
    sp_watch_remove(w, i);
    return false;
  }
  if (listed && own)
    list_folder(w, e);
  else if (listed)
    set_problem(w, e, OUTSIDE);
  return true;
}

bool sp_watch_add_root(sp_watch *w, const char *root)
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

/* Where a stamp is expensive, a glance at the file does in most rounds, while nothing suggests a change. */
static bool seems_same(const sp_watch *w, sp_watch_entry *e)
{
  bool is_quiet = w->round_left == 0 && !e->pending && !e->recheck && !e->unlisted && w->time >= e->fresh;
  bool same = is_quiet && e->glances < GLANCES_MOST && sp_stamp_seems_same(e->path, &e->stamp);
  e->glances = same ? e->glances + 1 : 0;
  return same;
}

/* Examines an entry. False when it was removed. `hurry`: even if it is not due. */
static bool examine(sp_watch *w, size_t i, bool hurry)
{
  sp_watch_entry *e = w->list.items[i];
  if (!hurry && seems_same(w, e))
    return true;
  if (e->kind == SP_WATCH_FOLDER)
    return examine_folder(w, i, hurry);
  if (e->kind == SP_WATCH_FILE)
    examine_file(w, e, hurry);
  else if (sp_disk_stamp(e->path).kind == SP_DISK_NOTHING)
    return sp_watch_remove(w, i), false;
  return true;
}

static bool is_pending_file(const sp_watch_entry *e) { return e->pending && e->kind == SP_WATCH_FILE; }

static void examine_pending(sp_watch *w)
{
  for (size_t i = 0; w->pending > 0 && i < w->list.count; i++)
    if (is_pending_file(w->list.items[i]))
      examine_file(w, w->list.items[i], false);
}

/* Examines as many entries as the time since the last poll allows; the maximum of a poll while something is pending,
   because other files may have been saved with it. */
static void examine_next(sp_watch *w, double passed)
{
  size_t count = w->list.count, examined = EXAMINED_MOST;
  double rate = (double)count / EXAMINE_EACH;
  w->owed += (rate < RATE_MOST ? rate : RATE_MOST) * passed;
  if (w->owed > (double)EXAMINED_MOST)
    w->owed = (double)EXAMINED_MOST;
  if (w->pending == 0 && w->round_left == 0)
    examined = (size_t)w->owed;
  if (examined > count)
    examined = count;
  w->owed = w->owed > (double)examined ? w->owed - (double)examined : 0;
  for (size_t i = 0; i < examined; i++) {
    if (w->cursor >= w->list.count)
      w->cursor = 0;
    size_t at = w->cursor++;
    if (!is_pending_file(w->list.items[at]))
      examine(w, at, false);
    if (w->round_left > 0)
      w->round_left--;
  }
}

/* New entries are inserted behind their folder, so this loop visits them too. */
void sp_watch_scan_all(sp_watch *w)
{
  w->reads_left = SIZE_MAX;
  for (size_t i = 0; i < w->list.count;)
    i += examine(w, i, true);
  w->round_left = 0;
}

void sp_watch_scan(sp_watch *w, double passed)
{
  w->reads_left = READS_MOST;
  examine_pending(w);
  examine_next(w, passed);
}

/* }== */
