/*
** recycle in Lua: of managers, of pools, and the base function that overrides call as `super`.
*/
#ifndef SP_SCRIPT_RECYCLE_H
#define SP_SCRIPT_RECYCLE_H

#include "script/state/handles.h"

/* Recycles an object of an open manager; returns what recycle does. */
int sp_recycle_object(lua_State *L, sp_lua_manager *m, sp_ref object);

#endif
