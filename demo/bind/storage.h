/*
** `spawnpool.storage`: plain data that outlives the game.
**
**   spawnpool.storage.save(name, value) -> true, or false and why; nil removes what was saved
**   spawnpool.storage.load(name)        -> value, or nil and why
**
** The data of a game is a list in memory. A folder in the user's data folder, a separate one for each game, is read
** into it once, before the game starts, and is written at each save.
*/
#ifndef SP_DEMO_STORAGE_H
#define SP_DEMO_STORAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/support/report.h"

#define STORAGE_MOST ((size_t)1 << 20) /* bytes that a game may store */
#define STORAGE_WHY 512

typedef struct stored stored;

typedef struct storage {
  char folder[1024];         /* of the game; "": data is kept in memory only */
  char problem[STORAGE_WHY]; /* why nothing can be saved; "": it can */
  bool is_unread;            /* for the same reason nothing can be loaded */
  bool is_replayed;          /* the frame is played again: data does not reach the folder */
  stored *list;
  report *report;
  char warned[STORAGE_WHY]; /* the last warning: it is not repeated */
} storage;

/* After storage_prepare alone nothing is stored: the game is only checked. Warnings go to `r`. */
void storage_prepare(storage *s, report *r);
/* Chooses the folder of the game with this `id`, or, of one without (""), of the game at `path`; creates its parents
   and reads it. */
void storage_open(storage *s, const char *path, const char *id);
/* Returns whether a text can be the id of a game. */
bool storage_takes_id(const char *id);
/* Keeps data in memory, which is empty at first and ends with the run. */
void storage_open_memory(storage *s);
void storage_close(storage *s);

/* Calls `fn` with the name and the bytes, as hexadecimal digits, of each value that is stored. */
void storage_each(const storage *s, void (*fn)(void *ud, const char *name, const char *text), void *ud);
/* Stores in memory what storage_each has passed. Anything else is ignored; damaged bytes are found when they are
   loaded. */
void storage_give(storage *s, const char *name, const char *text);

/* Creates the folder of the game and returns it; NULL: there is none. The second wall allows writing there, and forbids
   creating folders. */
const char *storage_make_folder(const storage *s);

/* Copies a list, which then belongs to the caller. False, with NULL in `*to`, when memory is refused. */
bool storage_copy(const stored *from, stored **to);
/* Frees a list, and sets it to NULL. */
void storage_free(stored **list);
/* Returns the bytes that a list takes. */
size_t storage_bytes(const stored *list);

#endif
