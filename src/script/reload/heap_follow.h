/*
** Turns references to replaced tables and functions to their successors, wherever they are held.
*/
#ifndef SP_SCRIPT_HEAP_FOLLOW_H
#define SP_SCRIPT_HEAP_FOLLOW_H

#include <lua.h>

/* following(map, sources, passed) -> a walk that turns each reference to a key of `map` to its value, but not in the
   table `passed`. */
int sp_heap_following(lua_State *L);
/* follow(walk, most) -> whether all has been walked, and how many suspended coroutines run a function of `sources`.
   Goes through `most` values at most; those that are nearest to the roots come first. */
int sp_heap_follow(lua_State *L);

#endif
