/*
** Calls into a running game with values in a list, and its edits, for a host that records input: it gets the texts that
** hot reload finds changed, and can replay them: then a file is what it was at that time.
*/
#ifndef SP_SCRIPT_CALLBACKS_H
#define SP_SCRIPT_CALLBACKS_H

#include "script/script.h"

/* {== Calls =============================================================== */

/* An argument: `kind` is a letter of sp_script_call. `number` counts but for "s", which has a text. */
typedef struct sp_call_value {
  char kind;
  double number;
  const char *text;
} sp_call_value;

enum { SP_CALL_VALUES_MOST = 16 };

/* Works as sp_script_ask, with a list of at most SP_CALL_VALUES_MOST arguments; sp_script_on_call is not told. */
sp_call sp_script_call_values(sp_script *script, const char *name, const sp_call_value *values, size_t count,
                              bool *answer);

/* Calls `fn` (NULL: none) from now on before each sp_script_call and sp_script_ask: a host that records its input gets
   what the program calls behind its back. */
typedef void (*sp_called_fn)(void *ud, const char *name, const sp_call_value *values, size_t count);
void sp_script_on_call(sp_script *script, sp_called_fn fn, void *ud);

/* Calls the game's callback `hash`, and writes the hash of its value, plain data; 0 when there is none. False after an
   error, which was reported. */
bool sp_script_own_hash(sp_script *script, uint64_t *number);

/* }== */

/* {== Files =============================================================== */

/* Calls `fn` (NULL: none) from now on for each changed file, before it runs: by its name in the folder of the game. It
   was deleted: `text` is NULL. */
typedef void (*sp_edit_fn)(void *ud, const char *name, const char *text, size_t size);
void sp_script_on_edit(sp_script *script, sp_edit_fn fn, void *ud);

/* Calls `fn` (NULL: none) from now on for each file of the game that is read in order to run it, wherever its text
   comes from. */
void sp_script_on_read(sp_script *script, sp_edit_fn fn, void *ud);

/* From now on the files in this list, a NULL name at its end, are as it says; a NULL source: there is none. The list
   may change, and must outlive the script, or the next call. NULL: all files are those on the disk, or of the options.
   */
void sp_script_use_texts(sp_script *script, const sp_script_file *texts);

/* `only`: there are no other files than those of that list, whatever the disk has. */
void sp_script_use_only_texts(sp_script *script, bool only);

/* Repeats a poll: it finds those files changed for which sp_script_change was called before, and no others. */
void sp_script_change(sp_script *script, const sp_script_file *file);
sp_poll_result sp_script_repeat(sp_script *script, sp_poll how);

/* The next sp_script_poll runs all files that differ from the disk, since when ever that is. */
void sp_script_compare(sp_script *script);

/* }== */

#endif
