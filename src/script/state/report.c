#include "script/state/report.h"

#include <stdio.h>

#include "script/state/border.h"
#include "script/state/show.h"
#include "script/state/trace.h"

typedef struct pending_report {
  sp_context *c;
  sp_report kind;
  const char *text;
} pending_report;

static void deliver(sp_context *c, sp_report kind, const char *text)
{
  if (c->report)
    c->report(c->report_ud, kind, text);
  else
    fprintf(stderr, "spawnpool: %s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "", text);
}

#define MAX_REPORTS 1000

static bool is_power_of_ten(lua_Integer n)
{
  while (n % 10 == 0)
    n /= 10;
  return n == 1;
}

/* Counts the text, and delivers it the first, 10th, 100th ... time. Called protected, because counting allocates. */
static int count_and_deliver(lua_State *L)
{
  const pending_report *t = lua_touserdata(L, 1);
  sp_push_kept(L, t->c, SP_KEPT_REPORTS);
  sp_raw_field(L, -1, t->text);
  lua_Integer count = lua_tointeger(L, -1) + 1;
  lua_pop(L, 1);
  if (count == 1 && ++t->c->report_count > MAX_REPORTS) { /* bounds the table when all texts differ */
    t->c->report_count = 0;
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, t->c->kept[SP_KEPT_REPORTS]);
  }
  lua_pushinteger(L, count);
  lua_setfield(L, -2, t->text);
  if (!is_power_of_ten(count))
    return 0;
  const char *text = count == 1 ? t->text : lua_pushfstring(L, "%s\n(%I times so far)", t->text, count);
  deliver(t->c, t->kind, text);
  return 0;
}

/* Passes a warning to the global `warn`, if the program has replaced it. */
static int warn_through_lua(lua_State *L)
{
  const pending_report *t = lua_touserdata(L, 1);
  lua_pushglobaltable(L);
  lua_pushliteral(L, "warn");
  lua_rawget(L, -2);
  if (lua_isnil(L, -1) || lua_iscfunction(L, -1)) {
    lua_pushboolean(L, 0);
    return 1;
  }
  lua_pushfstring(L, "spawnpool: %s", t->text);
  lua_call(L, 1, 0);
  lua_pushboolean(L, 1);
  return 1;
}

static bool call_with(lua_State *L, lua_CFunction function, pending_report *t)
{
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, t);
  bool done = lua_pcall(L, 1, 1, 0) == LUA_OK && lua_toboolean(L, -1);
  lua_pop(L, 1);
  return done;
}

void sp_report_text(lua_State *L, sp_context *c, sp_report kind, const char *text)
{
  pending_report t = {c, kind, text};
  if (!lua_checkstack(L, 8)) {
    deliver(c, kind, text);
    return;
  }
  if (kind == SP_REPORT_WARNING && !c->report && call_with(L, warn_through_lua, &t))
    return;
  lua_pushcfunction(L, count_and_deliver);
  lua_pushlightuserdata(L, &t);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
    deliver(c, kind, text);
    lua_pop(L, 1);
  }
}

static int describe_error(lua_State *L)
{
  const char *where = lua_touserdata(L, 2), *text = luaL_tolstring(L, 1, NULL);
  if (where)
    lua_pushfstring(L, "%s: %s", where, text);
  return 1;
}

void sp_report_error(lua_State *L, sp_context *c, const char *where)
{
  lua_pushcfunction(L, describe_error);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, (void *)where);
  lua_pcall(L, 2, 1, 0); /* what goes wrong here is reported instead */
  const char *text = lua_tostring(L, -1);
  sp_report_text(L, c, SP_REPORT_ERROR, text ? text : "an error that is no text");
  lua_pop(L, 1);
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
