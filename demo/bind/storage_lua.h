/*
** `spawnpool.storage`: plain data that outlives the game.
**
**   spawnpool.storage.save(name, value) -> true, or false and why; nil removes what was saved
**   spawnpool.storage.load(name)        -> value, or nil and why
*/
#ifndef SP_DEMO_STORAGE_LUA_H
#define SP_DEMO_STORAGE_LUA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#define STORAGE_MOST ((size_t)1 << 20) /* bytes that a game may store */
#define STORAGE_NAME_MOST 64
#define STORAGE_WHY 512
#define STORAGE_TOO_LARGE "too large: with its %zu bytes the game would store %zu, of %zu at most"

/* Where the bytes are kept: the state of the functions. Names have been checked: letters, digits, '_' and '-'. */
typedef struct storage_files {
  void *ud;
  /* Returns the size of what is stored, or -1 and `why`; `why` is "none" when there is nothing. Fills `to`, if there is
     room. */
  long (*read)(void *ud, const char *name, void *to, size_t room, char why[STORAGE_WHY]);
  /* Replaces it whole, or removes it (NULL). False and `why`: all is as it was. */
  bool (*write)(void *ud, const char *name, const void *bytes, size_t size, char why[STORAGE_WHY]);
  void (*warn)(void *warn_ud, const char *text);
  void *warn_ud;
} storage_files;

#endif
