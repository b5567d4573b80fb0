/*
** Saves in Lua: the core's, and behind it what lua/spawnpool/saving.lua writes of the Lua values.
*/
#ifndef SP_SCRIPT_SAVES_H
#define SP_SCRIPT_SAVES_H

#include "script/state/handles.h"

/* pools:save{roots =} */
int sp_manager_save(lua_State *L);
/* For saving.lua. */
extern const luaL_Reg sp_save_natives[];

#endif
