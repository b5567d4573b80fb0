/*
** The types of a manager: finds the pool of a name.
*/
#include "script/bind/types.h"

#include <string.h>

#include "script/bind/pool_create.h"
#include "script/bind/reachable.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* An empty or enormous name is a mistake. */
void sp_check_type(lua_State *L, int index)
{
  size_t length = 0;
  sp_check_text(L, index);
  const char *type = lua_tolstring(L, index, &length);
  if (length == 0 || length > 200)
    sp_raise_arg(L, index, "a type is a name of 1 to 200 characters");
  if (strlen(type) != length)
    sp_raise_arg(L, index, "a type has no zero bytes");
}

/* Long names are not remembered: their address is not theirs alone. */
sp_lua_pool *sp_manager_look_up(lua_State *L, sp_lua_manager *m, int index)
{
  if (lua_type(L, index) != LUA_TSTRING)
    return NULL;
  const void *key = lua_topointer(L, index);
  uint32_t at = sp_keymap_at(m->types, m->types->mask, key);
  if (at == SP_NO_KEY) {
    at = sp_keymap_find(L, m->types, index);
    return at == SP_NO_KEY ? NULL : sp_held_pool(m->pools[at]);
  }
  m->known[sp_keymap_hash(key) % SP_KNOWN_TYPES] = (sp_known_type){key, m->pools[at]};
  return sp_held_pool(m->pools[at]);
}

static void set_pool(sp_lua_manager *m, uint32_t at, sp_lua_pool *p)
{
  m->pools[at] = p;
  memset(m->known, 0, sizeof m->known);
}

sp_lua_pool *sp_manager_pool(lua_State *L, sp_lua_manager *m, int index)
{
  sp_lua_pool *p = m->core ? sp_manager_find(L, m, index) : NULL;
  if (p)
    return p;
  sp_check_type(L, index);
  return m->core && !sp_is_closing(m->core) ? sp_pool_create(L, m, index) : NULL;
}

/* Both arrays are userdata, so a failed step leaves nothing behind. */
void sp_manager_reserve_types(lua_State *L, sp_lua_manager *m, int manager)
{
  if (m->types && (m->types->count + 1) * 4 <= m->types->mask + 1)
    return;
  uint32_t count = m->types ? m->types->count : 0, seats = sp_keymap_seats((count + 1) * 2);
  sp_keymap *types = lua_newuserdatauv(L, sp_keymap_size(seats), 0);
  sp_keymap_init(types, seats);
  sp_lua_pool **pools = lua_newuserdatauv(L, seats * sizeof(sp_lua_pool *), 0);
  memset(pools, 0, seats * sizeof(sp_lua_pool *));
  if (m->types)
    sp_keymap_add_all(types, m->types);
  if (m->pools)
    memcpy(pools, m->pools, m->pool_count * sizeof(sp_lua_pool *));
  lua_setiuservalue(L, manager, SP_MANAGER_LIST);
  lua_setiuservalue(L, manager, SP_MANAGER_KEYMAP);
  m->types = types;
  m->pools = pools;
}

void sp_manager_list(lua_State *L, sp_lua_manager *m, sp_lua_pool *p, int type, int pool)
{
  sp_push_anchor(L, m->context, m);
  int manager = lua_gettop(L);
  uint32_t at = sp_keymap_find(L, m->types, type);
  if (at == SP_NO_KEY)
    sp_manager_reserve_types(L, m, manager);
  bool is_new = at == SP_NO_KEY;
  if (is_new)
    at = m->pool_count;
  lua_getiuservalue(L, manager, SP_MANAGER_POOLS);
  lua_pushvalue(L, type);
  lua_pushboolean(L, 1);
  sp_raw_set(L, -3);
  lua_pushvalue(L, pool);
  sp_raw_seti(L, -2, (lua_Integer)at + 1);
  if (is_new) {
    m->pool_count++;
    sp_keymap_add(L, m->types, type, at);
  }
  p->index = at;
  p->id = sp_new_id(m->context, (uint32_t)(m->id >> 56), at);
  set_pool(m, at, p);
  lua_settop(L, manager - 1);
}

void sp_manager_unlist(sp_lua_manager *m, sp_lua_pool *p)
{
  sp_held_pool(p);
  p->core = NULL;
  set_pool(m, p->index, NULL);
}

void sp_pool_unlist(sp_context *c, uint64_t pool)
{
  sp_lua_pool *p = sp_pool_again(c, pool);
  if (p)
    sp_manager_unlist(p->manager, p);
}
