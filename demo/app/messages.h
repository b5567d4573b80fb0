/*
** The messages of the window: the last lines of output, which the console shows; the notice, one line about what just
** happened; and the problem, which stays until it is solved. They are kept whether or not the overlays are shown, and
** outlive any error in them.
*/
#ifndef SP_DEMO_MESSAGES_H
#define SP_DEMO_MESSAGES_H

#include <stdbool.h>

#include "script/script.h"

#define MESSAGES_LINES 1000
#define MESSAGES_TEXT 1024    /* bytes of a notice, with its end */
#define MESSAGES_PROBLEM 4096 /* bytes of a problem */

/* More severe ones are shown longer. */
typedef enum notice_kind { NOTICE_INFO, NOTICE_SUCCESS, NOTICE_WARNING, NOTICE_ERROR } notice_kind;

typedef struct message_line {
  char *text;
  char kind[8];   /* "print", "warning", "error", "reload"; "input" and others of the console */
  unsigned times; /* consecutive repetitions */
} message_line;

/* A zeroed one is empty. */
typedef struct messages {
  message_line lines[MESSAGES_LINES];
  int first, count;
  unsigned long long added; /* lines ever added */
  char notice[MESSAGES_TEXT];
  notice_kind notice_kind;
  double notice_at;                                           /* real seconds */
  char problem[MESSAGES_PROBLEM], consequence[MESSAGES_TEXT]; /* problem "": none */
  notice_kind problem_kind;
  bool changed; /* notice or problem, since the overlays were drawn */
} messages;

void messages_clear_lines(messages *m);

/* Adds a text of one or more lines. Those below the first line of an error are of the kind "detail" or "hint". A
   repetition of the last line is only counted. */
void messages_add(messages *m, const char *kind, const char *text);

/* Returns the line `back` before the last one, from 0; NULL when there are no more. */
const message_line *messages_line(const messages *m, int back);

/* Sets the notice: the first line of `text`, at `now`, real seconds. */
void messages_notice(messages *m, notice_kind kind, const char *text, double now);

/* Sets the problem, as a message of the script host, and its consequence for the game, which may be "". Removes the
   notice if there is a consequence. */
void messages_problem(messages *m, notice_kind kind, const char *text, const char *consequence);
void messages_clear_problem(messages *m);

#endif
