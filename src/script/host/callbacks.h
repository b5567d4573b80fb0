/*
** Edits of a running game, for a host that records input: it gets the texts that hot reload finds changed, and can
** replay them: then a file is what it was at that time.
*/
#ifndef SP_SCRIPT_CALLBACKS_H
#define SP_SCRIPT_CALLBACKS_H

#include "script/script.h"

/* Calls `fn` (NULL: none) from now on for each changed file, before it runs: by its name in the folder of the game. It
   was deleted: `text` is NULL. */
typedef void (*sp_edit_fn)(void *ud, const char *name, const char *text, size_t size);
void sp_script_on_edit(sp_script *script, sp_edit_fn fn, void *ud);

/* From now on the files in this list, a NULL name at its end, are as it says; a NULL source: there is none. The list
   may change, and must outlive the script, or the next call. NULL: all files are those on the disk, or of the options.
   */
void sp_script_use_texts(sp_script *script, const sp_script_file *texts);

/* Repeats a poll: it finds those files changed for which sp_script_change was called before, and no others. */
void sp_script_change(sp_script *script, const sp_script_file *file);
sp_poll_result sp_script_repeat(sp_script *script, sp_poll how);

/* The next sp_script_poll runs all files that differ from the disk, since when ever that is. */
void sp_script_compare(sp_script *script);

#endif
