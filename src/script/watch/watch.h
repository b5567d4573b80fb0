/*
** Watches the files of a folder and of all folders in it, by the endings of their names: tells which are new, changed
** or gone, with the content that was compared, once they have settled. It looks by itself, a slice in every poll, so
** that it works on every file system; events from elsewhere only make it look earlier. No Lua, no threads; polls that
** find nothing allocate nothing.
**
** Ignored are names that begin with '.' or end with '~' or ".swp", and "4913": files that editors leave behind. Links
** to files are followed as far as sp_folder_open does; links to folders are not, because what lies in the folder is
** watched under its own name anyway.
*/
#ifndef SP_SCRIPT_WATCH_H
#define SP_SCRIPT_WATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Limits, so that a wrong folder ("/") costs little: folders in folders, and files and folders in all. What lies beyond
   is not watched, and that is told. */
enum { SP_WATCH_DEEPEST = 16, SP_WATCH_MOST = 20000 };

typedef struct sp_watch sp_watch;

typedef struct sp_watch_options {
  const char *root;           /* the folder to watch; it may be a link, be missing, and come back at any time */
  const char *folder;         /* files, and the root, must lie in it; NULL: anywhere */
  const char *const *endings; /* of files, ".lua" for example, in any case; NULL at the end. Must outlive the watch */
  size_t depth;               /* how many folders deep, at most SP_WATCH_DEEPEST; 0: the root alone */
  bool tell_first; /* the first poll with `hurry` tells all files as new; else those that are there now are known */
  /* All memory but what the C library takes to list a folder; keeps the rules of lua_Alloc. NULL: realloc and free. */
  void *(*alloc)(void *ud, void *ptr, size_t osize, size_t nsize);
  void *ud;
} sp_watch_options;

/* Looks at all there is, so open the watch before loading the files: then no edit is lost. The paths are copied. NULL:
   memory was refused, or the root is longer than 4095 bytes. sp_watch_close takes NULL too. */
sp_watch *sp_watch_open(const sp_watch_options *options);
void sp_watch_close(sp_watch *w);

/* NEW also for a file that was told as gone. */
typedef enum sp_watch_kind { SP_WATCH_NEW, SP_WATCH_CHANGED, SP_WATCH_GONE } sp_watch_kind;

typedef struct sp_watch_change {
  sp_watch_kind kind;
  const char *path; /* the root as given + "/" + the path in it; or of a folder that is not watched, with a problem */
  const char *text; /* the whole content, `size` bytes and a zero; NULL when gone or when there is a problem */
  size_t size;      /* bytes; any bytes, zeros too */
  const char *problem; /* what is wrong and what to do, to be written behind "PATH: "; or NULL */
} sp_watch_change;

/* One slice of work: everything is looked at about every 0.12 s, 4200 files in a second and 200 in one poll at most.
   `now`: seconds of any clock that does not go back; a step above 0.1 s counts as 0.1 s, so that a pause in polling
   settles nothing. Returns whether sp_watch_next has something to read. All that changes at about the same time is told
   at once, when it has been still for 40 ms (an empty file: 200 ms, for most often it is half a save), at most 1 s
   after the first of it changed. `hurry`: all there is, now, settled or not. */
bool sp_watch_poll(sp_watch *w, double now, bool hurry);

/* The next change, by path, valid until the next call of this or of sp_watch_poll. False: there is none left. What is
   not asked for, and what memory is refused for, is told after a later poll. */
bool sp_watch_next(sp_watch *w, sp_watch_change *change);

/* Whether something has changed that has not been told yet. */
bool sp_watch_is_pending(const sp_watch *w);

/* Something may have happened in this folder, a name from sp_watch_folders: its files are the first that the next poll
   looks at. NULL or another name: anywhere. */
void sp_watch_wake(sp_watch *w, const char *folder);

/* Calls `fn` (NULL: nobody) for each folder under watch, the root among them. Returns a serial that changes when the
   list does, or when one of the folders was replaced by another of the same name. */
unsigned sp_watch_folders(const sp_watch *w, void (*fn)(void *ud, const char *folder), void *ud);

/* How many files are known. */
size_t sp_watch_file_count(const sp_watch *w);

#endif
