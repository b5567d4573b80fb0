/*
** What the watcher knows: files, folders, and folders that it does not look into, in one list sorted by path. An entry
** never moves in memory; it ends with its path.
*/
#ifndef SP_SCRIPT_WATCH_LIST_H
#define SP_SCRIPT_WATCH_LIST_H

#include "script/state/disk.h"

typedef enum sp_watch_entry_kind { SP_WATCH_FILE, SP_WATCH_FOLDER, SP_WATCH_SHUT } sp_watch_entry_kind;

typedef struct sp_watch_entry {
  size_t block; /* bytes of memory */
  const char *path;
  sp_watch_entry_kind kind;
  sp_stamp stamp; /* as last seen */
  bool pending;   /* what is new about it was not told yet */

  /* Of a file. */
  bool known;         /* its content was read: `hash` and `troubled` hold */
  bool troubled;      /* it could not be read */
  bool doubtful;      /* it is to be read once more, at `again` */
  uint64_t hash;      /* of the content, or of the problem */
  double first, last; /* change of the stamp while pending */
  double again;

  /* Of the others. */
  const char *problem; /* why it is not looked into, or not in full; static */
  bool unlisted;       /* it is to be listed */
  double fresh;        /* until then it is listed at every look: its times may be coarse */
  double listed, gap;  /* when it was listed last; seconds before it is again */
} sp_watch_entry;

typedef struct sp_watch_list {
  sp_watch_entry **items;
  size_t count, capacity;
} sp_watch_list;

/* The index of `path`, or the one that it would get; `*found` tells which. */
size_t sp_watch_list_find(const sp_watch_list *list, const char *path, bool *found);

/* Inserts an entry at index `i`, zero but for its path; NULL when memory is refused: nothing has changed then. */
sp_watch_entry *sp_watch_list_add(sp_watch_list *list, size_t i, const char *path, const sp_disk_memory *memory);

/* Frees the entry too. */
void sp_watch_list_remove(sp_watch_list *list, size_t i, const sp_disk_memory *memory);

void sp_watch_list_free(sp_watch_list *list, const sp_disk_memory *memory);

#endif
