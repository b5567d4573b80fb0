/*
** Finding objects: filters, walks, and the methods over whole pools: set, add, within, nearest, overlaps, separate.
*/
#include "script/bind/query.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/bind/fields.h"
#include "script/bind/members.h"
#include "script/bind/object.h"
#include "script/guard/door.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* {== Filters ============================================================ */

static _Noreturn void bad_filter(lua_State *L, int filter, const char *what)
{
  sp_raise_arg(L, filter, "a filter is {type=}, {class=}, {group=} or function(obj), got %s", what);
}

/* Asks `question` of lua/spawnpool/class.lua about the values on top, which are popped. */
static bool ask_classes(lua_State *L, const sp_context *c, const char *question, int values)
{
  sp_push_kept(L, c, SP_KEPT_CLASSES);
  sp_raw_field(L, -1, question);
  lua_replace(L, -2);
  lua_insert(L, -values - 1);
  lua_call(L, values, 1);
  bool yes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return yes;
}

/* A type's name, or the table of a class, on top of the stack. */
static bool is_class(lua_State *L)
{
  lua_pushvalue(L, -1);
  return ask_classes(L, sp_context_here(L), "is_class", 1);
}

static void check_filter_table(lua_State *L, int filter)
{
  bool any = false;
  sp_shown shown, text;
  for (lua_pushnil(L); sp_raw_next(L, filter); lua_pop(L, 1), any = true) {
    const char *key = sp_to_text(L, -2);
    bool is_class_key = strcmp(key, "class") == 0;
    if (strcmp(key, "type") != 0 && !is_class_key && strcmp(key, "group") != 0) {
      snprintf(text.text, sizeof text.text, "a table with '%.200s'", sp_show_name(L, -2, &shown));
      bad_filter(L, filter, text.text);
    }
    if (lua_type(L, -1) != LUA_TSTRING && !(is_class_key && is_class(L))) {
      snprintf(text.text, sizeof text.text, "%s = %s", sp_show_name(L, -2, &shown), luaL_typename(L, -1));
      bad_filter(L, filter, text.text);
    }
  }
  if (!any)
    bad_filter(L, filter, "an empty table");
}

void sp_check_filter(lua_State *L, int filter)
{
  int type = lua_type(L, filter);
  luaL_checkstack(L, 10, NULL);
  if (type == LUA_TTABLE)
    check_filter_table(L, filter);
  else if (type != LUA_TNONE && type != LUA_TNIL && type != LUA_TFUNCTION && type != LUA_TSTRING)
    bad_filter(L, filter, luaL_typename(L, filter));
}

/* Returns whether the entry `key` of the filter takes the type whose name is at `type`; `question` is for classes to
   answer, NULL: the names must be equal. The table may have changed since it was checked. */
static bool entry_takes(lua_State *L, const sp_context *c, int filter, const char *key, const char *question, int type)
{
  int top = lua_gettop(L);
  bool takes = true;
  if (sp_raw_field(L, filter, key) != LUA_TNIL) {
    lua_pushvalue(L, type);
    lua_insert(L, -2);
    takes = question ? ask_classes(L, c, question, 2) : sp_raw_equal(L, -1, -2);
  }
  lua_settop(L, top);
  return takes;
}

/* The name is on the stack before anything can run: the pool is not looked at again. */
bool sp_filter_takes_pool(lua_State *L, int filter, const spl_pool *p)
{
  const sp_context *c = p->manager->context;
  int top = lua_gettop(L), type = top + 1;
  bool takes = true;
  lua_pushstring(L, sp_pool_desc_of(p->core)->type);
  if (lua_type(L, filter) == LUA_TSTRING)
    takes = sp_raw_equal(L, filter, type);
  else if (lua_istable(L, filter))
    takes = entry_takes(L, c, filter, "type", NULL, type) && entry_takes(L, c, filter, "class", "is_a", type) &&
            entry_takes(L, c, filter, "group", "in_group", type);
  lua_settop(L, top);
  return takes;
}

/* }== */

/* {== Pools ============================================================== */

sp_walk sp_check_walk(lua_State *L, const sp_manager *m, sp_pool *pool)
{
  int exact = 0;
  sp_walk walk = {pool, SP_NULL_REF, (uint64_t)lua_tointegerx(L, 1, &exact)};
  if (!SP_LIKELY(exact))
    sp_raise_arg(L, 1, "each() returns an iterator and a number for it: pass both on");
  int type = lua_type(L, 2);
  if (type <= LUA_TNIL)
    return walk;
  walk.last = sp_to_object(L, 2);
  if (!SP_LIKELY(type == LUA_TLIGHTUSERDATA && sp_ref_is_ours(m, walk.last)))
    sp_raise_arg(L, 2, "the last object of the walk expected");
  return walk;
}

/* next(serial, last): upvalues are the context, the pool userdata, and its record, which outlives the pool with
   this. */
int spl_walk_next_of_pool(lua_State *L)
{
  const spl_pool *p = sp_held_pool(sp_raw_block(L, lua_upvalueindex(3)));
  if (!p->core) /* removed inside the loop */
    return 0;
  sp_walk walk = sp_check_walk(L, p->manager->core, p->core);
  sp_ref object = sp_walk_next(&walk);
  if (!object)
    return 0;
  sp_push_object(L, object);
  return 1;
}

int sp_walk_pool(lua_State *L, int pool)
{
  const spl_pool *p = sp_to_pool(L, pool);
  const lua_Integer serial = (lua_Integer)sp_serial(p->manager->core);
  if (lua_getiuservalue(L, pool, SP_POOL_WALK) == LUA_TNIL) {
    lua_pushlightuserdata(L, p->manager->context);
    lua_pushvalue(L, pool);
    sp_push_record(L, p->manager->context, p);
    lua_pushcclosure(L, spl_walk_next_of_pool, 3);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, pool, SP_POOL_WALK);
  }
  lua_pushinteger(L, serial);
  return 2;
}

/* }== */

/* {== Managers =========================================================== */

bool sp_function_takes(lua_State *L, int function, sp_ref object)
{
  lua_pushvalue(L, function);
  sp_push_object(L, object);
  lua_call(L, 1, 1);
  bool takes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return takes;
}

/* The manager of a walk, its second upvalue; NULL once it is closed. */
static const spl_manager *manager_here(lua_State *L)
{
  const spl_manager *m = sp_to_manager(L, lua_upvalueindex(2));
  return m->core ? m : NULL;
}

/* Returns whether the filter of a walk, its third upvalue, accepts an object, which may be gone afterwards. */
static bool filter_takes(lua_State *L, const spl_manager *m, sp_ref object)
{
  const int filter = lua_upvalueindex(3);
  bool takes = true;
  if (lua_isnil(L, filter))
    return true;
  if (lua_isfunction(L, filter))
    takes = sp_function_takes(L, filter, object);
  else
    takes = sp_filter_takes_pool(L, filter, spl_pool_of(sp_object_pool(m->core, object)));
  m = manager_here(L);
  return takes && m && sp_object_is_live(m->core, object);
}

/* next(serial, last): upvalues are the context, the manager userdata and the filter. */
int spl_walk_next_filtered(lua_State *L)
{
  const spl_manager *m = manager_here(L);
  if (!m)
    return 0;
  const sp_walk walk = sp_check_walk(L, m->core, NULL);
  const uint64_t serial = walk.serial;
  sp_ref last = walk.last;
  for (; m && (last = sp_next_live(m->core, serial, last)) != SP_NULL_REF; m = manager_here(L)) {
    if (filter_takes(L, m, last)) {
      sp_push_object(L, last);
      return 1;
    }
    sp_watchdog_check_clock(L); /* the filter may be a function of C */
  }
  return 0;
}

int sp_walk_manager(lua_State *L, int manager, int filter)
{
  const spl_manager *m = sp_to_manager(L, manager);
  sp_context *c = m->context;
  const lua_Integer serial = (lua_Integer)sp_serial(m->core);
  lua_settop(L, filter);
  if (!lua_isnil(L, filter) || lua_getiuservalue(L, manager, SP_MANAGER_WALK) == LUA_TNIL) {
    lua_settop(L, filter);
    lua_pushlightuserdata(L, c);
    lua_pushvalue(L, manager);
    lua_pushvalue(L, filter);
    lua_pushcclosure(L, spl_walk_next_filtered, 3);
    if (lua_isnil(L, filter)) {
      lua_pushvalue(L, -1);
      lua_setiuservalue(L, manager, SP_MANAGER_WALK);
    }
  }
  lua_pushinteger(L, serial);
  return 2;
}

/* }== */

/* {== Set and add ======================================================== */

/* Returns the pool at 1 and the field named at 2, which must be one that can be written in bulk. */
static spl_pool *check_field(lua_State *L, uint32_t *name)
{
  spl_pool *p = sp_check_open_pool(L, 1);
  if (p->scaled == 0 && sp_names_scale(L, 2) && !sp_gain_scales(L, p))
    p = sp_check_open_pool(L, 1);
  *name = sp_keymap_find(L, p->names, 2);
  if (*name == SP_NO_KEY)
    sp_object_unknown(L, p, 2, 0);
  return p;
}

static SP_COLD _Noreturn void bad_value(lua_State *L, const spl_pool *p, const char *wrong)
{
  sp_shown name, value;
  sp_raise(L, "field '%s' of %s %s, got %s", sp_show_name(L, 2, &name), sp_pool_desc_of(p->core)->type, wrong,
           sp_show(L, 3, &value));
}

/* The value is read once, into the first object, whose cell all others copy. */
int spl_pool_set(lua_State *L)
{
  uint32_t name, count = 0;
  spl_pool *p = check_field(L, &name);
  const sp_cell_part of = sp_cell_part_of(name);
  const sp_column_layout *column = &sp_view_of(p->core)->columns[of.column];
  const unsigned char *first = NULL;
  sp_check_any(L, 3);
  sp_walk walk = sp_pool_walk(p->core);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF || count == 0; count++) {
    const uint32_t slot = object ? sp_ref_slot(object) : SP_NO_SLOT;
    unsigned char *cell = object && of.size ? sp_cell_at(p->manager->core, column, slot, column->size) : NULL;
    if (first && cell) {
      memcpy(cell + of.offset, first + of.offset, of.size);
      continue;
    }
    const char *wrong = sp_object_write(L, p, slot, name, 3);
    if (wrong)
      bad_value(L, p, wrong);
    first = cell;
    if (!object)
      break;
  }
  lua_pushinteger(L, count);
  return 1;
}

static uint32_t add_to_doubles(spl_pool *p, uint32_t name, double delta)
{
  uint32_t count = 0;
  sp_mark_written(p->core, sp_view_of(p->core)->columns[SP_NAME_WHAT(name)].written);
  sp_walk walk = sp_pool_walk(p->core);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF; count++)
    *sp_double_cell(p->manager->core, p->core, sp_ref_slot(object), name) += delta;
  return count;
}

/* Returns whether adding `delta` would make a float of a live object infinite. */
static bool overflows(spl_pool *p, uint32_t name, float delta)
{
  bool look = SP_NAME_KIND(name) == SP_NAME_LOOK_FLOAT;
  sp_walk walk = sp_pool_walk(p->core);
  if (fabsf(delta) < FLT_MAX * FLT_EPSILON / 4)
    return false;
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF;) {
    uint32_t slot = sp_ref_slot(object);
    const sp_manager *m = p->manager->core;
    if (!isfinite((look ? *sp_look_cell(m, p->core, slot, name) : *sp_float_cell(m, p->core, slot, name)) + delta))
      return true;
  }
  return false;
}

static uint32_t add_to_floats(lua_State *L, spl_pool *p, uint32_t name, double delta)
{
  int what = SP_NAME_WHAT(name);
  if (!isfinite((float)delta) || overflows(p, name, (float)delta))
    sp_raise_arg(L, 3, "the amount is too large");
  return SP_NAME_KIND(name) == SP_NAME_FLOAT ? sp_pool_add(p->core, what, 0, (float)delta)
                                             : sp_pool_add(p->core, SP_LOOK, (size_t)what, (float)delta);
}

int spl_pool_add(lua_State *L)
{
  uint32_t name, count = 0;
  spl_pool *p = check_field(L, &name);
  double delta = sp_check_finite(L, 3, "the amount");
  sp_shown shown;
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_FLOAT:
  case SP_NAME_LOOK_FLOAT:
    count = add_to_floats(L, p, name, delta);
    break;
  case SP_NAME_NUMBER:
  case SP_NAME_INTEGER:
    count = add_to_doubles(p, name, delta);
    break;
  default:
    sp_raise(L, "field '%s' of %s holds no number that can be added to", sp_show_name(L, 2, &shown),
             sp_pool_desc_of(p->core)->type);
  }
  lua_pushinteger(L, count);
  return 1;
}

/* }== */

/* {== Callbacks ========================================================== */

/* A callback of a query. All hits are visited; the first error is raised after that. */
typedef struct visit {
  lua_State *L;
  sp_watchdog *watchdog;
  int function, error, handler; /* stack indices; nil at `error` until there is one */
  int failures;
} visit;

/* A stopped function is not called again: it may be a C function, in which nothing else would stop it. */
static void visit_values(visit *v, int nargs)
{
  if (sp_watchdog_is_over(v->watchdog)) {
    lua_pop(v->L, nargs + 1);
    return;
  }
  if (lua_pcall(v->L, nargs, 0, v->failures == 0 ? v->handler : 0) == LUA_OK)
    return;
  if (lua_isnil(v->L, v->error))
    lua_replace(v->L, v->error);
  else
    lua_pop(v->L, 1);
  v->failures++;
}

static void visit_one(void *ud, sp_ref object)
{
  visit *v = ud;
  lua_pushvalue(v->L, v->function);
  sp_push_object(v->L, object);
  visit_values(v, 1);
}

static void visit_pair(void *ud, sp_ref object, sp_ref other)
{
  visit *v = ud;
  lua_pushvalue(v->L, v->function);
  sp_push_object(v->L, object);
  sp_push_object(v->L, other);
  visit_values(v, 2);
}

/* Makes the stack ready for calls of the function at `function`, its last argument. */
static visit begin_visit(lua_State *L, const sp_context *c, int function)
{
  luaL_checkstack(L, 8, NULL);
  sp_check_function(L, function);
  lua_settop(L, function);
  lua_pushnil(L);
  return (visit){.L = L,
                 .watchdog = c->watchdog,
                 .function = function,
                 .error = function + 1,
                 .handler = sp_door_handler(L, false)};
}

/* Raises the reason why a search did not end: the watchdog may have stopped it. */
static void check_search(lua_State *L, sp_result why)
{
  sp_watchdog_check_clock(L);
  if (why != SP_OK)
    sp_raise(L, "%s", sp_result_text(why));
}

static int finish_visit(lua_State *L, const visit *v, uint32_t calls, sp_result why)
{
  if (v->failures > 0) {
    lua_pushvalue(L, v->error);
    return lua_error(L);
  }
  check_search(L, why);
  lua_pushinteger(L, calls);
  return 1;
}

/* }== */

/* {== Near =============================================================== */

/* Found objects, in memory of the core: no other query may run before they are in a table. */
typedef struct found {
  const sp_ref *objects;
  uint32_t count;
} found;

/* A list that is also an iterator: `for o in list do` as well as `ipairs(list)`. Upvalue 1 is how far it is. */
int spl_hits_call(lua_State *L)
{
  if (lua_type(L, 1) != LUA_TTABLE)
    luaL_typeerror(L, 1, "list of objects");
  lua_Integer at = lua_tointeger(L, lua_upvalueindex(1)) + 1;
  lua_pushinteger(L, at);
  lua_replace(L, lua_upvalueindex(1));
  sp_raw_geti(L, 1, at);
  return 1;
}

static void make_callable(lua_State *L)
{
  lua_createtable(L, 0, 2);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, spl_hits_call, 1);
  lua_setfield(L, -2, "__call");
  lua_pushliteral(L, "spawnpool.list");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

/* table_of(found) -> list. */
static int table_of(lua_State *L)
{
  const found *f = sp_raw_block(L, 1);
  lua_createtable(L, (int)f->count, 0);
  for (lua_Integer i = 0; i < f->count; i++) {
    sp_push_object(L, f->objects[i]);
    sp_raw_seti(L, -2, i + 1);
  }
  return 1;
}

static int within_list(lua_State *L, spl_pool *p, float x, float y, float radius)
{
  sp_result why = SP_OK;
  luaL_checkstack(L, 8, NULL);
  found f;
  f.objects = sp_pool_list_within(p->core, x, y, radius, &f.count, &why);
  check_search(L, why);
  lua_pushcfunction(L, table_of);
  lua_pushlightuserdata(L, &f);
  sp_call_without_gc(L, 1, 1);
  make_callable(L);
  return 1;
}

/* within(x, y, r) -> list; within(x, y, r, fn) calls fn(object) for each and returns how many. */
int spl_pool_within(lua_State *L)
{
  spl_pool *p = sp_check_open_pool(L, 1);
  float x = sp_check_coordinate(L, 2, "x"), y = sp_check_coordinate(L, 3, "y");
  float radius = sp_check_coordinate(L, 4, "radius");
  if (!(radius >= 0))
    sp_raise_arg(L, 4, "radius must not be negative");
  if (lua_isnoneornil(L, 5))
    return within_list(L, p, x, y, radius);
  sp_context *c = p->manager->context;
  sp_result why = SP_OK;
  visit v = begin_visit(L, c, 5);
  lua_State *outer = sp_begin(c, L);
  uint32_t calls = sp_pool_within(p->core, x, y, radius, visit_one, &v, &why);
  sp_finish(c, outer);
  return finish_visit(L, &v, calls, why);
}

/* nearest(x, y, within?) -> object, distance; or nil. */
int spl_pool_nearest(lua_State *L)
{
  const spl_pool *p = sp_check_open_pool(L, 1);
  float distance, x = sp_check_coordinate(L, 2, "x"), y = sp_check_coordinate(L, 3, "y");
  double most = lua_isnoneornil(L, 4) ? HUGE_VAL : lua_type(L, 4) == LUA_TNUMBER ? lua_tonumber(L, 4) : -1;
  sp_shown shown;
  if (!(most >= 0))
    sp_raise_arg(L, 4, "within must be a distance from 0 up, got %s", sp_show(L, 4, &shown));
  sp_ref object = sp_pool_nearest(p->core, x, y, 0, &distance);
  if (!object || distance > most) {
    sp_watchdog_check_clock(L); /* the watchdog may have stopped the search */
    return sp_return_refusal(L, true, SP_NONE);
  }
  sp_push_object(L, object);
  lua_pushnumber(L, distance);
  return 2;
}

/* overlaps(other, fn) calls fn(object, other) for each pair and returns how many. */
int spl_pool_overlaps(lua_State *L)
{
  spl_pool *p = sp_check_open_pool(L, 1);
  spl_pool *other = sp_check_open_pool(L, 2);
  if (other->manager != p->manager)
    sp_raise_arg(L, 2, "the pools belong to different managers");
  sp_context *c = p->manager->context;
  sp_result why = SP_OK;
  visit v = begin_visit(L, c, 3);
  lua_State *outer = sp_begin(c, L);
  uint32_t calls = sp_pool_overlaps(p->core, other->core, visit_pair, &v, &why);
  sp_finish(c, outer);
  return finish_visit(L, &v, calls, why);
}

/* separate(other?) pushes overlapping circles apart and returns how many pairs. No hook runs. */
int spl_pool_separate(lua_State *L)
{
  const spl_pool *p = sp_check_open_pool(L, 1);
  const spl_pool *other = lua_isnoneornil(L, 2) ? p : sp_check_open_pool(L, 2);
  sp_result why = SP_OK;
  if (other->manager != p->manager)
    sp_raise_arg(L, 2, "the pools belong to different managers");
  uint32_t pairs = sp_pool_separate(p->core, other->core, &why);
  check_search(L, why);
  lua_pushinteger(L, pairs);
  return 1;
}

/* }== */
