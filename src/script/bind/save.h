/*
** Saves in Lua: the core's save, followed by the Lua values, which lua/spawnpool/saving.lua writes.
*/
#ifndef SP_SCRIPT_SAVE_H
#define SP_SCRIPT_SAVE_H

#include "script/state/handles.h"

/* For saving.lua. */
extern const luaL_Reg sp_save_natives[];
/* pools:restore(save) -> true, roots, notes; or false and the reason. The save is at 2, and nothing above it. */
int sp_restore_save(lua_State *L);
/* Pushes a list of the settings of an open pool, for its save. Raises on memory. */
void sp_push_settings(lua_State *L, const sp_lua_pool *p);

#endif
