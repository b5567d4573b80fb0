/*
** `spawnpool.storage`: plain data that outlives the game.
**
**   spawnpool.storage.save(name, value) -> true, or false and why; nil removes what was saved
**   spawnpool.storage.load(name)        -> value, or nil and why
**
** The data is a list in the memory of the game. A folder is read into it once, before the game starts, and is written
** at each save that happens for the first time.
*/
#ifndef SP_SESSION_STORAGE_H
#define SP_SESSION_STORAGE_H

#include "session/session.h"

#define SP_STORAGE_MOST ((size_t)1 << 20) /* bytes that a game may store */

/* Reads the folder, before the start. A file that cannot be read is one whose value cannot be loaded. */
void sp_storage_read(sp_session *s);

/* Notes what is stored, for the recording. */
void sp_storage_note(sp_session *s);

/* Stores what an entry of a recording says. */
void sp_storage_give(sp_session *s, const sp_entry *entry);

#endif
