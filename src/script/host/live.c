/*
** The start of a game, and its hot reload: the host polls once per frame, and edited files run from then on.
*/
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "script/guard/source_file.h"
#include "script/guard/watchdog.h"
#include "script/host/callbacks.h"
#include "script/reload/reload.h"

/* {== Calls into Lua ====================================================== */

/* Reports the error on top, and pops it. */
static bool fail(sp_script *s)
{
  sp_host_fail(s, lua_tostring(s->L, -1));
  lua_pop(s->L, 1);
  return false;
}

/* Calls a function of lua/spawnpool/reloading.lua with the `nargs` values on top. That function protects all calls
   itself: an error here means that memory ran out. */
static bool call_reload(sp_script *s, const char *name, int nargs, int nresults)
{
  lua_State *L = s->L;
  sp_push_reload(L, s->context, name);
  lua_insert(L, -1 - nargs);
  return lua_pcall(L, nargs, nresults, 0) == LUA_OK || fail(s);
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

/* {== The start =========================================================== */

/* Keeps the table of main.lua, which is on top: it stays the same table in every reload. */
static void keep_callbacks(lua_State *L, sp_script *s) { s->callbacks = luaL_ref(L, LUA_REGISTRYINDEX); }

static int run_main(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  if (!sp_compile_file(L, s->context->folder, s->main))
    return lua_error(L);
  lua_call(L, 0, 1);
  if (!lua_istable(L, -1))
    return luaL_error(L, "%s must return a table of callbacks (load, update, draw, ...), got %s", s->main,
                      luaL_typename(L, -1));
  keep_callbacks(L, s);
  return 0;
}

/* Runs main.lua of a game that does not reload. */
static bool run_untracked(sp_script *s)
{
  lua_pushcfunction(s->L, run_main);
  lua_pushlightuserdata(s->L, s);
  return sp_host_door(s, 1, 0) == LUA_OK || fail(s);
}

/* get(script, name) -> the text of an error, or nil: calls this function of lua/spawnpool/reloading.lua, which returns
   the table of main.lua, or nil and the error. */
static int get_callbacks(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  sp_push_reload(L, s->context, lua_touserdata(L, 2));
  lua_pushstring(L, s->main);
  lua_call(L, 1, 2);
  lua_insert(L, -2);
  if (lua_istable(L, -1))
    keep_callbacks(L, s);
  else
    lua_pop(L, 1);
  return 1;
}

/* False, without a report, when main.lua has not loaded yet. */
static bool find_callbacks(sp_script *s, const char *function)
{
  lua_State *L = s->L;
  lua_pushcfunction(L, get_callbacks);
  lua_pushlightuserdata(L, s);
  lua_pushlightuserdata(L, (void *)function);
  if (lua_pcall(L, 2, 1, 0) != LUA_OK || !lua_isnil(L, -1))
    return fail(s);
  lua_pop(L, 1);
  return s->callbacks != LUA_NOREF;
}

/* Calls load(args). From then on each accepted save makes a version, which can be taken back. */
static bool load(sp_script *s)
{
  if (!sp_host_load(s))
    return false;
  if (s->options.reload)
    call_reload(s, "prove", 0, 0);
  return true;
}

bool sp_script_start(sp_script *s, int argc, char **argv)
{
  sp_watchdog *w = s->context->watchdog;
  s->argc = argc;
  s->argv = argv;
  sp_watchdog_set_budget(w, sp_host_start_patience(s));
  bool started = (s->options.reload ? find_callbacks(s, "start") : run_untracked(s)) && load(s);
  sp_host_end_start(s);
  sp_watchdog_set_budget(w, sp_host_patience(s));
  return started;
}

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
  if (s->callbacks == LUA_NOREF && !find_callbacks(s, "main"))
    return false;
  sp_manager *m = sp_script_pools(s);
  for (uint32_t i = 0; m && i < sp_count_pools(m); i++)
    recycle_loaded(s, m, sp_get_pool(m, i));
  return load(s);
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
  if (!call_reload(s, "poll", 2, 1))
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
