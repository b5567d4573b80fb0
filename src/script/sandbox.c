#define _XOPEN_SOURCE 700 /* realpath */

#include "script/sandbox.h"

#include <lauxlib.h>
#include <limits.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/reload.h"

/* {== require ============================================================ */

/* Letters, digits, '_' and '-', in parts parted by single dots: nothing that could climb out of a folder. */
static bool is_module_name(const char *name)
{
  char before = '.';
  for (; *name; before = *name++) {
    bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9');
    if (!letter && *name != '_' && *name != '-' && !(*name == '.' && before != '.'))
      return false;
  }
  return before != '.';
}

static bool is_readable(const char *file)
{
  FILE *f = fopen(file, "r");
  if (f)
    fclose(f);
  return f != NULL;
}

/* Upvalue: the folder. Returns a loader and the file, or a text for require's message. */
static int search_folder(lua_State *L)
{
  static const char *const patterns[] = {"%s/%s.lua", "%s/%s/init.lua", NULL};
  const char *folder = lua_tostring(L, lua_upvalueindex(1)), *name = luaL_checkstring(L, 1);
  if (!is_module_name(name)) {
    lua_pushfstring(L, "'%s' is no module name (letters, digits, '_', '-', parts parted by '.')", name);
    return 1;
  }
  const char *path = luaL_gsub(L, name, ".", "/");
  for (int i = 0; patterns[i]; i++) {
    const char *file = lua_pushfstring(L, patterns[i], folder, path);
    if (!is_readable(file))
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
  lua_pushcclosure(L, search_folder, 1);
  lua_rawseti(L, -2, 2);
  for (int i = 2; trust && i <= 4; i++) {
    lua_rawgeti(L, -2, i);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -3, "searchers");
  lua_pop(L, 1);
  if (!trust) {
    lua_createtable(L, 0, 1);
    lua_getfield(L, -2, "loaded");
    lua_setfield(L, -2, "loaded");
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

/* load with mode "t" whatever the caller asked for. Upvalue: the real one. */
static int load_text(lua_State *L)
{
  int top = lua_gettop(L) < 3 ? 3 : lua_gettop(L);
  bool has_env = lua_gettop(L) >= 4;
  lua_settop(L, top);
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  lua_settop(L, has_env ? 4 : 3);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, has_env ? 4 : 3, LUA_MULTRET);
  return lua_gettop(L);
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
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, library);
  lua_pop(L, 1);
  lua_setglobal(L, library);
}

static void open_confined(lua_State *L)
{
  static const luaL_Reg libraries[] = {
      {LUA_GNAME, luaopen_base},       {LUA_LOADLIBNAME, luaopen_package}, {LUA_COLIBNAME, luaopen_coroutine},
      {LUA_TABLIBNAME, luaopen_table}, {LUA_STRLIBNAME, luaopen_string},   {LUA_MATHLIBNAME, luaopen_math},
      {LUA_UTF8LIBNAME, luaopen_utf8}, {LUA_OSLIBNAME, luaopen_os},        {NULL, NULL}};
  static const char *const os_names[] = {"clock", "date", "difftime", "time", NULL};
  static const char *const gone[] = {"dofile", "loadfile", NULL};
  for (const luaL_Reg *lib = libraries; lib->name; lib++) {
    luaL_requiref(L, lib->name, lib->func, 1);
    lua_pop(L, 1);
  }
  keep_only(L, LUA_OSLIBNAME, os_names);
  for (int i = 0; gone[i]; i++) {
    lua_pushnil(L);
    lua_setglobal(L, gone[i]);
  }
  lua_getglobal(L, "load");
  lua_pushcclosure(L, load_text, 1);
  lua_setglobal(L, "load");
  lua_getglobal(L, "string");
  lua_pushnil(L);
  lua_setfield(L, -2, "dump");
  lua_pop(L, 1);
}

static bool begins_with_folder(const char *file, const char *folder)
{
  size_t length = strlen(folder);
  return strncmp(file, folder, length) == 0 && file[length] == '/';
}

bool sp_sandbox_holds(const char *folder, const char *file)
{
  char real_folder[PATH_MAX], real_file[PATH_MAX];
  if (begins_with_folder(file, folder) && !strstr(file, "/../"))
    return true;
  return realpath(folder, real_folder) && realpath(file, real_file) && begins_with_folder(real_file, real_folder);
}

void sp_sandbox_open(lua_State *L, const char *folder, bool trust)
{
  if (trust)
    luaL_openlibs(L);
  else
    open_confined(L);
  confine_require(L, folder, trust);
}

/* }== */
