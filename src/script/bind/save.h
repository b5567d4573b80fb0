/*
** Saves in Lua: the core's save, followed by the Lua values, which lua/spawnpool/saving.lua writes.
*/
#ifndef SP_SCRIPT_SAVE_H
#define SP_SCRIPT_SAVE_H

#include "script/state/handles.h"

/* For saving.lua. */
extern const luaL_Reg sp_save_natives[];

#endif
