/*
** Traces: where each life was allocated, and where and why it ended. Recorded only for a manager with `trace`, for the
** messages of stale uses and for `leaks`. A limited number of ended lives is kept.
*/
#include "script/state/trace.h"

#include "script/state/border.h"

#define ENDED_KEPT 4096

typedef struct event {
  sp_lua_manager *m;
  sp_ref object;
  const char *why; /* NULL: it began */
} event;

/* "file:line" of the Lua code that is running, without the colon and blank that luaL_where adds. */
static void push_site(lua_State *L, int level)
{
  lua_Debug ar;
  for (; lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "Sl", &ar);
    if (ar.currentline > 0 && ar.source[0] != '=') {
      lua_pushfstring(L, "%s:%d", ar.short_src, ar.currentline);
      return;
    }
  }
  lua_pushliteral(L, "C code");
}

static void push_traces(lua_State *L, const sp_lua_manager *m)
{
  sp_push_anchor(L, m->context, m);
  lua_getiuservalue(L, -1, SP_MANAGER_TRACES);
  lua_replace(L, -2);
}

/* The table at `traces` has a ring of ended lives in its list part. */
static void remember_ended(lua_State *L, int traces, sp_ref object)
{
  lua_Integer count;
  sp_raw_field(L, traces, "count");
  count = lua_tointeger(L, -1);
  lua_pop(L, 1);
  lua_rawgeti(L, traces, count % ENDED_KEPT + 1);
  if (!lua_isnil(L, -1)) {
    lua_pushnil(L);
    lua_rawset(L, traces);
  } else {
    lua_pop(L, 1);
  }
  sp_push_object(L, object);
  lua_rawseti(L, traces, count % ENDED_KEPT + 1);
  lua_pushinteger(L, count + 1);
  lua_setfield(L, traces, "count");
}

static void set_end(lua_State *L, const event *e)
{
  push_site(L, 1);
  lua_setfield(L, -2, "end_site");
  lua_pushnumber(L, sp_time(e->m->core));
  lua_setfield(L, -2, "ended");
  lua_pushstring(L, e->why);
  lua_setfield(L, -2, "why");
}

/* record(event): protected and quiet, because it allocates in the middle of a recycle. */
static int record(lua_State *L)
{
  const event *e = lua_touserdata(L, 1);
  push_traces(L, e->m);
  int traces = lua_gettop(L);
  sp_push_object(L, e->object);
  if (lua_rawget(L, traces) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_createtable(L, 0, 6);
    sp_push_object(L, e->object);
    lua_pushvalue(L, -2);
    lua_rawset(L, traces);
  }
  if (e->why) {
    set_end(L, e);
    remember_ended(L, traces, e->object);
  } else {
    push_site(L, 1);
    lua_setfield(L, -2, "site");
    lua_pushnumber(L, sp_time(e->m->core));
    lua_setfield(L, -2, "born");
  }
  return 0;
}

static void record_protected(lua_State *L, event *e)
{
  if (!lua_checkstack(L, 12))
    return;
  lua_pushcfunction(L, record);
  lua_pushlightuserdata(L, e);
  if (sp_pcall_without_gc(L, 1, 0) != LUA_OK)
    lua_pop(L, 1); /* the game goes on without the trace */
}

void sp_trace_alloc(lua_State *L, sp_lua_manager *m, sp_ref object)
{
  event e = {m, object, NULL};
  record_protected(L, &e);
}

void sp_trace_end(sp_lua_manager *m, sp_ref object, sp_why why)
{
  event e = {m, object, sp_why_name(why)};
  record_protected(m->context->L, &e);
}

/* {== Stories ============================================================ */

/* Returns the object that has the slot now, or 0. */
static sp_ref tenant_of(const sp_lua_manager *m, sp_ref object)
{
  uint32_t slot = sp_ref_slot(object);
  if (!sp_owner(m->core, object) || !(sp_slots_of(m->core)->life[slot].generation & 1) ||
      sp_ref_make(m->core, slot) == object)
    return SP_NONE_REF;
  return sp_ref_make(m->core, slot);
}

void sp_push_story(lua_State *L, const sp_context *c, sp_ref object)
{
  const sp_lua_manager *m = object ? sp_manager_of(c, object) : NULL;
  if (!m || !m->trace) {
    lua_pushliteral(L, "");
    return;
  }
  sp_ref tenant = tenant_of(m, object);
  push_traces(L, m);
  sp_push_kept(L, c, SP_KEPT_REPORTING);
  sp_raw_field(L, -1, "story");
  lua_replace(L, -2);
  lua_insert(L, -2);
  sp_push_object(L, object);
  if (tenant)
    sp_push_object(L, tenant);
  else
    lua_pushnil(L);
  lua_call(L, 3, 1);
}

/* }== */
