/*
** What a game says goes out here: prints to one stream, warnings and errors to stderr. The same trouble over and over,
** as from an update that fails every frame, is told once and then counted.
*/
#ifndef SP_DEMO_REPORT_H
#define SP_DEMO_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "script/script.h"

typedef struct report {
  FILE *print;     /* where prints go */
  uint64_t errors; /* reported so far */
  uint64_t warnings;
  uint64_t last;    /* hash of the last trouble told */
  uint64_t repeats; /* how often it came again */
  /* May be NULL: hears of every warning and error that is told. */
  void (*on_trouble)(void *ud, sp_report kind, const char *text);
  void *ud;
} report;

/* An sp_report_fn; `ud` is the report. */
void report_say(void *ud, sp_report kind, const char *text);

/* Tells how often the last trouble was repeated, if it was. */
void report_flush(report *r);

#endif
