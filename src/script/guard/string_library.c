/*
** string.format and string.rep, os.date and os.time, and debug.traceback.
*/
#include "script/guard/string_library.h"

#include <lauxlib.h>
#include <string.h>

#include "script/guard/identity.h"
#include "script/guard/watchdog.h"
#include "script/state/border.h"

#define DATE_MOST 1000 /* bytes of a format: each conversion takes time */

/* Calls Lua's own function, the upvalue, in this frame, so that its messages are unchanged. */
static int call_original(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

/* The sp_repeatable of the state, or NULL. */
static sp_repeatable *repeatable_of(lua_State *L) { return sp_repeatable_at(L, lua_upvalueindex(2)); }

/* Replaces the function `name` of the library on top of the stack by `ours`, with Lua's own as its upvalue. */
static void replace(lua_State *L, const char *name, lua_CFunction ours)
{
  sp_raw_field(L, -1, name);
  sp_repeatable_push(L);
  lua_pushcclosure(L, ours, 2);
  lua_setfield(L, -2, name);
}

/* {== string ============================================================= */

/* Returns the letter of the conversion that begins behind a '%'. */
static const char *skip_options(const char *at) { return at + strspn(at, "-+ #0123456789."); }

static bool may_call(lua_State *L, int arg)
{
  int type = lua_type(L, arg);
  return type == LUA_TTABLE || type == LUA_TUSERDATA;
}

/* In a repeatable state addresses are replaced, in the arguments, and "%p" by "%s". */
static int format_repeatably(lua_State *L, sp_repeatable *r)
{
  size_t length;
  int top = lua_gettop(L), arg = 1;
  const char *format = luaL_checklstring(L, 1, &length), *end = format + length;
  sp_work work = sp_work_begin(L);
  char *copy = memcpy(lua_newuserdatauv(L, length + 1, 0), format, length + 1);
  for (const char *at = format; arg < top && (at = memchr(at, '%', (size_t)(end - at))) != NULL; at++) {
    at = skip_options(at + 1);
    if (*at == '%')
      continue;
    arg++;
    if (*at == 'p') {
      copy[at - format] = 's';
      sp_identity_push_pointer(L, r, arg);
    } else if (*at == 's') {
      sp_identity_push_text(L, r, arg);
      sp_work_called(&work);
    } else {
      continue;
    }
    lua_replace(L, arg);
  }
  lua_pushlstring(L, copy, length);
  lua_replace(L, 1);
  lua_settop(L, top);
  return call_original(L);
}

/* "%s" may call metamethods written in C: it is converted here, one by one. */
static int text_format(lua_State *L)
{
  size_t length;
  int top = lua_gettop(L), arg = 2;
  if (repeatable_of(L))
    return format_repeatably(L, repeatable_of(L));
  while (arg <= top && !may_call(L, arg))
    arg++;
  if (arg > top)
    return call_original(L);
  const char *format = luaL_checklstring(L, 1, &length), *end = format + length;
  sp_work work = sp_work_begin(L);
  arg = 1;
  for (const char *at = format; arg < top && (at = memchr(at, '%', (size_t)(end - at))) != NULL; at++) {
    at = skip_options(at + 1);
    if (*at == '%')
      continue;
    if (!may_call(L, ++arg) || *at != 's')
      continue;
    luaL_tolstring(L, arg, NULL);
    lua_replace(L, arg);
    sp_work_called(&work);
  }
  return call_original(L);
}

/* Repeating an empty string returns at once. */
static int text_rep(lua_State *L)
{
  bool nothing = lua_type(L, 1) == LUA_TSTRING && lua_rawlen(L, 1) == 0 && lua_rawlen(L, 3) == 0;
  bool no_separator = lua_isnoneornil(L, 3) || lua_type(L, 3) == LUA_TSTRING;
  int is_count;
  lua_tointegerx(L, 2, &is_count);
  if (!nothing || !no_separator || !is_count)
    return call_original(L);
  lua_pushliteral(L, "");
  return 1;
}

void sp_texts_open(lua_State *L)
{
  replace(L, "format", text_format);
  replace(L, "rep", text_rep);
}

/* }== */

/* {== os ================================================================= */

static int os_date(lua_State *L)
{
  if (lua_type(L, 1) == LUA_TSTRING && lua_rawlen(L, 1) > DATE_MOST)
    return luaL_argerror(L, 1, "format too long");
  if (repeatable_of(L) && lua_isnoneornil(L, 2)) {
    luaL_optstring(L, 1, "%c");
    lua_settop(L, 1);
    lua_pushinteger(L, sp_repeatable_time(repeatable_of(L)));
  }
  return call_original(L);
}

static const char *const time_fields[] = {"year", "month", "day", "hour", "min", "sec", "isdst", "yday", "wday", NULL};

/* Copies the fields that Lua's function reads or writes, raw: metamethods could be arbitrary functions. */
static void copy_time(lua_State *L, int from, int to)
{
  for (int i = 0; time_fields[i]; i++) {
    lua_pushstring(L, time_fields[i]);
    sp_raw_field(L, from, time_fields[i]);
    lua_rawset(L, to);
  }
}

static int os_time(lua_State *L)
{
  if (repeatable_of(L) && lua_isnoneornil(L, 1)) {
    lua_pushinteger(L, sp_repeatable_time(repeatable_of(L)));
    return 1;
  }
  if (!lua_istable(L, 1))
    return call_original(L);
  lua_settop(L, 1);
  lua_newtable(L);
  copy_time(L, 1, 2);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 2);
  lua_call(L, 1, 1);
  copy_time(L, 2, 1); /* it normalizes them */
  return 1;
}

static int os_clock(lua_State *L)
{
  if (!repeatable_of(L))
    return call_original(L);
  lua_pushnumber(L, sp_repeatable_clock(repeatable_of(L)));
  return 1;
}

void sp_dates_open(lua_State *L)
{
  replace(L, "clock", os_clock);
  replace(L, "date", os_date);
  replace(L, "time", os_time);
}

/* }== */

/* {== debug ============================================================== */

static int debug_traceback(lua_State *L)
{
  lua_State *of = lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
  int arg = of == L && !lua_isthread(L, 1) ? 1 : 2;
  if (lua_type(L, arg) != LUA_TSTRING && !lua_isnoneornil(L, arg)) {
    lua_pushvalue(L, arg); /* other values are returned unchanged */
    return 1;
  }
  lua_Integer level = luaL_optinteger(L, arg + 1, of == L ? 1 : 0);
  luaL_traceback(L, of, lua_tostring(L, arg), level < 0 || level > 1000000 ? 1000000 : (int)level);
  return 1;
}

void sp_push_debug(lua_State *L)
{
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, debug_traceback);
  lua_setfield(L, -2, "traceback");
}

/* }== */
