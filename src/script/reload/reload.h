/*
** Hot reload, from C: what the Lua side of it (lua/spawnpool/reload/...) needs, and the doors through which the rest of
** the binding comes to it. Nothing here costs anything until a host or a script asks for reloading.
*/
#ifndef SP_SCRIPT_RELOAD_H
#define SP_SCRIPT_RELOAD_H

#include "script/state/handles.h"

/* Opens reloading in this state (once) and pushes its table of functions. Raises errors. */
void sp_reload_open(lua_State *L, sp_context *c);
/* Pushes a function of that table; false, and nothing pushed, when the state does not reload. */
bool sp_push_reload(lua_State *L, const sp_context *c, const char *name);

/* Functions for embedded Lua files, beside those of class_natives.c. */
extern const luaL_Reg sp_reload_natives[];

#endif
