/*
** The functions of Lua's libraries that the sandbox has its own versions of, besides those with patterns (pattern.h)
** and those that a repeatable state replaces (repeatable.h).
*/
#ifndef SP_SCRIPT_LIBRARY_H
#define SP_SCRIPT_LIBRARY_H

#include <lua.h>

/* Replaces `load` and `setmetatable`, for games that are not trusted. Raises on memory. */
void sp_library_confine(lua_State *L);

/* Replaces table.sort, which in Lua asks the clock where to divide a long list: two runs could differ. */
void sp_library_steady(lua_State *L);

#endif
