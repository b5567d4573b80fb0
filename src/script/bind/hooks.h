/*
** Hooks of the core that call functions of classes.
*/
#ifndef SP_SCRIPT_HOOKS_H
#define SP_SCRIPT_HOOKS_H

#include "script/state/handles.h"

/* Returns the hooks that the core calls for a pool. */
sp_pool_hooks sp_hooks_for(spl_pool *p);
/* Calls on_restore for the live objects of a manager, given by its id, whose class has it. Errors are reported. */
void sp_hooks_restored(lua_State *L, sp_context *c, uint64_t manager);
/* Empties the fields that hold Lua values, as at the end of a life. */
void sp_forget_values(spl_pool *p, uint32_t slot);

#endif
