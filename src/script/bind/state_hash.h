/*
** The state of a manager as one number, equal for equal states in every process: what the core counts, with sprites by
** their names, and the Lua values beside the columns.
*/
#ifndef SP_SCRIPT_STATE_HASH_H
#define SP_SCRIPT_STATE_HASH_H

#include "script/guard/repeatable.h"
#include "script/state/handles.h"

/* How it is hashed, and the observer; NULL: none. */
typedef struct sp_state_hashing {
  sp_repeatable *repeatable; /* of the state; NULL: keys that are tables or functions are left out */
  uint64_t entries;          /* of tables, that may be visited: beyond that a table only counts as one */
  void (*on_pool)(void *ud,
                  const sp_lua_pool *pool); /* the parts that come next are of its objects; NULL: no more come */
  void (*on_part)(void *ud, sp_ref object, int part, uint64_t number); /* as in sp_hashing; part may come twice */
  void *ud;
} sp_state_hashing;

/* Returns the number of an open manager. Raises on memory. Quiet: runs nothing of the game. */
uint64_t sp_state_hash(lua_State *L, const sp_lua_manager *m, const sp_state_hashing *how);

#endif
