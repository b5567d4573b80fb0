/*
** The data that a game has stored, in memory. While input is recorded or replayed it starts empty, and ends with the
** run; in a window it is a copy of the folder, which the timeline can restore.
*/
#ifndef SP_DEMO_STORAGE_MEMORY_H
#define SP_DEMO_STORAGE_MEMORY_H

#include "demo/bind/storage_lua.h"

typedef struct stored {
  struct stored *next;
  char name[STORAGE_NAME_MOST + 1];
  size_t size;
  char bytes[];
} stored;

/* A zeroed one is empty. */
typedef struct storage_memory {
  stored *first;
} storage_memory;

/* The functions of storage_files; `ud` is the storage_memory. */
long storage_memory_read(void *ud, const char *name, void *to, size_t room, char why[STORAGE_WHY]);
bool storage_memory_write(void *ud, const char *name, const void *bytes, size_t size, char why[STORAGE_WHY]);

/* Copies all of it; false when memory is refused: the copy is empty then. `to` is overwritten. */
bool storage_memory_copy(storage_memory *to, const storage_memory *from);
size_t storage_memory_bytes(const storage_memory *m);

void storage_memory_free(storage_memory *m);

#endif
