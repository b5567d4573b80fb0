/*
** `pairs` and `next` of a repeatable state visit keys in an order that does not depend on hashes: booleans, numbers,
** strings, objects by their reference, then tables, functions and coroutines by their identity.
*/
#ifndef SP_SCRIPT_ORDERED_TABLES_H
#define SP_SCRIPT_ORDERED_TABLES_H

#include <lua.h>

#include "script/guard/repeatable.h"

/* Pushes a list of the keys of the table at `index`, in order, and returns their count. Raises on memory. Without `r`
   tables, functions, coroutines and userdata have no order among each other. */
lua_Integer sp_push_ordered_keys(lua_State *L, sp_repeatable *r, int index);

/* Replaces `pairs` and `next`. Raises on memory. */
void sp_ordered_tables_open(lua_State *L, sp_repeatable *r);

#endif
