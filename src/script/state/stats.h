/*
** Statistics as a Lua table.
*/
#ifndef SP_SCRIPT_STATS_H
#define SP_SCRIPT_STATS_H

#include <lua.h>

#include "core/spawnpool.h"

/* Pushes a new table with the members of `stats` under their own names. */
void sp_push_stats(lua_State *L, const sp_stats *stats);

#endif
