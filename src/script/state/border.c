#include "script/state/border.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/binding.h"

#define MESSAGE_MOST 1000

/* {== Raising ============================================================ */

#define FORMAT(text, format)                                                                                           \
  char text[MESSAGE_MOST];                                                                                             \
  va_list arguments;                                                                                                   \
  va_start(arguments, format);                                                                                         \
  vsnprintf(text, sizeof text, format, arguments);                                                                     \
  va_end(arguments)

SP_COLD _Noreturn void sp_raise(lua_State *L, const char *format, ...)
{
  FORMAT(text, format);
  luaL_error(L, "%s", text);
}

SP_COLD _Noreturn void sp_raise_arg(lua_State *L, int arg, const char *format, ...)
{
  FORMAT(text, format);
  luaL_argerror(L, arg, text);
}

SP_COLD _Noreturn void sp_raise_value(lua_State *L, int arg, const char *format, ...)
{
  lua_Debug here;
  FORMAT(text, format);
  if (lua_getstack(L, 0, &here) && lua_getinfo(L, "n", &here) && strcmp(here.namewhat, "metamethod") == 0)
    luaL_error(L, "%s", text);
  luaL_argerror(L, arg, text);
}

/* }== */

/* {== Raw reading ======================================================== */

/* The entry that lua_next finds: for tables with a metatable, which lua_getfield would ask. */
static int search_field(lua_State *L, int table, const char *key)
{
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), key) == 0) {
      lua_replace(L, -2);
      return lua_type(L, -1);
    }
  lua_pushnil(L);
  return LUA_TNIL;
}

/* lua_getfield makes no collector step, unlike lua_pushstring. */
int sp_raw_field(lua_State *L, int index, const char *key)
{
  index = lua_absindex(L, index);
  if (!lua_istable(L, index)) {
    lua_pushnil(L);
    return LUA_TNIL;
  }
  if (!lua_getmetatable(L, index))
    return lua_getfield(L, index, key);
  lua_pop(L, 1);
  return search_field(L, index, key);
}

int sp_raw_global(lua_State *L, const char *key)
{
  lua_pushglobaltable(L);
  int type = sp_raw_field(L, -1, key);
  lua_replace(L, -2);
  return type;
}

/* }== */

/* {== Quiet ============================================================== */

int sp_pcall_without_gc(lua_State *L, int nargs, int nresults)
{
  bool works = lua_gc(L, LUA_GCISRUNNING) > 0; /* else it rests already, or this is a finaliser */
  if (works)
    lua_gc(L, LUA_GCSTOP);
  int status = lua_pcall(L, nargs, nresults, 0);
  if (works)
    lua_gc(L, LUA_GCRESTART);
  return status;
}

void sp_call_without_gc(lua_State *L, int nargs, int nresults)
{
  if (sp_pcall_without_gc(L, nargs, nresults) != LUA_OK)
    lua_error(L);
}

/* }== */

/* {== What a game can reach ============================================== */

const sp_reach *sp_reach_next(const sp_reach *row, const char *owner, bool meta)
{
  while (row->owner && (sp_reach_is_meta(row) != meta || strcmp(row->owner, owner) != 0))
    row++;
  return row->owner ? row : NULL;
}

void sp_reach_set(lua_State *L, const sp_reach *rows, const char *owner, bool meta, const void *ud, bool shared)
{
  for (const sp_reach *row = rows; (row = sp_reach_next(row, owner, meta)) != NULL; row++) {
    bool is_there = sp_raw_field(L, -1, row->name) != LUA_TNIL;
    lua_pop(L, 1);
    if (is_there)
      continue;
    lua_pushlightuserdata(L, (void *)ud);
    if (shared)
      lua_pushvalue(L, -3);
    lua_pushcclosure(L, row->function, shared ? 2 : 1);
    lua_setfield(L, -2, row->name);
  }
}

/* }== */
