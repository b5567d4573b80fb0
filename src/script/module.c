/*
** `require "spawnpool"`: puts the table together from the C functions and lua/spawnpool/class.lua.
*/
#include "script/script.h"

#include <string.h>

#include "script/adopt.h"
#include "script/border.h"
#include "script/folder_file.h"
#include "script/listing.h"
#include "script/lua_sources.h"
#include "script/members.h"
#include "script/reload.h"
#include "script/sandbox.h"
#include "script/source_file.h"

#define DEFAULT_PATH "pools/?.lua"

/* {== What class.lua needs of C ========================================== */

/* native.load(file, class) -> function, or nil when there is no such file; raises when it does not compile. */
static int native_load(lua_State *L)
{
  const char *file = sp_check_text(L, 1);
  const sp_context *c = sp_context_here(L);
  if (c->folder && !sp_folder_holds(c->folder, file))
    return luaL_error(L, SP_SANDBOX_OUTSIDE, file);
  if (!sp_file_is_there(L, c->folder, file))
    return 0;
  sp_load_source(L, file, "class", sp_to_text(L, 2));
  return 1;
}

static int native_warn(lua_State *L)
{
  sp_report_text(L, sp_context_here(L), SP_REPORT_WARNING, sp_check_text(L, 1));
  return 0;
}

/* native.paths() -> a list: where managers look for classes. */
static int native_paths(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  lua_newtable(L);
  lua_Integer count = 0;
  for (int id = 0; id < 256; id++) {
    if (sp_is_dropped(L, c, c->managers[id]))
      continue;
    sp_push_anchor(L, c, c->managers[id]);
    lua_getiuservalue(L, -1, SP_MANAGER_PATH);
    lua_remove(L, -2);
    if (lua_isnil(L, -1))
      lua_pop(L, 1);
    else
      lua_rawseti(L, -2, ++count);
  }
  return 1;
}

/* The path of the default manager, where class() looks for a missing parent. */
static int native_path(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  if (!c->default_manager)
    return 0;
  sp_push_anchor(L, c, c->default_manager);
  lua_getiuservalue(L, -1, SP_MANAGER_PATH);
  return 1;
}

/* native.show(value) -> the value in words, as messages have it. */
static int native_show(lua_State *L)
{
  sp_shown shown;
  lua_pushstring(L, sp_show(L, 1, &shown));
  return 1;
}

/* native.use(name): another file of the library's Lua side, run once. */
static int native_use(lua_State *L)
{
  sp_push_source(L, sp_context_here(L), sp_check_text(L, 1));
  return 1;
}

static const luaL_Reg natives[] = {
    {"load", native_load},        {"changed", sp_native_changed},
    {"warn", native_warn},        {"path", native_path},
    {"paths", native_paths},      {"alloc", sp_base_alloc},
    {"recycle", sp_base_recycle}, {"use", native_use},
    {"show", native_show},        {NULL, NULL},
};

/* }== */

/* {== The module ========================================================= */

static int module_new(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  int options = lua_isnoneornil(L, 1) ? 0 : 1;
  if (options)
    luaL_checktype(L, 1, LUA_TTABLE);
  sp_manager_new(L, c, options);
  return 1;
}

static void copy_entries(lua_State *L, int from, int to)
{
  for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, to);
  }
}

/* The globals of this moment, and the standard libraries in them, as copies. */
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

/* Runs the embedded file `name` with the table of natives; leaves the one value that it returns. */
static void run_source(lua_State *L, sp_context *c, const char *name)
{
  const sp_lua_source *source = sp_lua_sources;
  while (source->name && strcmp(source->name, name) != 0)
    source++;
  if (!source->name)
    luaL_error(L, "spawnpool was built without its file '%s'", name);
  const char *chunk_name = lua_pushfstring(L, "=%s", name);
  if (luaL_loadbufferx(L, (const char *)source->data, source->size, chunk_name, "t") != LUA_OK)
    lua_error(L);
  lua_remove(L, -2);
  sp_push_kept(L, c, SP_KEPT_GLOBALS);
  lua_setupvalue(L, -2, 1); /* _ENV, of a main function */
  lua_newtable(L);
  sp_set_functions(L, c, natives);
  sp_set_functions(L, c, sp_reload_natives);
  sp_set_functions(L, c, sp_member_natives);
  sp_set_functions(L, c, sp_listing_natives);
  lua_call(L, 1, 1);
}

void sp_push_source(lua_State *L, sp_context *c, const char *name)
{
  sp_push_kept(L, c, SP_KEPT_SOURCES);
  if (sp_raw_field(L, -1, name) == LUA_TNIL) {
    lua_pop(L, 1);
    run_source(L, c, name);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, name);
  }
  lua_replace(L, -2);
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

/* A program in C that made the state may have forgotten them. Nothing has changed yet. */
static void check_libraries(lua_State *L)
{
  static const char *const needed[] = {"table", "string", "math", "coroutine"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    if (sp_raw_global(L, needed[i]) != LUA_TTABLE)
      luaL_error(L, "spawnpool needs Lua's library '%s': call luaL_openlibs before it", needed[i]);
    lua_pop(L, 1);
  }
}

int luaopen_spawnpool(lua_State *L)
{
  luaL_checkversion(L);
  luaL_checkstack(L, 20, NULL);
  check_libraries(L);
  sp_context *c = sp_context_open(L);
  sp_pool_open_methods(L, c);
  sp_manager_open_methods(L, c);
  lua_newtable(L);
  int module = lua_gettop(L);
  lua_pushliteral(L, SP_VERSION);
  lua_setfield(L, module, "VERSION");
  sp_push_function(L, c, module_new);
  lua_setfield(L, module, "new");
  open_classes(L, c);
  sp_raw_field(L, -1, "module"); /* its part of the module's functions */
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, module);
  }
  lua_settop(L, module);
  c->default_manager = sp_manager_new(L, c, 0);
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

/* }== */
