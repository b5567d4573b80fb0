/*
** The last lines of output: prints, warnings, errors, reloads, and typed lines.
*/
#ifndef SP_DEMO_SCROLLBACK_H
#define SP_DEMO_SCROLLBACK_H

#include <stdbool.h>

#define SCROLLBACK_LINES 1000

typedef enum scrollback_kind {
  SCROLLBACK_PRINT,
  SCROLLBACK_INPUT,
  SCROLLBACK_RELOAD,
  SCROLLBACK_WARNING,
  SCROLLBACK_ERROR,
  SCROLLBACK_DETAIL, /* lines below an error */
  SCROLLBACK_HINT
} scrollback_kind;

typedef struct scrollback_line {
  char *text;
  scrollback_kind kind;
  unsigned times; /* consecutive repetitions */
} scrollback_line;

typedef struct scrollback {
  scrollback_line lines[SCROLLBACK_LINES];
  int first, count;
} scrollback;

/* A zeroed one is empty. */
void scrollback_clear(scrollback *it);

/* Adds a text of one or more lines; those below the first line of an error are its details. Returns how many lines are
   new: a repetition of the last line is only counted. */
int scrollback_add(scrollback *it, scrollback_kind kind, const char *text);

/* Returns the line `back` before the last one, from 0; NULL when there are no more. */
const scrollback_line *scrollback_at(const scrollback *it, int back);

#endif
