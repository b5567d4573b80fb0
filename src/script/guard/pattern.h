/*
** Lua's patterns, matched in steps that the watchdog may end. Lua's own matcher is one call into C: a pattern that
** backtracks for ever never comes back from it, and nothing can stop it there. What matches and what is wrong with a
** pattern is as in Lua, to the letter.
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
  ptrdiff_t length; /* or one of these: */
} sp_capture;

#define SP_CAPTURE_OPEN ((ptrdiff_t)-1)
#define SP_CAPTURE_PLACE ((ptrdiff_t)-2)

typedef struct sp_pattern {
  lua_State *L; /* where errors are raised */
  const char *text, *text_end;
  const char *begin, *end; /* of the pattern, without the anchor */
  bool anchored;
  sp_work work;
  int nested;
  int count; /* of captures */
  sp_capture captures[SP_CAPTURES_MOST];
} sp_pattern;

/* Both texts must outlive the pattern. An anchor counts where `may_anchor`. */
void sp_pattern_begin(sp_pattern *p, lua_State *L, const char *text, size_t text_length, const char *pattern,
                      size_t length, bool may_anchor);

/* Matches at `at`, a place of the text. Returns where the match ends, or NULL. Raises what is wrong with the
   pattern, and the stop of the watchdog. */
const char *sp_pattern_match(sp_pattern *p, const char *at);

/* The first place from `at` on where `what` stands, or NULL. Raises the stop of the watchdog. */
const char *sp_pattern_find_plain(sp_pattern *p, const char *at, const char *what, size_t length);

/* Pushes a capture of the last match, which lies at from..end: a text or a place. Where there are none, number 0 is
   all of it. Raises an error for a number beyond them. */
void sp_pattern_push_capture(const sp_pattern *p, int number, const char *from, const char *end);

/* Pushes all of them, or all that matched where there are none and `from` is not NULL; returns how many. */
int sp_pattern_push_captures(const sp_pattern *p, const char *from, const char *end);

#endif
