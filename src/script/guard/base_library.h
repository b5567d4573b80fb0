/*
** `load` and `setmetatable` as the sandbox has them.
*/
#ifndef SP_SCRIPT_BASE_LIBRARY_H
#define SP_SCRIPT_BASE_LIBRARY_H

#include <lua.h>
#include <stddef.h>

/* Replaces both in the table of globals on top of the stack. Raises on memory. */
void sp_globals_open(lua_State *L);

#endif
