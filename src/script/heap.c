#include "script/heap.h"

#include <lauxlib.h>
#include <stdbool.h>

#include "script/heap_walk.h"

/* Stands for nil where a list must hold something, and for "the metatable" where a key is expected. */
static const char nothing = 0, metatable = 0;

static void *const NOTHING = (void *)&nothing;
static void *const METATABLE = (void *)&metatable;

/* {== A shot ============================================================== */

/* What a thing held when it was looked at last lies in one long list, the entries: of a table the metatable (or false),
   then keys and values in the order of lua_next, which is the same as long as nothing has changed. */
typedef struct region {
  lua_Integer first;
  uint32_t count; /* pairs */
  bool is_table;
} region;

/* A file-local, which several functions may share: `holder` is the place of one of them in the walk's list. */
typedef struct cell {
  const void *id;
  lua_Integer holder, at;
  int index;
} cell;

typedef struct heap_shot {
  heap_walk walk;  /* first: see sp_heap_walk_new */
  region *regions; /* of each thing in the walk's list that has been taken up */
  cell *cells;
  lua_Integer taken, cell_count;
  size_t region_room, cell_room; /* bytes */
  lua_Integer length;            /* of the entries */
} heap_shot;

enum { ENTRIES = SP_HEAP_PLACES + 1, REGIONS, CELLS, STOP, SHOT_PLACES = STOP };

typedef struct scan {
  lua_State *L;
  heap_shot *shot;
  int entries, owner, label, log; /* stack places; `log` may hold nil */
  lua_Integer logged;             /* also log.n, at every moment: memory may run out half-way */
} scan;

int sp_heap_shot(lua_State *L)
{
  lua_settop(L, 1);
  heap_shot *s = sp_heap_walk_new(L, sizeof *s, SHOT_PLACES);
  lua_newtable(L);
  lua_setiuservalue(L, 2, ENTRIES);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, 2, STOP);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
    sp_heap_walk_meet(&s->walk, lua_topointer(L, -2));
  return 1;
}

static void visit_data(scan *s, int index)
{
  int type = lua_type(s->L, index);
  if (type == LUA_TTABLE || (type == LUA_TFUNCTION && !lua_iscfunction(s->L, index)))
    sp_heap_walk_visit(&s->shot->walk, index);
}

/* Pops a value into the entries. */
static void append_entry(scan *s)
{
  lua_rawseti(s->L, s->entries, s->shot->length + 1);
  s->shot->length++;
}

/* Appends a change to the log; `old` and `new` are stack places. */
static void log_change(scan *s, int thing, int key, int old, int new)
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

/* When memory is refused on the way, the region is what it was. */
static void copy_table(scan *s, region *r, int t)
{
  lua_State *L = s->L;
  region new = {s->shot->length + 1, 0, true};
  if (lua_getmetatable(L, t))
    visit_data(s, -1);
  else
    lua_pushboolean(L, 0);
  append_entry(s);
  for (lua_pushnil(L); lua_next(L, t); new.count++) {
    visit_data(s, -2);
    visit_data(s, -1);
    lua_pushvalue(L, -2);
    append_entry(s);
    append_entry(s);
  }
  *r = new;
}

static void copy_cell(scan *s, lua_Integer holder, int f, int i)
{
  lua_State *L = s->L;
  heap_shot *shot = s->shot;
  const void *id = lua_upvalueid(L, f, i);
  if (!sp_heap_walk_meet(&shot->walk, id)) {
    lua_pop(L, 1);
    return;
  }
  if ((size_t)(shot->cell_count + 1) * sizeof(cell) > shot->cell_room) {
    shot->cells = sp_heap_walk_grow(&shot->walk, CELLS, shot->cells, shot->cell_room);
    shot->cell_room = shot->cell_room ? 2 * shot->cell_room : 1024;
  }
  visit_data(s, -1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushlightuserdata(L, NOTHING);
  }
  append_entry(s);
  shot->cells[shot->cell_count++] = (cell){id, holder, shot->length, i};
}

static void own(scan *s, int thing)
{
  if (lua_isnil(s->L, s->label))
    return;
  lua_pushvalue(s->L, thing);
  lua_pushvalue(s->L, s->label);
  lua_rawset(s->L, s->owner);
}

static void take_up(scan *s, lua_Integer place, int thing)
{
  heap_shot *shot = s->shot;
  if ((size_t)place * sizeof(region) > shot->region_room) {
    shot->regions = sp_heap_walk_grow(&shot->walk, REGIONS, shot->regions, shot->region_room);
    shot->region_room = shot->region_room ? 2 * shot->region_room : 1024;
  }
  region *r = &shot->regions[place - 1];
  *r = (region){0};
  shot->taken = place;
  if (lua_istable(s->L, thing)) {
    copy_table(s, r, thing);
  } else {
    if (sp_is_library(s->L, thing))
      return;
    for (int i = 1; lua_getupvalue(s->L, thing, i); i++)
      copy_cell(s, place, thing, i);
  }
  own(s, thing);
}

/* }== */

/* {== What is known ======================================================= */

static bool is_entry(const scan *s, lua_Integer at, int value)
{
  lua_rawgeti(s->L, s->entries, at);
  bool same = lua_rawequal(s->L, -1, value);
  lua_pop(s->L, 1);
  return same;
}

static bool is_same_metatable(const scan *s, const region *r, int t)
{
  if (!lua_getmetatable(s->L, t))
    lua_pushboolean(s->L, 0);
  bool same = is_entry(s, r->first, lua_gettop(s->L));
  lua_pop(s->L, 1);
  return same;
}

static bool has_changed(const scan *s, const region *r, int t)
{
  lua_State *L = s->L;
  lua_Integer at = r->first;
  if (!is_same_metatable(s, r, t))
    return true;
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

static void log_metatable(scan *s, const region *r, int t)
{
  lua_State *L = s->L;
  if (is_same_metatable(s, r, t))
    return;
  lua_pushlightuserdata(L, METATABLE);
  if (lua_rawgeti(L, s->entries, r->first) == LUA_TBOOLEAN) {
    lua_pop(L, 1);
    lua_pushnil(L);
  }
  if (!lua_getmetatable(L, t))
    lua_pushnil(L);
  log_change(s, t, t + 1, t + 2, t + 3);
  lua_settop(L, t);
}

/* Pushes a table with what the table at `t` held before. */
static void push_former(const scan *s, const region *r)
{
  lua_createtable(s->L, 0, (int)r->count);
  for (lua_Integer at = r->first + 1; at < r->first + 1 + 2 * (lua_Integer)r->count; at += 2) {
    lua_rawgeti(s->L, s->entries, at);
    lua_rawgeti(s->L, s->entries, at + 1);
    lua_rawset(s->L, -3);
  }
}

static void log_entries(scan *s, const region *r, int t)
{
  lua_State *L = s->L;
  const int former = t + 1, key = t + 2, value = t + 3, other = t + 4;
  push_former(s, r);
  for (lua_pushnil(L); lua_next(L, t); lua_settop(L, key)) {
    lua_pushvalue(L, key);
    lua_rawget(L, former);
    if (!lua_rawequal(L, value, other))
      log_change(s, t, key, other, value);
  }
  for (lua_pushnil(L); lua_next(L, former); lua_settop(L, key)) {
    lua_pushvalue(L, key);
    if (lua_rawget(L, t) == LUA_TNIL)
      log_change(s, t, key, value, other);
  }
  lua_settop(L, t);
}

/* The old entries stay where they are, unused: their time is short. */
static void compare_table(scan *s, region *r, int t)
{
  if (!has_changed(s, r, t))
    return;
  log_metatable(s, r, t);
  log_entries(s, r, t);
  copy_table(s, r, t);
}

/* Functions of a new file may have been joined to other cells since: then this one is nobody's. */
static void compare_cell(scan *s, const cell *c)
{
  lua_State *L = s->L;
  lua_rawgeti(L, s->shot->walk.list, c->holder);
  int f = lua_gettop(L);
  lua_getupvalue(L, f, c->index);
  lua_rawgeti(L, s->entries, c->at);
  if (lua_touserdata(L, -1) == NOTHING) {
    lua_pop(L, 1);
    lua_pushnil(L);
  }
  if (!lua_rawequal(L, f + 1, f + 2) && lua_upvalueid(L, f, c->index) == c->id) {
    lua_pushinteger(L, c->index);
    log_change(s, f, f + 3, f + 2, f + 1);
    visit_data(s, f + 1);
    lua_pushvalue(L, f + 1);
    if (lua_isnil(L, -1))
      lua_pushlightuserdata(L, NOTHING);
    lua_rawseti(L, s->entries, c->at);
  }
  lua_settop(L, f - 1);
}

static void compare_all(scan *s)
{
  heap_shot *shot = s->shot;
  lua_State *L = s->L;
  const lua_Integer known = shot->taken, cells = shot->cell_count;
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
  for (lua_Integer i = 0; i < cells; i++)
    compare_cell(s, &shot->cells[i]);
}

/* }== */

/* {== For Lua ============================================================= */

static void visit_entries(scan *s, int list, bool shallow)
{
  lua_State *L = s->L;
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
  lua_settop(L, 6);
  scan s = {.L = L, .owner = 4, .label = 5, .log = 6};
  s.shot = (heap_shot *)sp_heap_walk_open(L, 1);
  lua_getiuservalue(L, 1, ENTRIES);
  s.entries = lua_gettop(L);
  if (!lua_isnil(L, s.log))
    compare_all(&s);
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
