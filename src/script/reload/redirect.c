#include "script/reload/redirect.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "script/reload/capture.h"
#include "script/reload/heap_walk.h"

/* The replaced things are the first in the list, and are not entered. */
typedef struct redirecting {
  sp_heap_walk walk;
  const sp_heap_walk *whole;
  uint32_t mapped; /* how many are replaced */
  int map, sources, stacks;
  lua_Integer count; /* functions that were found on the stack of the coroutine */
} redirecting;

static bool is_reference(lua_State *L, int index)
{
  int type = lua_type(L, index);
  return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
}

/* Replaces the value on top by its successor, and returns whether it had one. Meets the result if it is new. */
static bool replace(redirecting *r)
{
  lua_State *L = r->walk.L;
  if (!is_reference(L, -1))
    return false;
  const int top = lua_gettop(L);
  const uint32_t number = sp_heap_number(&r->walk, top);
  const bool is_mapped = number > 0 && number <= r->mapped;
  if (is_mapped)
    lua_rawget(L, r->map);
  if (is_reference(L, top) && !sp_heap_number(r->whole, top))
    sp_heap_meet(&r->walk, top);
  return is_mapped;
}

/* {== Tables ============================================================== */

/* Keys cannot be replaced while their table is walked: those with a successor are in the list `moved`. An entry is
   dropped if its new key is taken. */
static void move_keys(redirecting *r, int t, int moved, lua_Integer count)
{
  lua_State *L = r->walk.L;
  const int key = lua_gettop(L) + 1;
  for (lua_Integer i = 1; i <= count; i++, lua_settop(L, key - 1)) {
    lua_rawgeti(L, moved, i);
    lua_pushvalue(L, key);
    lua_rawget(L, t);
    lua_pushvalue(L, key);
    lua_pushnil(L);
    lua_rawset(L, t);
    lua_pushvalue(L, key);
    lua_rawget(L, r->map);
    lua_pushvalue(L, key + 2);
    if (lua_rawget(L, t) != LUA_TNIL)
      continue;
    lua_pop(L, 1);
    lua_pushvalue(L, key + 1);
    lua_rawset(L, t);
  }
}

/* Replaces the value on top, and leaves the key. Returns whether the key must be replaced too. */
static bool rewrite_pair(redirecting *r, int t, int key)
{
  lua_State *L = r->walk.L;
  if (replace(r)) {
    lua_pushvalue(L, key);
    lua_insert(L, -2);
    lua_rawset(L, t);
  }
  lua_settop(L, key);
  lua_pushvalue(L, key);
  bool moves = replace(r);
  lua_settop(L, key);
  return moves;
}

static void rewrite_table(redirecting *r, int t)
{
  lua_State *L = r->walk.L;
  const int moved = t + 1, key = t + 2;
  lua_Integer count = 0;
  lua_pushnil(L);
  for (lua_pushnil(L); lua_next(L, t);) {
    if (!rewrite_pair(r, t, key))
      continue;
    if (count == 0) {
      lua_newtable(L);
      lua_replace(L, moved);
    }
    lua_pushvalue(L, key);
    lua_rawseti(L, moved, ++count);
  }
  if (count > 0)
    move_keys(r, t, moved, count);
  if (lua_getmetatable(L, t) && replace(r))
    lua_setmetatable(L, t);
}

/* }== */

/* {== The rest ============================================================ */

static void rewrite_function(redirecting *r, int f)
{
  lua_State *L = r->walk.L;
  if (sp_is_library(L, f))
    return;
  for (int i = 1; lua_getupvalue(L, f, i); i++, lua_settop(L, f))
    if (replace(r))
      lua_setupvalue(L, f, i);
}

static void rewrite_userdata(redirecting *r, int u)
{
  lua_State *L = r->walk.L;
  for (int i = 1; lua_getiuservalue(L, u, i) != LUA_TNONE; i++, lua_settop(L, u))
    if (replace(r))
      lua_setiuservalue(L, u, i);
  lua_settop(L, u);
  if (lua_getmetatable(L, u))
    replace(r);
}

/* Appends the function at `index` to the list of the coroutine, the last in `stacks`. */
static void append_function(redirecting *r, int index)
{
  lua_State *L = r->walk.L;
  lua_Integer count = (lua_Integer)lua_rawlen(L, r->stacks);
  if (r->count == 0) {
    lua_newtable(L);
    lua_rawseti(L, r->stacks, ++count);
  }
  lua_rawgeti(L, r->stacks, count);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, ++r->count);
}

static void rewrite_variable(void *ud, lua_State *co, lua_Debug *ar, int n)
{
  redirecting *r = ud;
  lua_State *L = r->walk.L;
  const int top = lua_gettop(L);
  if (ar && n == 0) {
    lua_pushstring(L, ar->source);
    if (lua_rawget(L, r->sources) != LUA_TNIL && lua_status(co) == LUA_YIELD)
      append_function(r, top);
    lua_settop(L, top);
    replace(r);
    return;
  }
  if (!replace(r))
    return;
  lua_pushvalue(L, top);
  if (co != L)
    lua_xmove(L, co, 1);
  if (ar)
    lua_setlocal(co, ar, n);
  else
    lua_replace(co, n);
}

static void rewrite_stack(redirecting *r, lua_State *co)
{
  r->count = 0;
  sp_heap_each_variable(&r->walk, co, rewrite_variable, r);
}

static void rewrite_thing(redirecting *r, int thing)
{
  lua_State *L = r->walk.L;
  switch (lua_type(L, thing)) {
  case LUA_TTABLE:
    rewrite_table(r, thing);
    break;
  case LUA_TFUNCTION:
    rewrite_function(r, thing);
    break;
  case LUA_TUSERDATA:
    rewrite_userdata(r, thing);
    break;
  case LUA_TTHREAD:
    rewrite_stack(r, lua_tothread(L, thing));
    break;
  default:
    break;
  }
  lua_settop(L, thing);
}

/* Rewrites the thing with this number in the list of the capture. */
static void rewrite_holder(void *ud, uint32_t thing)
{
  redirecting *r = ud;
  lua_State *L = r->walk.L;
  lua_rawgeti(L, r->whole->list, thing);
  rewrite_thing(r, lua_gettop(L));
  lua_pop(L, 1);
}

static void rewrite_list(redirecting *r, int list)
{
  lua_State *L = r->walk.L;
  const int thing = lua_gettop(L) + 1;
  for (lua_Integer i = 1; lua_rawgeti(L, list, i) != LUA_TNIL; i++, lua_settop(L, thing - 1))
    rewrite_thing(r, thing);
  lua_settop(L, thing - 1);
}

/* Rewrites values that existed before: of tables and variables the entries that the capture lists, of values without a
   copy all. */
static void rewrite_known(redirecting *r, int whole)
{
  lua_State *L = r->walk.L;
  const int top = lua_gettop(L);
  bool *marks = lua_newuserdatauv(L, r->whole->count + (size_t)1, 0);
  memset(marks, 0, r->whole->count + (size_t)1);
  for (lua_pushnil(L); lua_next(L, r->map); lua_pop(L, 1))
    marks[sp_heap_number(r->whole, lua_gettop(L) - 1)] = true;
  marks[0] = false;
  sp_capture_each_holder(lua_touserdata(L, whole), marks, rewrite_holder, r);
  sp_capture_push_passed(L, whole);
  rewrite_list(r, lua_gettop(L));
  lua_settop(L, top);
}

int sp_native_redirect(lua_State *L)
{
  enum { WHOLE = 1, MAP, SOURCES, ROOTS };
  lua_settop(L, ROOTS);
  luaL_checkstack(L, 40, NULL);
  sp_capture_open(L, WHOLE);
  redirecting *r = sp_heap_walk_new(L, sizeof *r, SP_HEAP_PLACES, 0);
  r->whole = lua_touserdata(L, WHOLE);
  r->map = MAP;
  r->sources = SOURCES;
  lua_newtable(L);
  r->stacks = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, MAP); lua_pop(L, 1))
    sp_heap_meet(&r->walk, lua_gettop(L) - 1);
  r->mapped = r->walk.count;
  sp_heap_meet(&r->walk, MAP);
  sp_heap_meet(&r->walk, r->walk.self);
  sp_heap_meet(&r->walk, r->walk.list);
  r->walk.done = r->walk.count;
  rewrite_known(r, WHOLE);
  rewrite_stack(r, L);
  rewrite_list(r, ROOTS);
  const int thing = lua_gettop(L) + 1;
  while (r->walk.done < r->walk.count) {
    lua_rawgeti(L, r->walk.list, (lua_Integer)++r->walk.done);
    rewrite_thing(r, thing);
    lua_settop(L, thing - 1);
  }
  lua_settop(L, r->stacks);
  return 1;
}

/* }== */
