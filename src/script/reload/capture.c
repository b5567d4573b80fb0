#include "script/reload/capture.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "script/bind/ordered_keys.h"
#include "script/state/context.h"

/* Boxes of a table: of its metatable, then of `count` keys and values. Of a function: none. */
typedef struct region {
  uint32_t thing; /* its number */
  uint32_t first, count;
  bool is_table;
} region;

typedef struct cell {
  const void *id;
  uint32_t function; /* its number */
  uint32_t at;       /* the sp_heap_box */
  int i;             /* which upvalue of the function */
} cell;

typedef struct sp_capture {
  sp_heap_walk walk; /* first: see sp_heap_walk_new */
  sp_heap_box *boxes;
  region *regions;
  cell *cells;
  uint32_t *others; /* numbers of userdata, coroutines and C functions */
  uint32_t box_count, region_count, cell_count, other_count;
} capture;

enum { BOXES = SP_HEAP_PLACES + 1, REGIONS, CELLS, OTHERS, PASSED, CAPTURE_PLACES = PASSED };
enum { BOXES_A_VALUE = 4 }; /* about as many as there are: a large array that grows is there twice, and new memory */

/* Stand for the metatable of a table, all its integer keys, and a variable, where a key is expected. */
static const char metatable = 0, list = 0, variable = 0;

/* {== Values ============================================================== */

int spl_native_places(lua_State *L)
{
  lua_pushlightuserdata(L, (void *)&metatable);
  lua_pushlightuserdata(L, (void *)&list);
  lua_pushlightuserdata(L, (void *)&variable);
  return 3;
}

int spl_native_same(lua_State *L)
{
  lua_settop(L, 2);
  lua_pushboolean(L, sp_heap_box_is_same(L, 1, 2));
  return 1;
}

/* }== */

/* {== Taking ============================================================== */

static void append_box(capture *c, sp_heap_box b)
{
  if (c->box_count % BOXES_A_VALUE == 0)
    c->boxes = sp_heap_room(&c->walk, BOXES, c->boxes, c->box_count / BOXES_A_VALUE, BOXES_A_VALUE * sizeof b);
  c->boxes[c->box_count++] = b;
}

static region *append_region(capture *c, uint32_t thing, bool is_table)
{
  c->regions = sp_heap_room(&c->walk, REGIONS, c->regions, c->region_count, sizeof *c->regions);
  region *r = &c->regions[c->region_count];
  *r = (region){.thing = thing, .first = c->box_count, .is_table = is_table};
  c->region_count++;
  return r;
}

static void append_other(capture *c, uint32_t thing)
{
  c->others = sp_heap_room(&c->walk, OTHERS, c->others, c->other_count, sizeof *c->others);
  c->others[c->other_count++] = thing;
}

static void take_table(capture *c, uint32_t thing, int t)
{
  lua_State *L = c->walk.L;
  region *r = append_region(c, thing, true);
  const int key = lua_gettop(L) + 1;
  append_box(c, lua_getmetatable(L, t) ? sp_heap_box_of(&c->walk, key) : SP_HEAP_BOX_NIL);
  lua_settop(L, key - 1);
  for (lua_pushnil(L); lua_next(L, t); lua_settop(L, key)) {
    append_box(c, sp_heap_box_of(&c->walk, key));
    append_box(c, sp_heap_box_of(&c->walk, key + 1));
    r->count++;
  }
}

static void take_cells(capture *c, uint32_t thing, int f)
{
  lua_State *L = c->walk.L;
  const int value = lua_gettop(L) + 1;
  for (int i = 1; lua_getupvalue(L, f, i); i++, lua_settop(L, value - 1)) {
    if (lua_iscfunction(L, f)) {
      sp_heap_meet_any(&c->walk, value);
      continue;
    }
    const void *id = lua_upvalueid(L, f, i);
    if (!sp_heap_mark(&c->walk, id))
      continue;
    c->cells = sp_heap_room(&c->walk, CELLS, c->cells, c->cell_count, sizeof *c->cells);
    c->cells[c->cell_count] = (cell){id, thing, c->box_count, i};
    c->cell_count++;
    append_box(c, sp_heap_box_of(&c->walk, value));
  }
}

static void take_function(capture *c, uint32_t thing, int f)
{
  if (sp_is_library(c->walk.L, f) || sp_orders_keys(lua_tocfunction(c->walk.L, f)))
    return;
  if (lua_iscfunction(c->walk.L, f)) /* files make no C functions */
    append_other(c, thing);
  else
    append_region(c, thing, false);
  take_cells(c, thing, f);
}

/* Moves a table to the list of passed ones: its contents are not captured, and the list of values has false in its
   place. */
static void note_passed(capture *c, int t)
{
  lua_State *L = c->walk.L;
  const uint32_t number = sp_heap_meet(&c->walk, t);
  lua_pushboolean(L, 0);
  lua_rawseti(L, c->walk.list, number);
  if (lua_getiuservalue(L, c->walk.self, PASSED) != LUA_TTABLE) {
    lua_newtable(L);
    lua_replace(L, -2);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, c->walk.self, PASSED);
  }
  lua_pushvalue(L, t);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

/* Meets the contents of a table of the library; `depth`: how many levels of tables are the library's own. */
static void pass(capture *c, int t, int depth)
{
  lua_State *L = c->walk.L;
  const int key = lua_gettop(L) + 1;
  if (sp_heap_number(&c->walk, t))
    return;
  note_passed(c, t);
  for (lua_pushnil(L); lua_next(L, t); lua_settop(L, key)) {
    sp_heap_meet_any(&c->walk, key);
    if (depth > 1 && lua_istable(L, key + 1))
      pass(c, key + 1, depth - 1);
    else
      sp_heap_meet_any(&c->walk, key + 1);
  }
}

static void pass_userdata(capture *c, int u)
{
  lua_State *L = c->walk.L;
  const int value = lua_gettop(L) + 1;
  for (int i = 1; lua_getiuservalue(L, u, i) != LUA_TNONE; i++, lua_settop(L, value - 1))
    if (lua_istable(L, value))
      pass(c, value, 2);
    else
      sp_heap_meet_any(&c->walk, value);
  lua_settop(L, value - 1);
  if (lua_getmetatable(L, u))
    sp_heap_meet(&c->walk, value);
  lua_settop(L, value - 1);
}

static void meet_variable(void *ud, lua_State *co, lua_Debug *ar, int n)
{
  sp_heap_walk *w = ud;
  (void)co, (void)ar, (void)n;
  sp_heap_meet_any(w, lua_gettop(w->L));
}

/* Takes the next thing in the list. */
static void take_next(capture *c)
{
  lua_State *L = c->walk.L;
  const uint32_t thing = ++c->walk.done;
  const int top = lua_gettop(L);
  switch (lua_rawgeti(L, c->walk.list, thing)) {
  case LUA_TTABLE:
    take_table(c, thing, top + 1);
    break;
  case LUA_TFUNCTION:
    take_function(c, thing, top + 1);
    break;
  case LUA_TUSERDATA:
    append_other(c, thing);
    pass_userdata(c, top + 1);
    break;
  case LUA_TTHREAD:
    append_other(c, thing);
    sp_heap_each_variable(&c->walk, lua_tothread(L, top + 1), meet_variable, &c->walk);
    break;
  default:
    break;
  }
  lua_settop(L, top);
}

static void take_all(capture *c)
{
  while (c->walk.done < c->walk.count)
    take_next(c);
}

/* Hides the library's own tables, which the context keeps, and those that a host hides. */
static void hide(capture *c, const sp_context *context, int hidden)
{
  lua_State *L = c->walk.L;
  const int top = lua_gettop(L);
  for (int i = 0; i < SP_KEPT_COUNT; i++, lua_settop(L, top))
    if (i != SP_KEPT_ANCHORS && sp_push_kept(L, context, (sp_kept)i) == LUA_TTABLE)
      sp_heap_meet(&c->walk, top + 1);
  if (spl_push_key_lists(L) == LUA_TTABLE)
    sp_heap_meet(&c->walk, top + 1);
  lua_settop(L, top);
  sp_heap_meet_all(&c->walk, hidden);
  c->walk.done = c->walk.count;
}

/* The registry, pools and managers are the library's own, but lead to what the game has given to them. */
static void pass_library(capture *c, const sp_context *context)
{
  lua_State *L = c->walk.L;
  const int top = lua_gettop(L);
  sp_push_kept(L, context, SP_KEPT_ANCHORS);
  pass(c, top + 1, 1);
  lua_pushvalue(L, LUA_REGISTRYINDEX);
  pass(c, top + 2, 1);
  lua_settop(L, top);
}

int spl_native_capture(lua_State *L)
{
  const sp_context *context = sp_context_here(L);
  lua_settop(L, 3);
  luaL_checkstack(L, 40, NULL);
  capture *c = sp_heap_walk_new(L, sizeof *c, CAPTURE_PLACES, lua_tointeger(L, 3));
  hide(c, context, 2);
  sp_heap_meet_all(&c->walk, 1);
  take_all(c);
  pass_library(c, context);
  sp_heap_each_variable(&c->walk, L, meet_variable, &c->walk);
  take_all(c);
  lua_settop(L, 4);
  lua_pushinteger(L, c->walk.count);
  return 2;
}

int spl_native_capture_things(lua_State *L)
{
  lua_settop(L, 1);
  luaL_checkstack(L, 40, NULL);
  capture *c = sp_heap_walk_new(L, sizeof *c, CAPTURE_PLACES, 0);
  sp_heap_meet_all(&c->walk, 1);
  for (uint32_t count = c->walk.count; c->walk.done < count;)
    take_next(c);
  lua_settop(L, 2);
  return 1;
}

/* Returns whether the next thing belongs to another file: it is a key of the table at `owners`, or `whole` knows it. */
static bool is_foreign(capture *c, int owners, const capture *whole)
{
  lua_State *L = c->walk.L;
  const int top = lua_gettop(L);
  int type = lua_rawgeti(L, c->walk.list, (lua_Integer)c->walk.done + 1);
  bool foreign = type == LUA_TUSERDATA || type == LUA_TSTRING || (whole && sp_heap_number(&whole->walk, top + 1));
  if (!foreign)
    foreign = lua_rawget(L, owners) != LUA_TNIL;
  lua_settop(L, top);
  return foreign;
}

/* Returns whether the next thing is a table with more entries than that. */
static bool is_large(const capture *c, lua_Integer most)
{
  lua_State *L = c->walk.L;
  const int t = lua_gettop(L) + 1;
  lua_Integer count = 0;
  if (lua_rawgeti(L, c->walk.list, (lua_Integer)c->walk.done + 1) == LUA_TTABLE) {
    count = (lua_Integer)lua_rawlen(L, t);
    for (lua_pushnil(L); count <= most && lua_next(L, t); lua_pop(L, 1))
      count++;
  }
  lua_settop(L, t - 1);
  return count > most;
}

int spl_native_capture_new(lua_State *L)
{
  const lua_Integer most = luaL_checkinteger(L, 3);
  bool partial = false;
  lua_settop(L, 4);
  luaL_checkstack(L, 40, NULL);
  capture *c = sp_heap_walk_new(L, sizeof *c, CAPTURE_PLACES, 0);
  const capture *whole = lua_isnil(L, 4) ? NULL : lua_touserdata(L, 4);
  sp_heap_meet_all(&c->walk, 1);
  while (c->walk.done < c->walk.count && c->box_count < 2 * most) {
    const bool foreign = is_foreign(c, 2, whole), large = !foreign && is_large(c, most - c->box_count / 2);
    partial = partial || large;
    if (foreign || large)
      c->walk.done++;
    else
      take_next(c);
  }
  lua_pushboolean(L, partial || c->walk.done < c->walk.count);
  lua_replace(L, 6);
  return 2;
}

/* }== */

/* {== Reading ============================================================= */

capture *sp_capture_open(lua_State *L, int self) { return sp_heap_walk_open(L, self); }

void sp_capture_push_passed(lua_State *L, int self)
{
  if (lua_getiuservalue(L, self, PASSED) != LUA_TTABLE) {
    lua_newtable(L);
    lua_replace(L, -2);
  }
}

static bool is_marked(sp_heap_box b, const bool *marks)
{
  return SP_HEAP_BOX_TAG_OF(b) == SP_HEAP_BOX_KNOWN && marks[b & SP_HEAP_BOX_PAYLOAD];
}

void sp_capture_each_holder(const capture *c, const bool *marks, void (*fn)(void *ud, uint32_t thing), void *ud)
{
  for (uint32_t i = 0; i < c->region_count; i++) {
    const region *r = &c->regions[i];
    bool found = false;
    for (uint32_t at = 0; r->is_table && !found && at < 1 + 2 * r->count; at++)
      found = is_marked(c->boxes[r->first + at], marks);
    if (found)
      fn(ud, r->thing);
  }
  for (uint32_t i = 0; i < c->cell_count; i++)
    if (is_marked(c->boxes[c->cells[i].at], marks))
      fn(ud, c->cells[i].function);
  for (uint32_t i = 0; i < c->other_count; i++)
    fn(ud, c->others[i]);
}

int spl_native_knows(lua_State *L)
{
  lua_settop(L, 2);
  const capture *c = sp_capture_open(L, 1);
  lua_pushboolean(L, sp_heap_knows(&c->walk, lua_topointer(L, 2)));
  return 1;
}

int spl_native_things(lua_State *L)
{
  lua_settop(L, 1);
  const capture *c = sp_capture_open(L, 1);
  lua_createtable(L, (int)c->region_count, 0);
  for (uint32_t i = 0; i < c->region_count; i++) {
    lua_rawgeti(L, c->walk.list, c->regions[i].thing);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

int spl_native_functions_of(lua_State *L)
{
  enum { SOURCES = 2, RESULT = 4 };
  lua_Integer count = 0;
  lua_settop(L, SOURCES);
  const capture *c = sp_capture_open(L, 1);
  lua_newtable(L);
  for (uint32_t i = 0; i < c->region_count; i++, lua_settop(L, RESULT)) {
    lua_Debug ar;
    if (c->regions[i].is_table)
      continue;
    lua_rawgeti(L, c->walk.list, c->regions[i].thing);
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &ar);
    lua_pushstring(L, ar.source);
    if (lua_rawget(L, SOURCES) == LUA_TNIL)
      continue;
    lua_pop(L, 1);
    lua_rawseti(L, RESULT, ++count);
  }
  return 1;
}

/* Pushes the entries of a region as a table. */
static void push_entries(const capture *c, const region *r)
{
  lua_State *L = c->walk.L;
  lua_createtable(L, 0, (int)r->count);
  for (uint32_t i = 0; i < r->count; i++) {
    sp_heap_box_push(&c->walk, c->boxes[r->first + 1 + 2 * i]);
    sp_heap_box_push(&c->walk, c->boxes[r->first + 2 + 2 * i]);
    lua_rawset(L, -3);
  }
}

static void push_cell(const capture *c, const cell *it)
{
  lua_State *L = c->walk.L;
  lua_createtable(L, 0, 4);
  lua_rawgeti(L, c->walk.list, it->function);
  const char *name = lua_getupvalue(L, -1, it->i);
  lua_pop(L, 1);
  lua_setfield(L, -2, "f");
  lua_pushinteger(L, it->i);
  lua_setfield(L, -2, "i");
  lua_pushstring(L, name);
  lua_setfield(L, -2, "name");
  sp_heap_box_push(&c->walk, c->boxes[it->at]);
  lua_setfield(L, -2, "value");
}

int spl_native_contents(lua_State *L)
{
  lua_settop(L, 1);
  const capture *c = sp_capture_open(L, 1);
  enum { TABLES = 3, METATABLES, VARIABLES };
  for (int i = TABLES; i <= VARIABLES; i++)
    lua_newtable(L);
  for (uint32_t i = 0; i < c->region_count; i++, lua_settop(L, VARIABLES)) {
    const region *r = &c->regions[i];
    if (!r->is_table)
      continue;
    lua_rawgeti(L, c->walk.list, r->thing);
    lua_pushvalue(L, -1);
    push_entries(c, r);
    lua_rawset(L, TABLES);
    sp_heap_box_push(&c->walk, c->boxes[r->first]);
    lua_rawset(L, METATABLES);
  }
  for (uint32_t i = 0; i < c->cell_count; i++) {
    lua_pushlightuserdata(L, (void *)c->cells[i].id);
    push_cell(c, &c->cells[i]);
    lua_rawset(L, VARIABLES);
  }
  return 3;
}

/* }== */

/* {== Comparing =========================================================== */

/* Returns whether the table has other entries, or the same ones in another order. */
static bool has_changed(const capture *c, const region *r, int t)
{
  lua_State *L = c->walk.L;
  const sp_heap_box *b = &c->boxes[r->first + 1];
  uint32_t count = 0;
  const int key = lua_gettop(L) + 1;
  for (lua_pushnil(L); lua_next(L, t); lua_settop(L, key), b += 2)
    if (++count > r->count || !sp_heap_box_is(&c->walk, b[0], key) || !sp_heap_box_is(&c->walk, b[1], key + 1)) {
      lua_settop(L, key - 1);
      return true;
    }
  return count != r->count;
}

static bool has_metatable(const capture *c, const region *r, int t)
{
  lua_State *L = c->walk.L;
  if (!lua_getmetatable(L, t))
    return c->boxes[r->first] == SP_HEAP_BOX_NIL;
  bool same = sp_heap_box_is(&c->walk, c->boxes[r->first], lua_gettop(L));
  lua_pop(L, 1);
  return same;
}

/* Gets a change: a thing, a key as in native.changes, the value before and the one now are on top. May pop them. */
typedef void (*change_fn)(lua_State *L, void *ud);

/* Passes the new entries first: removing them may make the room that the former ones need. */
static void visit_entries(const capture *c, const region *r, int t, change_fn fn, void *ud)
{
  lua_State *L = c->walk.L;
  push_entries(c, r);
  const int known = lua_gettop(L), key = known + 1, value = known + 2;
  for (lua_pushnil(L); lua_next(L, t); lua_settop(L, key)) {
    lua_pushvalue(L, t);
    lua_pushvalue(L, key);
    lua_pushvalue(L, key);
    bool is_new = lua_rawget(L, known) == LUA_TNIL;
    lua_pushvalue(L, value);
    if (is_new)
      fn(L, ud);
  }
  for (lua_pushnil(L); lua_next(L, known); lua_settop(L, key)) {
    lua_pushvalue(L, t);
    lua_pushvalue(L, key);
    lua_pushvalue(L, value);
    lua_pushvalue(L, key);
    lua_rawget(L, t);
    if (!sp_heap_box_is_same(L, -1, value))
      fn(L, ud);
  }
  lua_settop(L, known - 1);
}

static void visit_table(const capture *c, const region *r, change_fn fn, void *ud)
{
  lua_State *L = c->walk.L;
  const int t = lua_gettop(L) + 1;
  lua_rawgeti(L, c->walk.list, r->thing);
  if (!has_metatable(c, r, t)) {
    lua_pushvalue(L, t);
    lua_pushlightuserdata(L, (void *)&metatable);
    sp_heap_box_push(&c->walk, c->boxes[r->first]);
    if (!lua_getmetatable(L, t))
      lua_pushnil(L);
    fn(L, ud);
  }
  if (has_changed(c, r, t))
    visit_entries(c, r, t, fn, ud);
  lua_settop(L, t - 1);
}

static void visit_cell(const capture *c, const cell *it, change_fn fn, void *ud)
{
  lua_State *L = c->walk.L;
  const int f = lua_gettop(L) + 1;
  lua_rawgeti(L, c->walk.list, it->function);
  lua_pushinteger(L, it->i);
  sp_heap_box_push(&c->walk, c->boxes[it->at]);
  lua_getupvalue(L, f, it->i);
  /* Functions of a new run were joined to the variables of the last one. */
  if (lua_upvalueid(L, f, it->i) == it->id && !sp_heap_box_is(&c->walk, c->boxes[it->at], f + 3))
    fn(L, ud);
  lua_settop(L, f - 1);
}

/* Calls `fn` for each place that holds something else now. */
static void each_change(const capture *c, change_fn fn, void *ud)
{
  for (uint32_t i = 0; i < c->region_count; i++)
    if (c->regions[i].is_table)
      visit_table(c, &c->regions[i], fn, ud);
  for (uint32_t i = 0; i < c->cell_count; i++)
    visit_cell(c, &c->cells[i], fn, ud);
}

enum { LOG = 3 }; /* index of the log, in native.changes; nil: no list yet */

static void log_change(lua_State *L, void *count)
{
  lua_Integer *n = count;
  if (lua_isnil(L, LOG)) {
    lua_newtable(L);
    lua_replace(L, LOG);
  }
  for (int i = 4; i > 0; i--)
    lua_rawseti(L, LOG, *n + i);
  *n += 4;
}

int spl_native_changes(lua_State *L)
{
  lua_Integer n = 0;
  lua_settop(L, 1);
  const capture *c = sp_capture_open(L, 1);
  lua_pushnil(L);
  each_change(c, log_change, &n);
  if (n > 0) {
    lua_pushinteger(L, n);
    lua_setfield(L, LOG, "n");
  }
  return 1;
}

static void put_back(lua_State *L, void *unused)
{
  const int thing = lua_gettop(L) - 3, key = thing + 1;
  (void)unused;
  lua_pop(L, 1);
  if (lua_touserdata(L, key) == &metatable)
    lua_setmetatable(L, thing);
  else if (lua_isfunction(L, thing))
    lua_setupvalue(L, thing, (int)lua_tointeger(L, key));
  else
    lua_rawset(L, thing);
}

int spl_native_undo(lua_State *L)
{
  lua_settop(L, 1);
  each_change(sp_capture_open(L, 1), put_back, NULL);
  return 0;
}

/* }== */

/* {== The same again ====================================================== */

/* Both captures, and stack indices. */
typedef struct pairing {
  const capture *was, *is;
  uint32_t *region_of; /* number of a thing of `is` -> 1 + the index of its region */
  int known, sources;
} pairing;

static bool is_same_code(lua_State *L, const pairing *p, int then, int now)
{
  lua_Debug a, b;
  if (lua_iscfunction(L, then) || lua_iscfunction(L, now))
    return lua_tocfunction(L, then) == lua_tocfunction(L, now);
  lua_pushvalue(L, then);
  lua_getinfo(L, ">Su", &a);
  lua_pushvalue(L, now);
  lua_getinfo(L, ">Su", &b);
  lua_pushstring(L, b.source);
  bool edited = lua_rawget(L, p->sources) != LUA_TNIL;
  lua_pop(L, 1);
  return !edited && strcmp(a.source, b.source) == 0 && a.linedefined == b.linedefined &&
         a.lastlinedefined == b.lastlinedefined && a.nups == b.nups;
}

/* Each run makes new objects, coroutines and functions of classes: a new one counts as the same. */
static bool is_state(lua_State *L, const pairing *p, int then, int now)
{
  int type = lua_type(L, then);
  if (type != lua_type(L, now))
    return false;
  if (type == LUA_TFUNCTION)
    return sp_is_library(L, then) && is_same_code(L, p, then, now);
  if (type == LUA_TLIGHTUSERDATA || type == LUA_TTHREAD)
    return true;
  bool same = type == LUA_TUSERDATA && lua_getmetatable(L, then);
  return same && lua_getmetatable(L, now) && lua_rawequal(L, -1, -2);
}

static bool is_remade_value(const pairing *p, sp_heap_box then, sp_heap_box now)
{
  lua_State *L = p->is->walk.L;
  const int top = lua_gettop(L);
  if (SP_HEAP_BOX_TAG_OF(then) < SP_HEAP_BOX_KNOWN || SP_HEAP_BOX_TAG_OF(now) < SP_HEAP_BOX_KNOWN)
    return then == now;
  sp_heap_box_push(&p->was->walk, then);
  sp_heap_box_push(&p->is->walk, now);
  const uint32_t made = SP_HEAP_BOX_TAG_OF(now) == SP_HEAP_BOX_KNOWN ? p->region_of[now & SP_HEAP_BOX_PAYLOAD] : 0;
  bool same = sp_heap_box_is_same(L, top + 1, top + 2);
  if (!same && made > 0) {
    lua_rawgeti(L, p->was->walk.list, p->was->regions[made - 1].thing);
    same = lua_rawequal(L, -1, top + 1);
  } else if (!same) {
    lua_pushvalue(L, top + 2);
    lua_rawget(L, p->known);
    same = lua_rawequal(L, -1, top + 1) || is_state(L, p, top + 1, top + 2);
  }
  lua_settop(L, top);
  return same;
}

static bool is_remade_region(const pairing *p, uint32_t i)
{
  lua_State *L = p->is->walk.L;
  const region *then = &p->was->regions[i], *now = &p->is->regions[i];
  if (then->is_table != now->is_table || then->count != now->count)
    return false;
  if (!now->is_table) {
    const int top = lua_gettop(L);
    lua_rawgeti(L, p->was->walk.list, then->thing);
    lua_rawgeti(L, p->is->walk.list, now->thing);
    bool same = lua_isfunction(L, top + 1) && lua_isfunction(L, top + 2) && is_same_code(L, p, top + 1, top + 2);
    lua_settop(L, top);
    return same;
  }
  for (uint32_t at = 0; at < 1 + 2 * now->count; at++)
    if (!is_remade_value(p, p->was->boxes[then->first + at], p->is->boxes[now->first + at]))
      return false;
  return true;
}

static bool is_remade(const pairing *p)
{
  const capture *was = p->was, *is = p->is;
  if (was->region_count != is->region_count || was->cell_count != is->cell_count)
    return false;
  for (uint32_t i = 0; i < is->region_count; i++)
    if (!is_remade_region(p, i))
      return false;
  for (uint32_t i = 0; i < is->cell_count; i++)
    if (was->cells[i].i != is->cells[i].i ||
        !is_remade_value(p, was->boxes[was->cells[i].at], is->boxes[is->cells[i].at]))
      return false;
  return true;
}

/* Pushes a table that maps the things of one capture to those of the other, and the ids of variables. */
static void push_counterparts(const pairing *p)
{
  lua_State *L = p->is->walk.L;
  lua_createtable(L, 0, (int)(p->is->region_count + p->is->cell_count));
  for (uint32_t i = 0; i < p->is->region_count; i++) {
    lua_rawgeti(L, p->is->walk.list, p->is->regions[i].thing);
    lua_rawgeti(L, p->was->walk.list, p->was->regions[i].thing);
    lua_rawset(L, -3);
  }
  for (uint32_t i = 0; i < p->is->cell_count; i++) {
    lua_pushlightuserdata(L, (void *)p->is->cells[i].id);
    lua_pushlightuserdata(L, (void *)p->was->cells[i].id);
    lua_rawset(L, -3);
  }
}

int spl_native_remade(lua_State *L)
{
  lua_settop(L, 4);
  pairing p = {.was = sp_capture_open(L, 1), .is = sp_capture_open(L, 2), .known = 3, .sources = 4};
  const size_t bytes = (p.is->walk.count + (size_t)1) * sizeof *p.region_of;
  p.region_of = memset(lua_newuserdatauv(L, bytes, 0), 0, bytes);
  for (uint32_t i = 0; i < p.is->region_count; i++)
    p.region_of[p.is->regions[i].thing] = i + 1;
  if (!is_remade(&p))
    return 0;
  push_counterparts(&p);
  return 1;
}

/* }== */
