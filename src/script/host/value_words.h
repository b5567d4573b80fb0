/*
** A value of a game in a few words, for people.
*/
#ifndef SP_SCRIPT_VALUE_WORDS_H
#define SP_SCRIPT_VALUE_WORDS_H

#include "script/state/context.h"

#define SP_VALUE_WORDS_MOST 64

/* Writes the value on top to `out`, of SP_VALUE_WORDS_MOST bytes. `is_float`: it has the precision of one. Returns
   whether `out` holds all of a value that can be written to a field. */
bool sp_value_words(lua_State *L, const sp_context *c, bool is_float, char *out);

#endif
