/*
** Snapshots of a manager in Lua: the core's snapshot, and a copy of the Lua values beside it, which
** lua/spawnpool/saving.lua makes.
*/
#ifndef SP_SCRIPT_SNAPSHOT_H
#define SP_SCRIPT_SNAPSHOT_H

#include "script/state/handles.h"
#include "script/state/repeatable.h"

/* For saving.lua. */
extern const luaL_Reg sp_snapshot_natives[];
/* Returns SP_OK when a manager can be copied or restored now: it is open, and none of its hooks runs. */
sp_result sp_manager_check_idle(const spl_manager *m);
/* Calls the function of saving.lua with the idle manager and the value at 2. Returns what it makes, or nil and the
   reason. */
int sp_call_saving(lua_State *L, const char *function);
/* Frees the snapshots whose userdata is gone, or `all`. */
void sp_snapshots_sweep(lua_State *L, sp_context *c, bool all);
/* Pushes the userdata of a snapshot, and returns where that of the core goes. Raises on memory. */
sp_snapshot **sp_push_snapshot(lua_State *L, sp_context *c);

/* pools:restore(snapshot) -> true; or false and the reason. */
int spl_restore_snapshot(lua_State *L);

/* {== Hash =============================================================== */

/* The state of a manager as one number, equal for equal states in every process: what the core counts, with sprites by
   their names, and the Lua values beside the columns. */

/* How it is hashed, and the observer; NULL: none. */
typedef struct sp_state_hashing {
  sp_repeatable *repeatable; /* of the state; NULL: keys that are tables or functions are left out */
  uint64_t entries;          /* of tables, that may be visited: beyond that a table only counts as one */
  void (*on_pool)(void *ud, const spl_pool *pool); /* the parts that come next are of its objects; NULL: no more come */
  void (*on_part)(void *ud, sp_ref object, int part, uint64_t number); /* as in sp_hashing; part may come twice */
  void *ud;
} sp_state_hashing;

/* Returns the number of an open manager. Raises on memory. Quiet: runs nothing of the game. */
uint64_t sp_state_hash(lua_State *L, const spl_manager *m, const sp_state_hashing *how);

/* }== */

#endif
