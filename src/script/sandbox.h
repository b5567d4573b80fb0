/*
** The libraries that a game sees. Trusted games have all of Lua; others cannot reach files, processes, native code,
** bytecode or the debug library, and `require` finds only the game's own folder and spawnpool.
*/
#ifndef SP_SCRIPT_SANDBOX_H
#define SP_SCRIPT_SANDBOX_H

#include <lua.h>
#include <stdbool.h>

/* The error about such a file; its path is the argument. */
#define SP_SANDBOX_OUTSIDE "%s is outside the game's folder"

/* Opens the libraries into a new state, for a game in `folder`. Raises errors. */
void sp_sandbox_open(lua_State *L, const char *folder, bool trust);

/* Whether a file lies in `folder`, or would if it existed: by where it really is, so links out of it lead nowhere.
   What exists outside cannot be told from what does not. */
bool sp_sandbox_holds(const char *folder, const char *file);

/* Whether there is a file to read: to open a pipe would wait for somebody who writes to it. */
bool sp_is_readable(const char *file);

#endif
