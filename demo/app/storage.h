/*
** The folder in which a game stores data: a separate one for each game in the user's data folder, created by the first
** save, or before the second wall is raised.
*/
#ifndef SP_DEMO_STORAGE_H
#define SP_DEMO_STORAGE_H

#include "demo/app/storage_memory.h"
#include "demo/bind/storage_lua.h"
#include "demo/support/report.h"

#define STORAGE_PATH_MOST 1024

typedef struct storage {
  char parent[STORAGE_PATH_MOST]; /* "~/.local/share/spawnpool"; "": there is none */
  char folder[STORAGE_PATH_MOST]; /* the game's own folder in `parent` */
  bool opened;
  const char *no_folder; /* why there is none */
  storage_memory memory; /* used instead of the folder, or a copy of it */
  bool is_replayed;      /* data is stored in the copy only */
  report *report;
  char warned[STORAGE_WHY]; /* the last warning: it is not repeated */
  storage_files files;      /* what storage_install gets */
} storage;

/* storage_open chooses the folder of the game at `path` and creates its parent. After storage_prepare alone nothing can
   be stored or loaded. Warnings go to `r`. `s` must not move. */
void storage_prepare(storage *s, report *r);
void storage_open(storage *s, const char *path);
/* Stores data in memory instead, which is empty at first: nothing is kept after the run. */
void storage_open_memory(storage *s);
/* Stores data in memory and in the folder; call it after storage_open. Going back in time restores the memory only: the
   folder keeps later data until the game stores it again. */
void storage_open_copy(storage *s);
void storage_close(storage *s);

/* Creates the folder of the game and returns it; NULL: there is none. The second wall allows writing there, and forbids
   creating folders. */
const char *storage_make_folder(const storage *s);

#endif
