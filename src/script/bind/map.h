/*
** Walks that read fields: `pool:each(field...)` and `pool:map(fields, fn, ...)`.
*/
#ifndef SP_SCRIPT_MAP_H
#define SP_SCRIPT_MAP_H

#include "script/state/handles.h"

/* Each field is an argument of the game's function, or a variable of its loop. */
#define SP_MOST_MAPPED 16

/* `pool:each(field...)`: returns the values of the generic for, for the pool userdata at 1 and the names behind it. One
   iterator is kept for each list of names, so that a walk makes no garbage. */
int sp_walk_pool_with_fields(lua_State *L);

#endif
