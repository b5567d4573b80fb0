/*
** What was said, line by line, as far back as there is room: prints, warnings, errors, reloads, and what was typed.
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
  SCROLLBACK_DETAIL, /* what stands below an error */
  SCROLLBACK_HINT
} scrollback_kind;

typedef struct scrollback_line {
  char *text;
  scrollback_kind kind;
  unsigned times; /* the same line, one after the other */
} scrollback_line;

typedef struct scrollback {
  scrollback_line lines[SCROLLBACK_LINES];
  int first, count;
} scrollback;

/* A zeroed one is empty. */
void scrollback_clear(scrollback *it);

/* Adds a text, which may have several lines; of an error, those below the first are its details. */
void scrollback_add(scrollback *it, scrollback_kind kind, const char *text);

/* The line `back` before the last one, from 0; NULL when there are no more. */
const scrollback_line *scrollback_at(const scrollback *it, int back);

#endif
