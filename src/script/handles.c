#include "script/handles.h"

#include <math.h>
#include <string.h>

SP_COLD void sp_not_a_manager(lua_State *L, int arg)
{
  luaL_typeerror(L, arg, "pools (call methods with a colon: pools:alloc(...))");
}

SP_COLD void sp_not_a_pool(lua_State *L, int arg)
{
  luaL_typeerror(L, arg, arg == 1 ? "pool (call methods with a colon: pool:alloc(...))" : "pool");
}

sp_lua_manager *sp_check_open_manager(lua_State *L, int arg)
{
  sp_lua_manager *m = sp_check_manager(L, arg);
  if (!m->core)
    luaL_error(L, "the manager is closed");
  return m;
}

sp_lua_pool *sp_check_open_pool(lua_State *L, int arg)
{
  sp_lua_pool *p = sp_check_pool(L, arg);
  if (!p->core)
    luaL_error(L, "the pool was removed, or its manager closed");
  return p;
}

SP_COLD void sp_not_an_object(lua_State *L, int arg) { luaL_typeerror(L, arg, "object"); }

const char *sp_push_shown(lua_State *L, int index)
{
  int at = lua_absindex(L, index), type = lua_type(L, at);
  lua_Number number = type == LUA_TNUMBER ? lua_tonumber(L, at) : 0;
  if (number != number)
    return lua_pushliteral(L, "nan"); /* which has a sign on some machines */
  if (type == LUA_TNONE)
    return lua_pushliteral(L, "no value");
  const char *text = luaL_tolstring(L, at, NULL);
  return type == LUA_TSTRING ? lua_pushfstring(L, "'%s'", text) : text;
}

SP_COLD int sp_refuse_value(lua_State *L, int arg, const char *message)
{
  lua_Debug here;
  if (lua_getstack(L, 0, &here) && lua_getinfo(L, "n", &here) && strcmp(here.namewhat, "metamethod") == 0)
    return luaL_error(L, "%s", message);
  return luaL_argerror(L, arg, message);
}

uint32_t sp_check_count(lua_State *L, int arg, const char *what, uint32_t low, uint32_t high)
{
  int exact = 0;
  lua_Integer count = lua_type(L, arg) == LUA_TNUMBER ? lua_tointegerx(L, arg, &exact) : 0;
  if (!exact || count < (lua_Integer)low || count > (lua_Integer)high)
    sp_refuse_value(L, arg,
                    lua_pushfstring(L, "%s must be an integer from %I to %I, got %s", what, (lua_Integer)low,
                                    (lua_Integer)high, sp_push_shown(L, arg)));
  return (uint32_t)count;
}

double sp_check_finite(lua_State *L, int arg, const char *what)
{
  double number = lua_tonumber(L, arg);
  if (lua_type(L, arg) != LUA_TNUMBER || !isfinite(number))
    sp_refuse_value(L, arg, lua_pushfstring(L, "%s must be a finite number, got %s", what, sp_push_shown(L, arg)));
  return number;
}

int sp_return_refusal(lua_State *L, bool as_nil, sp_result why)
{
  if (as_nil)
    lua_pushnil(L);
  else
    lua_pushboolean(L, 0);
  lua_pushstring(L, sp_result_name(why));
  return 2;
}

/* Every handle has a table of methods of its own, so that a method is found without a call, and a field knows its
   handle. */
void sp_dress(lua_State *L, sp_context *c, const sp_handle_type *type)
{
  int handle = lua_gettop(L);
  lua_createtable(L, 0, 8);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__index"); /* the first key of a table has the best place in it */
  sp_set_functions(L, c, type->metamethods);
  sp_copy_methods(L, c, type->methods);
  lua_createtable(L, 0, 1);
  lua_pushlightuserdata(L, c);
  lua_pushvalue(L, handle);
  lua_pushcclosure(L, type->field, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, type->name);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__name");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, handle);
}

/* {== Misuse ============================================================= */

#define MAX_SITES 1000

/* True the first time that this reason comes from the calling line. */
static bool is_new_site(lua_State *L, sp_context *c, sp_result why)
{
  sp_push_kept(L, c, SP_KEPT_SITES);
  luaL_where(L, 1);
  lua_pushstring(L, sp_result_name(why));
  lua_concat(L, 2);
  lua_pushvalue(L, -1);
  bool fresh = lua_rawget(L, -3) == LUA_TNIL;
  lua_pop(L, 1);
  if (fresh && c->site_count < MAX_SITES) {
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    c->site_count++;
  } else {
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return fresh;
}

void sp_tell_misuse(lua_State *L, sp_lua_manager *m, sp_result why, int arg)
{
  if (m->misuse == SP_MISUSE_IGNORE)
    return;
  if (m->misuse == SP_MISUSE_WARN && !is_new_site(L, m->context, why))
    return;
  const char *label = sp_push_label(L, m->context, sp_to_object(L, arg));
  int top = lua_gettop(L);
  luaL_where(L, 1);
  lua_pushfstring(L, "recycle of %s refused: %s: %s", label, sp_result_name(why), sp_result_text(why));
  sp_push_story(L, m, why == SP_STALE ? sp_to_object(L, arg) : SP_NONE_REF);
  lua_concat(L, 3);
  if (m->misuse == SP_MISUSE_ERROR)
    lua_error(L);
  sp_report_text(L, m->context, SP_REPORT_WARNING, lua_tostring(L, -1));
  lua_settop(L, top - 1);
}

/* }== */
