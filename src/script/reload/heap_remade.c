/*
** Detects that a file with unchanged text created the same values again when it ran again. Most files that run again
** are of that kind: they use a file that was edited. Their earlier values are then kept untouched.
*/
#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "script/reload/heap_change.h"
#include "script/reload/heap_remade.h"
#include "script/state/births.h"

/* Initial room, enough for a file of usual length. */
enum { ROOM = 64 };

/* Stack indices. KNOWN and MADE map new values to earlier ones, by other files and by this one; TAKEN: the earlier
   ones -> true; WORK: pairs. */
enum { IMAGE = 1, MAKER, RESULT, STORES, KNOWN, MADE, TABLES, FUNCTIONS, CELLS, TAKEN, WORK, TOP = WORK };

typedef struct code {
  char bytes[2048];
  size_t size;
} code;

static int append_code(lua_State *L, const void *bytes, size_t size, void *ud)
{
  code *c = ud;
  (void)L;
  if (size > sizeof c->bytes - c->size)
    return 1;
  memcpy(c->bytes + c->size, bytes, size);
  c->size += size;
  return 0;
}

/* False for long code, usually of more than one line. */
static bool read_code(lua_State *L, int function, code *c)
{
  c->size = 0;
  lua_pushvalue(L, function);
  bool whole = lua_dump(L, append_code, c, 1) == 0;
  lua_pop(L, 1);
  return whole;
}

static bool is_line_same(lua_State *L, int then, int now)
{
  code a, b;
  return read_code(L, then, &a) && read_code(L, now, &b) && a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

/* Compares two functions of the same chunk. Several may be on one line: then their code decides. */
static bool is_code_same(lua_State *L, int then, int now)
{
  lua_Debug a, b;
  lua_pushvalue(L, then);
  lua_getinfo(L, ">Su", &a);
  lua_pushvalue(L, now);
  lua_getinfo(L, ">Su", &b);
  return a.source == b.source && a.linedefined == b.linedefined && a.lastlinedefined == b.lastlinedefined &&
         a.nups == b.nups && a.nparams == b.nparams && a.isvararg == b.isvararg &&
         (a.linedefined != a.lastlinedefined || is_line_same(L, then, now));
}

/* Returns whether the value at `then` may correspond to the new one at `now`. */
static bool may_be(lua_State *L, int then, int now)
{
  bool is_table = lua_istable(L, now);
  if (lua_type(L, then) != lua_type(L, now) || lua_iscfunction(L, now))
    return false;
  lua_pushvalue(L, then);
  if (lua_rawget(L, TAKEN) != LUA_TNIL)
    return false;
  lua_pushvalue(L, then);
  if (lua_rawget(L, is_table ? TABLES : FUNCTIONS) == LUA_TNIL)
    return false;
  return is_table || is_code_same(L, then, now);
}

static void link(lua_State *L, int then, int now)
{
  lua_pushvalue(L, now);
  lua_pushvalue(L, then);
  lua_rawset(L, MADE);
  lua_pushvalue(L, then);
  lua_pushboolean(L, 1);
  lua_rawset(L, TAKEN);
  lua_Integer count = (lua_Integer)lua_rawlen(L, WORK);
  lua_pushvalue(L, then);
  lua_rawseti(L, WORK, count + 1);
  lua_pushvalue(L, now);
  lua_rawseti(L, WORK, count + 2);
}

/* Pairs the earlier and the new value on top, and pops them; false when they differ. */
static bool pair(lua_State *L)
{
  const int then = lua_gettop(L) - 1, now = then + 1;
  int type = lua_type(L, now);
  bool same = sp_heap_same(L, then, now);
  if (!same && (type == LUA_TTABLE || type == LUA_TFUNCTION)) {
    lua_pushvalue(L, now);
    lua_pushvalue(L, now);
    if (lua_rawget(L, MADE) != LUA_TNIL || (lua_pop(L, 1), lua_rawget(L, KNOWN) != LUA_TNIL)) {
      same = lua_rawequal(L, -1, then);
    } else if (sp_births_maker_of(L, now) == (uint32_t)lua_tointeger(L, MAKER) && may_be(L, then, now)) {
      link(L, then, now);
      same = true;
    }
  }
  lua_settop(L, then - 1);
  return same;
}

/* Pairs the entries of the table at `t` with those of the table at `entries`. */
static bool pair_entries(lua_State *L, int entries, int t)
{
  const int top = lua_gettop(L);
  lua_Integer count = 0;
  for (lua_pushnil(L); lua_next(L, t); lua_settop(L, top + 1), count++) {
    int type = lua_type(L, top + 1);
    if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
      return false;
    lua_pushvalue(L, top + 1);
    lua_rawget(L, entries);
    lua_insert(L, -2);
    if (!pair(L))
      return false;
  }
  for (lua_pushnil(L); lua_next(L, entries); lua_settop(L, top + 1))
    count--;
  return count == 0;
}

static bool pair_tables(lua_State *L, int then, int now)
{
  lua_pushvalue(L, then);
  lua_rawget(L, TABLES);
  const int copy = lua_gettop(L);
  lua_getfield(L, copy, "entries");
  if (!pair_entries(L, copy + 1, now))
    return false;
  lua_getfield(L, copy, "meta");
  if (!lua_getmetatable(L, now))
    lua_pushnil(L);
  return pair(L);
}

/* Pairs file-locals one to one. `is_new`: the pair was not known before. */
static bool pair_cells(lua_State *L, const void *then, const void *now, bool *is_new)
{
  const int top = lua_gettop(L);
  lua_rawgetp(L, MADE, now);
  *is_new = lua_isnil(L, -1);
  if (!*is_new) {
    bool same = lua_touserdata(L, -1) == then;
    lua_settop(L, top);
    return same;
  }
  bool is_taken = lua_rawgetp(L, TAKEN, then) != LUA_TNIL;
  lua_settop(L, top);
  lua_pushlightuserdata(L, (void *)then);
  lua_rawsetp(L, MADE, now);
  lua_pushboolean(L, 1);
  lua_rawsetp(L, TAKEN, then);
  return !is_taken;
}

/* Pairs upvalue `i` of both functions; their code and names are equal. */
static bool pair_upvalues(lua_State *L, int then, int now, int i)
{
  bool is_new;
  const void *id = lua_upvalueid(L, then, i);
  if (!pair_cells(L, id, lua_upvalueid(L, now, i), &is_new))
    return false;
  if (!is_new)
    return true;
  const char *name = lua_getupvalue(L, now, i), *former = lua_getupvalue(L, then, i);
  if (strcmp(name, former) != 0)
    return false;
  if (strcmp(name, "_ENV") == 0)
    return true;
  const int value = lua_gettop(L) - 1;
  if (lua_rawgetp(L, CELLS, id) != LUA_TTABLE)
    return false;
  lua_getfield(L, -1, "base");
  lua_pushvalue(L, value);
  return pair(L);
}

static bool pair_functions(lua_State *L, int then, int now)
{
  const int top = lua_gettop(L);
  lua_Debug ar;
  lua_pushvalue(L, now);
  lua_getinfo(L, ">u", &ar);
  for (int i = 1; i <= ar.nups; i++, lua_settop(L, top))
    if (!pair_upvalues(L, then, now, i))
      return false;
  return true;
}

/* Pairs entries of the classes that the file declares. */
static bool pair_stores(lua_State *L)
{
  lua_getfield(L, IMAGE, "stores");
  const int base = lua_gettop(L);
  int count = 0;
  for (lua_pushnil(L); lua_next(L, STORES); lua_settop(L, base + 1), count++) {
    lua_pushvalue(L, base + 1);
    if (lua_rawget(L, base) != LUA_TTABLE || !pair_entries(L, base + 3, base + 2))
      return false;
  }
  for (lua_pushnil(L); lua_next(L, base); lua_pop(L, 1))
    count--;
  return count == 0;
}

static bool is_remade(lua_State *L)
{
  lua_getfield(L, IMAGE, "result");
  lua_pushvalue(L, RESULT);
  if (!pair(L) || !pair_stores(L))
    return false;
  lua_settop(L, TOP);
  for (lua_Integer at = 1; lua_rawgeti(L, WORK, at) != LUA_TNIL; at += 2, lua_settop(L, TOP)) {
    lua_rawgeti(L, WORK, at + 1);
    bool same = lua_istable(L, TOP + 1) ? pair_tables(L, TOP + 1, TOP + 2) : pair_functions(L, TOP + 1, TOP + 2);
    if (!same)
      return false;
  }
  return true;
}

int sp_heap_is_remade(lua_State *L)
{
  lua_settop(L, MADE);
  luaL_checkstack(L, 30, NULL);
  lua_getfield(L, IMAGE, "tables");
  lua_getfield(L, IMAGE, "is_function");
  lua_getfield(L, IMAGE, "cells");
  lua_createtable(L, 0, ROOM);
  lua_createtable(L, ROOM, 0);
  bool same = is_remade(L);
  lua_settop(L, TOP);
  lua_pushboolean(L, same);
  return 1;
}
