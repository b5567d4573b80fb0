#include "script/heap.h"

#include <lauxlib.h>
#include <stdbool.h>

#include "script/heap_walk.h"

/* Stands for nil where a table must hold something, and for "the metatable" where a key is expected. */
static const char nothing = 0, metatable = 0;

static void *const NOTHING = (void *)&nothing;
static void *const METATABLE = (void *)&metatable;

/* {== Scan ================================================================ */

/* The parts of a shot. */
static const char *const parts[] = {"copies", "counts", "metas", "cells", "owner", "stop", NULL};
enum { COPIES, COUNTS, METAS, CELLS, OWNER, STOP, PARTS };

typedef struct scan {
  heap_walk walk;
  int part[PARTS]; /* stack places */
  int label, log;
  lua_Integer logged;
} scan;

int sp_heap_shot(lua_State *L)
{
  lua_createtable(L, 0, PARTS);
  for (int i = 0; i < PARTS; i++) {
    if (i == STOP)
      lua_pushvalue(L, 1);
    else
      lua_newtable(L);
    lua_setfield(L, -2, parts[i]);
  }
  return 1;
}

static void visit_data(scan *s, int index)
{
  int type = lua_type(s->walk.L, index);
  if (type == LUA_TTABLE || (type == LUA_TFUNCTION && !lua_iscfunction(s->walk.L, index)))
    sp_heap_walk_visit(&s->walk, index);
}

/* Appends a change; `old` and `new` are stack places, NOTHING and nil both mean nil. */
static void log_change(scan *s, int thing, int key, int old, int new)
{
  lua_State *L = s->walk.L;
  const int four[] = {thing, key, old, new};
  for (int i = 0; i < 4; i++) {
    lua_pushvalue(L, four[i]);
    if (i > 1 && lua_touserdata(L, -1) == NOTHING) {
      lua_pop(L, 1);
      lua_pushnil(L);
    }
    lua_rawseti(L, s->log, ++s->logged);
  }
}

static void own(scan *s, int thing)
{
  lua_State *L = s->walk.L;
  lua_pushvalue(L, thing);
  lua_pushvalue(L, s->label);
  lua_rawset(L, s->part[OWNER]);
}

/* Stores the value at `value` (nil too) under `key` of a part. */
static void remember(scan *s, int part, int key, int value)
{
  lua_State *L = s->walk.L;
  lua_pushvalue(L, key);
  if (lua_isnil(L, value))
    lua_pushlightuserdata(L, NOTHING);
  else
    lua_pushvalue(L, value);
  lua_rawset(L, s->part[part]);
}

/* A table that is seen for the first time lies at `t`. */
static void copy_table(scan *s, int t)
{
  lua_State *L = s->walk.L;
  lua_Integer count = 0;
  lua_newtable(L);
  int copy = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, t); lua_pop(L, 1), count++) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, copy);
    visit_data(s, -2);
    visit_data(s, -1);
  }
  remember(s, COPIES, t, copy);
  lua_pushinteger(L, count);
  remember(s, COUNTS, t, lua_gettop(L));
  own(s, t);
  lua_settop(L, t);
}

/* Keys that the copy has and the table has no more. */
static void find_deleted(scan *s, int t, int copy)
{
  lua_State *L = s->walk.L;
  for (lua_pushnil(L); lua_next(L, copy);) {
    int key = lua_gettop(L) - 1;
    lua_pushvalue(L, key);
    if (lua_rawget(L, t) == LUA_TNIL) {
      log_change(s, t, key, key + 1, key + 2);
      lua_pushvalue(L, key);
      lua_pushnil(L);
      lua_rawset(L, copy);
    }
    lua_settop(L, key);
  }
}

/* One that is known already, with its copy on top. */
static void compare_table(scan *s, int t)
{
  lua_State *L = s->walk.L;
  int copy = lua_gettop(L);
  lua_Integer count = 0, added = 0;
  for (lua_pushnil(L); lua_next(L, t); count++) {
    int key = lua_gettop(L) - 1, value = key + 1;
    lua_pushvalue(L, key);
    bool is_new = lua_rawget(L, copy) == LUA_TNIL;
    if (!lua_rawequal(L, -1, value)) {
      added += is_new;
      log_change(s, t, key, value + 1, value);
      lua_pushvalue(L, key);
      lua_pushvalue(L, value);
      lua_rawset(L, copy);
    }
    visit_data(s, key);
    visit_data(s, value);
    lua_settop(L, key);
  }
  lua_pushvalue(L, t);
  lua_rawget(L, s->part[COUNTS]);
  lua_Integer before = lua_tointeger(L, -1);
  if (before + added != count)
    find_deleted(s, t, copy);
  if (before != count) {
    lua_pushinteger(L, count);
    remember(s, COUNTS, t, lua_gettop(L));
  }
  lua_settop(L, t);
}

static void scan_metatable(scan *s, int t)
{
  lua_State *L = s->walk.L;
  if (!lua_getmetatable(L, t))
    lua_pushnil(L);
  else
    visit_data(s, -1);
  int meta = lua_gettop(L);
  lua_pushvalue(L, t);
  int known = lua_rawget(L, s->part[METAS]);
  bool same = known == LUA_TNIL || (lua_isnil(L, meta) ? lua_touserdata(L, -1) == NOTHING : lua_rawequal(L, -1, meta));
  if (!same) {
    lua_pushlightuserdata(L, METATABLE);
    log_change(s, t, meta + 2, meta + 1, meta);
  }
  if (!same || (known == LUA_TNIL && !lua_isnil(L, meta)))
    remember(s, METAS, t, meta);
  else if (known == LUA_TNIL) { /* none then: a later one is a change */
    lua_pushlightuserdata(L, NOTHING);
    remember(s, METAS, t, lua_gettop(L));
  }
  lua_settop(L, t);
}

static void scan_table(scan *s, int t)
{
  lua_State *L = s->walk.L;
  lua_pushvalue(L, t);
  if (lua_rawget(L, s->part[COPIES]) == LUA_TNIL) {
    lua_pop(L, 1);
    copy_table(s, t);
  } else {
    compare_table(s, t);
  }
  scan_metatable(s, t);
}

static void scan_cell(scan *s, int f, int i)
{
  lua_State *L = s->walk.L;
  int value = lua_gettop(L);
  visit_data(s, value);
  lua_pushlightuserdata(L, lua_upvalueid(L, f, i));
  lua_pushvalue(L, -1);
  int known = lua_rawget(L, s->part[CELLS]);
  bool is_nothing = lua_touserdata(L, -1) == NOTHING;
  bool same = is_nothing ? lua_isnil(L, value) : lua_rawequal(L, -1, value);
  if (known != LUA_TNIL && !same) {
    lua_pushinteger(L, i);
    log_change(s, f, value + 3, value + 2, value);
  }
  if (known == LUA_TNIL || !same)
    remember(s, CELLS, value + 1, value);
}

static void scan_function(scan *s, int f)
{
  lua_State *L = s->walk.L;
  if (!sp_heap_walk_holds(L, s->part[OWNER], f)) {
    if (sp_is_library(L, f)) {
      remember(s, STOP, f, f);
      return;
    }
    own(s, f);
  }
  for (int i = 1; lua_getupvalue(L, f, i); i++) {
    scan_cell(s, f, i);
    lua_settop(L, f);
  }
}

static void visit_entries(scan *s, int list, bool shallow)
{
  lua_State *L = s->walk.L;
  int top = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, list); lua_settop(L, top + 1)) {
    if (!shallow) {
      visit_data(s, top + 2);
      continue;
    }
    for (lua_pushnil(L); lua_next(L, top + 2); lua_pop(L, 1))
      visit_data(s, -1);
  }
}

int sp_heap_scan(lua_State *L)
{
  lua_settop(L, 5);
  scan s = {.label = 4, .log = 5};
  luaL_checkstack(L, 40, NULL);
  for (int i = 0; i < PARTS; i++) {
    lua_getfield(L, 1, parts[i]);
    s.part[i] = lua_gettop(L);
  }
  s.walk = sp_heap_walk_begin(L, s.part[STOP]);
  lua_getfield(L, s.log, "n");
  s.logged = lua_tointeger(L, -1);
  visit_entries(&s, 2, false);
  visit_entries(&s, 3, true);
  while (sp_heap_walk_next(&s.walk)) {
    int thing = lua_gettop(L);
    if (lua_istable(L, thing))
      scan_table(&s, thing);
    else
      scan_function(&s, thing);
    lua_settop(L, thing - 1);
  }
  lua_pushinteger(L, s.logged);
  lua_setfield(L, s.log, "n");
  return 0;
}

int sp_heap_undo(lua_State *L)
{
  lua_getfield(L, 1, "n");
  for (lua_Integer at = lua_tointeger(L, -1) - 3; at > 0; at -= 4) {
    lua_settop(L, 1);
    for (int i = 0; i < 3; i++)
      lua_rawgeti(L, 1, at + i);
    if (lua_isfunction(L, 2))
      lua_setupvalue(L, 2, (int)lua_tointeger(L, 3));
    else if (lua_touserdata(L, 3) == METATABLE)
      lua_setmetatable(L, 2);
    else
      lua_rawset(L, 2);
  }
  return 0;
}

/* }== */
