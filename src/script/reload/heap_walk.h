/*
** A walk over what is reachable in the Lua heap, without recursion: new values are appended to a list, which is
** processed until nothing is new. Visited values are a set of addresses, which stay valid because the list holds the
** values.
*/
#ifndef SP_SCRIPT_HEAP_WALK_H
#define SP_SCRIPT_HEAP_WALK_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

/* Part of a userdata, whose user values hold what it points to. */
typedef struct heap_walk {
  lua_State *L;      /* of the current call */
  int self, list;    /* stack indices in that call: the userdata, its list */
  lua_Integer count; /* length of the list */
  const void **seen; /* open addressing, NULL: free */
  uint32_t seen_mask, seen_count;
} heap_walk;

enum { SP_HEAP_LIST = 1, SP_HEAP_SEEN, SP_HEAP_PLACES = SP_HEAP_SEEN };

/* Pushes a userdata of `size` bytes (zeros) and `places` user values that begins with a walk. Raises on memory. */
void *sp_heap_walk_new(lua_State *L, size_t size, int places);
/* Opens the walk at the stack index `self`, in a call: pushes its list. */
heap_walk *sp_heap_walk_open(lua_State *L, int self);
/* Clears the visited values, in a call that has opened the walk. */
void sp_heap_walk_restart(heap_walk *w);
/* Appends the value at `index` to the list unless it was visited before. */
void sp_heap_walk_visit(heap_walk *w, int index);
/* Marks the address as visited; true when it was not before. */
bool sp_heap_walk_meet(heap_walk *w, const void *address);
/* Doubles an array of `size` bytes (or creates one) and keeps it in the user value `place`. */
void *sp_heap_walk_grow(heap_walk *w, int place, const void *old, size_t size);

/* Return whether a function is the library's own, by the source of its code; its contents are not the game's. */
bool sp_is_library_source(const char *source);
bool sp_is_library(lua_State *L, int function);

#endif
