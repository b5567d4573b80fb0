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

/* Writes what fprintf would, in this way. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void report_print(FILE *out, const char *format, ...);

/* An sp_report_fn; `ud` is the report. */
void report_say(void *ud, sp_report kind, const char *text);

/* Prints a line of the player itself on stderr. */
void report_line(const char *line);

/* Prints what is wrong with a file of a game on stderr, for game_check; `unused` may be NULL. */
void report_file_problem(void *unused, const char *problem);

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

/* {== The messages of the window ========================================
** The last lines of output, which the console shows; the notice, one line about what just
** happened; and the problem, which stays until it is solved. They are kept whether or not the overlays are shown, and
** outlive any error in them. */

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

/* }== */

#endif
