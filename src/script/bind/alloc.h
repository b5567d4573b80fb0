/*
** alloc in Lua: of managers, of pools, and the base function that overrides reach as `super`.
*/
#ifndef SP_SCRIPT_ALLOC_H
#define SP_SCRIPT_ALLOC_H

#include "script/state/handles.h"

int sp_manager_alloc(lua_State *L);
int sp_lua_alloc(lua_State *L);
int sp_base_alloc(lua_State *L);
/* What alloc returns for the outcome of a core call: the object, or nil and the reason; raises a hook's error. */
int sp_finish_alloc(lua_State *L, sp_context *c, uint64_t pool, sp_ref object, sp_result why);

#endif
