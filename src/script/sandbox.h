/*
** The libraries that a game sees. Trusted games have all of Lua; others cannot reach files, processes, native code,
** bytecode or the debug library, and `require` finds only the game's own folder and spawnpool.
*/
#ifndef SP_SCRIPT_SANDBOX_H
#define SP_SCRIPT_SANDBOX_H

#include <lua.h>
#include <stdbool.h>

/* Opens the libraries into a new state, for a game in `folder`. Raises errors. */
void sp_sandbox_open(lua_State *L, const char *folder, bool trust);

/* Whether a file that exists lies in `folder`: by its name, or by where it really is. */
bool sp_sandbox_holds(const char *folder, const char *file);

#endif
