/*
** Opens the manager of a save.
*/
#ifndef SP_SCRIPT_SAVE_OPEN_H
#define SP_SCRIPT_SAVE_OPEN_H

#include <lauxlib.h>

/* pools:restore(save) -> true, roots, notes; or false and the reason. The save is at 2, and nothing above it. */
int sp_restore_save(lua_State *L);
/* For lua/spawnpool/saving.lua. */
extern const luaL_Reg sp_save_open_natives[];

#endif
