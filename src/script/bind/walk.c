#include "script/bind/walk.h"

#include <stdio.h>
#include <string.h>

#include "script/bind/reachable.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* {== Filters ============================================================ */

static _Noreturn void bad_filter(lua_State *L, int filter, const char *what)
{
  sp_raise_arg(L, filter, "a filter is {type=}, {class=}, {group=} or function(obj), got %s", what);
}

/* Asks `question` of lua/spawnpool/class.lua about the values on top, which are popped. */
static bool ask_classes(lua_State *L, const sp_context *c, const char *question, int values)
{
  sp_push_kept(L, c, SP_KEPT_CLASSES);
  sp_raw_field(L, -1, question);
  lua_replace(L, -2);
  lua_insert(L, -values - 1);
  lua_call(L, values, 1);
  bool yes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return yes;
}

/* A type's name, or the table of a class, on top of the stack. */
static bool is_class(lua_State *L)
{
  lua_pushvalue(L, -1);
  return ask_classes(L, sp_context_here(L), "is_class", 1);
}

static void check_filter_table(lua_State *L, int filter)
{
  bool any = false;
  sp_shown shown, text;
  for (lua_pushnil(L); sp_raw_next(L, filter); lua_pop(L, 1), any = true) {
    const char *key = sp_to_text(L, -2);
    bool is_class_key = strcmp(key, "class") == 0;
    if (strcmp(key, "type") != 0 && !is_class_key && strcmp(key, "group") != 0) {
      snprintf(text.text, sizeof text.text, "a table with '%.200s'", sp_show_name(L, -2, &shown));
      bad_filter(L, filter, text.text);
    }
    if (lua_type(L, -1) != LUA_TSTRING && !(is_class_key && is_class(L))) {
      snprintf(text.text, sizeof text.text, "%s = %s", sp_show_name(L, -2, &shown), luaL_typename(L, -1));
      bad_filter(L, filter, text.text);
    }
  }
  if (!any)
    bad_filter(L, filter, "an empty table");
}

void sp_check_filter(lua_State *L, int filter)
{
  int type = lua_type(L, filter);
  luaL_checkstack(L, 10, NULL);
  if (type == LUA_TTABLE)
    check_filter_table(L, filter);
  else if (type != LUA_TNONE && type != LUA_TNIL && type != LUA_TFUNCTION && type != LUA_TSTRING)
    bad_filter(L, filter, luaL_typename(L, filter));
}

/* What the entry `key` of the filter says about the type whose name is at `type`; `question` is for classes to
   answer, NULL: the names must be equal. The table may have changed since it was checked. */
static bool entry_takes(lua_State *L, const sp_context *c, int filter, const char *key, const char *question, int type)
{
  int top = lua_gettop(L);
  bool takes = true;
  if (sp_raw_field(L, filter, key) != LUA_TNIL) {
    lua_pushvalue(L, type);
    lua_insert(L, -2);
    takes = question ? ask_classes(L, c, question, 2) : sp_raw_equal(L, -1, -2);
  }
  lua_settop(L, top);
  return takes;
}

/* The name is on the stack before anything can run: the pool is not looked at again. */
bool sp_filter_takes_pool(lua_State *L, int filter, const sp_lua_pool *p)
{
  const sp_context *c = p->manager->context;
  int top = lua_gettop(L), type = top + 1;
  bool takes = true;
  lua_pushstring(L, sp_pool_type(p->core));
  if (lua_type(L, filter) == LUA_TSTRING)
    takes = sp_raw_equal(L, filter, type);
  else if (lua_istable(L, filter))
    takes = entry_takes(L, c, filter, "type", NULL, type) && entry_takes(L, c, filter, "class", "is_a", type) &&
            entry_takes(L, c, filter, "group", "in_group", type);
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
    sp_raise_arg(L, 1, "each() returns an iterator and a number for it: pass both on");
  int type = lua_type(L, 2);
  if (type <= LUA_TNIL)
    return walk;
  walk.last = sp_to_object(L, 2);
  if (!SP_LIKELY(type == LUA_TLIGHTUSERDATA && sp_ref_is_ours(m, walk.last)))
    sp_raise_arg(L, 2, "the last object of the walk expected");
  return walk;
}

/* next(serial, last): upvalues are the context and the pool userdata. */
int sp_walk_next_of_pool(lua_State *L)
{
  const sp_lua_pool *p = sp_raw_block(L, lua_upvalueindex(2));
  if (!p->core) /* removed inside the loop */
    return 0;
  sp_walk walk = check_step(L, p->manager->core, p->core);
  sp_ref object = sp_walk_next(&walk);
  if (!object)
    return 0;
  sp_push_object(L, object);
  return 1;
}

int sp_walk_pool(lua_State *L, int pool)
{
  const sp_lua_pool *p = sp_raw_block(L, pool);
  const lua_Integer serial = (lua_Integer)sp_serial(p->manager->core);
  if (lua_getiuservalue(L, pool, SP_POOL_WALK) == LUA_TNIL) {
    lua_pushlightuserdata(L, p->manager->context);
    lua_pushvalue(L, pool);
    lua_pushcclosure(L, sp_walk_next_of_pool, 2);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, pool, SP_POOL_WALK);
  }
  lua_pushinteger(L, serial);
  return 2;
}

/* }== */

/* {== Managers =========================================================== */

/* Whether the filter, a function, accepts an object. */
static bool function_takes(lua_State *L, int filter, sp_ref object)
{
  lua_pushvalue(L, filter);
  sp_push_object(L, object);
  lua_call(L, 1, 1);
  bool takes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return takes;
}

/* The manager of a walk, its second upvalue; NULL once it is closed. */
static const sp_lua_manager *manager_here(lua_State *L)
{
  const sp_lua_manager *m = sp_raw_block(L, lua_upvalueindex(2));
  return m->core ? m : NULL;
}

/* Whether the filter of a walk, its third upvalue, accepts an object, which may be gone after it was asked. */
static bool filter_takes(lua_State *L, const sp_lua_manager *m, sp_ref object)
{
  const int filter = lua_upvalueindex(3);
  bool takes = true;
  if (lua_isnil(L, filter))
    return true;
  if (lua_isfunction(L, filter))
    takes = function_takes(L, filter, object);
  else
    takes = sp_filter_takes_pool(L, filter, sp_lua_pool_of(sp_owner(m->core, object)));
  m = manager_here(L);
  return takes && m && sp_is_live(m->core, object);
}

/* next(serial, last): upvalues are the context, the manager userdata and the filter. */
int sp_walk_next_filtered(lua_State *L)
{
  const sp_lua_manager *m = manager_here(L);
  if (!m)
    return 0;
  const sp_walk walk = check_step(L, m->core, NULL);
  const uint64_t serial = walk.serial;
  sp_ref last = walk.last;
  for (; m && (last = sp_next_live(m->core, serial, last)) != SP_NONE_REF; m = manager_here(L)) {
    if (filter_takes(L, m, last)) {
      sp_push_object(L, last);
      return 1;
    }
    sp_watchdog_look(L); /* the filter may be a function of C */
  }
  return 0;
}

int sp_walk_manager(lua_State *L, int manager, int filter)
{
  const sp_lua_manager *m = sp_raw_block(L, manager);
  sp_context *c = m->context;
  const lua_Integer serial = (lua_Integer)sp_serial(m->core);
  lua_settop(L, filter);
  if (!lua_isnil(L, filter) || lua_getiuservalue(L, manager, SP_MANAGER_WALK) == LUA_TNIL) {
    lua_settop(L, filter);
    lua_pushlightuserdata(L, c);
    lua_pushvalue(L, manager);
    lua_pushvalue(L, filter);
    lua_pushcclosure(L, sp_walk_next_filtered, 3);
    if (lua_isnil(L, filter)) {
      lua_pushvalue(L, -1);
      lua_setiuservalue(L, manager, SP_MANAGER_WALK);
    }
  }
  lua_pushinteger(L, serial);
  return 2;
}

/* }== */
