/*
** One pass over the files and folders, sorted by path, that goes round: a folder whose stamp changed is listed, a file
** whose stamp changed is pending. Pending files wait until they are still, for each other, and for one round, so that
** files saved together are reported together. Then they are read, and the hash decides which of them really changed.
*/
#include "script/watch/watch.h"

#include <errno.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "script/state/context.h"
#include "script/state/disk.h"
#include "script/state/platform.h"

/* Seconds. */
#define STEP_MOST 0.1
#define LOOK_EACH 0.01
#define SETTLE 0.040
#define SETTLE_EMPTY 0.2
#define HOLD_MOST 1.0
#define TIMES_COARSE 2.2 /* after which two saves get different times on any disk: FAT stores even seconds */
#define LIST_EACH 3.0    /* for disks that do not change the times of folders */
#define LIST_ENTRY 1e-3  /* and so much longer for each entry */
#define SECOND UINT64_C(1000000000)

enum { LOOKS_MOST = 1000, READS_MOST = 4 }; /* in a poll: stamps, 1 us each; and second reads, 10 us or more */

static const char OUTSIDE[] = "it is a link that leads out of the game's folder, and is not followed";
static const char DEEP[] = "it lies more than 16 folders deep, and is not watched";
static const char CLOSED[] = "this folder cannot be listed; check its permissions";
static const char FULL[] =
    "there are more than 20000 files and folders here, and the rest is not watched; give the game "
    "a folder of its own";
_Static_assert(SP_WATCHER_DEEPEST == 16 && SP_WATCHER_MOST == 20000, "the texts above say so");

/* It never moves in memory. */
typedef struct entry {
  bool is_folder;
  bool pending;       /* has a change that was not reported yet */
  double first, last; /* changes while it is pending */
  double looked;      /* when it was stamped */
  sp_stamp stamp;

  bool known, failed; /* a file that was read, or could not be; `hash` is that of the text, or of the problem */
  uint64_t hash;
  double again; /* a file is read once more then: where times are coarse, equal stamps do not mean equal texts */

  const char *problem; /* why a folder is not listed, or not completely */
  bool skipped;        /* a folder that is never listed, and here only to report that once */
  double changed, listed;
  char path[];
} entry;

struct sp_watcher {
  sp_watcher_options options;
  sp_disk_reader reader;
  entry **list, *root;
  size_t count, room, pending;
  bool refused;      /* memory was refused since it was opened */
  double now, time;  /* of the caller's clock; of the watch's own, from 0 */
  double looked;     /* the last look */
  size_t next;       /* the entry to look at */
  size_t unseen;     /* looks left until all were looked at since one became pending */
  size_t reads_left; /* second reads in this look */

  size_t next_report; /* the entry to report; past the end: none */
  bool hurry;         /* also changes that have not settled */
  bool opening;       /* only files */
  sp_disk_text text;
  char problem[SP_FILE_PROBLEM_MOST];
};

/* {== The list =========================================================== */

static void *resize(const sp_watcher *w, void *block, size_t old, size_t size)
{
  return w->options.alloc(w->options.ud, block, old, size);
}

/* Returns the index of `path`, or the one that it would get; `*found` says which. */
static size_t find(const sp_watcher *w, const char *path, bool *found)
{
  size_t low = 0, high = w->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(w->list[middle]->path, path) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  *found = low < w->count && strcmp(w->list[low]->path, path) == 0;
  return low;
}

static void remove_at(sp_watcher *w, size_t i)
{
  entry *e = w->list[i];
  w->pending -= e->pending;
  w->next -= w->next > i;
  w->count--;
  memmove(w->list + i, w->list + i + 1, (w->count - i) * sizeof *w->list);
  resize(w, e, sizeof *e + strlen(e->path) + 1, 0);
}

static bool is_coarse(const sp_stamp *stamp) { return stamp->altered % SECOND == 0; }

/* Returns how long a file was still before its change was seen: by the disk's clock, and no longer than since the look
   before. */
static double stillness(const sp_watcher *w, const entry *e)
{
  uint64_t now = w->options.date(), then = e->stamp.altered;
  return is_coarse(&e->stamp) || now < then ? 0 : fmin((double)(now - then) / (double)SECOND, w->time - e->looked);
}

static void set_pending(sp_watcher *w, entry *e)
{
  e->last = w->time - stillness(w, e);
  if (e->pending)
    return;
  e->pending = true;
  e->first = w->time;
  w->pending++;
  w->unseen = w->count;
}

/* Reports a problem of a folder once, until it is gone and comes back. */
static void set_problem(sp_watcher *w, entry *e, const char *problem)
{
  if (problem && !e->problem)
    set_pending(w, e);
  e->problem = problem;
}

/* Adds an entry at index `i`. NULL when there is no room or no memory. */
static entry *add(sp_watcher *w, size_t i, const char *path, bool is_folder, double looked)
{
  size_t size = strlen(path) + 1, item = sizeof *w->list;
  if (w->count >= SP_WATCHER_MOST) {
    set_problem(w, w->root, FULL);
    return NULL;
  }
  entry *e = resize(w, NULL, 0, sizeof *e + size);
  entry **list = !e || w->count < w->room ? w->list : resize(w, w->list, w->room * item, (w->room + 32) * 2 * item);
  if (!e || !list) {
    w->refused = true;
    return e ? resize(w, e, sizeof *e + size, 0) : NULL;
  }
  w->room = w->count < w->room ? w->room : (w->room + 32) * 2;
  w->list = list;
  memmove(list + i + 1, list + i, (w->count - i) * item);
  *e = (entry){.is_folder = is_folder, .looked = looked, .again = HUGE_VAL};
  memcpy(e->path, path, size);
  list[i] = e;
  w->next += w->next > i;
  w->unseen = ++w->count;
  return e;
}

/* }== */

/* {== Listing a folder =================================================== */

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

static bool has_ending(const sp_watcher *w, const char *name)
{
  const char *const *ending = w->options.endings;
  while (*ending && !ends_with(name, *ending))
    ending++;
  return *ending != NULL;
}

/* Returns why a folder is not watched, or NULL. It is no problem that a link stays inside or that another watch reports
   it, nor what lies below a depth that the caller chose: much of that may not be the game's own. */
static const char *why_skipped(const sp_watcher *w, const char *path, bool *is_problem)
{
  const char *in_root = path + strlen(w->root->path) + 1, *const *covered = w->options.covered;
  size_t depth = 1;
  for (const char *c = in_root; *c; c++)
    depth += *c == '/';
  while (covered && *covered && strcmp(*covered, in_root) != 0)
    covered++;
  bool is_link = sp_path_is_link(path), is_covered = covered && *covered;
  *is_problem =
      w->options.depth == SP_WATCHER_DEEPEST && !(is_link && (is_covered || sp_folder_holds(w->root->path, path)));
  return is_link ? OUTSIDE : depth > w->options.depth ? DEEP : NULL;
}

/* Adds a name that was found in a folder. False when there is no room or no memory for it. */
static bool take_name(sp_watcher *w, const entry *folder, const char *name, bool may_be_folder)
{
  char path[SP_PATH_MOST];
  bool wanted = has_ending(w, name), found, is_problem;
  if (is_temporary(name) || (!wanted && !may_be_folder) ||
      snprintf(path, sizeof path, "%s/%s", folder->path, name) >= SP_PATH_MOST)
    return true;
  size_t i = find(w, path, &found);
  sp_stamp stamp = found ? (sp_stamp){.kind = SP_DISK_NOTHING} : sp_disk_stamp(path);
  bool is_folder = stamp.kind == SP_DISK_FOLDER;
  const char *skipped = is_folder ? why_skipped(w, path, &is_problem) : NULL;
  if (stamp.kind == SP_DISK_NOTHING || (!is_folder && !wanted) || (skipped && !is_problem))
    return true;
  entry *e = add(w, i, path, is_folder, folder->looked);
  if (!e)
    return false;
  if (is_folder && !skipped)
    return true;
  e->stamp = stamp;
  e->skipped = is_folder;
  e->problem = skipped;
  set_pending(w, e);
  return true;
}

/* Returns false if there was no memory for all of it. */
static bool list_folder(sp_watcher *w, entry *e)
{
  const char *name;
  bool may_be_folder, fine = true;
  sp_folder_stream *dir = sp_folder_list(w->reader.folder, e->path);
  if (!dir && errno == EACCES && (e == w->root || w->options.depth == SP_WATCHER_DEEPEST))
    set_problem(w, e, CLOSED);
  else if (dir && e->problem != FULL)
    set_problem(w, e, NULL);
  while (dir && (name = sp_folder_stream_next(dir, &may_be_folder)) != NULL)
    fine = (take_name(w, e, name, may_be_folder) || w->count >= SP_WATCHER_MOST) && fine;
  sp_folder_stream_close(dir);
  e->listed = w->time;
  return fine;
}

/* }== */

/* {== The pass =========================================================== */

/* A folder may have been replaced by a link, or may be behind one. Only the root may be a link. */
static bool is_own(const sp_watcher *w, const entry *e)
{
  if (e == w->root)
    return !w->reader.folder || sp_folder_holds(w->reader.folder, e->path);
  return !sp_path_is_link(e->path) && sp_folder_holds(w->root->path, e->path);
}

/* A folder is listed when its times change, and then at growing intervals, because its times may be coarse. */
static bool is_to_be_listed(const sp_watcher *w, const entry *e)
{
  double wait = fmin(e->listed - e->changed + SETTLE, LIST_EACH + LIST_ENTRY * (double)w->count);
  return w->time == e->changed || w->time - e->listed >= wait;
}

/* Returns false if the folder was removed from the list; a missing root stays in it. */
static bool look_at_folder(sp_watcher *w, entry *e, bool hurry)
{
  sp_stamp stamp = sp_disk_stamp(e->path);
  bool is_folder = stamp.kind == SP_DISK_FOLDER;
  bool is_hidden = stamp.kind == SP_DISK_UNFIT && stamp.inode == 0; /* it may still be there */
  if (e->skipped)
    return stamp.inode == e->stamp.inode && stamp.device == e->stamp.device &&
           sp_path_is_link(e->path) == (e->problem == OUTSIDE);
  if (!sp_stamp_is_same(&stamp, &e->stamp))
    e->changed = w->time;
  e->stamp = stamp;
  bool listed = is_folder && (hurry || is_to_be_listed(w, e)), own = !listed || is_own(w, e);
  if (e != w->root && ((!is_folder && !is_hidden) || !own))
    return false;
  if (!own)
    set_problem(w, e, OUTSIDE);
  else if (listed && !list_folder(w, e))
    e->stamp = (sp_stamp){.kind = SP_DISK_NOTHING}; /* listed in the next look again */
  return true;
}

static void read_again(sp_watcher *w, entry *e)
{
  sp_disk_text text = {0};
  sp_stamp stamp = e->stamp;
  w->reads_left--;
  sp_disk_result result = sp_disk_read(&w->reader, e->path, &stamp, false, &text, w->problem);
  if (result == SP_DISK_FAILED && e->failed)
    e->again = w->time + TIMES_COARSE;
  else if (result != SP_DISK_READ || e->failed || sp_disk_hash(text.bytes, text.size) != e->hash)
    set_pending(w, e);
  else if (w->time >= e->again) /* one that is read in a hurry may still be saved again */
    e->again = HUGE_VAL;
  sp_disk_free(&w->reader, &text);
}

/* Returns false if the file was reported as gone. */
static bool look_at_file(sp_watcher *w, entry *e, bool hurry)
{
  sp_stamp stamp = sp_disk_stamp(e->path);
  if (stamp.kind == SP_DISK_FOLDER)
    stamp = (sp_stamp){.kind = SP_DISK_NOTHING};
  if (!sp_stamp_is_same(&stamp, &e->stamp)) {
    e->stamp = stamp;
    set_pending(w, e);
  } else if (!e->pending && w->reads_left > 0 && (hurry ? e->again < HUGE_VAL : w->time >= e->again)) {
    read_again(w, e);
  }
  return e->pending || e->known;
}

static void look_at_next(sp_watcher *w, bool hurry)
{
  entry *e = w->list[w->next++];
  w->unseen -= w->unseen > 0;
  if (e->is_folder ? look_at_folder(w, e, hurry) : look_at_file(w, e, hurry))
    e->looked = w->time;
  else
    remove_at(w, w->next - 1);
}

/* Looks at all entries if in a hurry: added ones are behind their folder, so that the pass reaches them too. */
static void look(sp_watcher *w, bool hurry)
{
  w->looked = w->time;
  w->next = hurry ? 0 : w->next;
  w->reads_left = hurry ? SIZE_MAX : READS_MOST;
  for (size_t looks = 0; hurry ? w->next < w->count : looks < w->count || w->unseen > 0; looks++) {
    if (!hurry && looks >= (w->pending > 0 || w->unseen > 0 ? LOOKS_MOST : sp_facts_few))
      return;
    w->next = w->next < w->count ? w->next : 0;
    look_at_next(w, hurry);
  }
  w->unseen = 0;
}

/* }== */

/* {== Reporting ========================================================== */

static bool is_overdue(const sp_watcher *w, const entry *e) { return w->time - e->first >= HOLD_MOST; }

static bool is_settled(const sp_watcher *w, const entry *e)
{
  bool is_empty = e->stamp.kind == SP_DISK_FILE && e->stamp.size == 0;
  return w->time - e->last >= (is_empty ? SETTLE_EMPTY : SETTLE) || is_overdue(w, e);
}

/* Returns whether settled changes are reported now: all have settled, or one has waited long enough. */
static bool is_due(const sp_watcher *w)
{
  bool all = w->unseen == 0, overdue = false;
  for (size_t i = 0; i < w->count; i++) {
    const entry *e = w->list[i];
    all = all && (!e->pending || is_settled(w, e));
    overdue = overdue || (e->pending && is_overdue(w, e));
  }
  return all || overdue;
}

static void settle(sp_watcher *w, entry *e)
{
  e->pending = false;
  w->pending--;
}

/* Reads a file, and marks its content, or why it cannot be read, as known. False when that was known before, or when it
   is read again later, when it may have settled. */
static bool report_content(sp_watcher *w, entry *e, sp_watcher_change *change)
{
  bool anyway = w->hurry || is_overdue(w, e), known = e->known, failed_before = e->failed;
  uint64_t before = e->hash, soon = w->options.date() + 3 * SECOND;
  sp_disk_result result = sp_disk_read(&w->reader, e->path, &e->stamp, anyway, &w->text, w->problem);
  e->last = w->time;
  if (result == SP_DISK_REFUSED) {
    w->refused = true;
    e->first = w->time;
  }
  if (result == SP_DISK_REFUSED || result == SP_DISK_MOVED)
    return false;
  settle(w, e);
  e->known = true;
  e->failed = result == SP_DISK_FAILED;
  e->hash = e->failed ? sp_disk_hash(w->problem, strlen(w->problem)) : sp_disk_hash(w->text.bytes, w->text.size);
  *change = (sp_watcher_change){.kind = known ? SP_WATCHER_CHANGED : SP_WATCHER_NEW,
                                .path = e->path,
                                .text = w->text.bytes,
                                .size = w->text.size,
                                .problem = e->failed ? w->problem : NULL};
  bool news = !known || e->hash != before || e->failed != failed_before;
  /* A young file may be saved again within the resolution of its times. */
  bool is_young = soon - e->stamp.modified < 6 * SECOND || soon - e->stamp.altered < 6 * SECOND;
  e->again = e->failed || (news && is_young) ? w->time + TIMES_COARSE : HUGE_VAL;
  return news;
}

static bool report(sp_watcher *w, entry *e, sp_watcher_change *change)
{
  bool known = e->known;
  if (!e->is_folder && e->stamp.kind != SP_DISK_NOTHING)
    return report_content(w, e, change);
  settle(w, e);
  e->known = false;
  *change = (sp_watcher_change){.path = e->path, .problem = e->problem};
  change->kind = e->is_folder ? SP_WATCHER_NEW : SP_WATCHER_GONE;
  return known || e->problem;
}

bool sp_watcher_next(sp_watcher *w, sp_watcher_change *change)
{
  bool reported = false;
  while (!reported && w->next_report < w->count) {
    entry *e = w->list[w->next_report++];
    sp_disk_free(&w->reader, &w->text);
    if (e->pending && (w->hurry || is_settled(w, e)) && !(w->opening && e->is_folder))
      reported = report(w, e, change);
  }
  return reported;
}

/* }== */

/* {== The watch ========================================================== */

static void *alloc_libc(void *ud, void *ptr, size_t osize, size_t nsize)
{
  (void)ud, (void)osize;
  if (nsize > 0)
    return realloc(ptr, nsize);
  free(ptr);
  return NULL;
}

sp_watcher *sp_watcher_open(const sp_watcher_options *o)
{
  sp_disk_memory memory = {o->alloc ? o->alloc : alloc_libc, o->ud};
  sp_watcher_change unused;
  sp_watcher *w = memory.alloc(o->ud, NULL, 0, sizeof *w);
  if (!w)
    return NULL;
  *w = (sp_watcher){.options = *o, .reader = {.memory = memory}, .now = HUGE_VAL, .opening = !o->report_existing};
  w->options.alloc = memory.alloc;
  w->options.date = o->date ? o->date : sp_date_nanoseconds;
  w->options.depth = o->depth < SP_WATCHER_DEEPEST ? o->depth : SP_WATCHER_DEEPEST;
  char *folder = o->folder ? resize(w, NULL, 0, strlen(o->folder) + 1) : NULL;
  w->reader.folder = folder ? strcpy(folder, o->folder) : NULL;
  w->root = !o->folder || folder ? add(w, 0, o->root, true, 0) : NULL;
  if (w->root)
    look(w, true);
  w->hurry = w->opening;
  w->next_report = w->opening ? 0 : SIZE_MAX;
  while (sp_watcher_next(w, &unused))
    ;
  w->opening = false;
  if (w->root && !w->refused)
    return w;
  sp_watcher_close(w);
  return NULL;
}

void sp_watcher_close(sp_watcher *w)
{
  if (!w)
    return;
  sp_disk_free(&w->reader, &w->text);
  while (w->count > 0)
    remove_at(w, w->count - 1);
  if (w->list)
    resize(w, w->list, w->room * sizeof *w->list, 0);
  if (w->reader.folder)
    resize(w, (void *)w->reader.folder, strlen(w->reader.folder) + 1, 0);
  resize(w, w, sizeof *w, 0);
}

bool sp_watcher_poll(sp_watcher *w, double now, bool hurry)
{
  if (now > w->now)
    w->time += fmin(now - w->now, STEP_MOST);
  w->now = now;
  sp_disk_free(&w->reader, &w->text);
  if (hurry || w->time - w->looked >= LOOK_EACH)
    look(w, hurry);
  w->hurry = hurry;
  bool due = w->pending > 0 && (hurry || is_due(w));
  w->next_report = due ? 0 : SIZE_MAX;
  return due;
}

bool sp_watcher_is_pending(const sp_watcher *w) { return w->pending > 0; }

/* }== */

/* {== For Lua ============================================================ */

typedef struct watcher {
  sp_watcher *watch;
} watcher;

static double monotonic(void) { return (double)sp_clock_nanoseconds() / 1e9; }

int spl_native_clock(lua_State *L)
{
  lua_pushnumber(L, monotonic());
  return 1;
}

static watcher *check_watcher(lua_State *L) { return luaL_checkudata(L, 1, "spawnpool.watcher"); }

static int watcher_close(lua_State *L)
{
  watcher *w = check_watcher(L);
  sp_watcher_close(w->watch);
  w->watch = NULL;
  return 0;
}

/* Tells the host about a text, by its name in the folder of the game. */
static void tell(const sp_context *c, const sp_watcher_change *change)
{
  size_t length = c->root ? strlen(c->root) : 0;
  if (c->on_edit && !change->problem && strncmp(change->path, c->root, length) == 0)
    c->on_edit(c->edit_ud, change->path + length + 1, change->text, change->size);
}

static void push_change(lua_State *L, const sp_watcher_change *change)
{
  static const char *const kinds[] = {
      [SP_WATCHER_NEW] = "new", [SP_WATCHER_CHANGED] = "changed", [SP_WATCHER_GONE] = "gone"};
  lua_createtable(L, 0, 4);
  lua_pushstring(L, kinds[change->kind]);
  lua_setfield(L, -2, "kind");
  lua_pushstring(L, change->path);
  lua_setfield(L, -2, "path");
  if (change->text)
    lua_pushlstring(L, change->text, change->size);
  else
    lua_pushnil(L);
  lua_setfield(L, -2, "text");
  lua_pushstring(L, change->problem);
  lua_setfield(L, -2, "problem");
}

/* watcher:poll(hurry) -> a list of {kind, path, text, problem}, or nil; and whether changes are pending. */
static int watcher_poll(lua_State *L)
{
  sp_watcher *watch = check_watcher(L)->watch;
  sp_watcher_change change;
  if (!watch)
    return 0;
  if (!sp_watcher_poll(watch, monotonic(), lua_toboolean(L, 2)) || !sp_watcher_next(watch, &change)) {
    lua_pushnil(L);
    lua_pushboolean(L, sp_watcher_is_pending(watch));
    return 2;
  }
  lua_newtable(L);
  lua_Integer count = 0;
  do {
    tell(sp_context_of(L), &change);
    push_change(L, &change);
    lua_rawseti(L, -2, ++count);
  } while (sp_watcher_next(watch, &change));
  return 1;
}

static const luaL_Reg watcher_methods[] = {{"poll", watcher_poll}, {"close", watcher_close}, {NULL, NULL}};

int spl_native_watch(lua_State *L)
{
  static const char *const endings[] = {".lua", NULL};
  sp_watcher_options options = {.root = luaL_checkstring(L, 1),
                                .folder = sp_context_here(L)->folder,
                                .endings = endings,
                                .covered = sp_context_here(L)->asset_folders,
                                .depth = (size_t)luaL_optinteger(L, 2, SP_WATCHER_DEEPEST)};
  watcher *w = lua_newuserdatauv(L, sizeof *w, 0);
  w->watch = NULL;
  if (luaL_newmetatable(L, "spawnpool.watcher")) {
    luaL_newlib(L, watcher_methods);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, watcher_close);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  options.alloc = lua_getallocf(L, &options.ud);
  w->watch = sp_watcher_open(&options);
  return w->watch ? 1 : luaL_error(L, "cannot watch %s: not enough memory", options.root);
}

/* }== */
