/*
** Pools in Lua.
*/
#ifndef SP_SCRIPT_POOL_H
#define SP_SCRIPT_POOL_H

#include "script/state/handles.h"

/* Fills the table of methods. Raises on memory. */
void sp_pool_open_methods(lua_State *L, sp_context *c);
/* Makes the pool of type `index` from its class (or generic) and returns it; raises errors. */
sp_lua_pool *sp_pool_create(lua_State *L, sp_lua_manager *m, int index);
/* Pushes a new table with the members of `stats` under their own names. */
void sp_push_stats(lua_State *L, const sp_stats *stats);
/* Finds the overflow policy of this name; false, and nothing written, when there is none. "error" is the binding's own:
   SP_OVERFLOW_REFUSE in the core, and `raises`. */
bool sp_overflow_of_name(const char *name, sp_overflow *overflow, bool *raises);

#endif
