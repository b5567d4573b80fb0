/*
** The Lua module `spawnpool`.
*/
#ifndef SP_SCRIPT_MODULE_H
#define SP_SCRIPT_MODULE_H

#include <lua.h>

#include "core/spawnpool.h"

/* `require "spawnpool"`: pushes the module table. Raises when another library owns the light userdata metatable. */
SP_API int luaopen_spawnpool(lua_State *L);

#endif
