/*
** Hot reload, from C: the functions that its Lua side (lua/spawnpool/reloading.lua) needs, and the entry points for
** the rest of the binding. It costs nothing until a host or a script uses hot reload.
*/
#ifndef SP_SCRIPT_RELOAD_H
#define SP_SCRIPT_RELOAD_H

#include "script/state/handles.h"

/* Opens hot reload in this state (once) and pushes its table of functions. Raises errors. */
void sp_reload_open(lua_State *L, sp_context *c);
/* Pushes a function of that table; false, with nothing pushed, when the state does not reload. */
bool sp_push_reload(lua_State *L, const sp_context *c, const char *name);

/* Functions for embedded Lua files, beside those of class_natives.c. */
extern const luaL_Reg sp_reload_natives[];

#endif
