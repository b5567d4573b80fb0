/*
** Applies the lists of changes that a look reports, and undoes them.
*/
#ifndef SP_SCRIPT_HEAP_CHANGE_H
#define SP_SCRIPT_HEAP_CHANGE_H

#include <lua.h>
#include <stdbool.h>

/* apply(log), undo(log): write the new values, or the old ones from the last to the first. A thing is a table with a
   key, or heap.METATABLE for its metatable, or a function with the number of an upvalue. */
int sp_heap_apply(lua_State *L);
int sp_heap_undo(lua_State *L);
/* entries(table, most) -> a copy of a table without metatable, and the number of its entries; nil when there are
   more than `most`. */
int sp_heap_entries(lua_State *L);
/* Returns whether two values are indistinguishable: NaNs are, 1 and 1.0 are not, 0.0 and -0.0 are not. is_same(a, b)
   for Lua. */
bool sp_heap_same(lua_State *L, int a, int b);
int sp_heap_is_same(lua_State *L);
/* metatable() -> the key that represents the metatable of a table. */
int sp_heap_metatable(lua_State *L);

#endif
