/*
** Watches the files of a folder and of all folders in it, by the endings of their names. Reports which files are new,
** changed or removed, with the content that was compared, once they have settled. It compares stamps, so it works on
** every file system. No threads; a poll that finds nothing allocates nothing.
**
** Ignored are names that begin with '.' or end with '~' or ".swp", and "4913": temporary files of editors. Links to
** files are followed as far as sp_folder_open does. Links to folders are not followed: a linked folder inside the tree
** is watched under its own name anyway.
*/
#ifndef SP_SCRIPT_WATCH_H
#define SP_SCRIPT_WATCH_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits, so that watching a wrong folder ("/") costs little: nesting of folders, and files and folders in all. What
   lies beyond is not watched, which is reported. */
enum { SP_WATCHER_DEEPEST = 16, SP_WATCHER_MOST = 20000 };

typedef struct sp_watcher sp_watcher;

typedef struct sp_watcher_options {
  const char *root;           /* the folder to watch; it may be a link, may be missing, and may come back at any time */
  const char *folder;         /* files, and the root, must lie in it; NULL: anywhere */
  const char *const *endings; /* of files, ".lua" for example, in any case; NULL at the end. Must outlive the watch */
  /* Names of folders directly in the root that another watch covers, NULL at the end: it reports that one of them is a
     link that leads out. NULL: none. Must outlive the watch. */
  const char *const *covered;
  size_t depth;         /* how many folders deep, at most SP_WATCHER_DEEPEST; 0: the root alone */
  bool report_existing; /* the first poll with `hurry` reports all files as new; else existing files count as known */
  /* Provides all memory except that of the C library for listing a folder; works like lua_Alloc. NULL: realloc and
     free. */
  void *(*alloc)(void *ud, void *ptr, size_t osize, size_t nsize);
  void *ud;
  uint64_t (*date)(void); /* compared with the times of files; NULL: sp_date_nanoseconds */
} sp_watcher_options;

/* Scans the whole tree. Open the watch before loading the files: then no edit is lost. Copies the paths. Returns
   NULL if memory is refused or the root is longer than 4095 bytes. sp_watcher_close accepts NULL. */
sp_watcher *sp_watcher_open(const sp_watcher_options *options);
void sp_watcher_close(sp_watcher *w);

/* NEW is also reported for a file that was reported as GONE and is back. */
typedef enum sp_watcher_kind { SP_WATCHER_NEW, SP_WATCHER_CHANGED, SP_WATCHER_GONE } sp_watcher_kind;

typedef struct sp_watcher_change {
  sp_watcher_kind kind;
  const char *path;    /* the root as given + "/" + the path in it; with a problem also a folder that is not watched */
  const char *text;    /* the whole content, `size` bytes and a zero; NULL when gone or when there is a problem */
  size_t size;         /* bytes; any bytes, zeros too */
  const char *problem; /* what is wrong and what to do, to be printed after "PATH: "; or NULL */
} sp_watcher_change;

/* Stamps the next files and folders, in turn: few at rest (see sp_facts_few); all of them, 1000 at most, once a change
   was seen. A poll within 10 ms of the last stamps none. `now`: seconds of any clock that does not go back; a step
   above 0.1 s counts as 0.1 s, so that a pause in polling settles nothing. Returns whether sp_watcher_next has a change
   to return. Changes that happen together are reported together, once all have been still for 40 ms (an empty file:
   200 ms, because it is usually half a save), at most 1 s after the first change. `hurry`: stamps everything and
   reports it now, settled or not. */
bool sp_watcher_poll(sp_watcher *w, double now, bool hurry);

/* Returns the next change, by path, valid until the next call of this or of sp_watcher_poll. False when there is none
   left. Changes that are not read, or that memory is refused for, are reported after a later poll. */
bool sp_watcher_next(sp_watcher *w, sp_watcher_change *change);

/* Returns whether something has changed that has not been reported yet. */
bool sp_watcher_is_pending(const sp_watcher *w);

/* {== For Lua ============================================================
** The watch as a value in Lua, for the embedded files of hot reload:
**
** watcher:poll(hurry) -> a list of { kind =, path =, text =, problem = }, or nil; watcher:close() */

/* watch(folder, depth) -> a watcher. Raises when memory is refused. */
int spl_native_watch(lua_State *L);
/* clock() -> seconds of a monotonic clock. */
int spl_native_clock(lua_State *L);

/* }== */

#endif
