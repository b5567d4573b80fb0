/*
** What a game says goes out here: prints and reloads to one stream, warnings and errors to stderr. (The same trouble
** over and over is told in growing steps only: the script host sees to that.)
*/
#ifndef SP_DEMO_REPORT_H
#define SP_DEMO_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "script/script.h"

typedef struct report {
  FILE *print;               /* where prints and lines about reloads go */
  uint64_t errors, warnings; /* told so far */
  /* May be NULL: hears of everything. */
  void (*on_report)(void *ud, sp_report kind, const char *text);
  void *ud;
} report;

/* An sp_report_fn; `ud` is the report. */
void report_say(void *ud, sp_report kind, const char *text);

/* A line of the player's own, on stderr. */
void report_line(const char *line);

#endif
