/*
** Redirects references from replaced tables and functions to their successors, wherever they are held.
*/
#ifndef SP_SCRIPT_HEAP_FOLLOW_H
#define SP_SCRIPT_HEAP_FOLLOW_H

#include <lua.h>

/* following(map, sources, passed) -> a walk that replaces each reference to a key of `map` by its value, except in
   the table `passed`. */
int sp_heap_following(lua_State *L);
/* follow(walk, most) -> whether the walk is complete, and how many suspended coroutines run a function of `sources`.
   Visits at most `most` values, nearest to the roots first. */
int sp_heap_follow(lua_State *L);

#endif
