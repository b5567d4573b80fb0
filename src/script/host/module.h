/*
** The library in a Lua state. luaopen_spawnpool, which script.h declares, completes it.
*/
#ifndef SP_SCRIPT_MODULE_H
#define SP_SCRIPT_MODULE_H

#include "script/state/context.h"

/* Returns the context of a state, which holds all data of the library; created on first use. Raises errors. */
sp_context *sp_library_open(lua_State *L);

#endif
