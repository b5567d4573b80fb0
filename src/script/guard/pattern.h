/*
** string.find, match, gmatch and gsub of the sandbox: rows of the table in bounds.c.
*/
#ifndef SP_SCRIPT_PATTERN_H
#define SP_SCRIPT_PATTERN_H

#include <lua.h>

int sp_bounded_find(lua_State *L);
int sp_bounded_match(lua_State *L);
int sp_bounded_gmatch(lua_State *L);
int sp_bounded_gsub(lua_State *L);

#endif
