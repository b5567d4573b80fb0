/*
** The library in a Lua state. script.h declares luaopen_spawnpool, which completes it.
*/
#ifndef SP_SCRIPT_MODULE_H
#define SP_SCRIPT_MODULE_H

#include "script/state/context.h"

/* The context of a state, with all that the library keeps in it; made on first use. Raises errors. */
sp_context *sp_library_open(lua_State *L);

#endif
