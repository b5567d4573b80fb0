/*
** The files and the folders that the watcher knows, each kind in a list sorted by path: found by halving, and walked in
** the order in which changes are told. An entry never moves; it begins with a node and ends with its path.
*/
#ifndef SP_SCRIPT_WATCH_LIST_H
#define SP_SCRIPT_WATCH_LIST_H

#include "script/disk.h"

typedef struct sp_watch_node {
  size_t size; /* of the block */
  const char *path;
  sp_stamp stamp; /* as last seen */
} sp_watch_node;

typedef struct sp_watch_file {
  sp_watch_node node;
  bool known;         /* its content was read or told: `hash` and `troubled` hold */
  bool troubled;      /* it could not be read */
  bool pending;       /* its stamp changed; what that means is not yet told */
  bool gone;          /* told as gone, or never told at all: forgotten in the next poll */
  uint64_t hash;      /* of the content, or of the trouble */
  double first, last; /* change of the stamp while pending */
  bool doubtful;      /* it is to be read once more, at `again` */
  double again;
  sp_disk_text text; /* told in this poll, or why not; no bytes: nothing */
} sp_watch_file;

typedef struct sp_watch_dir {
  sp_watch_node node;
  double fresh;  /* until then it is listed at every look: its times may be coarse */
  double listed; /* when it was last */
  bool unlisted; /* it must be */
  bool woken;    /* an event named it */
} sp_watch_dir;

typedef struct sp_watch_list {
  sp_watch_node **items;
  size_t count, capacity;
} sp_watch_list;

static inline sp_watch_file *sp_watch_file_at(const sp_watch_list *list, size_t i)
{
  return (sp_watch_file *)list->items[i];
}
static inline sp_watch_dir *sp_watch_dir_at(const sp_watch_list *list, size_t i)
{
  return (sp_watch_dir *)list->items[i];
}

/* The place of `path`, or the one it would get; `*found` tells which. */
size_t sp_watch_list_find(const sp_watch_list *list, const char *path, bool *found);

/* A new entry of `size` bytes, zeroed but for its node, at place `i`; NULL when memory is refused: nothing changed
   then. */
sp_watch_node *sp_watch_list_add(sp_watch_list *list, size_t i, size_t size, const char *path,
                                 const sp_disk_memory *memory);

/* The entry is freed. */
void sp_watch_list_remove(sp_watch_list *list, size_t i, const sp_disk_memory *memory);

/* Frees every file that is gone. */
void sp_watch_list_sweep(sp_watch_list *files, const sp_disk_memory *memory);

void sp_watch_list_free(sp_watch_list *list, const sp_disk_memory *memory);

#endif
