/*
** string.find, match, gmatch and gsub of the sandbox, by the matcher of pattern.h.
*/
#ifndef SP_SCRIPT_PATTERN_LIBRARY_H
#define SP_SCRIPT_PATTERN_LIBRARY_H

#include <lua.h>

/* Replaces them in the library on top of the stack. Raises on memory. */
void sp_pattern_open(lua_State *L);

#endif
