/*
** Managers in Lua, and the types of their pools.
*/
#ifndef SP_SCRIPT_MANAGER_H
#define SP_SCRIPT_MANAGER_H

#include "script/state/handles.h"

/* Fills the table of methods. Raises on memory. */
void sp_manager_open_methods(lua_State *L, sp_context *c);
/* Pushes a new manager's userdata, from the options table at `options` (0: defaults); `step` is the default of that
   option. Raises errors. */
sp_lua_manager *sp_manager_new(lua_State *L, sp_context *c, int options, double step);
/* Frees an open manager without running hooks. */
void sp_manager_discard(lua_State *L, sp_lua_manager *m);
/* Frees every open manager when the state closes. */
void sp_manager_free_all(lua_State *L, sp_context *c);

/* Raises unless the value at `index` can name a type. */
void sp_check_type(lua_State *L, int index);
sp_lua_pool *sp_manager_look_up(lua_State *L, sp_lua_manager *m, int index);
/* Returns the pool of the type named at `index`; NULL if there is none, also for values that cannot name a type. */
static inline sp_lua_pool *sp_manager_find(lua_State *L, sp_lua_manager *m, int index)
{
  const void *key = lua_topointer(L, index);
  const sp_known_type *known = &m->known[sp_keymap_hash(key) % SP_KNOWN_TYPES];
  bool is_known = known->key == key && lua_type(L, index) == LUA_TSTRING;
  return SP_LIKELY(is_known) ? sp_held_pool(known->pool) : sp_manager_look_up(L, m, index);
}
/* Returns the pool of that type, which is made on first use; raises errors. NULL when the manager is closed. */
sp_lua_pool *sp_manager_pool(lua_State *L, sp_lua_manager *m, int index);
/* Lists a pool (userdata at `pool`) under the type named at `type`. Raises on memory. */
void sp_manager_list(lua_State *L, sp_lua_manager *m, sp_lua_pool *p, int type, int pool);
/* Removes the handle of a removed pool from the list. The name stays a key, because the type may be used again. */
void sp_manager_unlist(sp_lua_manager *m, sp_lua_pool *p);
/* Removes the pool with this id from the list, if there is one. */
void sp_pool_unlist(sp_context *c, uint64_t pool);

#endif
