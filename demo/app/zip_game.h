/*
** A game in a zip, in the place of a folder: its files are read into memory, completely, before any of it runs. Who
** plays it can trust no zip: what is damaged, would unpack to very much, or has names that lead out of its folder is
** refused.
*/
#ifndef SP_DEMO_ZIP_GAME_H
#define SP_DEMO_ZIP_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "script/script.h"

#define ZIP_GAME_PROBLEM_MOST 512

typedef struct zip_game {
  sp_script_file *files; /* by name, for sp_script_options: a NULL name at the end */
  size_t count;
  uint64_t size; /* bytes of all files */
} zip_game;

/* Returns whether the file at `path` is a zip by its name or its beginning. */
bool zip_game_is(const char *path);

/* Returns whether the file at `path` is a program with a zip behind it. */
bool zip_game_is_behind(const char *path);

/* Reads the zip that the file at `path` is, or ends with. The game may lie in a folder of the zip, alone. False, with
   one line in `problem` and nothing to close, when it is refused. */
bool zip_game_open(zip_game *z, const char *path, char problem[ZIP_GAME_PROBLEM_MOST]);
void zip_game_close(zip_game *z);

/* For qsort and bsearch of such files. */
int zip_game_by_name(const void *a, const void *b);

#endif
