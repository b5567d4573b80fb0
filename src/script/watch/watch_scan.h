/*
** The looking half of the watcher: what it knows, and the slices in which it looks at the disk. A file whose stamp
** changed is pending afterwards; what becomes of it is the telling half, watch.c.
*/
#ifndef SP_SCRIPT_WATCH_SCAN_H
#define SP_SCRIPT_WATCH_SCAN_H

#include "script/watch/watch.h"
#include "script/watch/watch_list.h"

/* Seconds after which two saves have two times on any disk: FAT counts time by twos. */
#define SP_WATCH_TIMES_COARSE 2.2

struct sp_watch {
  sp_disk_reader reader;
  sp_watch_list list;
  sp_watch_entry *root;
  const char *const *endings;
  size_t depth;      /* folders deeper than that are not looked into */
  size_t pending;    /* entries */
  bool refused;      /* memory, since it was opened */
  bool polled;       /* `now` is set */
  double now, time;  /* of the caller's clock; of our own, from 0 */
  unsigned serial;   /* of the folders */
  size_t cursor;     /* what is looked at next */
  double owed;       /* looks that are due */
  size_t round_left; /* looks until everything was looked at since the last entry became pending */
  size_t reads_left; /* in this poll */

  /* What is being told. */
  size_t tell_at;       /* what is told next; past the end: nothing */
  bool hurry;           /* also what has not settled */
  sp_watch_entry *gone; /* was told as gone: removed by the next call */
  sp_disk_text text;
  char problem[SP_FILE_PROBLEM_MOST];
};

/* False when memory is refused, or the path is too long. */
bool sp_watch_look_add_root(sp_watch *w, const char *root);

/* Removes the entry at index `i`. */
void sp_watch_look_forget(sp_watch *w, size_t i);

/* A slice: what is pending, what was woken, and as much of the rest as `passed` seconds ask for. */
void sp_watch_look(sp_watch *w, double passed);

/* All at once. */
void sp_watch_look_everywhere(sp_watch *w);

/* From now on everything is looked at once as fast as polls allow, and nothing is told before. */
void sp_watch_look_round(sp_watch *w);

/* A stamp cannot tell two saves apart where times are coarse: the file is read once more when they must have moved
   on. */
static inline void sp_watch_doubt(sp_watch_entry *e, double time)
{
  e->doubtful = true;
  e->again = time + SP_WATCH_TIMES_COARSE;
}

#endif
