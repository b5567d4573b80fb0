#include "script/sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

#include "script/folder_file.h"
#include "script/pattern.h"
#include "script/reload.h"
#include "script/source_file.h"
#include "script/watchdog.h"

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

/* Upvalues: the folder, and whether links may lead out of it. Returns a loader and the file, or a text for require's
   message. */
static int search_folder(lua_State *L)
{
  static const char *const patterns[] = {"%s/%s.lua", "%s/%s/init.lua", NULL};
  const char *folder = lua_tostring(L, lua_upvalueindex(1));
  bool trust = lua_toboolean(L, lua_upvalueindex(2));
  const char *name = luaL_checkstring(L, 1);
  if (!is_module_name(name)) {
    lua_pushfstring(L, "'%s' is no module name (letters, digits, '_', '-', parts parted by '.')", name);
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

/* {== Functions in C that would not come back ============================= */

/* Between two instructions of a script the watchdog can stop it, within a function in C or a finaliser it cannot. Here
   the arguments that make those run for ever are refused; with all others Lua's own function (the upvalue) is called in
   this very frame, so that its messages stay the same. */

#define MOVED_MOST ((lua_Unsigned)1 << 26)  /* elements: less than a second */
#define SORTED_MOST ((lua_Unsigned)1 << 22) /* a second or two */

static int call_guarded(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

/* A piece for load, by the function at upvalue 1. That may be one of C that always has more. */
static int read_piece(lua_State *L)
{
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_call(L, 0, 1);
  sp_watchdog_look(L);
  return 1;
}

/* load with mode "t" whatever the caller asked for. Upvalue: the real one. The watchdog lets the library's own chunks
   come to their end, so nobody else's may have such a name. */
static int load_text(lua_State *L)
{
  if (strncmp(luaL_optstring(L, 2, ""), "=spawnpool", sizeof "=spawnpool" - 1) == 0)
    return luaL_argerror(L, 2, "chunks called 'spawnpool' are the library's own");
  int top = lua_gettop(L) < 3 ? 3 : lua_gettop(L);
  bool has_env = lua_gettop(L) >= 4;
  lua_settop(L, top);
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  if (lua_isfunction(L, 1)) {
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, read_piece, 1);
    lua_replace(L, 1);
  }
  lua_settop(L, has_env ? 4 : 3);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, has_env ? 4 : 3, LUA_MULTRET);
  return lua_gettop(L);
}

static int guarded_setmetatable(lua_State *L)
{
  if (lua_istable(L, 2)) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL)
      return luaL_error(L, "a game in the sandbox has no finalisers (__gc): nothing could stop one that never ends");
    lua_pop(L, 1);
  }
  return call_guarded(L);
}

static int guarded_rep(lua_State *L)
{
  bool nothing = lua_type(L, 1) == LUA_TSTRING && lua_rawlen(L, 1) == 0 && lua_rawlen(L, 3) == 0;
  bool no_separator = lua_isnoneornil(L, 3) || lua_type(L, 3) == LUA_TSTRING;
  int is_count;
  lua_tointegerx(L, 2, &is_count);
  if (!nothing || !no_separator || !is_count)
    return call_guarded(L);
  lua_pushliteral(L, "");
  return 1;
}

static bool is_long_way(lua_Integer from, lua_Integer to)
{
  return to >= from && (lua_Unsigned)to - (lua_Unsigned)from >= MOVED_MOST;
}

static int guarded_move(lua_State *L)
{
  if (is_long_way(lua_tointeger(L, 2), lua_tointeger(L, 3))) /* 0 for what is none: not for us to say */
    return luaL_argerror(L, 3, "too many elements to move");
  return call_guarded(L);
}

/* Elements that are not there may be empty texts all the same, by __index. */
static int guarded_concat(lua_State *L)
{
  lua_settop(L, 4);
  if (lua_isnil(L, 4) && luaL_getmetafield(L, 1, "__len") != LUA_TNIL) {
    lua_pushinteger(L, luaL_len(L, 1));
    lua_replace(L, 4);
    lua_settop(L, 4);
  }
  lua_Integer from = lua_isnil(L, 3) ? 1 : lua_tointeger(L, 3);
  if (is_long_way(from, lua_isnil(L, 4) ? (lua_Integer)lua_rawlen(L, 1) : lua_tointeger(L, 4)))
    return luaL_argerror(L, 4, "too many elements to concatenate");
  return call_guarded(L);
}

/* insert, remove, sort: what __len tells is bounded by nothing, and the length of a table without it is any border, with a
   few elements far apart too. */
static int call_with_length(lua_State *L, lua_Unsigned most, const char *refusal)
{
  if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL)
    return luaL_argerror(L, 1, "in the sandbox a table with __len cannot be changed by this function");
  if (lua_istable(L, 1) && lua_rawlen(L, 1) > most)
    return luaL_argerror(L, 1, refusal);
  return call_guarded(L);
}

static int guarded_length(lua_State *L) { return call_with_length(L, MOVED_MOST, "too many elements to move"); }

static int guarded_sort(lua_State *L) { return call_with_length(L, SORTED_MOST, "too many elements to sort"); }

static void guard(lua_State *L, const char *library, const char *name, lua_CFunction guarded)
{
  lua_getglobal(L, library);
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, guarded, 1);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

static void guard_libraries(lua_State *L)
{
  guard(L, LUA_GNAME, "load", load_text);
  guard(L, LUA_GNAME, "setmetatable", guarded_setmetatable);
  guard(L, LUA_STRLIBNAME, "rep", guarded_rep);
  guard(L, LUA_TABLIBNAME, "move", guarded_move);
  guard(L, LUA_TABLIBNAME, "insert", guarded_length);
  guard(L, LUA_TABLIBNAME, "remove", guarded_length);
  guard(L, LUA_TABLIBNAME, "sort", guarded_sort);
  guard(L, LUA_TABLIBNAME, "concat", guarded_concat);
}

/* }== */

/* {== Libraries ========================================================== */

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
  guard_libraries(L);
  lua_getglobal(L, "string");
  lua_pushnil(L);
  lua_setfield(L, -2, "dump");
  sp_pattern_open(L);
  lua_pop(L, 1);
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
