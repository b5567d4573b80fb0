/*
** Creates the pool of a type at its first use.
*/
#ifndef SP_SCRIPT_POOL_CREATE_H
#define SP_SCRIPT_POOL_CREATE_H

#include "script/state/handles.h"

/* Makes the pool of type `index` from its class (or generic) and returns it; raises errors. */
sp_lua_pool *sp_pool_create(lua_State *L, sp_lua_manager *m, int index);
/* Pushes the userdata of a pool of `m`, in no list and without a core. Raises on memory. */
sp_lua_pool *sp_pool_new_handle(lua_State *L, sp_lua_manager *m);

#endif
