/*
** Pools in Lua.
*/
#ifndef SP_SCRIPT_LUA_POOL_H
#define SP_SCRIPT_LUA_POOL_H

#include "script/state/handles.h"

/* Fills the table of methods. Raises on memory. */
void sp_pool_open_methods(lua_State *L, sp_context *c);

/* Gives the userdata on top its metatable. */
void sp_pool_dress(lua_State *L, sp_context *c, sp_lua_pool *p);

/* Finds the overflow policy of this name; false, and nothing written, when there is none. "error" is the binding's own:
   SP_OVERFLOW_REFUSE in the core, and `raises`. */
bool sp_overflow_of_name(const char *name, sp_overflow *overflow, bool *raises);

#endif
