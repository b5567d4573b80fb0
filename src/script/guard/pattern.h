/*
** Lua's patterns, matched in steps between which the watchdog can stop. Lua's own matcher is one call into C: a
** pattern that backtracks for very long cannot be interrupted. Matches and error messages are exactly those of Lua.
*/
#ifndef SP_SCRIPT_PATTERN_H
#define SP_SCRIPT_PATTERN_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "script/guard/watchdog.h"

#define SP_CAPTURES_MOST 32

typedef struct sp_capture {
  const char *from;
  ptrdiff_t length; /* or one of the following */
} sp_capture;

#define SP_CAPTURE_OPEN ((ptrdiff_t)-1)
#define SP_CAPTURE_PLACE ((ptrdiff_t)-2)

typedef struct sp_pattern {
  lua_State *L; /* raises the errors */
  const char *text, *text_end;
  const char *begin, *end; /* of the pattern, without the anchor */
  bool anchored;
  sp_work work;
  int nested;
  int count; /* of captures */
  sp_capture captures[SP_CAPTURES_MOST];
} sp_pattern;

/* Both texts must outlive the pattern. `may_anchor`: a leading '^' is an anchor. */
void sp_pattern_begin(sp_pattern *p, lua_State *L, const char *text, size_t text_length, const char *pattern,
                      size_t length, bool may_anchor);

/* Matches at the position `at`. Returns the end of the match, or NULL. Raises errors in the pattern, and the stop of
   the watchdog. */
const char *sp_pattern_match(sp_pattern *p, const char *at);

/* Returns the first position of `what` from `at` on, or NULL. Raises the stop of the watchdog. */
const char *sp_pattern_find_plain(sp_pattern *p, const char *at, const char *what, size_t length);

/* Pushes a capture of the last match from..end: a text or a position. Without captures, number 0 is the whole match.
   Raises an error for invalid numbers. */
void sp_pattern_push_capture(const sp_pattern *p, int number, const char *from, const char *end);

/* Pushes all captures, or the whole match if there are none and `from` is not NULL; returns how many. */
int sp_pattern_push_captures(const sp_pattern *p, const char *from, const char *end);

#endif
