#include <math.h>

#include "script/state/border.h"
#include "script/state/report.h"
#include "script/state/trace.h"

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
  sp_reach_set(L, type->rows, type->owner, true, c, false);
  sp_copy_methods(L, c, type->methods);
  lua_createtable(L, 0, 1);
  lua_pushlightuserdata(L, c);
  lua_pushvalue(L, handle);
  lua_pushcclosure(L, type->field, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, "__index");
  sp_name_metatable(L, type->name);
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

void sp_report_misuse(lua_State *L, const sp_lua_manager *m, sp_result why, sp_ref object)
{
  sp_context *c = m->context;
  sp_misuse misuse = m->misuse;
  sp_shown label;
  if (misuse == SP_MISUSE_IGNORE)
    return;
  sp_label(c, object, &label);
  if (misuse == SP_MISUSE_WARN && !is_new_site(L, c, why))
    return;
  int top = lua_gettop(L);
  luaL_where(L, 1);
  lua_pushfstring(L, "recycle of %s refused: %s: %s", label.text, sp_result_name(why), sp_result_text(why));
  sp_push_story(L, c, why == SP_STALE ? object : SP_NONE_REF);
  lua_concat(L, 3);
  if (misuse == SP_MISUSE_ERROR)
    lua_error(L);
  sp_report_text(L, c, SP_REPORT_WARNING, lua_tostring(L, -1));
  lua_settop(L, top);
}

/* }== */

bool sp_is_of_closed(const sp_context *c, sp_ref object)
{
  uint32_t generation = sp_ref_generation(object);
  return !sp_manager_of(c, object) && generation >= SP_FIRST_GENERATION &&
         generation < c->next_generation[sp_ref_id(object)];
}

const char *sp_object_state(const sp_context *c, sp_ref object)
{
  const sp_lua_manager *m = sp_manager_of(c, object);
  if (!m)
    return sp_is_of_closed(c, object) ? "stale" : NULL;
  if (!sp_ref_is_ours(m->core, object))
    return NULL;
  if (!sp_ref_resolves(m->core, object))
    return "stale";
  return sp_is_live(m->core, object) ? "live" : sp_ref_generation(object) & 1 ? "dying" : "idle";
}
