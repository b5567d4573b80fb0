/*
** The folder in which a game may store data: one of its own in the user's data folder, made when something is saved.
*/
#ifndef SP_DEMO_STORAGE_H
#define SP_DEMO_STORAGE_H

#include "demo/app/storage_memory.h"
#include "demo/bind/storage_lua.h"
#include "demo/support/report.h"

#define STORAGE_PATH_MOST 1024

typedef struct storage {
  char parent[STORAGE_PATH_MOST]; /* "~/.local/share/spawnpool"; "": there is none */
  char folder[STORAGE_PATH_MOST]; /* of the game, in it */
  bool opened;
  const char *no_folder; /* why there is none */
  storage_memory memory; /* instead of the folder, or a copy of it */
  bool is_replayed;      /* what is stored goes to the copy only */
  report *report;
  char warned[STORAGE_WHY]; /* the last warning: it is not repeated */
  storage_files files;      /* what storage_install gets */
} storage;

/* Chooses the folder of the game at `path`, and makes its parent. Until then nothing is stored and nothing is found.
   Warnings go to `r`. `s` must not move. */
void storage_prepare(storage *s, report *r);
void storage_open(storage *s, const char *path);
/* The same in memory, which is empty: what one run stores does not reach another. */
void storage_open_memory(storage *s);
/* The same in both: call it after storage_open. What was stored can be taken back in memory; the folder keeps it until
   the game stores it again. */
void storage_open_copy(storage *s);
void storage_close(storage *s);

/* Returns the folder that has to be written for it: the second wall must let it through. NULL: none. */
const char *storage_writes_to(const storage *s);

#endif
