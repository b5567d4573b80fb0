/*
** The files of a game as a recording knows them: which there are at a frame, and their texts.
*/
#ifndef SP_SESSION_TEXTS_H
#define SP_SESSION_TEXTS_H

#include "session/log.h"

#define SP_TEXT_MOST ((size_t)4 << 20) /* bytes of a file: larger ones are not compiled */

/* A zeroed list is empty. It ends with a NULL name, and is sorted; texts are those of the log. */
typedef struct sp_texts {
  sp_script_file *list;
  size_t count, room;
} sp_texts;

void sp_texts_free(sp_texts *t);

/* Sets a file; a NULL source removes it. False when memory is refused. */
bool sp_texts_set(sp_texts *t, const sp_script_file *file);
const sp_script_file *sp_texts_find(const sp_texts *t, const char *name);

/* Replaces the list by the files at the end of a frame. `main` is the name of the file of a game that is one file,
   which is main.lua in memory; "": it keeps its name. False when memory is refused. */
bool sp_texts_at(sp_texts *t, const sp_log *log, uint64_t frame, const char *main);
const char *sp_texts_name(const char *name, const char *main);

/* Calls `fn` for each file of Lua that a game has now, by its name in the folder of the game: of the list that `script`
   has, or on the disk. Files are regular ones in the folder. False: there is no such game. */
typedef void (*sp_texts_fn)(void *ud, const char *name, const char *text, size_t size);
bool sp_texts_each(const sp_script_options *script, const char *main, sp_texts_fn fn, void *ud);

/* Reads a file of the game that may have any bytes, at most `most`. The caller frees it; NULL: there is none. */
char *sp_texts_read(const char *folder, const char *name, size_t most, size_t *size);

#endif
