/*
** Creates the pool of a type at its first use.
*/
#ifndef SP_SCRIPT_POOL_CREATE_H
#define SP_SCRIPT_POOL_CREATE_H

#include "script/state/handles.h"

/* Makes the pool of type `index` from its class (or generic) and returns it; raises errors. */
sp_lua_pool *sp_pool_create(lua_State *L, sp_lua_manager *m, int index);

#endif
