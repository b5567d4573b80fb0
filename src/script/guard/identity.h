/*
** Identities of values in a repeatable state. Each block of memory is marked with its number in the order of
** allocation: that orders tables, functions and coroutines in the same way in every run, and their text has the number
** of the first call that asked for it instead of an address.
*/
#ifndef SP_SCRIPT_IDENTITY_H
#define SP_SCRIPT_IDENTITY_H

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

#include "script/guard/repeatable.h"

/* The mark in front of a block: 16 bytes, so that blocks stay aligned. */
typedef struct sp_birth {
  uint64_t number;
  uint64_t name; /* 0: its text was never asked for */
} sp_birth;

/* Returns a number that orders the table, function, coroutine or userdata at `index` among values of its type. Raises
   on memory. */
uint64_t sp_identity_order(lua_State *L, sp_repeatable *r, int index);

/* Pushes what tostring gives. NULL: luaL_tolstring itself. Raises what __tostring raises. */
const char *sp_identity_push_text(lua_State *L, sp_repeatable *r, int index);

/* Pushes what "%p" gives. */
void sp_identity_push_pointer(lua_State *L, sp_repeatable *r, int index);

/* Replaces `tostring`; the globals are on top. */
void sp_identity_open(lua_State *L, sp_repeatable *r);

#endif
