/*
** A number for a Lua value, equal for equal values in every process: tables by what is in them, objects by their life.
** Functions, coroutines and userdata are equal to all others of their type.
*/
#ifndef SP_SCRIPT_VALUE_HASH_H
#define SP_SCRIPT_VALUE_HASH_H

#include "script/guard/repeatable.h"
#include "script/state/handles.h"

typedef struct sp_value_hash {
  const sp_manager *manager; /* whose objects count */
  sp_repeatable *repeatable; /* orders keys that are tables or functions; NULL: such keys are left out */
  int seen;                  /* stack index of table -> number, in the order of their visits, and number -> table */
  lua_Integer tables, done;  /* met so far; those whose entries were visited */
  uint64_t entries;          /* that may still be visited: beyond that a table only counts as one */
} sp_value_hash;

/* Pushes a table that must stay while values are hashed. Raises on memory. */
void sp_value_hash_begin(lua_State *L, sp_value_hash *h, const sp_manager *m, sp_repeatable *r, uint64_t entries);

/* Returns the number of the value at `index`, 0 for nil. Tables count with their entries where they are met first.
   Raises on memory. No metamethod is called. */
uint64_t sp_value_hash_at(lua_State *L, sp_value_hash *h, int index);

#endif
