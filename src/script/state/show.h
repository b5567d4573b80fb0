/*
** Values in words, for messages: no metamethod runs, and nothing is allocated. And the distance between two names, for
** suggestions.
*/
#ifndef SP_SCRIPT_SHOW_H
#define SP_SCRIPT_SHOW_H

#include "script/state/handles.h"

#define SP_SHOWN_MOST 256 /* a type's name has 200 characters at most */

typedef struct sp_shown {
  char text[SP_SHOWN_MOST];
} sp_shown;

/* Describes the value at `index` for error messages: strings are quoted, and cut when long; objects are shown as
   "Bullet#12 (live)". Fills `out` and returns its text. */
const char *sp_show(lua_State *L, int index, sp_shown *out);
/* show(value) -> its text: __tostring of managers, pools and objects, and more. */
int sp_lua_show(lua_State *L);
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

#endif
