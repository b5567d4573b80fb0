/*
** What a game can reach: every C function and metamethod of the library is a row of src/script/bind/members.h, every
** one of the player a row of demo/bind/reachable.h. A function is registered by its row and in no other way; the rows
** are also what docs/sandbox.md lists, and what generated attacks call (tests/fuzz/hostile).
*/
#ifndef SP_SCRIPT_REACH_H
#define SP_SCRIPT_REACH_H

#include <lua.h>
#include <stdbool.h>

typedef struct sp_reach {
  const char *owner, *name; /* "pool" and "alloc"; a metamethod begins with "__" */
  lua_CFunction function;
  /* Its arguments, a letter each, "?" behind those that may be left out: m manager, p pool, o object, S snapshot, t
     name of a type, k name of a field, n number, i whole number, s text, f function, b boolean, T table,
     g `g`, * anything. */
  const char *takes;
} sp_reach;

/* Rows are lists of X(owner, name, function, takes): these make the prototypes, and the entries of an array, which ends
   with one without an owner. */
#define SP_REACH_PROTOTYPE(owner, name, function, takes) int function(lua_State *L);
#define SP_REACH_ENTRY(owner, name, function, takes) {#owner, #name, function, takes},

/* Returns whether a row is a metamethod. */
static inline bool sp_reach_is_meta(const sp_reach *row) { return row->name[0] == '_'; }

/* Returns the next row of an owner from `row` on, of its methods or of its metamethods; NULL at the end. */
const sp_reach *sp_reach_next(const sp_reach *row, const char *owner, bool meta);

/* Puts the methods, or the metamethods, of an owner into the table on top, each with `ud` as its first upvalue, and the
   value below the table as its second if `shared`. Entries that are there stay. Raises on memory. */
void sp_reach_set(lua_State *L, const sp_reach *rows, const char *owner, bool meta, const void *ud, bool shared);

#endif
