#include "script/guard/sandbox.h"

#include <lauxlib.h>
#include <limits.h>
#include <lualib.h>
#include <string.h>

#include "script/guard/pattern.h"
#include "script/guard/repeatable.h"
#include "script/guard/source_file.h"
#include "script/guard/watchdog.h"
#include "script/state/border.h"
#include "script/state/report.h"

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

/* {== load =============================================================== */

/* Bytecode is refused whatever the mode is. The watchdog never interrupts chunks with names of the library, so no other
   chunk may have such a name. */
static int load(lua_State *L)
{
  size_t size = 0;
  const char *text = lua_tolstring(L, 1, &size), *mode = luaL_optstring(L, 3, "bt");
  const char *name = luaL_optstring(L, 2, text ? text : "=(load)");
  bool has_env = !lua_isnone(L, 4);
  if (!text)
    luaL_checktype(L, 1, LUA_TFUNCTION);
  if (strncmp(name, "=spawnpool", sizeof "=spawnpool" - 1) == 0)
    return luaL_argerror(L, 2, "chunks called 'spawnpool' are the library's own");
  lua_settop(L, 4);
  if (!strchr(mode, 't') && !(text && *text == *LUA_SIGNATURE)) {
    luaL_pushfail(L);
    lua_pushfstring(L, "attempt to load a text chunk (mode is '%s')", mode);
    return 2;
  }
  if (!sp_load_text(L, text, size, text ? 0 : 1, name)) {
    luaL_pushfail(L);
    lua_insert(L, -2);
    return 2;
  }
  if (has_env) {
    lua_pushvalue(L, 4);
    if (!lua_setupvalue(L, -2, 1))
      lua_pop(L, 1);
  }
  return 1;
}

/* }== */

/* {== setmetatable ======================================================== */

enum { REPEATABLE = lua_upvalueindex(1), ORIGINAL = lua_upvalueindex(2), GC = lua_upvalueindex(3) };

static void warn_of_finaliser(lua_State *L)
{
  luaL_where(L, 1);
  lua_pushliteral(L, "__gc is not called in the sandbox: <close> ends a block, on_despawn a life");
  lua_concat(L, 2);
  sp_report_text(L, sp_context_of(L), SP_REPORT_WARNING, lua_tostring(L, -1));
  lua_pop(L, 1);
}

/* Finalisers cannot be stopped. Lua looks for __gc when a metatable is set: it is taken away for that moment. */
static int set_metatable(lua_State *L)
{
  bool has_finaliser = false;
  if (lua_istable(L, 1) && lua_istable(L, 2)) {
    sp_repeatable *repeatable = sp_repeatable_at(L, REPEATABLE);
    if (repeatable)
      sp_repeatable_note_metatable(L, repeatable, 2);
    lua_settop(L, 2);
    lua_pushvalue(L, GC);
    has_finaliser = lua_rawget(L, 2) != LUA_TNIL;
  }
  if (!has_finaliser)
    return lua_tocfunction(L, ORIGINAL)(L);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  lua_pushvalue(L, GC);
  lua_pushnil(L);
  lua_rawset(L, 2);
  lua_pushvalue(L, 2);
  lua_setmetatable(L, 1);
  lua_pushvalue(L, GC);
  lua_pushvalue(L, 3);
  lua_rawset(L, 2);
  warn_of_finaliser(L);
  lua_settop(L, 1);
  return 1;
}

/* }== */

/* {== table.sort ========================================================== */

/* A merge sort of indices: the elements stay where they are until their order is known, so an error in the order
   function loses none of them, and elements that are equal keep their order. */

typedef struct sorting {
  lua_State *L;
  sp_work work;
  bool has_order; /* a function at 2 */
} sorting;

enum { TABLE = 1, ORDER, ELEMENTS }; /* on the stack */

/* Returns whether element `a` goes before element `b`. */
static bool is_less(sorting *s, unsigned a, unsigned b)
{
  lua_State *L = s->L;
  if (s->has_order)
    lua_pushvalue(L, ORDER);
  lua_rawgeti(L, ELEMENTS, a);
  lua_rawgeti(L, ELEMENTS, b);
  size_t length = lua_type(L, -1) == LUA_TSTRING ? (size_t)lua_rawlen(L, -1) : 0;
  if (s->has_order)
    lua_call(L, 2, 1);
  bool less = s->has_order ? lua_toboolean(L, -1) : lua_compare(L, -2, -1, LUA_OPLT);
  lua_settop(L, ELEMENTS + 1);
  sp_work_do(&s->work, length < SP_STEPS_A_CHECK ? 4 + (uint32_t)length / 16 : SP_STEPS_A_CHECK);
  return less;
}

/* Merges two neighbouring runs of `from` into `to`. */
static void merge(sorting *s, const unsigned *from, unsigned *to, unsigned low, unsigned middle, unsigned high)
{
  unsigned a = low, b = middle;
  for (unsigned i = low; i < high; i++)
    to[i] = b >= high || (a < middle && !is_less(s, from[b], from[a])) ? from[a++] : from[b++];
}

/* Sorts the indices in `at`; `spare` has room for as many. Returns which of the two has the result. */
static const unsigned *sort(sorting *s, unsigned *at, unsigned *spare, unsigned count)
{
  for (unsigned width = 1; width < count; width *= 2) {
    for (unsigned low = 0; low < count; low += 2 * width) {
      unsigned middle = low + width < count ? low + width : count;
      merge(s, at, spare, low, middle, middle + width < count ? middle + width : count);
    }
    unsigned *sorted = spare;
    spare = at;
    at = sorted;
  }
  return at;
}

static bool is_sorted(sorting *s, unsigned count)
{
  unsigned i = 2;
  while (i <= count && !is_less(s, i, i - 1))
    i++;
  return i > count;
}

/* Returns whether a value that is no table has the metamethods that Lua's table.sort requires. */
static bool stands_in(lua_State *L)
{
  static const char *const needed[] = {"__index", "__newindex", "__len", NULL};
  int top = lua_gettop(L);
  for (int i = 0; needed[i]; i++)
    if (luaL_getmetafield(L, TABLE, needed[i]) == LUA_TNIL)
      return false;
  lua_settop(L, top);
  return true;
}

static int table_sort(lua_State *L)
{
  if (!lua_istable(L, TABLE) && !stands_in(L))
    luaL_checktype(L, TABLE, LUA_TTABLE);
  lua_Integer length = luaL_len(L, TABLE);
  luaL_argcheck(L, length < INT_MAX / 2, TABLE, "array too big");
  if (length > 1 && !lua_isnoneornil(L, ORDER))
    luaL_checktype(L, ORDER, LUA_TFUNCTION);
  if (length <= 1)
    return 0;
  lua_settop(L, ORDER);
  sorting s = {L, sp_work_begin(L), !lua_isnil(L, ORDER)};
  unsigned count = (unsigned)length;
  lua_createtable(L, (int)count, 0);
  unsigned *at = lua_newuserdatauv(L, 2 * sizeof *at * count, 0);
  for (unsigned i = 0; i < count; i++) {
    at[i] = i + 1;
    lua_geti(L, TABLE, i + 1);
    lua_rawseti(L, ELEMENTS, i + 1);
    sp_work_do(&s.work, 1);
  }
  if (is_sorted(&s, count))
    return 0;
  const unsigned *sorted = sort(&s, at, at + count, count);
  for (unsigned i = 0; i < count; i++) {
    lua_rawgeti(L, ELEMENTS, sorted[i]);
    lua_seti(L, TABLE, i + 1);
    sp_work_do(&s.work, 1);
  }
  return 0;
}

/* }== */

/* Replaces `load` and `setmetatable`. */
static void confine_functions(lua_State *L)
{
  lua_pushglobaltable(L);
  lua_pushcfunction(L, load);
  lua_setfield(L, -2, "load");
  sp_repeatable_push(L);
  lua_getfield(L, -2, "setmetatable");
  lua_pushliteral(L, "__gc");
  lua_pushcclosure(L, set_metatable, 3);
  lua_setfield(L, -2, "setmetatable");
  lua_pop(L, 1);
}

void sp_sandbox_steady_sort(lua_State *L)
{
  lua_getglobal(L, LUA_TABLIBNAME);
  lua_pushcfunction(L, table_sort);
  lua_setfield(L, -2, "sort");
  lua_pop(L, 1);
}

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
  confine_functions(L);
}

void sp_sandbox_open(lua_State *L, const char *folder, bool trust)
{
  sp_repeatable *repeatable = sp_repeatable_push(L);
  lua_pop(L, 1);
  if (trust)
    luaL_openlibs(L);
  else
    open_confined(L);
  if (!trust || repeatable)
    sp_sandbox_steady_sort(L);
  if (repeatable)
    sp_repeatable_open(L);
  confine_require(L, folder, trust);
}

/* }== */
