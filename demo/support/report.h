/*
** Output of the game: prints and reports of reloads go to one stream, warnings and errors to stderr. The script host
** limits repetitions of the same problem.
*/
#ifndef SP_DEMO_REPORT_H
#define SP_DEMO_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "script/script.h"

typedef struct report {
  FILE *print;               /* receives prints and lines about reloads */
  uint64_t errors, warnings; /* so far */
  bool muted;                /* nothing is printed or passed on, or counted */
  /* Receives everything, unless it is NULL. */
  void (*on_report)(void *ud, sp_report kind, const char *text);
  void *ud;
  /* Receives what does not come back, just before the process ends, and returns the number of the frame that hangs.
     May be NULL. Runs in a signal handler: the thread hangs elsewhere, so files may be written, nothing allocated. */
  uint64_t (*on_hang)(void *ud, const char *what);
  /* Receives errors while it is muted, unless it is NULL. */
  void (*on_muted_error)(void *ud, const char *text);
  void *muted_ud;
} report;

/* Writes a text that may be a game's. A terminal gets `?` for control characters, which would command it. */
void report_write(FILE *out, const char *text);

/* An sp_report_fn; `ud` is the report. */
void report_say(void *ud, sp_report kind, const char *text);

/* Prints a line of the player itself on stderr. */
void report_line(const char *line);

/* Copies `text` to `out` without "FOLDER/", wherever that occurs: the game's folder need not be repeated in its own
   window. Cuts what does not fit. `out` may be `text`. */
void report_shorten(const char *folder, const char *text, char *out, size_t size);

/* {== The progress of a long headless run ================================ */

#define PROGRESS_SOON 5.0 /* real seconds between two lines on a terminal */
#define PROGRESS_LATE 60.0
#define PROGRESS_MOST 192 /* bytes of a line, with its end */

typedef struct progress {
  double last, every; /* real seconds; every 0: never */
  uint64_t last_frame;
} progress;

/* Starts at `now`, real seconds. */
void progress_start(progress *p, bool on_terminal, double now);

/* Writes a line of at most PROGRESS_MOST bytes when one is due. A zeroed progress never has one. `frames`: the end
   of the run, UINT64_MAX if unknown; `seconds`: of game time. */
bool progress_line(progress *p, double now, uint64_t frame, uint64_t frames, double seconds, char line[PROGRESS_MOST]);

/* }== */

#endif
