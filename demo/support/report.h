/*
** Output of the game: prints and reports of reloads go to one stream, warnings and errors to stderr. The script host
** limits repetitions of the same problem.
*/
#ifndef SP_DEMO_REPORT_H
#define SP_DEMO_REPORT_H

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

#endif
