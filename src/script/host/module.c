/*
** `require "spawnpool"`: builds the table of the module from the C functions and lua/spawnpool/class.lua.
*/
#include "script/host/module.h"

#include "script/bind/manager.h"
#include "script/bind/members.h"
#include "script/bind/object.h"
#include "script/bind/pool.h"
#include "script/bind/save.h"
#include "script/bind/snapshot.h"
#include "script/bind/timer.h"
#include "script/reload/reload.h"
#include "script/script.h"
#include "script/state/border.h"
#include "script/state/lua_sources.h"
#include "script/state/sprites.h"

#define DEFAULT_PATH "pools/?.lua"

static void copy_entries(lua_State *L, int from, int to)
{
  for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, to);
  }
}

/* Copies the globals and the standard libraries as they are now. */
static void copy_globals(lua_State *L, const sp_context *c)
{
  static const char *const libraries[] = {"table", "string", "math", "coroutine", "utf8", "os", NULL};
  sp_push_kept(L, c, SP_KEPT_GLOBALS);
  lua_pushglobaltable(L);
  int globals = lua_gettop(L), copy = globals - 1;
  copy_entries(L, globals, copy);
  for (int i = 0; libraries[i]; i++) {
    lua_newtable(L);
    if (sp_raw_field(L, globals, libraries[i]) == LUA_TTABLE) {
      copy_entries(L, globals + 2, globals + 1);
      lua_pop(L, 1);
      lua_setfield(L, copy, libraries[i]);
    }
    lua_settop(L, globals);
  }
  lua_settop(L, copy - 1);
}

static void open_classes(lua_State *L, sp_context *c)
{
  copy_globals(L, c);
  sp_push_source(L, c, "spawnpool.report");
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_REPORTING]);
  sp_push_source(L, c, "spawnpool.class");
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_CLASSES]);
}

/* A C program that created the state may not have opened them. Nothing has changed yet. */
static void check_libraries(lua_State *L)
{
  static const char *const needed[] = {"table", "string", "math", "coroutine"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    if (sp_raw_global(L, needed[i]) != LUA_TTABLE)
      luaL_error(L, "spawnpool needs Lua's library '%s': call luaL_openlibs before it", needed[i]);
    lua_pop(L, 1);
  }
}

/* The limits of the core, for the checks in lua/spawnpool/settings.lua: into the table on top. */
static void add_limits(lua_State *L)
{
  static const struct {
    const char *name;
    lua_Integer limit;
  } limits[] = {{"MAX_SLOTS", SP_MAX_SLOTS},
                {"MAX_FIELDS", SP_MAX_FIELDS},
                {"MAX_CURVES", SP_MAX_CURVES},
                {"MAX_POINTS", SP_MAX_POINTS}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    lua_pushstring(L, limits[i].name);
    lua_pushinteger(L, limits[i].limit);
    lua_rawset(L, -3);
  }
}

static void complete(lua_State *L, sp_context *c)
{
  sp_object_check_free(L);
  lua_pushliteral(L, "circle"); /* number 0 */
  sp_sprite_number(L, c, -1);
  lua_pop(L, 1);
  sp_push_kept(L, c, SP_KEPT_NATIVES);
  sp_set_functions(L, c, sp_snapshot_natives);
  sp_set_functions(L, c, sp_save_natives);
  sp_set_functions(L, c, sp_class_natives);
  sp_set_functions(L, c, sp_reload_natives);
  sp_set_functions(L, c, sp_member_natives);
  sp_add_listing(L, c);
  add_limits(L);
  lua_pop(L, 1);
  c->calls.close = sp_manager_free_all;
  sp_object_open(L, c); /* its last step becomes visible in the state, and cannot fail */
}

sp_context *sp_library_open(lua_State *L) { return sp_context_open(L, sp_reachable, complete); }

int luaopen_spawnpool(lua_State *L)
{
  luaL_checkversion(L);
  luaL_checkstack(L, 20, NULL);
  check_libraries(L);
  sp_context *c = sp_library_open(L);
  sp_pool_open_methods(L, c);
  sp_manager_open_methods(L, c);
  sp_manager_timer_open(L, c);
  lua_newtable(L);
  int module = lua_gettop(L);
  lua_pushliteral(L, SP_VERSION);
  lua_setfield(L, module, "VERSION");
  sp_add_functions(L, c, "spawnpool", false);
  open_classes(L, c);
  sp_raw_field(L, -1, "module"); /* its part of the module's functions */
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, module);
  }
  lua_settop(L, module);
  c->default_manager = sp_manager_new(L, c, 0, c->step);
  lua_pushliteral(L, DEFAULT_PATH);
  lua_setiuservalue(L, -2, SP_MANAGER_PATH);
  lua_setfield(L, module, "pools");
  if (!c->folder) { /* a game in a sandbox is reloaded by its host */
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_spawnpool_reload);
    lua_setfield(L, -2, "spawnpool.reload");
    lua_pop(L, 1);
  }
  return 1;
}

int luaopen_spawnpool_reload(lua_State *L)
{
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  sp_reload_open(L, sp_context_of(L));
  sp_raw_field(L, -1, "module");
  return 1;
}
