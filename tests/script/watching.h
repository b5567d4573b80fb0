/*
** A watch on a folder of real files under a clock that only tests move. Time passes in frames, and the changes are
** collected as text. A script does all of it, one command a line; names are relative to the folder of the test.
**
**   put NAME TEXT     write a file, and the folders that it needs
**   save NAME TEXT    the same, at a later tick of the file system's clock
**   open NAME, more TEXT, close     write a file in steps
**   rm NAME, rmdir NAME, mv FROM TO, ln TARGET NAME, pipe NAME, size NAME BYTES
**   time NAME SECONDS set both times of the file, in seconds since 1970
**   sh COMMAND        run it in the folder
**   anywhere          before the start: files may lie outside of the folder
**   start [FOLDER [HOLDER]]     open the watch on the folder of the test, or on one in it; files must lie in HOLDER
**   SECONDS = CHANGES let time pass, then compare all that was reported since the last comparison: changes of a batch
**                     are separated by " | ", batches by " || "; "~" changed, "+" new, "-" gone
**   poll SECONDS COUNT, hurry COUNT     one poll, later, or now without the wait for files to settle: so many changes
*/
#ifndef SP_TESTS_WATCHING_H
#define SP_TESTS_WATCHING_H

#include "script/watch/watch.h"
#include "support/memory.h"

enum { WATCHING_TIMEOUT = 60 }; /* seconds: some file systems are slow with a thousand files */

typedef struct watching {
  char folder[256];   /* of the test */
  char root[512];     /* of the watch */
  const char *holder; /* in which files must lie */
  bool holds_all;     /* files may lie anywhere */
  sp_watch *watch;
  double now;
  uint64_t date; /* of the watch: it stands still, so that no file has been still for long */
  test_memory memory;
  void *(*alloc)(void *ud, void *ptr, size_t osize, size_t nsize); /* NULL: test_memory_fn */
  char told[16384];
} watching;

/* Of the running test. */
extern watching watching_now;

/* Checked fixture: an empty folder; at the end the watch is closed and all memory was given back. */
void watching_setup(void);
void watching_teardown(void);

void watching_play(const char *script);
void watching_put(const char *name, const char *text);
void watching_save(const char *name, const char *text);
const char *watching_path(const char *name);

/* Opens the watch on the root: as watching_now.watch, or NULL when memory is refused. */
void watching_start(void);
sp_watch *watching_open(void);

/* One poll `seconds` later; how many changes. */
size_t watching_poll(double seconds, bool hurry);

/* Lets time pass in frames of 1/60 s, then compares all that was reported since the last call. */
void watching_expect(double seconds, const char *told);

#endif
