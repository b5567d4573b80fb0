/*
** The scanning half of the watch: files, folders, and folders that are not scanned, in one list sorted by path, and the
** slices in which they are examined. A file whose stamp changed becomes pending; watch.c reads and reports it. Entries
** never move in memory.
*/
#ifndef SP_SCRIPT_WATCH_SCAN_H
#define SP_SCRIPT_WATCH_SCAN_H

#include "script/state/disk.h"
#include "script/watch/watch.h"

/* Seconds after which two saves get different times on any disk: FAT stores even seconds. */
#define SP_WATCH_TIMES_COARSE 2.2

typedef enum sp_watch_entry_kind { SP_WATCH_FILE, SP_WATCH_FOLDER, SP_WATCH_SKIPPED } sp_watch_entry_kind;

typedef struct sp_watch_entry {
  size_t block; /* size of the allocation */
  const char *path;
  sp_watch_entry_kind kind;
  sp_stamp stamp; /* at the last examination */
  bool pending;   /* has a change that was not reported yet */
  int glances;    /* since the last examination */

  /* Of a file. */
  bool known;         /* its content was read: `hash` and `failed` are valid */
  bool failed;        /* it could not be read */
  bool recheck;       /* it is read once more, at `recheck_at` */
  uint64_t hash;      /* of the content, or of the text of the problem */
  double first, last; /* changes of the stamp while pending */
  double recheck_at;

  /* Of folders and skipped ones. */
  const char *problem; /* why it is not scanned, or not completely; static */
  bool unlisted;       /* must be listed */
  double fresh;        /* until then it is listed at every examination: its times may be coarse */
  double listed, gap;  /* time of the last listing; least seconds until the next */
} sp_watch_entry;

typedef struct sp_watch_list {
  sp_watch_entry **items;
  size_t count, capacity;
} sp_watch_list;

struct sp_watch {
  sp_disk_reader reader;
  sp_watch_list list;
  sp_watch_entry *root;
  const char *const *endings, *const *covered;
  size_t depth;      /* deeper folders are not scanned */
  size_t pending;    /* entries */
  bool refused;      /* memory was refused since it was opened */
  bool polled;       /* `now` is valid */
  double now, time;  /* of the caller's clock; of the watch's own, from 0 */
  unsigned serial;   /* of the folders */
  size_t cursor;     /* the next entry to examine */
  double owed;       /* entries due to be examined */
  size_t round_left; /* entries left until all were examined since the last one became pending */
  size_t reads_left; /* file reads left in this poll */

  /* Reporting. */
  size_t next_report;   /* the next entry to report; past the end: none */
  bool hurry;           /* also changes that have not settled */
  sp_watch_entry *gone; /* reported as gone: removed by the next call */
  sp_disk_text text;
  char problem[SP_FILE_PROBLEM_MOST];
};

/* Adds the root. False when memory is refused, or the path is too long. */
bool sp_watch_add_root(sp_watch *w, const char *root);

/* Returns the index of `path`, or the one that it would get; `*found` says which. */
size_t sp_watch_find(const sp_watch_list *list, const char *path, bool *found);

/* Frees all entries. */
void sp_watch_free_entries(sp_watch *w);

/* Removes the entry at index `i`. */
void sp_watch_remove(sp_watch *w, size_t i);

/* Examines pending entries, then as many others as `passed` seconds allow. */
void sp_watch_scan(sp_watch *w, double passed);

/* Examines all entries. */
void sp_watch_scan_all(sp_watch *w);

/* Starts a round over all entries, as fast as polls allow; nothing is reported before its end. */
void sp_watch_begin_round(sp_watch *w);

/* Schedules a second read of a file: where times are coarse, equal stamps do not mean equal contents. */
static inline void sp_watch_recheck_later(sp_watch_entry *e, double time)
{
  e->recheck = true;
  e->recheck_at = time + SP_WATCH_TIMES_COARSE;
}

#endif
