/*
** alloc in Lua: of managers, of pools, and the base function that overrides call as `super`.
*/
#ifndef SP_SCRIPT_ALLOC_H
#define SP_SCRIPT_ALLOC_H

#include "script/state/handles.h"

/* Pushes the results of alloc after a core call: the object, or nil and the reason; raises a hook's error. Returns
   their number. */
int sp_finish_alloc(lua_State *L, sp_context *c, uint64_t pool, sp_ref object, sp_result why);

#endif
