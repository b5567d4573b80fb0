/*
** Hot reload, from C: what the Lua side of it (lua/spawnpool/reload/...) needs, and the doors through which the rest of
** the binding comes to it. Nothing here costs anything until a host or a script asks for reloading.
*/
#ifndef SP_SCRIPT_RELOAD_H
#define SP_SCRIPT_RELOAD_H

#include "script/handles.h"

/* The chunk of a file, kept track of when the state reloads: pushes a function, or raises what is wrong with the file.
   `kind`: "module" or "class", with its name. */
void sp_load_source(lua_State *L, const char *file, const char *kind, const char *name);

/* An error has left code of the game. `L` has the error's culprit in mind (see sp_door): when that code was loaded anew
   a moment ago, its last good version is back in force and true is returned: what failed may be done again. Never
   raises. */
bool sp_reload_heal(lua_State *L, sp_context *c);

/* The same for a function of a pool that returned what it must not; the text of the error is on top, and stays. Raises
   on memory. */
bool sp_reload_heal_hook(lua_State *L, const sp_lua_pool *p, sp_hook hook);

/* Opens reloading in this state (once) and pushes its table of functions. Raises errors. */
void sp_reload_open(lua_State *L, sp_context *c);
/* Pushes a function of that table; false, and nothing pushed, when the state does not reload. */
bool sp_push_reload(lua_State *L, const sp_context *c, const char *name);

/* Functions for embedded Lua files, beside those of module.c. */
extern const luaL_Reg sp_reload_natives[];

#endif
