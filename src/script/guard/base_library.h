/*
** `load` and `setmetatable` as the sandbox has them.
*/
#ifndef SP_SCRIPT_BASE_LIBRARY_H
#define SP_SCRIPT_BASE_LIBRARY_H

#include <lua.h>
#include <stddef.h>

/* Replaces both in the table of globals on top of the stack. Raises on memory. */
void sp_globals_open(lua_State *L);

/* Compiles a text in pieces; the watchdog is checked between two pieces. Pushes the function, or the message, and
   returns a Lua status. Deeply nested functions and many locals make compiling slow. */
int sp_load_text(lua_State *L, const char *text, size_t size, const char *name);

#endif
