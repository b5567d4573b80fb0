/*
** A walk over what is reachable in the Lua heap, without recursion: values that are met for the first time are appended
** to a list, which is worked through until nothing is new. The list holds the values, so their addresses stay valid.
*/
#ifndef SP_SCRIPT_HEAP_WALK_H
#define SP_SCRIPT_HEAP_WALK_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

/* Part of a userdata, whose user values hold what it points to. */
typedef struct sp_heap_walk {
  lua_State *L;   /* of the current call */
  int self, list; /* stack indices in that call: the userdata, its list */
  uint32_t count; /* values in the list: their numbers are 1 to `count` */
  uint32_t done;  /* those that were worked through */
  uint32_t first; /* room of an array at first, a power of two */
  uint32_t mask, taken;
  uint32_t *seats;        /* numbers by their addresses; 0: free */
  const void **addresses; /* by number; NULL: it has no seat */
} sp_heap_walk;

enum { SP_HEAP_LIST = 1, SP_HEAP_SEATS, SP_HEAP_ADDRESSES, SP_HEAP_PLACES = SP_HEAP_ADDRESSES };

/* Pushes a userdata of `size` bytes (zeros) and `places` user values that begins with a walk, and its list, with room
   for about as many values as are expected. Raises on memory, as all of these do. */
void *sp_heap_walk_new(lua_State *L, size_t size, int places, lua_Integer expected);
/* Opens the walk at the stack index `self` in a call: pushes its list. */
void *sp_heap_walk_open(lua_State *L, int self);
/* Returns the number of the value at `index`, which must be a table, function, userdata, thread or string; 0 when it is
   not known. */
uint32_t sp_heap_number(const sp_heap_walk *w, int index);
/* Returns whether the value at `index`, of one of these types, has this number. */
bool sp_heap_is(const sp_heap_walk *w, uint32_t number, int index);
/* Returns its number, after appending the value to the list unless it is known. */
uint32_t sp_heap_meet(sp_heap_walk *w, int index);
/* Meets the value unless it is a plain one. */
void sp_heap_meet_any(sp_heap_walk *w, int index);
/* Meets the values of the table at `index`, 1 to n. */
void sp_heap_meet_all(sp_heap_walk *w, int index);
/* Marks an address that is not that of a value as known; false if it was known. The list has `false` in its place. */
bool sp_heap_mark(sp_heap_walk *w, const void *address);
/* Returns whether an address is known. */
bool sp_heap_knows(const sp_heap_walk *w, const void *address);
/* Appends a value without a seat: it gets a number, but is not found by it. */
uint32_t sp_heap_hold(sp_heap_walk *w, int index);
/* Returns an array in the user value `place`, with room for one more item: it has a power of two items, of `first` on,
   and doubles when it is full. */
void *sp_heap_grow(sp_heap_walk *w, int place, void *array, size_t used, size_t item);
static inline void *sp_heap_room(sp_heap_walk *w, int place, void *array, size_t used, size_t item)
{
  const bool has_room = array && (used < w->first || (used & (used - 1)) != 0);
  return has_room ? array : sp_heap_grow(w, place, array, used, item);
}

/* Calls fn(ud, co, ar, n) for each variable of the game on the stack of `co`, with its value on top of the walk's
   stack: n > 0 and n < 0 are locals and arguments of the frame `ar`, n == 0 its function; ar == NULL: the n-th value of
   a coroutine that was never resumed. Frames of the library are left out. */
typedef void (*sp_heap_variable_fn)(void *ud, lua_State *co, lua_Debug *ar, int n);
void sp_heap_each_variable(sp_heap_walk *w, lua_State *co, sp_heap_variable_fn fn, void *ud);

/* Returns whether a function is the library's own, by the source of its code; what it holds is not the game's. */
bool sp_is_library(lua_State *L, int function);

/* {== Boxes ============================================================== */

/* A value in 64 bits: a float as it is; in the space of negative NaNs nil and booleans, small integers, and the numbers
   of values in the list of a walk. */
typedef uint64_t sp_heap_box;
#define SP_HEAP_BOX_TAG(n) ((UINT64_C(0xfff8) + (n)) << 48)
#define SP_HEAP_BOX_TAG_OF(b) ((b) >= SP_HEAP_BOX_TAG(1) ? (unsigned)((b) >> 48) - 0xfff8u : 0)
#define SP_HEAP_BOX_PAYLOAD (SP_HEAP_BOX_TAG(1) - SP_HEAP_BOX_TAG(0) - 1)
/* Tags. KNOWN: the number of a value that has a seat in the walk's set; HELD: of one that has none. */
enum { SP_HEAP_BOX_FLOAT, SP_HEAP_BOX_PLAIN, SP_HEAP_BOX_INTEGER, SP_HEAP_BOX_KNOWN, SP_HEAP_BOX_HELD };
#define SP_HEAP_BOX_NIL SP_HEAP_BOX_TAG(SP_HEAP_BOX_PLAIN)

/* Boxes the value at `index`, and numbers it if it is no plain value. Raises on memory. */
sp_heap_box sp_heap_box_of(sp_heap_walk *w, int index);
/* Pushes the value. */
void sp_heap_box_push(const sp_heap_walk *w, sp_heap_box b);
/* Returns whether the box is that of the value at `index`. Equal long strings may be two values. */
bool sp_heap_box_is(const sp_heap_walk *w, sp_heap_box b, int index);
/* Returns whether two values are the same: numbers of one kind, by bits; without metamethods. */
bool sp_heap_box_is_same(lua_State *L, int a, int b);

/* }== */

#endif
