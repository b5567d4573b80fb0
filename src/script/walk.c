#include "script/walk.h"

#include <string.h>

/* {== Filters ============================================================ */

static int bad_filter(lua_State *L, int filter, const char *what)
{
  return luaL_argerror(L, filter,
                       lua_pushfstring(L, "a filter is {type=}, {class=}, {group=} or function(obj), got %s", what));
}

/* A type's name, or the table of a class. */
static bool is_class(lua_State *L, int value)
{
  value = lua_absindex(L, value);
  sp_push_kept(L, sp_context_here(L), SP_KEPT_CLASSES);
  lua_getfield(L, -1, "is_class");
  lua_pushvalue(L, value);
  lua_call(L, 1, 1);
  bool yes = lua_toboolean(L, -1);
  lua_pop(L, 2);
  return yes;
}

static void check_filter_table(lua_State *L, int filter)
{
  bool any = false;
  for (lua_pushnil(L); lua_next(L, filter); lua_pop(L, 1), any = true) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (strcmp(key, "type") != 0 && strcmp(key, "class") != 0 && strcmp(key, "group") != 0)
      bad_filter(L, filter, lua_pushfstring(L, "a table with '%s'", luaL_tolstring(L, -2, NULL)));
    if (lua_type(L, -1) != LUA_TSTRING && !(strcmp(key, "class") == 0 && is_class(L, -1)))
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

/* Raw: the table may have changed since it was checked, and has no say through a metatable. */
static int get_key(lua_State *L, int filter, const char *key)
{
  lua_pushstring(L, key);
  return lua_rawget(L, filter);
}

static bool is_type(lua_State *L, int index, const sp_lua_pool *p)
{
  return lua_type(L, index) == LUA_TSTRING && strcmp(lua_tostring(L, index), sp_pool_type(p->core)) == 0;
}

static bool table_takes_pool(lua_State *L, int filter, const sp_lua_pool *p)
{
  bool takes = true;
  if (get_key(L, filter, "type") != LUA_TNIL)
    takes = is_type(L, -1, p);
  if (takes && get_key(L, filter, "class") != LUA_TNIL)
    takes = ask_classes(L, p, "is_a", -1);
  if (takes && get_key(L, filter, "group") != LUA_TNIL)
    takes = ask_classes(L, p, "in_group", -1);
  return takes;
}

bool sp_filter_takes_pool(lua_State *L, int filter, const sp_lua_pool *p)
{
  int top = lua_gettop(L);
  bool takes = true;
  if (lua_type(L, filter) == LUA_TSTRING)
    takes = is_type(L, filter, p);
  else if (lua_istable(L, filter))
    takes = table_takes_pool(L, filter, p);
  lua_settop(L, top);
  return takes;
}

/* }== */

/* {== Pools ============================================================== */

/* The arguments of every step: the serial at which the walk began, and the object visited before (nil at first). */
static inline sp_walk check_step(lua_State *L, const sp_manager *m, sp_pool *pool)
{
  int exact = 0;
  sp_walk walk = {pool, SP_NONE_REF, (uint64_t)lua_tointegerx(L, 1, &exact)};
  if (!SP_LIKELY(exact))
    luaL_checkinteger(L, 1); /* says what is wrong */
  int type = lua_type(L, 2);
  if (type <= LUA_TNIL)
    return walk;
  walk.last = sp_to_object(L, 2);
  if (!SP_LIKELY(type == LUA_TLIGHTUSERDATA && sp_ref_is_ours(m, walk.last)))
    luaL_argerror(L, 2, "the last object of the walk expected");
  return walk;
}

/* next(serial, last): upvalues are the context and the pool userdata. */
static int next_of_pool(lua_State *L)
{
  const sp_lua_pool *p = lua_touserdata(L, lua_upvalueindex(2));
  if (!p->core) /* removed inside the loop */
    return 0;
  sp_walk walk = check_step(L, p->core->manager, p->core);
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

/* All slots in order, whatever pool has them: so the walk keeps its place while pools come and go. */
static sp_ref next_of_manager(const sp_manager *m, const sp_walk *walk)
{
  uint32_t from = walk->last ? sp_ref_slot(walk->last) + 1 : 0;
  for (uint32_t slot = from; slot < m->chunk_count * SP_CHUNK_SLOTS; slot++)
    if (sp_slot_is_live(m, slot) && m->serials[slot] <= walk->serial)
      return sp_ref_make(m, slot);
  return SP_NONE_REF;
}

/* The filter is a function, which may do anything. */
static bool function_takes(lua_State *L, int filter, const sp_lua_manager *m, sp_ref object)
{
  lua_pushvalue(L, filter);
  sp_push_object(L, object);
  lua_call(L, 1, 1);
  bool takes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return takes && m->core && sp_is_live(m->core, object);
}

/* next(serial, last): upvalues are the context, the manager userdata and the filter. */
static int next_filtered(lua_State *L)
{
  const sp_lua_manager *m = lua_touserdata(L, lua_upvalueindex(2));
  int filter = lua_upvalueindex(3);
  if (!m->core)
    return 0;
  sp_walk walk = check_step(L, m->core, NULL);
  while (m->core && (walk.last = next_of_manager(m->core, &walk)) != SP_NONE_REF) {
    bool takes = true;
    if (lua_isfunction(L, filter))
      takes = function_takes(L, filter, m, walk.last);
    else if (!lua_isnil(L, filter))
      takes = sp_filter_takes_pool(L, filter, sp_lua_pool_of(sp_pool_of(m->core, walk.last)));
    if (!takes)
      continue;
    sp_push_object(L, walk.last);
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
