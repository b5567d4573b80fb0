/*
** Texts of the library: values in words, the stories of lives, and reports to the host.
*/
#ifndef SP_SCRIPT_REPORT_H
#define SP_SCRIPT_REPORT_H

#include "script/state/handles.h"

/* {== Values in words ====================================================
** Values in words, for messages: no metamethod runs, and nothing is allocated. And the distance between two names, for
** suggestions. */

#define SP_SHOWN_MOST 256 /* a type's name has 200 characters at most */

typedef struct sp_shown {
  char text[SP_SHOWN_MOST];
} sp_shown;

/* Describes the value at `index` for error messages: strings are quoted, and cut when long; objects are shown as
   "Bullet#12 (live)". Fills `out` and returns its text. */
const char *sp_show(lua_State *L, int index, sp_shown *out);
/* show(value) -> its text: __tostring of managers, pools and objects, and more. */
int spl_show(lua_State *L);
/* Returns the string at `index`, cut when long; describes other values as sp_show does. */
const char *sp_show_name(lua_State *L, int index, sp_shown *out);

/* Copies a text, cut when long: for names that belong to a pool. */
const char *sp_copy_text(const char *text, sp_shown *out);
/* Returns "Bullet#12", or "object" for a reference without a known pool. */
const char *sp_label(const sp_context *c, sp_ref object, sp_shown *out);

/* Returns how many letters are to be inserted, deleted, replaced or swapped to turn one name into the other (optimal
   string alignment): "recyle" and "on_spwan" are one edit away from what is meant. A name of more bytes than this is as
   far from every other as it is long. */
#define SP_EDIT_MOST 127
size_t sp_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/* }== */

/* {== Stories of lives ===================================================
** Where lives began and ended, when the manager's `trace` is on. */

/* Note where the life of an object of `m` began, and where and why it ended. Memory that is refused only loses the
   note. */
void sp_trace_alloc(lua_State *L, spl_manager *m, sp_ref object);
void sp_trace_end(spl_manager *m, sp_ref object, sp_why why);
/* Pushes what is known of the life that a reference names, "" when nothing is. Runs scripts. */
void sp_push_story(lua_State *L, const sp_context *c, sp_ref object);

/* }== */

/* {== Reports ============================================================
** Warnings, errors that no caller is there for, and misuse. */

/* Reports a warning, or an error that no caller is there for. The same text again is only counted, and reported at
   every tenth power. A line that the game prints is reported each time. What comes in floods is left out, and that is
   reported likewise. Never raises, and allocates nothing unless the program has replaced `warn`. */
void sp_report_text(lua_State *L, sp_context *c, sp_report kind, const char *text);
/* Reports and pops the error on top of the stack; `where` (may be NULL) says what was running. */
void sp_report_error(lua_State *L, sp_context *c, const char *where);
/* While a game is tested, the first error since the last call is not reported but raised: a function that may have run
   hooks or timers ends in sp_raise_failures. */
_Noreturn void sp_raise_failure(lua_State *L, sp_context *c);
static inline void sp_raise_failures(lua_State *L, sp_context *c)
{
  if (__builtin_expect(c->failed, 0))
    sp_raise_failure(L, c);
}

/* Reports a refused recycle as the manager's `misuse` option says. Runs scripts. */
void sp_report_misuse(lua_State *L, const spl_manager *m, sp_result why, sp_ref object);
/* Warns, once for a line of the game, that an alloc with two numbers and nothing else has a lifetime and x, and not x
   and y. Runs scripts. */
void sp_report_habit(lua_State *L, sp_context *c, const char *type, double seconds, double x);

/* Warns, once for a line of the game, of a lifetime that came out below 0: that is no request to make a pool ready.
   Runs scripts. */
void sp_report_lifetime(lua_State *L, sp_context *c, const char *type, double seconds);
/* Warns, once for a class, that its overflow function has returned the value at `index`. Runs scripts. */
void sp_report_victim(lua_State *L, const spl_pool *p, int index);
/* Warns, once for a class, that its override of alloc has opened an object and returned nothing. Runs scripts. */
void sp_report_no_return(lua_State *L, const spl_pool *p);

/* }== */

#endif
