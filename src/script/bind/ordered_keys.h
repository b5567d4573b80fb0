/*
** Keys of tables in an order that depends on nothing but the keys: booleans, numbers, strings, objects by their
** reference, then tables, functions and coroutines by their identity. A repeatable state has `pairs` and `next` of its
** own, which visit keys in this order.
*/
#ifndef SP_SCRIPT_ORDERED_KEYS_H
#define SP_SCRIPT_ORDERED_KEYS_H

#include "script/state/repeatable.h"

/* Pushes a list of the keys of the table at `index`, in that order, and returns their count. The list may be shared:
   callers only read it. Raises on memory. Without `r` tables, functions, coroutines and userdata have no order among
   each other. */
lua_Integer sp_push_ordered_keys(lua_State *L, sp_repeatable *r, int index);

/* Replaces `pairs` and `next` among the globals. Raises on memory. */
void sp_replace_pairs(lua_State *L);

/* Returns whether a function is one of these two, or an iterator of theirs: what they hold is no game's. */
bool sp_orders_keys(lua_CFunction f);
/* Pushes the lists that loops share, which are no game's either: a table, or nil. Returns the type. */
int spl_push_key_lists(lua_State *L);

#endif
