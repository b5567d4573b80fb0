/*
** pairs(object): the fields of an object, by name.
*/
#ifndef SP_SCRIPT_OBJECT_PAIRS_H
#define SP_SCRIPT_OBJECT_PAIRS_H

#include <lua.h>

/* The metamethod __pairs of objects. */
int sp_object_pairs(lua_State *L);

#endif
