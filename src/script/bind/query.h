/*
** Filters of pools and objects, and walks without garbage: the state of a walk, the serial at which it began and the
** last object visited, is in the two values of the generic `for`, so every walk of a pool uses the same function.
*/
#ifndef SP_SCRIPT_QUERY_H
#define SP_SCRIPT_QUERY_H

#include "script/state/handles.h"

/* `pool:each()`: returns the three values of the generic for, for the pool userdata at `pool`. */
int sp_walk_pool(lua_State *L, int pool);
/* `pools:each(filter)`: the same over all pools of the manager at `manager`; filter at `filter`. */
int sp_walk_manager(lua_State *L, int manager, int filter);

/* Checks the arguments of a step of a walk: the serial at which it began, and the object visited before (nil at
   first). `pool` is NULL for a walk over a manager. */
sp_walk sp_check_walk(lua_State *L, const sp_manager *m, sp_pool *pool);

/* A filter is nil, a type name, {type=}, {class=}, {group=} or function(obj). Raises when it is none of these. */
void sp_check_filter(lua_State *L, int filter);
/* Returns whether a filter other than a function matches the pool. */
bool sp_filter_takes_pool(lua_State *L, int filter, const spl_pool *p);
/* Calls the function with an object. Returns whether its result is true. */
bool sp_function_takes(lua_State *L, int function, sp_ref object);

#endif
