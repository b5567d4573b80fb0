#include "script/bind/members.h"

#include <string.h>

#include "script/state/arguments.h"

#include "script/state/careful.h"

static void add_name(lua_State *L, int list, const char *name)
{
  lua_pushstring(L, name);
  sp_raw_seti(L, list, (lua_Integer)sp_raw_length(L, list) + 1);
}

static bool is_method(uint32_t packed)
{
  sp_name_kind kind = SP_NAME_KIND(packed);
  return kind == SP_NAME_METHOD || kind == SP_NAME_OWN_METHOD;
}

/* list_names(map) -> names of fields, names of methods. Quiet: the map is its pool's. */
static int list_names(lua_State *L)
{
  const sp_keymap *map = sp_raw_block(L, 1);
  lua_newtable(L);
  lua_newtable(L);
  for (uint32_t i = 0; i <= map->mask; i++)
    if (map->seats[i].key)
      add_name(L, is_method(map->seats[i].value) ? 3 : 2, sp_key_text(&map->seats[i]));
  return 2;
}

/* The same of a table of methods: there are no fields. */
static void push_methods(lua_State *L, const sp_context *c, sp_kept methods)
{
  lua_newtable(L);
  lua_newtable(L);
  int list = lua_gettop(L);
  sp_push_kept(L, c, methods);
  for (lua_pushnil(L); sp_raw_next(L, list + 1); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    sp_raw_seti(L, list, (lua_Integer)sp_raw_length(L, list) + 1);
  }
  lua_settop(L, list);
}

static bool is_live(const sp_context *c, sp_ref object)
{
  const sp_lua_manager *m = sp_manager_of(c, object);
  return m && m->core && sp_is_live(m->core, object);
}

/* native.kind(value) -> "manager", "pool" or, of a live one, "object"; nil for other values. */
static int native_kind(lua_State *L)
{
  if (lua_type(L, 1) == LUA_TLIGHTUSERDATA && is_live(sp_context_here(L), sp_to_object(L, 1)))
    lua_pushliteral(L, "object");
  else if (sp_to_pool(L, 1))
    lua_pushliteral(L, "pool");
  else if (sp_to_handle(L, 1, sizeof(sp_lua_manager), SP_MAGIC_MANAGER))
    lua_pushliteral(L, "manager");
  else
    lua_pushnil(L);
  return 1;
}

/* native.members(kind, pool or nil) -> the names of its fields, as far as they are entries of a table, and those of its
   methods. An object of a pool has those of its class too. */
static int native_members(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  const char *kind = sp_to_text(L, 1);
  const sp_lua_pool *p = sp_to_pool(L, 2);
  if (strcmp(kind, "pool") == 0) {
    push_methods(L, c, SP_KEPT_POOL_METHODS);
  } else if (strcmp(kind, "manager") == 0) {
    push_methods(L, c, SP_KEPT_MANAGER_METHODS);
  } else {
    lua_pushcfunction(L, list_names);
    lua_pushlightuserdata(L, p ? p->names : c->names);
    sp_quietly(L, 1, 2);
  }
  return 2;
}

/* list_types(context) -> a list. Quiet: the names are the pools'. */
static int list_types(lua_State *L)
{
  const sp_context *c = sp_raw_block(L, 1);
  lua_newtable(L);
  int list = lua_gettop(L);
  for (int id = 0; id < 256; id++) {
    const sp_manager *core = sp_is_dropped(L, c, c->managers[id]) ? NULL : c->cores[id];
    for (uint32_t i = 0; core && i < sp_count_pools(core); i++)
      add_name(L, list, sp_pool_type(sp_get_pool(core, i)));
  }
  return 1;
}

/* native.types() -> a list: the types that have a pool, in any manager. */
static int native_types(lua_State *L)
{
  lua_pushcfunction(L, list_types);
  lua_pushlightuserdata(L, sp_context_here(L));
  sp_quietly(L, 1, 1);
  return 1;
}

const luaL_Reg sp_member_natives[] = {
    {"kind", native_kind},
    {"members", native_members},
    {"types", native_types},
    {NULL, NULL},
};
