/*
** The functions of `table` that run long, for the sandbox: they do what Lua's do, and the watchdog can stop them.
*/
#ifndef SP_SCRIPT_TABLE_LIBRARY_H
#define SP_SCRIPT_TABLE_LIBRARY_H

#include <lua.h>

/* Replaces concat, insert, move, remove, sort and unpack in the library on top of the stack. Raises on memory. */
void sp_tables_open(lua_State *L);

#endif
