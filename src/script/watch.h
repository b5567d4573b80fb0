/*
** Watches the Lua files of a folder and of all folders in it: tells which are new, changed or gone, with the text that
** was compared, once they have settled. It looks by itself, a slice in every poll, so that it works on every file
** system; an event from elsewhere can only make it look earlier. No Lua, no threads; polls that find nothing allocate
** nothing.
**
** Files are those that end in ".lua". Not looked at: names that begin with '.' or end with '~' or ".swp", and "4913";
** what is neither file nor folder; folders deeper than asked for, and folders linked into themselves. Links are
** followed, the root too, and the root may be missing or come back at any time.
*/
#ifndef SP_SCRIPT_WATCH_H
#define SP_SCRIPT_WATCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sp_watch sp_watch;

enum { SP_WATCH_DEEPEST = 16 };

/* NEW also for a file that was told as gone. */
typedef enum sp_watch_kind { SP_WATCH_NEW, SP_WATCH_CHANGED, SP_WATCH_GONE } sp_watch_kind;

typedef struct sp_watch_change {
  sp_watch_kind kind;
  const char *path;    /* the folder as given + "/" + the path in it */
  const char *text;    /* the whole content, `size` bytes and a zero; NULL when gone or when there is a problem */
  size_t size;         /* bytes; any bytes, zeros too */
  const char *problem; /* why it cannot be read ("Permission denied", "is larger than 64 MiB"), or NULL */
} sp_watch_change;

/* `depth`: how many folders deep, at most SP_WATCH_DEEPEST; 0: `folder` alone. Takes what is there now as known, reading all of it: open the watch before loading the files, and no edit is lost.
   All memory comes from `alloc`, which keeps the rules of lua_Alloc (NULL: realloc and free), but what the C library takes to
   list a folder. NULL: memory was refused, or the path is longer than 4095 bytes.
   `ud` must stay until sp_watch_close, which takes NULL too. */
sp_watch *sp_watch_open(const char *folder, size_t depth,
                        void *(*alloc)(void *ud, void *ptr, size_t osize, size_t nsize), void *ud);
void sp_watch_close(sp_watch *w);

/* One slice of work: everything is looked at about each 0.12 s, 4200 files in a second and 200 in one poll at most. `now`: seconds of any clock that does not go back; a step above 0.1 s counts as 0.1 s, so that a pause
   in polling settles nothing. Returns how many changes there are, in `*changes` by path; they are valid until the next call.
   All that changes at about the same time is told at once, when it has been still for 40 ms (an empty file: 200 ms, for most
   often it is half a save), at most 1 s after the first of it changed. `hurry`: all there is, now, settled or not.
   What memory was refused for is told in a later poll. */
size_t sp_watch_poll(sp_watch *w, double now, bool hurry, const sp_watch_change **changes);

/* Something may have happened in this folder, a name from sp_watch_folder: its files are the first that the next poll looks
   at. NULL or another name: anywhere. */
void sp_watch_wake(sp_watch *w, const char *folder);

/* The folders under watch, the root among them; NULL past the end. The serial changes when the list does, or when one
   of them was replaced by another of the same name. */
const char *sp_watch_folder(const sp_watch *w, size_t i);
unsigned sp_watch_folder_serial(const sp_watch *w);

/* How many files are known. */
size_t sp_watch_file_count(const sp_watch *w);

#endif
