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
/* Stops the timers in the list at `list`, which have nothing to call. The manager's userdata is at `manager`. */
void sp_stop_timers(lua_State *L, int manager, int list);
/* Puts new Lua values in place of a manager's, which cannot fail; pushes its table of timers before. `swaps`: see
   snapshots.c; `timers`: the new table; `ended`: timers that have nothing to call. */
void sp_swap_values(lua_State *L, int manager, int swaps, int timers, int ended);
/* Pushes function `name` of the library's Lua file `source`. */
void sp_push_helper(lua_State *L, sp_context *c, const char *source, const char *name);

#endif
