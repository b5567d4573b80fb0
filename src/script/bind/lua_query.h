/*
** Methods over whole pools.
*/
#ifndef SP_SCRIPT_LUA_QUERY_H
#define SP_SCRIPT_LUA_QUERY_H

#include "script/state/handles.h"

/* Methods of pools. */
extern const luaL_Reg sp_pool_verbs[];
/* pools:take(filter) */
int sp_manager_take(lua_State *L);

#endif
