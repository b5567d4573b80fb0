/*
** alloc in Lua: of managers, of pools, and the base function that overrides call as `super`.
*/
#ifndef SP_SCRIPT_ALLOC_H
#define SP_SCRIPT_ALLOC_H

#include "script/state/handles.h"

/* pools:alloc(type, lifetime, ...), pool:alloc(lifetime, ...) and Class.super.alloc(pool, lifetime, ...) -> object; or
   nil and the reason. Raise what is wrong with arguments, and errors of hooks and overrides. */
int sp_manager_alloc(lua_State *L);
int sp_lua_alloc(lua_State *L);
int sp_base_alloc(lua_State *L);
/* Pushes the results of alloc after a core call: the object, or nil and the reason; raises a hook's error. Returns
   their number. */
int sp_finish_alloc(lua_State *L, sp_context *c, uint64_t pool, sp_ref object, sp_result why);

#endif
