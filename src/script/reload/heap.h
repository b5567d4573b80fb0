/*
** The Lua heap as hot reload sees it. `look` remembers what tables and file-locals hold and tells what has changed
** since the last look; `apply` and `undo` write a list of changes; `follow` turns references to what was replaced to
** what took its place, wherever they are held. All of them work in bounded steps: their cost does not grow with the
** game.
*/
#ifndef SP_SCRIPT_HEAP_H
#define SP_SCRIPT_HEAP_H

#include <stdbool.h>

#include <lua.h>

/* shot(stop, most): a new one, which knows nothing yet; tables that are keys of `stop` are never entered, and no more
   than `most` entries are remembered. */
int sp_heap_shot(lua_State *L);
/* stop(shot, table): from now on the table is not entered either. */
int sp_heap_stop(lua_State *L);
/* look(shot, roots, stores, log). Takes up what can be reached from the values in `roots`, and from the values in the
   tables of `stores` but not those tables themselves; what lies nearest comes first. With a `log`, first goes through
   all that is known: what has changed is appended as groups of four, thing, key, old, new, counted by log.n. Takes up
   nothing when there are no `roots`. */
int sp_heap_look(lua_State *L);
/* apply(log), undo(log): writes the new values, or the old ones from the last to the first. A thing is a table with a
   key, or heap.METATABLE for its metatable, or a function with the number of an upvalue. */
int sp_heap_apply(lua_State *L);
int sp_heap_undo(lua_State *L);
/* entries(table, most) -> a copy of a table with its keys and values and no metatable, and their number; nil when there
   are more than `most`. */
int sp_heap_entries(lua_State *L);
/* Whether two values cannot be told apart: 1 and 1.0 can, 0.0 and -0.0 too, NaNs cannot. is_same(a, b) for Lua. */
bool sp_heap_same(lua_State *L, int a, int b);
int sp_heap_is_same(lua_State *L);
/* is_remade(image, maker, result, stores, known, made) -> whether a file that ran again made just what it made before,
   as its image has it; then `made` has what it made now -> what it made then. `known` has the same of other files. */
int sp_heap_is_remade(lua_State *L);
/* metatable() -> the key that stands for the metatable of a table. */
int sp_heap_metatable(lua_State *L);

/* following(map, sources, passed) -> a walk that turns each reference to a key of `map` to its value, but not in the
   table `passed`. */
int sp_heap_following(lua_State *L);
/* follow(walk, most) -> whether all has been walked, and how many suspended coroutines run a function of `sources`.
   Goes through `most` values at most; those that are nearest to the roots come first. */
int sp_heap_follow(lua_State *L);

#endif
