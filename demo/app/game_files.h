/*
** Identifies a game for recordings: by the name of its folder and a hash of its Lua files.
*/
#ifndef SP_DEMO_GAME_FILES_H
#define SP_DEMO_GAME_FILES_H

#include <stddef.h>
#include <stdint.h>

/* Writes the last part of the path, of the current folder for ".". */
void game_files_name(const char *path, char *name, size_t size);

/* Returns a hash of the names and contents of all .lua files in the game's folder; for a game that is a single file, of
   that file and the files in pools/ beside it. Links and hidden folders are skipped. */
uint64_t game_files_hash(const char *path);

#endif
