/*
** A walk over what can be reached in the Lua heap, without recursion: values wait in a list, and each is visited once.
*/
#ifndef SP_SCRIPT_HEAP_WALK_H
#define SP_SCRIPT_HEAP_WALK_H

#include <lua.h>
#include <stdbool.h>

typedef struct heap_walk {
  lua_State *L;
  int seen, work, stop; /* stack places of tables; `stop` may be 0 */
  lua_Integer waiting;
} heap_walk;

/* Begins a walk that leaves out what is a key of the table at `stop` (0: none). Pushes two tables. Raises on memory. */
heap_walk sp_heap_walk_begin(lua_State *L, int stop);
/* Queues the value at `index` unless it was queued before, or is left out. */
void sp_heap_walk_visit(heap_walk *w, int index);
/* Pushes the next one; false at the end. */
bool sp_heap_walk_next(heap_walk *w);

/* Whether the value at `value` is a key of the table at `set`. */
bool sp_heap_walk_holds(lua_State *L, int set, int value);
/* Functions of the library itself: what they hold is not the game's. By the source of their code. */
bool sp_is_library_source(const char *source);
bool sp_is_library(lua_State *L, int function);

#endif
