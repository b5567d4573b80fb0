#include "script/reload/redirect.h"

#include <lauxlib.h>
#include <stdbool.h>

#include "script/reload/heap_walk.h"

/* The replaced things are the first in the list, and are not entered. */
typedef struct redirecting {
  sp_heap_walk walk;
  uint32_t mapped; /* how many are replaced */
  int map, sources, stacks;
  lua_Integer count; /* functions that were found on the stack of the coroutine */
} redirecting;

static bool is_reference(lua_State *L, int index)
{
  int type = lua_type(L, index);
  return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
}

/* Replaces the value on top by its successor, and meets it; true when it had one. */
static bool replace(redirecting *r)
{
  lua_State *L = r->walk.L;
  if (!is_reference(L, -1))
    return false;
  const int top = lua_gettop(L);
  bool is_mapped = sp_heap_meet(&r->walk, top) <= r->mapped;
  if (is_mapped) {
    lua_rawget(L, r->map);
    if (is_reference(L, top))
      sp_heap_meet(&r->walk, top);
  }
  return is_mapped;
}

/* {== Tables ============================================================== */

/* Keys cannot be replaced while their table is walked: those with a successor are in the list `moved`. What has its
   successor's key already is dropped. */
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
    sp_heap_meet(&r->walk, top);
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

static void rewrite_next(redirecting *r)
{
  lua_State *L = r->walk.L;
  const int thing = lua_gettop(L) + 1;
  switch (lua_rawgeti(L, r->walk.list, (lua_Integer)++r->walk.done)) {
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
  lua_settop(L, thing - 1);
}

int sp_native_redirect(lua_State *L)
{
  lua_settop(L, 3);
  luaL_checkstack(L, 40, NULL);
  redirecting *r = sp_heap_walk_new(L, sizeof *r, SP_HEAP_PLACES);
  r->map = 1;
  r->sources = 2;
  lua_newtable(L);
  r->stacks = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
    sp_heap_meet(&r->walk, lua_gettop(L) - 1);
  r->mapped = r->walk.count;
  sp_heap_meet(&r->walk, r->map);
  sp_heap_meet(&r->walk, r->walk.self);
  sp_heap_meet(&r->walk, r->walk.list);
  r->walk.done = r->walk.count;
  rewrite_stack(r, L);
  sp_heap_meet_all(&r->walk, 3);
  lua_pushvalue(L, LUA_REGISTRYINDEX);
  sp_heap_meet(&r->walk, lua_gettop(L));
  lua_pop(L, 1);
  while (r->walk.done < r->walk.count)
    rewrite_next(r);
  lua_settop(L, r->stacks);
  return 1;
}

/* }== */
