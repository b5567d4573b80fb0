/*
** A walk over what can be reached in the Lua heap, without recursion: what is met for the first time is appended to a
** list, and the list is gone through until nothing is new. What has been met is a set of addresses, which stay valid
** because the list holds everything in it.
*/
#ifndef SP_SCRIPT_HEAP_WALK_H
#define SP_SCRIPT_HEAP_WALK_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

/* Lies in a userdata, whose user values keep what it points to. */
typedef struct heap_walk {
  lua_State *L;      /* of the call in progress */
  int self, list;    /* stack places in that call: the userdata, its list */
  lua_Integer count; /* length of the list */
  const void **seen; /* open addressing, NULL: free */
  uint32_t seen_mask, seen_count;
} heap_walk;

enum { SP_HEAP_LIST = 1, SP_HEAP_SEEN, SP_HEAP_PLACES = SP_HEAP_SEEN };

/* Pushes a userdata of `size` bytes (zeros) and `places` user values that begins with a walk. Raises on memory. */
void *sp_heap_walk_new(lua_State *L, size_t size, int places);
/* Takes up the walk at the stack place `self`, in a call: pushes its list. */
heap_walk *sp_heap_walk_open(lua_State *L, int self);
/* Forgets what has been met, in a call that has opened the walk. */
void sp_heap_walk_restart(heap_walk *w);
/* Appends the value at `index` to the list unless it was met before. */
void sp_heap_walk_visit(heap_walk *w, int index);
/* True when the address was not met before; it is from now on. */
bool sp_heap_walk_meet(heap_walk *w, const void *address);
/* Makes an array of `size` bytes twice as long (or begins one) and keeps it in the user value `place`. */
void *sp_heap_walk_grow(heap_walk *w, int place, const void *old, size_t size);

/* Functions of the library itself: what they hold is not the game's. By the source of their code. */
bool sp_is_library_source(const char *source);
bool sp_is_library(lua_State *L, int function);

#endif
