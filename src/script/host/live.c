/*
** Hot reload of a running game: the host polls once per frame, and edited files run from then on.
*/
#include "script/host/live.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "script/host/callbacks.h"
#include "script/reload/reload.h"

/* {== Asking the Lua side ================================================= */

/* Calls a function of lua/spawnpool/reloading.lua with the `nargs` values on top. That function protects all calls
   itself: an error here means that memory ran out. */
static bool ask(sp_script *s, const char *name, int nargs, int nresults)
{
  lua_State *L = s->L;
  sp_push_reload(L, s->context, name);
  lua_insert(L, -1 - nargs);
  if (lua_pcall(L, nargs, nresults, 0) == LUA_OK)
    return true;
  sp_host_fail(s, lua_tostring(L, -1));
  lua_pop(L, 1);
  return false;
}

/* Returns a text of the result on top, valid as long as the result. */
static const char *text_of(lua_State *L, const char *key)
{
  lua_getfield(L, -1, key);
  const char *text = lua_tostring(L, -1);
  lua_pop(L, 1);
  return text;
}

static bool is_set(lua_State *L, const char *key)
{
  lua_getfield(L, -1, key);
  bool set = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return set;
}

/* }== */

/* {== The first time ====================================================== */

static int keep_callbacks(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 2);
  lua_settop(L, 1);
  s->callbacks = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

/* Keeps the table of main.lua, which is on top: it stays the same table in every reload. */
static bool take_callbacks(sp_script *s)
{
  lua_State *L = s->L;
  bool is_there = lua_istable(L, -1), kept = false;
  if (is_there) {
    lua_pushcfunction(L, keep_callbacks);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, s);
    kept = lua_pcall(L, 2, 0, 0) == LUA_OK;
    if (!kept)
      sp_host_fail(s, lua_tostring(L, -1));
  }
  if (!kept)
    lua_pop(L, 1);
  return kept;
}

static int push_main(lua_State *L)
{
  const sp_script *s = lua_touserdata(L, 1);
  lua_pushstring(L, s->main);
  return 1;
}

bool sp_host_start_tracked(sp_script *s)
{
  lua_State *L = s->L;
  lua_pushcfunction(L, push_main);
  lua_pushlightuserdata(L, s);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    sp_host_fail(s, lua_tostring(L, -1));
    lua_pop(L, 1);
    return false;
  }
  if (!ask(s, "start", 1, 2))
    return false;
  if (lua_istable(L, -2)) {
    lua_pop(L, 1);
    return take_callbacks(s);
  }
  sp_host_fail(s, lua_tostring(L, -1));
  lua_pop(L, 2);
  return false;
}

void sp_host_prove(sp_script *s) { ask(s, "prove", 0, 0); }

static void recycle_loaded(const sp_script *s, sp_manager *m, sp_pool *p)
{
  sp_walk walk = sp_pool_walk(p);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    const uint64_t serial = sp_serial_of(m, object);
    if (serial > s->load_from && serial <= s->load_to)
      sp_recycle(m, object);
  }
}

/* Runs load(args) again after a failure. Its effects remain, except for its objects: the next load starts with those
   of the files. */
static bool start_late(sp_script *s)
{
  if (s->callbacks == LUA_NOREF && !(ask(s, "main", 0, 1) && take_callbacks(s)))
    return false;
  sp_manager *m = sp_script_pools(s);
  for (uint32_t i = 0; m && i < sp_count_pools(m); i++)
    recycle_loaded(s, m, sp_get_pool(m, i));
  return sp_host_load(s);
}

/* }== */

/* {== Between frames ====================================================== */

/* Replaces a kept text; NULL: there is none. It stays if memory is refused. */
static void keep_text(char **kept, const char *text)
{
  char *copy = text ? malloc(strlen(text) + 1) : NULL;
  if (text && !copy)
    return;
  free(*kept);
  *kept = copy ? strcpy(copy, text) : NULL;
}

/* Reports the result on top, and pops it. */
static sp_poll_result report_result(sp_script *s)
{
  lua_State *L = s->L;
  const char *line = text_of(L, "line"), *error = text_of(L, "error");
  bool done = is_set(L, "ok"), reverted = is_set(L, "reverted"), noted = is_set(L, "note");
  keep_text(&s->line, line);
  keep_text(&s->rejected, text_of(L, "rejected"));
  if (noted) { /* nothing has run: this fixes no error */
    sp_host_report(s, is_set(L, "doubt") ? SP_REPORT_WARNING : SP_REPORT_RELOAD, line);
    lua_pop(L, 1);
    return SP_POLL_NOTHING;
  }
  if (done) {
    sp_script_clear_error(s);
    sp_host_report(s, SP_REPORT_RELOAD, line);
  } else if (reverted) { /* the error itself was reported when it happened */
    sp_host_report(s, SP_REPORT_WARNING, line);
  } else {
    sp_host_keep_error(s, error);
    sp_host_report(s, SP_REPORT_ERROR, error);
    sp_host_report(s, SP_REPORT_WARNING, line);
  }
  lua_pop(L, 1);
  if (done && !s->is_loaded && !start_late(s))
    return SP_POLL_REFUSED;
  return done ? SP_POLL_RELOADED : reverted ? SP_POLL_REVERTED : SP_POLL_REFUSED;
}

static sp_poll_result poll(sp_script *s, sp_poll how)
{
  lua_pushinteger(s->L, how);
  lua_pushboolean(s->L, s->has_run);
  s->has_run = false;
  if (!ask(s, "poll", 2, 1))
    return SP_POLL_REFUSED;
  if (!lua_isnil(s->L, -1))
    return report_result(s);
  lua_pop(s->L, 1);
  return SP_POLL_NOTHING;
}

sp_poll_result sp_script_poll(sp_script *s, sp_poll how)
{
  if (!s->options.reload || !lua_checkstack(s->L, 20))
    return SP_POLL_NOTHING;
  return poll(s, how);
}

const char *sp_script_reload_line(const sp_script *s) { return s->line; }
const char *sp_script_rejected(const sp_script *s) { return s->rejected; }

/* }== */
