/*
** Pools in Lua, and the types of a manager under which they are listed.
*/
#ifndef SP_SCRIPT_POOL_H
#define SP_SCRIPT_POOL_H

#include "script/state/handles.h"

/* Fills the table of methods. Raises on memory. */
void sp_pool_open_methods(lua_State *L, sp_context *c);
/* Pushes a new table with the members of `stats` under their own names. */
void sp_push_stats(lua_State *L, const sp_stats *stats);

/* Makes room for one more type in the manager whose userdata is at `manager`; raises on memory. */
void sp_manager_reserve_types(lua_State *L, spl_manager *m, int manager);
/* Raises unless the value at `index` can name a type. */
void sp_check_type(lua_State *L, int index);
spl_pool *sp_manager_look_up(lua_State *L, spl_manager *m, int index);
/* Returns the pool of the type named at `index`; NULL if there is none, also for values that cannot name a type. */
static inline spl_pool *sp_manager_find(lua_State *L, spl_manager *m, int index)
{
  const void *key = lua_topointer(L, index);
  const sp_known_type *known = &m->known[sp_keymap_hash(key) % SP_KNOWN_TYPES];
  return SP_LIKELY(known->key == key) ? sp_held_pool(known->pool) : sp_manager_look_up(L, m, index);
}
/* Returns the pool of that type, which is made on first use; raises errors. NULL when the manager is closed. */
spl_pool *spl_manager_pool(lua_State *L, spl_manager *m, int index);
/* Remove a pool from the list of its manager; and the one with this id, if there is one. The name stays a key, because
   the type may be used again. */
void sp_manager_unlist(lua_State *L, spl_manager *m, spl_pool *p);
void sp_pool_unlist(lua_State *L, sp_context *c, uint64_t pool);

/* Pushes a list of the settings of an open pool, for its save; entry SP_SAVED_PREALLOC is the `prealloc` of its class.
   Raises on memory. */
enum { SP_SAVED_PREALLOC = 1 };
void sp_push_settings(lua_State *L, const spl_pool *p);
/* Gives a pool that is empty or new the settings on top that the game had set, unless the class was edited there. A
   save of an earlier version lacks the settings that were added since. */
void sp_take_settings(lua_State *L, spl_pool *p);

#endif
