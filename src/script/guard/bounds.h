/*
** Functions of Lua's libraries whose work a game can choose freely, and which a stop cannot interrupt: they take tables
** of any length, or write texts of any length. These ones count what they do, and are stopped as Lua code is. Results
** and messages are Lua's own. What writes a long text piece by piece, as string.format does, is ended by its memory,
** which the host refuses while a call is being stopped.
*/
#ifndef SP_SCRIPT_BOUNDS_H
#define SP_SCRIPT_BOUNDS_H

#include <lua.h>

/* Replaces those functions in the libraries `string` and `table`, which are open. Raises on memory. */
void sp_bounds_open(lua_State *L);
/* Replaces table.sort, which in Lua asks the clock where to divide a long list: two runs could differ. */
void sp_bounds_open_sort(lua_State *L);

#endif
