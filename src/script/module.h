/*
** The Lua module `spawnpool`.
*/
#ifndef SP_SCRIPT_MODULE_H
#define SP_SCRIPT_MODULE_H

#include <lua.h>

#include "core/spawnpool.h"

/* `require "spawnpool"`: pushes the module table. Raises when another library owns the light userdata metatable. */
SP_API int luaopen_spawnpool(lua_State *L);

/* `require "spawnpool.reload"`: opens the library too if need be, and keeps track of files from now on. */
SP_API int luaopen_spawnpool_reload(lua_State *L);

#endif
