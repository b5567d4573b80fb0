/*
** Replaces every reference to a replaced thing by its successor. The walk continues over as many frames as it needs;
** references that moved during the walk are found by a second one.
*/
#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "script/reload/heap_follow.h"
#include "script/reload/heap_walk.h"

enum {
  FILTER_BITS = 1 << 14,
  LEAF_MOST = 32,   /* entries */
  RESTARTS_MOST = 2 /* of a table whose next key was removed between two calls; then it is walked at once */
};

typedef struct following {
  heap_walk walk; /* first: see sp_heap_walk_new */
  lua_Integer at; /* index in the walk's list of the current thing */
  lua_Integer steps, most, coroutines;
  int map, sources, calls, restarts;
  bool is_second, is_done;
  uint64_t filter[FILTER_BITS / 64]; /* a Bloom filter of the addresses with a successor: most have none */
} following;

/* User values, the first three those of `following`. KEY is the last key of a table that is walked in several calls, or
   nil. */
enum { MAP = SP_HEAP_PLACES + 1, SOURCES, PASSED, KEY, FOLLOWING_PLACES = KEY };

static uint32_t filter_bit(const void *address)
{
  return (uint32_t)((uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 50);
}

/* Returns whether a value may have a successor, or contain something that has. */
static bool is_reference(const following *r, int index)
{
  int type = lua_type(r->walk.L, index);
  return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
}

/* Replaces the value on top by its successor; true when it has one. */
static bool replace_by_successor(following *r)
{
  lua_State *L = r->walk.L;
  if (!is_reference(r, -1))
    return false;
  const uint32_t bit = filter_bit(lua_topointer(L, -1));
  if (!(r->filter[bit / 64] & UINT64_C(1) << bit % 64))
    return false;
  lua_pushvalue(L, -1);
  if (lua_rawget(L, r->map) == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  lua_replace(L, -2);
  return true;
}

/* Most tables are small and hold no references: those are finished at once, and not remembered. */
static bool is_leaf(following *r, int t)
{
  lua_State *L = r->walk.L;
  const int top = lua_gettop(L);
  int count = 0;
  bool leaf = !lua_getmetatable(L, t);
  lua_settop(L, top);
  for (lua_pushnil(L); leaf && lua_next(L, t); lua_pop(L, 1))
    leaf = !is_reference(r, -1) && !is_reference(r, -2) && ++count < LEAF_MOST;
  lua_settop(L, top);
  r->steps += 1 + count;
  return leaf;
}

static void visit_any(following *r, int index)
{
  index = lua_absindex(r->walk.L, index);
  if (is_reference(r, index) && !(lua_istable(r->walk.L, index) && is_leaf(r, index)))
    sp_heap_walk_visit(&r->walk, index);
}

/* Keys cannot be replaced while their table is walked: those with a successor are recorded, and moved afterwards. */
static void move_keys(following *r, int t, int moved)
{
  lua_State *L = r->walk.L;
  for (lua_Integer i = 1; lua_rawgeti(L, moved, i) != LUA_TNIL; i++) {
    int key = lua_gettop(L);
    lua_pushvalue(L, key);
    lua_pushvalue(L, key);
    lua_rawget(L, t);
    lua_pushvalue(L, key);
    lua_pushnil(L);
    lua_rawset(L, t);
    lua_insert(L, -2);
    replace_by_successor(r);
    lua_insert(L, -2);
    lua_rawset(L, t);
    lua_settop(L, key - 1);
  }
  lua_pop(L, 1);
}

/* Pushes the key to continue from: nil for the first, or again when that one was removed. */
static void push_resumed(following *r, int self, int t)
{
  lua_State *L = r->walk.L;
  if (lua_getiuservalue(L, self, KEY) == LUA_TNIL)
    return;
  lua_pushvalue(L, -1);
  if (lua_rawget(L, t) == LUA_TNIL) {
    lua_pushnil(L);
    lua_replace(L, -3);
    r->restarts++;
  }
  lua_pop(L, 1);
}

/* Replaces the value on top, records the key in `moved`, and leaves the key. */
static void rewrite_pair(following *r, int t, int moved, lua_Integer *count)
{
  lua_State *L = r->walk.L;
  int key = lua_gettop(L) - 1;
  if (replace_by_successor(r)) {
    lua_pushvalue(L, key);
    lua_pushvalue(L, key + 1);
    lua_rawset(L, t);
  }
  visit_any(r, key + 1);
  lua_settop(L, key);
  if (!is_reference(r, key))
    return;
  lua_pushvalue(L, key);
  if (replace_by_successor(r)) {
    if (*count == 0) {
      lua_newtable(L);
      lua_replace(L, moved);
    }
    lua_pushvalue(L, key);
    lua_rawseti(L, moved, ++*count);
  }
  visit_any(r, lua_gettop(L));
  lua_settop(L, key);
}

/* False when the table is long and the rest must wait. */
static bool rewrite_table(following *r, int t)
{
  lua_State *L = r->walk.L;
  const int moved = t + 1, key = t + 2;
  lua_Integer count = 0;
  lua_pushnil(L); /* the slot of `moved` */
  push_resumed(r, r->walk.self, t);
  bool more = true;
  while ((r->steps < r->most || r->restarts > RESTARTS_MOST) && (more = lua_next(L, t))) {
    r->steps++;
    rewrite_pair(r, t, moved, &count);
  }
  if (more)
    lua_pushvalue(L, key);
  else
    lua_pushnil(L);
  lua_setiuservalue(L, r->walk.self, KEY);
  if (count > 0)
    move_keys(r, t, moved);
  if (more)
    return false;
  if (lua_getmetatable(L, t)) {
    if (replace_by_successor(r)) {
      lua_pushvalue(L, -1);
      lua_setmetatable(L, t);
    }
    visit_any(r, -1);
  }
  return true;
}

static void rewrite_function(following *r, int f)
{
  lua_State *L = r->walk.L;
  if (!lua_iscfunction(L, f) && sp_is_library(L, f))
    return;
  for (int i = 1; lua_getupvalue(L, f, i); i++) {
    if (replace_by_successor(r)) {
      lua_pushvalue(L, -1);
      lua_setupvalue(L, f, i);
    }
    visit_any(r, -1);
    lua_settop(L, f);
  }
}

static void rewrite_userdata(following *r, int u)
{
  lua_State *L = r->walk.L;
  for (int i = 1; lua_getiuservalue(L, u, i) != LUA_TNONE; i++) {
    if (replace_by_successor(r)) {
      lua_pushvalue(L, -1);
      lua_setiuservalue(L, u, i);
    }
    visit_any(r, -1);
    lua_settop(L, u);
  }
  lua_settop(L, u);
  if (lua_getmetatable(L, u))
    visit_any(r, -1);
}

/* Replaces local `n` of a frame of another stack, or of this one. */
static bool rewrite_local(following *r, lua_State *co, lua_Debug *ar, int n)
{
  lua_State *L = r->walk.L;
  if (!lua_getlocal(co, ar, n))
    return false;
  if (co != L)
    lua_xmove(co, L, 1);
  if (replace_by_successor(r)) {
    lua_pushvalue(L, -1);
    if (co != L)
      lua_xmove(L, co, 1);
    lua_setlocal(co, ar, n);
  }
  visit_any(r, -1);
  lua_pop(L, 1);
  return true;
}

/* Pushes the function of a frame. Its locals belong to the game unless it is a library function. */
static bool is_game_frame(following *r, lua_State *co, lua_Debug *ar, bool *reloaded)
{
  lua_getinfo(co, "Sf", ar);
  if (co != r->walk.L)
    lua_xmove(co, r->walk.L, 1);
  visit_any(r, -1);
  lua_pop(r->walk.L, 1);
  lua_pushstring(r->walk.L, ar->source);
  *reloaded = lua_rawget(r->walk.L, r->sources) != LUA_TNIL || *reloaded;
  lua_pop(r->walk.L, 1);
  return !sp_is_library_source(ar->source);
}

/* A coroutine that was never resumed has its function and arguments on its stack, but no frame. */
static void rewrite_unstarted(following *r, lua_State *co)
{
  for (int i = 1; i <= lua_gettop(co); i++) {
    lua_pushvalue(co, i);
    lua_xmove(co, r->walk.L, 1);
    replace_by_successor(r);
    visit_any(r, -1);
    lua_xmove(r->walk.L, co, 1);
    lua_replace(co, i);
  }
}

static void rewrite_stack(following *r, lua_State *co)
{
  lua_Debug ar;
  bool reloaded = false;
  if (!lua_checkstack(co, 8))
    return;
  /* Level 0 of this stack is this C function. */
  for (int level = co == r->walk.L; lua_getstack(co, level, &ar); level++) {
    if (!is_game_frame(r, co, &ar, &reloaded))
      continue;
    for (int n = 1; rewrite_local(r, co, &ar, n);)
      n++;
    for (int n = -1; rewrite_local(r, co, &ar, n);)
      n--;
  }
  if (co != r->walk.L && lua_status(co) == LUA_OK && !lua_getstack(co, 0, &ar))
    rewrite_unstarted(r, co);
  r->coroutines += reloaded && lua_status(co) == LUA_YIELD;
}

/* False when the thing is not finished. */
static bool rewrite_thing(following *r, int thing)
{
  r->steps++;
  switch (lua_type(r->walk.L, thing)) {
  case LUA_TTABLE:
    return rewrite_table(r, thing);
  case LUA_TFUNCTION:
    rewrite_function(r, thing);
    break;
  case LUA_TTHREAD:
    rewrite_stack(r, lua_tothread(r->walk.L, thing));
    break;
  default:
    rewrite_userdata(r, thing);
    break;
  }
  return true;
}

/* Starts the walk: running code first, then the modules, then the rest. The walk itself is excluded. */
static void begin(following *r)
{
  lua_State *L = r->walk.L;
  r->at = r->calls = r->restarts = 0;
  r->coroutines = 0;
  for (int i = 1; i <= FOLLOWING_PLACES; i++) {
    if (lua_getiuservalue(L, r->walk.self, i) == LUA_TTABLE)
      sp_heap_walk_meet(&r->walk, lua_topointer(L, -1));
    lua_pop(L, 1);
  }
  sp_heap_walk_meet(&r->walk, r);
  lua_pushthread(L);
  visit_any(r, -1);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  visit_any(r, -1);
  lua_pushvalue(L, LUA_REGISTRYINDEX);
  visit_any(r, -1);
  lua_pop(L, 3);
}

int sp_heap_following(lua_State *L)
{
  lua_settop(L, 3);
  following *r = sp_heap_walk_new(L, sizeof *r, FOLLOWING_PLACES);
  for (int i = 0; i < 3; i++) {
    lua_pushvalue(L, 1 + i);
    lua_setiuservalue(L, 4, MAP + i);
  }
  sp_heap_walk_open(L, 4);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const uint32_t bit = filter_bit(lua_topointer(L, -2));
    r->filter[bit / 64] |= UINT64_C(1) << bit % 64;
  }
  begin(r);
  lua_settop(L, 4);
  return 1;
}

static bool walk_on(following *r)
{
  lua_State *L = r->walk.L;
  const int top = lua_gettop(L);
  r->steps = 0;
  r->calls++;
  while (r->at < r->walk.count && r->steps < r->most) {
    lua_rawgeti(L, r->walk.list, r->at + 1);
    if (rewrite_thing(r, top + 1)) {
      r->at++;
      r->restarts = 0;
    }
    lua_settop(L, top);
  }
  return r->at == r->walk.count;
}

int sp_heap_follow(lua_State *L)
{
  lua_Integer most = luaL_checkinteger(L, 2);
  lua_settop(L, 1);
  following *r = (following *)sp_heap_walk_open(L, 1);
  r->most = most;
  lua_getiuservalue(L, 1, MAP);
  r->map = lua_gettop(L);
  lua_getiuservalue(L, 1, SOURCES);
  r->sources = lua_gettop(L);
  if (!r->is_done && walk_on(r)) {
    r->is_done = r->is_second || r->calls == 1;
    r->is_second = true;
    if (!r->is_done) {
      sp_heap_walk_restart(&r->walk);
      begin(r);
    }
  }
  lua_pushboolean(L, r->is_done);
  lua_pushinteger(L, r->coroutines);
  return 2;
}
