/*
** string.find, match, gmatch and gsub of the sandbox.
*/
#ifndef SP_SCRIPT_PATTERN_H
#define SP_SCRIPT_PATTERN_H

#include <lua.h>

/* Replaces them in the library on top of the stack. Raises on memory. */
void sp_pattern_open(lua_State *L);

#endif
