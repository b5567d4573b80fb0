/*
** Every reference to what was replaced, wherever it is held, is turned to what took its place.
*/
#include <lauxlib.h>
#include <stdbool.h>

#include "script/heap.h"
#include "script/heap_walk.h"

enum { FILTER_BITS = 1 << 14 };

typedef struct rewriting {
  heap_walk *walk;
  int map, files;
  lua_Integer coroutines;
  uint64_t filter[FILTER_BITS / 64]; /* addresses of what has a successor, hashed to a bit: most have none */
} rewriting;

static uint64_t *filter_of(rewriting *r, const void *address, uint64_t *bit)
{
  uint64_t hash = (uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 50;
  *bit = UINT64_C(1) << hash % 64;
  return &r->filter[hash / 64];
}

/* Whether a value may have a successor, or hold something that has. */
static bool is_reference(const rewriting *r, int index)
{
  int type = lua_type(r->walk->L, index);
  return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
}

/* Replaces the value on top by its successor; true when it has one. */
static bool succeed(rewriting *r)
{
  lua_State *L = r->walk->L;
  uint64_t bit;
  if (!is_reference(r, -1) || !(*filter_of(r, lua_topointer(L, -1), &bit) & bit))
    return false;
  lua_pushvalue(L, -1);
  if (lua_rawget(L, r->map) == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  lua_replace(L, -2);
  return true;
}

static void visit_any(rewriting *r, int index)
{
  if (is_reference(r, index))
    sp_heap_walk_visit(r->walk, index);
}

/* Keys cannot be replaced while their table is walked: those with a successor are noted, and moved afterwards. */
static void move_keys(rewriting *r, int t, int moved)
{
  lua_State *L = r->walk->L;
  for (lua_Integer i = 1; lua_rawgeti(L, moved, i) != LUA_TNIL; i++) {
    int key = lua_gettop(L);
    lua_pushvalue(L, key);
    lua_pushvalue(L, key);
    lua_rawget(L, t);
    lua_pushvalue(L, key);
    lua_pushnil(L);
    lua_rawset(L, t);
    lua_insert(L, -2);
    succeed(r);
    lua_insert(L, -2);
    lua_rawset(L, t);
    lua_settop(L, key - 1);
  }
  lua_pop(L, 1);
}

static void rewrite_table(rewriting *r, int t)
{
  lua_State *L = r->walk->L;
  int moved = 0;
  lua_Integer count = 0;
  lua_pushnil(L); /* the place of `moved` */
  for (lua_pushnil(L); lua_next(L, t);) {
    int key = lua_gettop(L) - 1;
    if (succeed(r)) {
      lua_pushvalue(L, key);
      lua_pushvalue(L, key + 1);
      lua_rawset(L, t);
    }
    visit_any(r, key + 1);
    lua_settop(L, key);
    if (!is_reference(r, key))
      continue;
    lua_pushvalue(L, key);
    if (succeed(r)) {
      if (!moved) {
        lua_newtable(L);
        lua_replace(L, t + 1);
        moved = t + 1;
      }
      lua_pushvalue(L, key);
      lua_rawseti(L, moved, ++count);
    }
    visit_any(r, lua_gettop(L));
    lua_settop(L, key);
  }
  if (moved)
    move_keys(r, t, moved);
  if (lua_getmetatable(L, t)) {
    if (succeed(r)) {
      lua_pushvalue(L, -1);
      lua_setmetatable(L, t);
    }
    visit_any(r, -1);
  }
}

static void rewrite_function(rewriting *r, int f)
{
  lua_State *L = r->walk->L;
  if (!lua_iscfunction(L, f) && sp_is_library(L, f))
    return;
  for (int i = 1; lua_getupvalue(L, f, i); i++) {
    if (succeed(r)) {
      lua_pushvalue(L, -1);
      lua_setupvalue(L, f, i);
    }
    visit_any(r, -1);
    lua_settop(L, f);
  }
}

static void rewrite_userdata(rewriting *r, int u)
{
  lua_State *L = r->walk->L;
  for (int i = 1; lua_getiuservalue(L, u, i) != LUA_TNONE; i++) {
    if (succeed(r)) {
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

/* Local `n` of a frame of another stack, or of this one: it is replaced where it lies. */
static bool rewrite_local(rewriting *r, lua_State *co, lua_Debug *ar, int n)
{
  lua_State *L = r->walk->L;
  if (!lua_getlocal(co, ar, n))
    return false;
  if (co != L)
    lua_xmove(co, L, 1);
  if (succeed(r)) {
    lua_pushvalue(L, -1);
    if (co != L)
      lua_xmove(L, co, 1);
    lua_setlocal(co, ar, n);
  }
  visit_any(r, -1);
  lua_pop(L, 1);
  return true;
}

/* The function of a frame is pushed; its locals are the game's unless it is one of the library. */
static bool is_game_frame(rewriting *r, lua_State *co, lua_Debug *ar, bool *reloaded)
{
  lua_getinfo(co, "Sf", ar);
  if (co != r->walk->L)
    lua_xmove(co, r->walk->L, 1);
  visit_any(r, -1);
  lua_pop(r->walk->L, 1);
  lua_pushstring(r->walk->L, ar->source);
  *reloaded = lua_rawget(r->walk->L, r->files) != LUA_TNIL || *reloaded;
  lua_pop(r->walk->L, 1);
  return !sp_is_library_source(ar->source);
}

/* A coroutine that was never resumed has its function and arguments on its stack, and no frame. */
static void rewrite_unstarted(rewriting *r, lua_State *co)
{
  for (int i = 1; i <= lua_gettop(co); i++) {
    lua_pushvalue(co, i);
    lua_xmove(co, r->walk->L, 1);
    succeed(r);
    visit_any(r, -1);
    lua_xmove(r->walk->L, co, 1);
    lua_replace(co, i);
  }
}

static void rewrite_stack(rewriting *r, lua_State *co)
{
  lua_Debug ar;
  bool reloaded = false;
  if (!lua_checkstack(co, 8))
    return;
  /* Level 0 of this stack is this very function. */
  for (int level = co == r->walk->L; lua_getstack(co, level, &ar); level++) {
    if (!is_game_frame(r, co, &ar, &reloaded))
      continue;
    for (int n = 1; rewrite_local(r, co, &ar, n);)
      n++;
    for (int n = -1; rewrite_local(r, co, &ar, n);)
      n--;
  }
  if (co != r->walk->L && lua_status(co) == LUA_OK && !lua_getstack(co, 0, &ar))
    rewrite_unstarted(r, co);
  r->coroutines += reloaded && lua_status(co) == LUA_YIELD;
}

static void rewrite_thing(rewriting *r, int thing)
{
  switch (lua_type(r->walk->L, thing)) {
  case LUA_TTABLE:
    rewrite_table(r, thing);
    break;
  case LUA_TFUNCTION:
    rewrite_function(r, thing);
    break;
  case LUA_TTHREAD:
    rewrite_stack(r, lua_tothread(r->walk->L, thing));
    break;
  default:
    rewrite_userdata(r, thing);
    break;
  }
}

static void note_replaced(rewriting *r)
{
  lua_State *L = r->walk->L;
  uint64_t bit;
  for (lua_pushnil(L); lua_next(L, r->map); lua_pop(L, 1))
    *filter_of(r, lua_topointer(L, -2), &bit) |= bit;
}

int sp_heap_rewrite(lua_State *L)
{
  lua_settop(L, 2);
  rewriting r = {.walk = sp_heap_walk_new(L, sizeof *r.walk, SP_HEAP_PLACES), .map = 1, .files = 2};
  sp_heap_walk_open(L, lua_gettop(L));
  sp_heap_walk_meet(r.walk, lua_topointer(L, 1)); /* the map itself stays as it is */
  note_replaced(&r);
  lua_pushvalue(L, LUA_REGISTRYINDEX);
  visit_any(&r, -1);
  const int top = lua_gettop(L);
  for (lua_Integer at = 0; at < r.walk->count; lua_settop(L, top)) {
    lua_rawgeti(L, r.walk->list, ++at);
    rewrite_thing(&r, top + 1);
  }
  lua_pushinteger(L, r.coroutines);
  return 1;
}
