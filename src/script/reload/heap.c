#include "script/reload/heap.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "script/reload/heap_change.h"
#include "script/reload/heap_walk.h"
#include "script/state/births.h"

/* Represents nil in lists. */
static const char nothing = 0;

static void *const NOTHING = (void *)&nothing;

enum {
  WHOLE_MOST = 4096, /* entries remembered of a table */
  TAIL = 256,        /* remembered last elements of a longer list: lists grow at the end */
  NEW_MOST = 4       /* factor of the limit, for new entries */
};

/* {== A shot ============================================================== */

/* The contents of a thing at the last look are a range of one long list, the entries: for a table its metatable (or
   false), then keys and values in the order of lua_next, which does not change while the table is unchanged. */
typedef struct region {
  lua_Integer first, length; /* length: of the list part of a table that is remembered partly */
  uint32_t count;            /* pairs */
  bool is_table, is_part;
} region;

/* Distinguishes most values without calling Lua: equal marks mean equal values. */
typedef struct mark {
  int type; /* -1: an integer */
  union {
    const void *address;
    lua_Integer integer;
    uint64_t bits;
  } as;
} mark;

/* A file-local, which several functions may share: `holder` is the index of one of them in the walk's list. */
typedef struct cell {
  const void *id;
  lua_Integer holder, at;
  int index;
} cell;

typedef struct heap_shot {
  heap_walk walk;  /* first: see sp_heap_walk_new */
  region *regions; /* of each processed thing in the walk's list */
  cell *cells;
  mark *marks; /* of each entry */
  lua_Integer taken, cell_count;
  size_t region_room, cell_room, mark_room; /* bytes */
  lua_Integer length, most;                 /* of the entries */
} heap_shot;

enum { ENTRIES = SP_HEAP_PLACES + 1, REGIONS, CELLS, MARKS, STOP, SHOT_PLACES = STOP };

typedef struct look {
  lua_State *L;
  heap_shot *shot;
  int entries, log;   /* stack places; `log` may hold nil */
  lua_Integer logged; /* always equals log.n: memory may run out half-way */
} look;

int sp_heap_shot(lua_State *L)
{
  lua_settop(L, 2);
  heap_shot *s = sp_heap_walk_new(L, sizeof *s, SHOT_PLACES);
  s->most = 2 * luaL_checkinteger(L, 2);
  lua_newtable(L);
  lua_setiuservalue(L, 3, ENTRIES);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, 3, STOP);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
    sp_heap_walk_meet(&s->walk, lua_topointer(L, -2));
  return 1;
}

int sp_heap_stop(lua_State *L)
{
  lua_settop(L, 2);
  heap_shot *s = (heap_shot *)sp_heap_walk_open(L, 1);
  lua_getiuservalue(L, 1, STOP);
  lua_pushvalue(L, 2);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  sp_heap_walk_meet(&s->walk, lua_topointer(L, 2));
  return 0;
}

static bool is_full(const heap_shot *s) { return s->length >= s->most; }

/* Values that files created are always examined: there are few of them. */
static void visit_data(look *s, int index)
{
  int type = lua_type(s->L, index);
  if (type != LUA_TTABLE && (type != LUA_TFUNCTION || lua_iscfunction(s->L, index)))
    return;
  if (!is_full(s->shot) || (s->shot->length < NEW_MOST * s->shot->most && sp_births_maker_of(s->L, index)))
    sp_heap_walk_visit(&s->shot->walk, index);
}

static mark mark_of(lua_State *L, int index)
{
  mark m = {.type = lua_type(L, index), .as.bits = 0};
  if (m.type == LUA_TBOOLEAN) {
    m.as.integer = lua_toboolean(L, index);
  } else if (m.type != LUA_TNUMBER) {
    m.as.address = lua_topointer(L, index);
  } else if (lua_isinteger(L, index)) {
    m.type = -1;
    m.as.integer = lua_tointeger(L, index);
  } else {
    lua_Number number = lua_tonumber(L, index);
    memcpy(&m.as.bits, &number, sizeof number);
  }
  return m;
}

static bool is_marked(const look *s, lua_Integer at, int value)
{
  const mark *then = &s->shot->marks[at - 1], now = mark_of(s->L, value);
  return then->type == now.type && then->as.bits == now.as.bits;
}

/* Pops a value into the entries, with `nothing` for nil. */
static void append_entry(look *s)
{
  heap_shot *shot = s->shot;
  if ((size_t)(shot->length + 1) * sizeof(mark) > shot->mark_room) {
    shot->marks = sp_heap_walk_grow(&shot->walk, MARKS, shot->marks, shot->mark_room);
    shot->mark_room = shot->mark_room ? 2 * shot->mark_room : 1024;
  }
  shot->marks[shot->length] = mark_of(s->L, -1);
  if (lua_isnil(s->L, -1)) {
    lua_pop(s->L, 1);
    lua_pushlightuserdata(s->L, NOTHING);
  }
  lua_rawseti(s->L, s->entries, shot->length + 1);
  shot->length++;
}

/* Appends a change to the log; `old` and `new` are stack places. */
static void log_change(look *s, int thing, int key, int old, int new)
{
  const int four[] = {thing, key, old, new};
  for (int i = 0; i < 4; i++) {
    lua_pushvalue(s->L, four[i]);
    lua_rawseti(s->L, s->log, s->logged + i + 1);
  }
  s->logged += 4;
  lua_pushinteger(s->L, s->logged);
  lua_setfield(s->L, s->log, "n");
}

/* }== */

/* {== What is new ========================================================= */

/* Appends the key and value on top, pops the value, and visits both. */
static void copy_pair(look *s, region *r)
{
  visit_data(s, -2);
  visit_data(s, -1);
  lua_pushvalue(s->L, -2);
  append_entry(s);
  append_entry(s);
  r->count++;
}

/* Remembers the end of a long list. Changes in the rest are not detected. */
static void copy_tail(look *s, region *r, int t)
{
  r->length = (lua_Integer)lua_rawlen(s->L, t);
  for (lua_Integer i = r->length > TAIL ? r->length - TAIL + 1 : 1; i <= r->length; i++) {
    lua_pushinteger(s->L, i);
    lua_rawgeti(s->L, t, i);
    copy_pair(s, r);
    lua_pop(s->L, 1);
  }
}

/* Copies a table. When memory is refused on the way, the region is unchanged. */
static void copy_table(look *s, region *r, int t)
{
  lua_State *L = s->L;
  region new = {.first = s->shot->length + 1, .is_table = true};
  if (lua_getmetatable(L, t))
    visit_data(s, -1);
  else
    lua_pushboolean(L, 0);
  append_entry(s);
  new.is_part = lua_rawlen(L, t) > WHOLE_MOST;
  for (lua_pushnil(L); !new.is_part &&lua_next(L, t);) {
    new.is_part = new.count == WHOLE_MOST;
    if (!new.is_part)
      copy_pair(s, &new);
  }
  if (new.is_part)
    copy_tail(s, &new, t);
  lua_settop(L, t);
  *r = new;
}

static void copy_cell(look *s, lua_Integer holder, int f, int i)
{
  lua_State *L = s->L;
  heap_shot *shot = s->shot;
  const void *id = lua_upvalueid(L, f, i);
  if (!sp_heap_walk_meet(&shot->walk, id))
    return;
  if ((size_t)(shot->cell_count + 1) * sizeof(cell) > shot->cell_room) {
    shot->cells = sp_heap_walk_grow(&shot->walk, CELLS, shot->cells, shot->cell_room);
    shot->cell_room = shot->cell_room ? 2 * shot->cell_room : 1024;
  }
  lua_getupvalue(L, f, i);
  visit_data(s, -1);
  append_entry(s);
  shot->cells[shot->cell_count++] = (cell){id, holder, shot->length, i};
}

static void copy_cells(look *s, lua_Integer place, int f)
{
  lua_Debug ar;
  lua_pushvalue(s->L, f);
  lua_getinfo(s->L, ">Su", &ar);
  if (sp_is_library_source(ar.source))
    return;
  for (int i = 1; i <= ar.nups; i++)
    copy_cell(s, place, f, i);
}

static void take_up(look *s, lua_Integer place, int thing)
{
  heap_shot *shot = s->shot;
  if ((size_t)place * sizeof(region) > shot->region_room) {
    shot->regions = sp_heap_walk_grow(&shot->walk, REGIONS, shot->regions, shot->region_room);
    shot->region_room = shot->region_room ? 2 * shot->region_room : 1024;
  }
  region *r = &shot->regions[place - 1];
  *r = (region){0};
  shot->taken = place;
  if (lua_istable(s->L, thing))
    copy_table(s, r, thing);
  else
    copy_cells(s, place, thing);
}

/* }== */

/* {== What is known ======================================================= */

static bool is_entry(const look *s, lua_Integer at, int value)
{
  if (is_marked(s, at, value))
    return true;
  lua_rawgeti(s->L, s->entries, at);
  bool same = sp_heap_same(s->L, -1, value);
  lua_pop(s->L, 1);
  return same;
}

static bool is_same_metatable(const look *s, const region *r, int t)
{
  if (!lua_getmetatable(s->L, t))
    lua_pushboolean(s->L, 0);
  bool same = is_entry(s, r->first, lua_gettop(s->L));
  lua_pop(s->L, 1);
  return same;
}

/* Returns whether a table that is remembered completely has other entries, or the same ones in another order. */
static bool has_changed(const look *s, const region *r, int t)
{
  lua_State *L = s->L;
  lua_Integer at = r->first;
  uint32_t count = 0;
  for (lua_pushnil(L); lua_next(L, t); count++, at += 2) {
    if (count == r->count || !is_entry(s, at + 1, t + 1) || !is_entry(s, at + 2, t + 2)) {
      lua_settop(L, t);
      return true;
    }
    lua_pop(L, 1);
  }
  return count != r->count;
}

static void log_metatable(look *s, const region *r, int t)
{
  lua_State *L = s->L;
  sp_heap_metatable(L);
  if (lua_rawgeti(L, s->entries, r->first) == LUA_TBOOLEAN) {
    lua_pop(L, 1);
    lua_pushnil(L);
  }
  if (!lua_getmetatable(L, t))
    lua_pushnil(L);
  log_change(s, t, t + 1, t + 2, t + 3);
  lua_settop(L, t);
}

/* Logs the changes of the remembered entries, and leaves a table of their keys. */
static void log_known(look *s, const region *r, int t)
{
  lua_State *L = s->L;
  const int known = t + 1, key = t + 2;
  lua_createtable(L, 0, (int)r->count);
  for (uint32_t i = 0; i < r->count; i++, lua_settop(L, known)) {
    lua_rawgeti(L, s->entries, r->first + 1 + 2 * (lua_Integer)i);
    lua_rawgeti(L, s->entries, r->first + 2 + 2 * (lua_Integer)i);
    lua_pushvalue(L, key);
    lua_rawget(L, t);
    if (!sp_heap_same(L, key + 1, key + 2))
      log_change(s, t, key, key + 1, key + 2);
    lua_pushvalue(L, key);
    lua_pushboolean(L, 1);
    lua_rawset(L, known);
  }
}

/* Logs new entries. A list that is remembered partly is assumed to grow at its end only. */
static void log_new(look *s, const region *r, int t)
{
  lua_State *L = s->L;
  const int known = t + 1, key = t + 2, value = t + 3;
  lua_Integer length = (lua_Integer)lua_rawlen(L, t);
  for (lua_Integer i = r->length + 1; r->is_part && i <= length; i++, lua_settop(L, known)) {
    lua_pushinteger(L, i);
    lua_rawgeti(L, t, i);
    lua_pushnil(L);
    log_change(s, t, key, value + 1, value);
  }
  for (lua_pushnil(L); !r->is_part && lua_next(L, t); lua_settop(L, key)) {
    lua_pushvalue(L, key);
    if (lua_rawget(L, known) == LUA_TNIL)
      log_change(s, t, key, value + 1, value);
  }
}

/* The old entries stay in place, unused, for the short rest of their life. */
static void compare_table(look *s, region *r, int t)
{
  bool same_metatable = is_same_metatable(s, r, t);
  if (same_metatable && !r->is_part && !has_changed(s, r, t))
    return;
  if (!same_metatable)
    log_metatable(s, r, t);
  lua_Integer logged = s->logged;
  log_known(s, r, t);
  log_new(s, r, t);
  lua_settop(s->L, t);
  if (!same_metatable || !r->is_part || s->logged != logged)
    copy_table(s, r, t);
}

/* Compares the cell of the function at `f`. Functions of a new file may have been joined to other cells since: then
   no function has this one. */
static void compare_cell(look *s, const cell *c, int f)
{
  lua_State *L = s->L;
  lua_getupvalue(L, f, c->index);
  if (is_marked(s, c->at, -1))
    return;
  lua_rawgeti(L, s->entries, c->at);
  if (lua_touserdata(L, -1) == NOTHING) {
    lua_pop(L, 1);
    lua_pushnil(L);
  }
  if (sp_heap_same(L, f + 1, f + 2) || lua_upvalueid(L, f, c->index) != c->id)
    return;
  lua_pushinteger(L, c->index);
  log_change(s, f, f + 3, f + 2, f + 1);
  visit_data(s, f + 1);
  s->shot->marks[c->at - 1] = mark_of(L, f + 1);
  lua_pushvalue(L, f + 1);
  if (lua_isnil(L, -1))
    lua_pushlightuserdata(L, NOTHING);
  lua_rawseti(L, s->entries, c->at);
}

/* Cells of one function are adjacent. */
static void compare_cells(look *s)
{
  heap_shot *shot = s->shot;
  lua_State *L = s->L;
  const lua_Integer count = shot->cell_count;
  const int f = lua_gettop(L) + 1;
  for (lua_Integer i = 0, holder = 0; i < count; i++, lua_settop(L, f)) {
    const cell c = shot->cells[i];
    if (c.holder != holder) {
      lua_settop(L, f - 1);
      lua_rawgeti(L, shot->walk.list, c.holder);
    }
    holder = c.holder;
    compare_cell(s, &c, f);
  }
  lua_settop(L, f - 1);
}

static void compare_all(look *s)
{
  heap_shot *shot = s->shot;
  lua_State *L = s->L;
  const lua_Integer known = shot->taken;
  lua_getfield(L, s->log, "n");
  s->logged = lua_tointeger(L, -1);
  lua_pop(L, 1);
  for (lua_Integer i = 0; i < known; i++) {
    if (!shot->regions[i].is_table)
      continue;
    lua_rawgeti(L, shot->walk.list, i + 1);
    compare_table(s, &shot->regions[i], lua_gettop(L));
    lua_pop(L, 1);
  }
  compare_cells(s);
}

/* }== */

/* {== For Lua ============================================================= */

static void visit_entries(look *s, int list, bool of_each)
{
  lua_State *L = s->L;
  int top = lua_gettop(L);
  for (lua_Integer i = 1; lua_rawgeti(L, list, i) != LUA_TNIL; i++, lua_settop(L, top)) {
    if (!of_each) {
      visit_data(s, top + 1);
      continue;
    }
    for (lua_pushnil(L); lua_next(L, top + 1); lua_pop(L, 1))
      visit_data(s, -1);
  }
  lua_settop(L, top);
}

int sp_heap_look(lua_State *L)
{
  lua_settop(L, 4);
  look s = {.L = L, .log = 4};
  s.shot = (heap_shot *)sp_heap_walk_open(L, 1);
  lua_getiuservalue(L, 1, ENTRIES);
  s.entries = lua_gettop(L);
  if (lua_toboolean(L, s.log))
    compare_all(&s);
  if (!lua_toboolean(L, 2))
    return 0;
  visit_entries(&s, 2, false);
  visit_entries(&s, 3, true);
  const int top = lua_gettop(L);
  while (s.shot->taken < s.shot->walk.count) {
    lua_rawgeti(L, s.shot->walk.list, s.shot->taken + 1);
    take_up(&s, s.shot->taken + 1, top + 1);
    lua_settop(L, top);
  }
  return 0;
}

/* }== */
