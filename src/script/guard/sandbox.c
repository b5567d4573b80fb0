#include "script/guard/sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

#include "script/guard/library.h"
#include "script/guard/pattern_library.h"
#include "script/guard/repeatable.h"
#include "script/guard/source_file.h"
#include "script/state/folder_file.h"

/* {== require ============================================================ */

static bool is_separator(char c) { return c == '.' || c == '/'; }

/* Returns whether a name consists of letters, digits, '_' and '-', separated by single dots or slashes: it cannot
   leave the folder. */
static bool is_module_name(const char *name)
{
  char before = '.';
  for (; *name; before = *name++) {
    bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9');
    if (!letter && *name != '_' && *name != '-' && !(is_separator(*name) && !is_separator(before)))
      return false;
  }
  return !is_separator(before);
}

/* Upvalues: the folder, and whether links may lead out of it. Returns a loader and the file, or a text for require's
   message. */
static int search_folder(lua_State *L)
{
  static const char *const patterns[] = {"%s/%s.lua", "%s/%s/init.lua", NULL};
  const char *folder = lua_tostring(L, lua_upvalueindex(1));
  bool trust = lua_toboolean(L, lua_upvalueindex(2));
  const char *name = luaL_checkstring(L, 1);
  if (!is_module_name(name)) {
    lua_pushfstring(L, "'%s' is no module name (letters, digits, '_', '-', parts parted by '.' or '/')", name);
    return 1;
  }
  const char *path = luaL_gsub(L, name, ".", "/");
  for (int i = 0; patterns[i]; i++) {
    const char *file = lua_pushfstring(L, patterns[i], folder, path);
    if (!trust && !sp_folder_holds(folder, file))
      return luaL_error(L, SP_SANDBOX_OUTSIDE, file);
    if (!sp_file_is_there(L, trust ? NULL : folder, file))
      continue;
    sp_load_source(L, file, "module", name);
    lua_insert(L, -2);
    return 2;
  }
  lua_pushfstring(L, "no file '%s/%s.lua'", folder, path);
  return 1;
}

/* `require` keeps the real package table as an upvalue; the game sees only what was loaded. */
static void confine_require(lua_State *L, const char *folder, bool trust)
{
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "searchers");
  lua_createtable(L, 4, 0);
  lua_rawgeti(L, -2, 1); /* preload */
  lua_rawseti(L, -2, 1);
  lua_pushstring(L, folder);
  lua_pushboolean(L, trust);
  lua_pushcclosure(L, search_folder, 2);
  lua_rawseti(L, -2, 2);
  for (int i = 2; trust && i <= 4; i++) {
    lua_rawgeti(L, -2, i);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -3, "searchers");
  lua_pop(L, 1);
  if (!trust) {
    lua_createtable(L, 0, 2);
    lua_getfield(L, -2, "loaded");
    lua_setfield(L, -2, "loaded");
    lua_pushliteral(L, LUA_DIRSEP "\n;\n?\n!\n-\n");
    lua_setfield(L, -2, "config");
    lua_pushvalue(L, -1);
    lua_setglobal(L, "package");
    lua_getfield(L, -1, "loaded");
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "package");
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
}

/* }== */

/* {== Libraries ========================================================== */

/* Registers the table on top as a library; pops it. */
static void add_library(lua_State *L, const char *library)
{
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, library);
  lua_pop(L, 1);
  lua_setglobal(L, library);
}

static void keep_only(lua_State *L, const char *library, const char *const *names)
{
  lua_newtable(L);
  lua_getglobal(L, library);
  for (; *names; names++) {
    lua_getfield(L, -1, *names);
    lua_setfield(L, -3, *names);
  }
  lua_pop(L, 1);
  add_library(L, library);
}

/* Everything of Lua but what reaches files, processes and native code, or what Lua keeps to itself. */
static void open_confined(lua_State *L)
{
  static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},          {LUA_LOADLIBNAME, luaopen_package},
                                       {LUA_COLIBNAME, luaopen_coroutine}, {LUA_TABLIBNAME, luaopen_table},
                                       {LUA_STRLIBNAME, luaopen_string},   {LUA_MATHLIBNAME, luaopen_math},
                                       {LUA_UTF8LIBNAME, luaopen_utf8},    {LUA_OSLIBNAME, luaopen_os},
                                       {LUA_DBLIBNAME, luaopen_debug},     {NULL, NULL}};
  static const char *const of_os[] = {"clock", "date", "difftime", "time", NULL};
  static const char *const of_debug[] = {"traceback", NULL};
  static const char *const gone[] = {"dofile", "loadfile", NULL};
  for (const luaL_Reg *lib = libraries; lib->name; lib++) {
    luaL_requiref(L, lib->name, lib->func, 1);
    lua_pop(L, 1);
  }
  keep_only(L, LUA_OSLIBNAME, of_os);
  keep_only(L, LUA_DBLIBNAME, of_debug);
  for (int i = 0; gone[i]; i++) {
    lua_pushnil(L);
    lua_setglobal(L, gone[i]);
  }
  lua_getglobal(L, LUA_STRLIBNAME);
  sp_pattern_open(L);
  lua_pushnil(L);
  lua_setfield(L, -2, "dump");
  lua_pop(L, 1);
  sp_library_confine(L);
}

void sp_sandbox_open(lua_State *L, const char *folder, bool trust)
{
  bool repeatable = sp_repeatable_push(L) != NULL;
  lua_pop(L, 1);
  if (trust)
    luaL_openlibs(L);
  else
    open_confined(L);
  if (!trust || repeatable)
    sp_library_steady(L);
  if (repeatable)
    sp_repeatable_open(L);
  confine_require(L, folder, trust);
}

/* }== */
