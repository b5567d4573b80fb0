/*
** `load` and `setmetatable` of the sandbox.
*/
#include "script/guard/base_library.h"

#include <lauxlib.h>
#include <string.h>

#include "script/guard/repeatable.h"
#include "script/guard/watchdog.h"
#include "script/state/border.h"
#include "script/state/report.h"

/* {== Texts in pieces ===================================================== */

#define PIECE 1024 /* bytes */

/* The compiler reads the text in pieces. */
typedef struct loading {
  const char *at;
  size_t left;
  int function; /* stack index of the function that returns pieces, or 0; its last text is above it */
  char first;   /* the first byte; 0: none */
  sp_work work;
} loading;

/* Reads the next text from the function at l->function. False at the end. */
static bool ask_for_more(lua_State *L, loading *l)
{
  luaL_checkstack(L, 2, "too many nested functions");
  lua_pushvalue(L, l->function);
  lua_call(L, 0, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  if (!lua_isstring(L, -1))
    luaL_error(L, "reader function must return a string");
  lua_replace(L, l->function + 1);
  l->at = lua_tolstring(L, l->function + 1, &l->left);
  return l->left > 0;
}

/* A lua_Reader. */
static const char *next_piece(lua_State *L, void *ud, size_t *size)
{
  loading *l = ud;
  sp_work_look(&l->work);
  if (l->left == 0 && (!l->function || !ask_for_more(L, l)))
    return NULL;
  if (!l->first)
    l->first = *l->at;
  *size = l->left < PIECE ? l->left : PIECE;
  const char *piece = l->at;
  l->at += *size;
  l->left -= *size;
  return piece;
}

/* }== */

/* {== load =============================================================== */

/* Bytecode is rejected whatever the mode is, and so are texts if the mode allows bytecode only. The watchdog never
   interrupts chunks with names of the library, so no other chunk may have such a name. */
static int load(lua_State *L)
{
  const char *text = lua_tostring(L, 1), *mode = luaL_optstring(L, 3, "bt");
  const char *name = luaL_optstring(L, 2, text ? text : "=(load)");
  bool has_env = !lua_isnone(L, 4);
  loading l = {.function = 0, .work = sp_work_begin(L)};
  if (!text)
    luaL_checktype(L, 1, LUA_TFUNCTION);
  if (strncmp(name, "=spawnpool", sizeof "=spawnpool" - 1) == 0)
    return luaL_argerror(L, 2, "chunks called 'spawnpool' are the library's own");
  lua_settop(L, 5);
  if (text) {
    l.at = lua_tolstring(L, 1, &l.left);
  } else { /* below the slot of its texts */
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    l.function = 6;
  }
  bool loaded = lua_load(L, next_piece, &l, name, "t") == LUA_OK;
  if (l.first != *LUA_SIGNATURE && !strchr(mode, 't')) {
    lua_pushfstring(L, "attempt to load a text chunk (mode is '%s')", mode);
  } else if (loaded) {
    if (has_env) {
      lua_pushvalue(L, 4);
      if (!lua_setupvalue(L, -2, 1))
        lua_pop(L, 1);
    }
    return 1;
  }
  luaL_pushfail(L);
  lua_insert(L, -2);
  return 2;
}

/* }== */

/* {== setmetatable ======================================================== */

static void warn_of_finaliser(lua_State *L)
{
  luaL_where(L, 1);
  lua_pushliteral(L, "__gc is not called in the sandbox: <close> ends a block, on_despawn a life");
  lua_concat(L, 2);
  sp_report_text(L, sp_context_of(L), SP_REPORT_WARNING, lua_tostring(L, -1));
  lua_pop(L, 1);
}

/* The names of these entries, and the sp_repeatable, if any. */
enum { GC = lua_upvalueindex(1), PROTECTION = lua_upvalueindex(2), REPEATABLE = lua_upvalueindex(3) };

/* Lua checks for __gc when a metatable is set: it is removed for that moment. It is the third value on the stack. */
static void set_without_finaliser(lua_State *L)
{
  lua_pushvalue(L, GC);
  lua_pushnil(L);
  lua_rawset(L, 2);
  lua_pushvalue(L, 2);
  lua_setmetatable(L, 1);
  lua_pushvalue(L, GC);
  lua_pushvalue(L, 3);
  lua_rawset(L, 2);
  warn_of_finaliser(L);
}

/* Returns whether the metatable of the value at 1 is protected; leaves the stack unchanged. */
static bool is_protected(lua_State *L)
{
  if (!lua_getmetatable(L, 1))
    return false;
  lua_pushvalue(L, PROTECTION);
  bool is = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return is;
}

static int set_metatable(lua_State *L)
{
  int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    luaL_typeerror(L, 2, "nil or table");
  if (is_protected(L))
    return luaL_error(L, "cannot change a protected metatable");
  lua_settop(L, 2);
  sp_repeatable *repeatable = sp_repeatable_at(L, REPEATABLE);
  if (repeatable && type == LUA_TTABLE)
    sp_repeatable_note_metatable(L, repeatable, 2);
  lua_pushvalue(L, GC);
  if (type == LUA_TTABLE && lua_rawget(L, 2) != LUA_TNIL) {
    set_without_finaliser(L);
    lua_settop(L, 1);
    return 1;
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

/* }== */

void sp_globals_open(lua_State *L)
{
  lua_pushcfunction(L, load);
  lua_setfield(L, -2, "load");
  lua_pushliteral(L, "__gc");
  lua_pushliteral(L, "__metatable");
  sp_repeatable_push(L);
  lua_pushcclosure(L, set_metatable, 3);
  lua_setfield(L, -2, "setmetatable");
}
