/*
** A watch on a folder of real files under a clock that only tests move: time passes in frames, and what was told is
** collected as text, one line per change and "--" after each poll that told something.
**
**   watching_put("a.lua", "one");
**   watching_start();
**   watching_save("a.lua", "other");
**   watching_expect(1, "~ a.lua [other]\n--\n");
*/
#ifndef SP_TESTS_WATCHING_H
#define SP_TESTS_WATCHING_H

#include "script/watch/watch.h"
#include "support/memory.h"

enum { WATCHING_TIMEOUT = 60 }; /* seconds: some file systems are slow with a thousand files */

typedef struct watching {
  char folder[256];
  bool holds_all; /* files may lie anywhere, not in the folder only */
  sp_watch *watch;
  double now;
  test_memory memory;
  char told[16384];
} watching;

/* Of the running test. */
extern watching watching_now;

/* Checked fixture: an empty folder; at the end the watch is closed and all memory was given back. */
void watching_setup(void);
void watching_teardown(void);

/* A file in the folder, with the folders it needs. Times of files move in ticks: `save` waits for the next one. */
void watching_put(const char *name, const char *text);
void watching_save(const char *name, const char *text);
const char *watching_path(const char *name);

/* Opens the watch on the folder: as watching_now.watch, or NULL when memory is refused. */
void watching_start(void);
sp_watch *watching_open(void);

/* One poll `seconds` later; how many changes. */
size_t watching_poll(double seconds, bool hurry);

/* Frames of 1/60 s. */
void watching_pass(double seconds);

/* Lets time pass, then compares all that was told since the last call. */
void watching_expect(double seconds, const char *told);

#endif
