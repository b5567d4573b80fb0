/*
** The looking half of the watcher: what it knows, and the slices in which it looks at the disk. A file whose stamp
** changed is pending afterwards; what becomes of it is the telling half, watch.c.
*/
#ifndef SP_SCRIPT_WATCH_LOOK_H
#define SP_SCRIPT_WATCH_LOOK_H

#include <dirent.h>

#include "script/watch.h"
#include "script/watch_list.h"

/* Seconds after which two saves have two times on any disk: FAT counts time by twos. */
#define SP_WATCH_TIMES_COARSE 2.2

struct sp_watch {
  sp_disk_memory memory;
  sp_watch_list folders, files;
  const sp_watch_dir *root;
  sp_watch_change *changes;
  size_t change_count, change_capacity;
  size_t depth;     /* folders deeper than that are not looked into */
  size_t pending;   /* files */
  bool forget;      /* there are files that are gone */
  bool refused;     /* memory, since it was opened */
  bool polled;      /* `now` is set */
  double now, time; /* of the caller's clock; of our own, from 0 */
  unsigned serial;

  size_t cursor;     /* what is looked at next: folders first, then files */
  double owed;       /* looks that are due */
  size_t round_left; /* looks until everything was looked at since the last file became pending */
  DIR *dir;          /* the folder being listed, or NULL */
  sp_watch_dir *listing;
  size_t names_left, reads_left; /* in this poll */
};

/* False when memory is refused. */
bool sp_watch_look_add_root(sp_watch *w, const char *folder);

/* A slice: what is pending, what was woken, and as much of the rest as `passed` seconds ask for. */
void sp_watch_look(sp_watch *w, double passed);

/* All at once. */
void sp_watch_look_everywhere(sp_watch *w);

/* From now on everything is looked at once as fast as polls allow, and nothing is told before. */
void sp_watch_look_round(sp_watch *w);

/* A stamp cannot tell two saves apart where times are coarse: the file is read once more when they must have moved on. */
static inline void sp_watch_doubt(sp_watch_file *f, double time)
{
  f->doubtful = true;
  f->again = time + SP_WATCH_TIMES_COARSE;
}

/* Leaves the folder that is being listed. */
void sp_watch_look_end(sp_watch *w);

void sp_watch_free_text(sp_watch *w, sp_disk_text *text);

#endif
