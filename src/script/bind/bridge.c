/*
** The bridge: pools and objects of a Lua state, for functions of the program in C. Nothing here raises, allocates or
** runs Lua, so it may be used anywhere, also outside of a protected call.
*/
#include "script/bind/bridge.h"

#include <stdio.h>
#include <string.h>

#include "script/script.h"
#include "script/state/handles.h"
#include "script/state/report.h"

/* Where a state says which copy of the library it has, for those that have nothing else in common with it. */
#define COPY_KEY "spawnpool.copy"

void sp_bridge_open(lua_State *L)
{
  lua_pushliteral(L, "this state's spawnpool is another copy, of version " SP_VERSION
                     ": link libspawnpool_script shared, or open the library by luaL_requiref");
  lua_setfield(L, LUA_REGISTRYINDEX, COPY_KEY);
}

const char *sp_bridge_other_copy(lua_State *L)
{
  const char *found = NULL;
  for (lua_pushnil(L); !found && lua_next(L, LUA_REGISTRYINDEX); lua_pop(L, found ? 2 : 1))
    if (lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -2), COPY_KEY) == 0)
      found = lua_tostring(L, -1);
  return found;
}

/* Returns whether there is a value at an index, which may be any number. */
static bool is_index(lua_State *L, int index)
{
  if (index > LUA_REGISTRYINDEX)
    return index != 0 && (index < 0 ? -(index + 1) : index - 1) < lua_gettop(L);
  return index >= lua_upvalueindex(UINT8_MAX + 1) && lua_type(L, index) != LUA_TNONE;
}

/* Returns the context of a state, if there is one, and a value at the index. */
static sp_context *context_for(lua_State *L, int index)
{
  return is_index(L, index) && lua_checkstack(L, 2) ? sp_context_of(L) : NULL;
}

/* Returns the open manager of the reference at an index, or NULL. */
static const spl_manager *manager_of(const sp_context *c, lua_State *L, int index)
{
  const sp_ref object = lua_type(L, index) == LUA_TLIGHTUSERDATA ? sp_to_object(L, index) : SP_NULL_REF;
  const spl_manager *m = sp_is_reference(object) ? sp_manager_of(c, object) : NULL;
  return m && m->core && sp_ref_is_ours(m->core, object) ? m : NULL;
}

sp_manager *sp_lua_manager(lua_State *L, int index)
{
  const sp_context *c = context_for(L, index);
  const spl_handle *manager = c ? sp_to_handle(L, index, sizeof *manager, SP_MAGIC_MANAGER) : NULL;
  const spl_handle *pool = c ? sp_to_handle(L, index, sizeof *pool, SP_MAGIC_POOL) : NULL;
  const spl_manager *m = manager && manager->context == c ? sp_manager_from_id(c, manager->id) : NULL;
  const spl_pool *p = pool && pool->context == c ? sp_pool_from_id(c, pool->id) : NULL;
  if (p && p->core)
    m = sp_held_manager(p->manager);
  return m ? m->core : NULL;
}

sp_ref sp_lua_ref(lua_State *L, int index)
{
  const sp_context *c = context_for(L, index);
  return c && manager_of(c, L, index) ? sp_to_object(L, index) : SP_NULL_REF;
}

void sp_lua_push(lua_State *L, sp_ref ref)
{
  if (ref)
    sp_push_object(L, ref);
  else
    lua_pushnil(L);
}

/* {== Problems =========================================================== */

/* Of the last hook that failed in a call of the core by the host. */
static const char *hook_problem(lua_State *L, sp_context *c)
{
  const char *text = NULL;
  sp_push_kept(L, c, SP_KEPT_ERROR);
  const int type = lua_rawgeti(L, -1, 1);
  if (type == LUA_TSTRING)
    text = lua_tostring(L, -1);
  else if (type != LUA_TBOOLEAN && type != LUA_TNIL)
    text = "an error that is no text";
  if (text)
    snprintf(c->problem, sizeof c->problem, "%s", text);
  lua_pop(L, 2);
  return text ? c->problem : NULL;
}

static const char *object_problem(lua_State *L, sp_context *c, int index)
{
  const sp_ref object = sp_to_object(L, index);
  const char *state = sp_is_reference(object) ? sp_object_state(c, object) : NULL;
  sp_shown label;
  if (!state)
    return "light userdata: no object of spawnpool";
  if (strcmp(state, "live") == 0)
    return NULL;
  if (sp_is_of_closed(c, object))
    return "an object of a manager that is closed";
  snprintf(c->problem, sizeof c->problem, "%s is %s", sp_label(c, object, &label), state);
  return c->problem;
}

/* Of a manager or a pool: objects are what is asked for. */
static const char *other_problem(lua_State *L, sp_context *c, int index)
{
  const bool is_manager = sp_to_handle(L, index, sizeof(spl_handle), SP_MAGIC_MANAGER) != NULL;
  const bool is_pool = sp_to_handle(L, index, sizeof(spl_handle), SP_MAGIC_POOL) != NULL;
  const bool is_open = sp_lua_manager(L, index) != NULL;
  if (is_manager)
    return is_open ? "a manager, no object" : "a manager that is closed";
  if (is_pool)
    return is_open ? "a pool, no object" : "a pool that was removed";
  snprintf(c->problem, sizeof c->problem, "%s: no object of spawnpool", lua_typename(L, lua_type(L, index)));
  return c->problem;
}

const char *sp_lua_problem(lua_State *L, int index)
{
  if (!lua_checkstack(L, 3))
    return sp_result_text(SP_MEMORY);
  sp_context *c = sp_context_of(L);
  const char *copy = c ? NULL : sp_bridge_other_copy(L);
  if (!c)
    return copy ? copy
                : "this state has no spawnpool: open it by luaL_requiref(L, \"spawnpool\", luaopen_spawnpool, 1)";
  if (index == 0)
    return hook_problem(L, c);
  if (!is_index(L, index))
    return "there is no value at this index";
  return lua_type(L, index) == LUA_TLIGHTUSERDATA ? object_problem(L, c, index) : other_problem(L, c, index);
}

/* }== */
