/*
** A value in 64 bits: a float as it is; in the space of negative NaNs nil and booleans, small integers, and the numbers
** of values in the list of a walk.
*/
#ifndef SP_SCRIPT_BOX_H
#define SP_SCRIPT_BOX_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

#include "script/reload/heap_walk.h"

typedef uint64_t sp_box;
#define SP_BOX_TAG(n) ((UINT64_C(0xfff8) + (n)) << 48)
#define SP_BOX_TAG_OF(b) ((b) >= SP_BOX_TAG(1) ? (unsigned)((b) >> 48) - 0xfff8u : 0)
#define SP_BOX_PAYLOAD (SP_BOX_TAG(1) - SP_BOX_TAG(0) - 1)
/* Tags. KNOWN: the number of a value that has a seat in the walk's set; HELD: of one that has none. */
enum { SP_BOX_FLOAT, SP_BOX_PLAIN, SP_BOX_INTEGER, SP_BOX_KNOWN, SP_BOX_HELD };
#define SP_BOX_NIL SP_BOX_TAG(SP_BOX_PLAIN)

/* Boxes the value at `index`, and numbers it if it is no plain value. Raises on memory. */
sp_box sp_box_of(sp_heap_walk *w, int index);
/* Pushes the value. */
void sp_box_push(const sp_heap_walk *w, sp_box b);
/* Returns whether the box is that of the value at `index`. Equal long strings may be two values. */
bool sp_box_is(const sp_heap_walk *w, sp_box b, int index);
/* Returns whether two values are the same: numbers of one kind, by bits; without metamethods. */
bool sp_box_is_same(lua_State *L, int a, int b);

#endif
