#include "script/walk.h"

#include <string.h>

/* {== Filters ============================================================ */

static int bad_filter(lua_State *L, int filter, const char *what)
{
  return luaL_argerror(L, filter,
                       lua_pushfstring(L, "a filter is {type=}, {class=}, {group=} or function(obj), got %s", what));
}

static void check_filter_table(lua_State *L, int filter)
{
  bool any = false;
  for (lua_pushnil(L); lua_next(L, filter); lua_pop(L, 1), any = true) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (strcmp(key, "type") != 0 && strcmp(key, "class") != 0 && strcmp(key, "group") != 0)
      bad_filter(L, filter, lua_pushfstring(L, "a table with '%s'", luaL_tolstring(L, -2, NULL)));
    if (lua_type(L, -1) != LUA_TSTRING && !(lua_istable(L, -1) && strcmp(key, "class") == 0))
      bad_filter(L, filter, lua_pushfstring(L, "%s = %s", key, luaL_typename(L, -1)));
  }
  if (!any)
    bad_filter(L, filter, "an empty table");
}

void sp_check_filter(lua_State *L, int filter)
{
  int type = lua_type(L, filter);
  if (type == LUA_TTABLE)
    check_filter_table(L, filter);
  else if (type != LUA_TNONE && type != LUA_TNIL && type != LUA_TFUNCTION && type != LUA_TSTRING)
    bad_filter(L, filter, luaL_typename(L, filter));
}

/* classes.is_a(type, class) and classes.in_group(type, group). */
static bool ask_classes(lua_State *L, const sp_lua_pool *p, const char *question, int value)
{
  value = lua_absindex(L, value);
  sp_push_kept(L, p->manager->context, SP_KEPT_CLASSES);
  lua_getfield(L, -1, question);
  lua_pushstring(L, sp_pool_type(p->core));
  lua_pushvalue(L, value);
  lua_call(L, 2, 1);
  bool yes = lua_toboolean(L, -1);
  lua_pop(L, 2);
  return yes;
}

static bool table_takes_pool(lua_State *L, int filter, const sp_lua_pool *p)
{
  bool takes = true;
  if (lua_getfield(L, filter, "type") != LUA_TNIL)
    takes = strcmp(lua_tostring(L, -1), sp_pool_type(p->core)) == 0;
  if (takes && lua_getfield(L, filter, "class") != LUA_TNIL)
    takes = ask_classes(L, p, "is_a", -1);
  if (takes && lua_getfield(L, filter, "group") != LUA_TNIL)
    takes = ask_classes(L, p, "in_group", -1);
  return takes;
}

bool sp_filter_takes_pool(lua_State *L, int filter, const sp_lua_pool *p)
{
  int top = lua_gettop(L);
  bool takes = true;
  if (lua_type(L, filter) == LUA_TSTRING)
    takes = strcmp(lua_tostring(L, filter), sp_pool_type(p->core)) == 0;
  else if (lua_istable(L, filter))
    takes = table_takes_pool(L, filter, p);
  lua_settop(L, top);
  return takes;
}

/* }== */

/* {== Pools ============================================================== */

/* next(serial, last): upvalues are the context and the pool userdata. */
static int next_of_pool(lua_State *L)
{
  const sp_lua_pool *p = lua_touserdata(L, lua_upvalueindex(2));
  if (!p->core) /* removed inside the loop */
    return 0;
  sp_walk walk = {p->core, lua_isnil(L, 2) ? SP_NONE_REF : sp_to_object(L, 2), (uint64_t)lua_tointeger(L, 1)};
  sp_ref object = sp_walk_next(&walk);
  if (!object)
    return 0;
  sp_push_object(L, object);
  return 1;
}

int sp_walk_pool(lua_State *L, int pool)
{
  const sp_lua_pool *p = lua_touserdata(L, pool);
  if (lua_getiuservalue(L, pool, SP_POOL_WALK) == LUA_TNIL) {
    lua_pushlightuserdata(L, p->manager->context);
    lua_pushvalue(L, pool);
    lua_pushcclosure(L, next_of_pool, 2);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, pool, SP_POOL_WALK);
  }
  lua_pushinteger(L, (lua_Integer)p->core->manager->serial);
  return 2;
}

/* }== */

/* {== Managers =========================================================== */

/* The walk goes through the pools in order of creation; `last` tells where it is. */
static sp_ref next_of_manager(const sp_manager *m, sp_ref last, uint64_t serial)
{
  const sp_pool *from = last ? sp_pool_of(m, last) : NULL;
  for (uint32_t i = from ? from->index : 0; i < m->pool_count; i++) {
    if (!m->pools[i])
      continue;
    sp_walk walk = {m->pools[i], m->pools[i] == from ? last : SP_NONE_REF, serial};
    sp_ref object = sp_walk_next(&walk);
    if (object)
      return object;
  }
  return SP_NONE_REF;
}

/* next(serial, last): upvalues are the context, the manager userdata and the filter. */
static int next_filtered(lua_State *L)
{
  const sp_lua_manager *m = lua_touserdata(L, lua_upvalueindex(2));
  sp_ref object = lua_isnil(L, 2) ? SP_NONE_REF : sp_to_object(L, 2);
  while (m->core && (object = next_of_manager(m->core, object, (uint64_t)lua_tointeger(L, 1))) != SP_NONE_REF) {
    int filter = lua_upvalueindex(3);
    sp_lua_pool *p = sp_lua_pool_of(sp_pool_of(m->core, object));
    bool takes = true;
    if (lua_isfunction(L, filter)) {
      lua_pushvalue(L, filter);
      sp_push_object(L, object);
      lua_call(L, 1, 1);
      takes = lua_toboolean(L, -1);
      lua_pop(L, 1);
    } else if (!lua_isnil(L, filter)) {
      takes = sp_filter_takes_pool(L, filter, p);
    }
    if (!takes)
      continue;
    sp_push_object(L, object);
    return 1;
  }
  return 0;
}

int sp_walk_manager(lua_State *L, int manager, int filter)
{
  const sp_lua_manager *m = lua_touserdata(L, manager);
  lua_settop(L, filter);
  if (lua_isnil(L, filter) && lua_getiuservalue(L, manager, SP_MANAGER_WALK) != LUA_TNIL) {
    lua_pushinteger(L, (lua_Integer)m->core->serial);
    return 2;
  }
  lua_settop(L, filter);
  lua_pushlightuserdata(L, m->context);
  lua_pushvalue(L, manager);
  lua_pushvalue(L, filter);
  lua_pushcclosure(L, next_filtered, 3);
  if (lua_isnil(L, filter)) {
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, manager, SP_MANAGER_WALK);
  }
  lua_pushinteger(L, (lua_Integer)m->core->serial);
  return 2;
}

/* }== */
