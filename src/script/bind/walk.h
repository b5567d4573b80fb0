/*
** Walks in Lua, without garbage: the generic `for` carries all there is to know, the serial at which the walk began and
** the last object visited, so the same function serves every walk of a pool.
*/
#ifndef SP_SCRIPT_WALK_H
#define SP_SCRIPT_WALK_H

#include "script/state/handles.h"

/* `pool:each()`: returns the three values of the generic for, for the pool userdata at `pool`. */
int sp_walk_pool(lua_State *L, int pool);
/* `pools:each(filter)`: the same over all pools of the manager at `manager`; filter at `filter`. */
int sp_walk_manager(lua_State *L, int manager, int filter);

/* A filter is nil, a type name, {type=}, {class=}, {group=} or function(obj). Raises when it is none of these. */
void sp_check_filter(lua_State *L, int filter);
/* Whether a filter that is no function takes in the pool. */
bool sp_filter_takes_pool(lua_State *L, int filter, const sp_lua_pool *p);

#endif
