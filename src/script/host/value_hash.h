/*
** A number for a Lua value, equal for equal values in every process: plain tables with what is in them. Functions,
** coroutines and userdata are equal to all others of their type.
*/
#ifndef SP_SCRIPT_VALUE_HASH_H
#define SP_SCRIPT_VALUE_HASH_H

#include "script/guard/repeatable.h"

typedef struct sp_value_hash {
  sp_repeatable *repeatable;
  int seen; /* stack index of table -> number, in the order of their visits */
  uint64_t tables;
  uint32_t entries; /* that may still be visited */
} sp_value_hash;

static inline uint64_t sp_hash_mix(uint64_t hash, uint64_t number)
{
  hash = (hash ^ number ^ 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  hash = (hash ^ hash >> 32) * 0xc4ceb9fe1a85ec53u; /* small numbers differ in their highest bits */
  return hash ^ hash >> 29;
}

/* Pushes a table that must stay while values are hashed. */
void sp_value_hash_begin(lua_State *L, sp_value_hash *h, sp_repeatable *r);

/* Returns the number of the value at `index`. Raises on memory. No metamethod is called. */
uint64_t sp_value_hash_at(lua_State *L, sp_value_hash *h, int index);

#endif
