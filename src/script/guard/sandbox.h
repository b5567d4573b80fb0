/*
** The libraries of a game. Trusted games have all of Lua; others cannot reach files, processes, native code, bytecode
** or the debug library, and `require` finds only the game's own folder and spawnpool.
*/
#ifndef SP_SCRIPT_SANDBOX_H
#define SP_SCRIPT_SANDBOX_H

#include <lua.h>
#include <stdbool.h>

/* Opens the libraries into a new state, for a game in `folder`; they are repeatable if sp_repeatable_begin was called
   before. Raises errors. */
void sp_sandbox_open(lua_State *L, const char *folder, bool trust);

/* Replaces table.sort, which in Lua asks the clock where to divide a long list: two runs could differ. */
void sp_sandbox_steady_sort(lua_State *L);

#endif
