/*
** Snapshots of a manager in Lua: the core's snapshot, and a copy of the Lua values beside it, which
** lua/spawnpool/saving.lua makes.
*/
#ifndef SP_SCRIPT_SNAPSHOTS_H
#define SP_SCRIPT_SNAPSHOTS_H

#include "script/state/handles.h"

/* For saving.lua. */
extern const luaL_Reg sp_snapshot_natives[];
/* Returns SP_OK when a manager can be copied or restored now: it is open, and none of its hooks runs. */
sp_result sp_manager_rests(const sp_lua_manager *m);
/* Pushes the userdata of a snapshot, and returns where that of the core goes. Raises on memory. */
sp_snapshot **sp_push_snapshot(lua_State *L, sp_context *c);
/* Pushes function `name` of the library's Lua file `source`. */
void sp_push_helper(lua_State *L, sp_context *c, const char *source, const char *name);

#endif
