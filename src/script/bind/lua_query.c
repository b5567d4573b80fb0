/*
** Methods over whole pools: take, set, add, within, nearest, overlaps, separate.
*/

#include <float.h>
#include <math.h>

#include "script/bind/alloc.h"
#include "script/bind/animation.h"
#include "script/bind/fields.h"
#include "script/bind/object.h"
#include "script/bind/reachable.h"
#include "script/bind/walk.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* {== Take =============================================================== */

static int bring_to_life(lua_State *L, sp_lua_pool *p, sp_ref idle)
{
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(c, L);
  sp_ref object = sp_pool_take(p->core, idle, 0, &why);
  sp_finish(c, outer);
  return sp_finish_alloc(L, c, id, object, why);
}

/* Returns the first idle object that the function at `predicate` accepts, or 0. Objects that the function makes are not
   offered. */
static sp_ref choose_idle(lua_State *L, const sp_context *c, uint64_t pool, int predicate)
{
  const sp_lua_pool *p = sp_pool_again(c, pool);
  uint32_t count = p ? sp_pool_idle(p->core) : 0;
  for (uint32_t i = 0; i < count && (p = sp_pool_again(c, pool)) && i < sp_pool_idle(p->core); i++) {
    sp_ref idle = sp_pool_idle_at(p->core, i);
    lua_pushvalue(L, predicate);
    sp_push_object(L, idle);
    lua_call(L, 1, 1);
    bool wanted = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (wanted)
      return idle;
  }
  return SP_NONE_REF;
}

/* Returns the idle object that the argument at 2, a function or none, chooses. */
static sp_ref find_idle(lua_State *L, const sp_context *c, uint64_t pool)
{
  const sp_lua_pool *p = sp_pool_again(c, pool);
  if (lua_isfunction(L, 2))
    return choose_idle(L, c, pool, 2);
  return p ? sp_pool_idle_at(p->core, 0) : SP_NONE_REF;
}

int sp_lua_pool_take(lua_State *L)
{
  sp_lua_pool *p = sp_check_pool(L, 1);
  if (!lua_isnoneornil(L, 2))
    sp_check_function(L, 2);
  if (!p->core)
    return sp_return_refusal(L, true, SP_CLOSED);
  const sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  sp_ref idle = find_idle(L, c, id);
  p = sp_pool_again(c, id);
  return idle && p ? bring_to_life(L, p, idle) : sp_return_refusal(L, true, SP_NONE);
}

int sp_manager_take(lua_State *L)
{
  const sp_lua_manager *m = sp_check_manager(L, 1);
  const sp_context *c = m->context;
  const uint64_t id = m->id;
  sp_check_filter(L, 2);
  lua_settop(L, 2);
  m = sp_manager_again(c, id);
  if (!m)
    return sp_return_refusal(L, true, SP_CLOSED);
  for (uint32_t i = 0; (m = sp_manager_again(c, id)) && i < sp_count_pools(m->core); i++) {
    sp_lua_pool *p = sp_lua_pool_of(sp_get_pool(m->core, i));
    const uint64_t pool = p->id;
    lua_settop(L, 2);
    sp_ref idle = sp_filter_takes_pool(L, 2, p) ? find_idle(L, c, pool) : SP_NONE_REF;
    p = sp_pool_again(c, pool);
    if (idle && p)
      return bring_to_life(L, p, idle);
  }
  return sp_return_refusal(L, true, SP_NONE);
}

/* }== */

/* {== Set and add ======================================================== */

/* Returns the field named at 2, which must be one that can be written in bulk. */
static uint32_t check_field(lua_State *L, sp_lua_pool *p)
{
  uint32_t name = sp_keymap_find(L, p->names, 2);
  if (name == SP_NO_KEY)
    sp_object_unknown(L, p, 2, 0);
  return name;
}

static bool is_layer(double number) { return floor(number) == number && fabs(number + 0.5) < 32768; }

/* Returns why the field cannot hold the value at `index`, or NULL. Checks `set` in a pool without live objects, where
   no write does. */
static const char *value_refused(lua_State *L, uint32_t name, int index)
{
  int type = lua_type(L, index);
  double number = type == LUA_TNUMBER ? lua_tonumber(L, index) : -1;
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_FLOAT:
  case SP_NAME_LOOK_FLOAT:
    return type != LUA_TNUMBER ? "must be a number" : isfinite((float)number) ? NULL : "must be a finite number";
  case SP_NAME_NUMBER:
  case SP_NAME_INTEGER:
    return type == LUA_TNUMBER ? NULL : "must be a number";
  case SP_NAME_BOOLEAN:
  case SP_NAME_VISIBLE:
  case SP_NAME_PINNED:
    return type == LUA_TBOOLEAN ? NULL : "must be true or false";
  case SP_NAME_LAYER:
    return type == LUA_TNUMBER && is_layer(number) ? NULL : "must be an integer from -32768 to 32767";
  case SP_NAME_SPRITE:
    return type == LUA_TSTRING ? NULL : "must be the name of a sprite";
  case SP_NAME_ANIMATION:
    return type == LUA_TNIL || type == LUA_TSTRING ? NULL : "must be the name of an animation or nil";
  case SP_NAME_FRAME:
    return type == LUA_TNUMBER ? NULL : SP_NO_FRAME;
  case SP_NAME_REF:
  case SP_NAME_PARENT:
    return type == LUA_TNIL || type == LUA_TLIGHTUSERDATA ? NULL : "must be an object or nil";
  case SP_NAME_REMAINING:
    return number >= 0 ? NULL : "must be seconds from 0 up (math.huge: never)";
  case SP_NAME_VALUE:
    return NULL;
  default:
    return "is read only";
  }
}

static SP_COLD _Noreturn void bad_value(lua_State *L, const sp_lua_pool *p, const char *wrong)
{
  sp_shown name, value;
  sp_raise(L, "field '%s' of %s %s, got %s", sp_show_name(L, 2, &name), sp_pool_type(p->core), wrong,
           sp_show(L, 3, &value));
}

int sp_lua_pool_set(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  uint32_t name = check_field(L, p), count = 0;
  sp_check_any(L, 3);
  sp_walk walk = sp_pool_walk(p->core);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF; count++) {
    const char *wrong = sp_object_write(L, p, sp_ref_slot(object), name, 3);
    if (wrong)
      bad_value(L, p, wrong);
  }
  const char *wrong = count == 0 ? value_refused(L, name, 3) : NULL;
  if (wrong)
    bad_value(L, p, wrong);
  lua_pushinteger(L, count);
  return 1;
}

static uint32_t add_to_doubles(sp_lua_pool *p, uint32_t name, double delta)
{
  uint32_t count = 0;
  sp_mark_written(p->core, sp_view_of(p->core)->columns[SP_NAME_WHAT(name)].written);
  sp_walk walk = sp_pool_walk(p->core);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF; count++)
    *sp_double_cell(p->manager->core, p->core, sp_ref_slot(object), name) += delta;
  return count;
}

/* Returns whether adding `delta` would make a float of a live object infinite. */
static bool overflows(sp_lua_pool *p, uint32_t name, float delta)
{
  bool look = SP_NAME_KIND(name) == SP_NAME_LOOK_FLOAT;
  sp_walk walk = sp_pool_walk(p->core);
  if (fabsf(delta) < FLT_MAX * FLT_EPSILON / 4)
    return false;
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    uint32_t slot = sp_ref_slot(object);
    const sp_manager *m = p->manager->core;
    if (!isfinite((look ? *sp_look_cell(m, p->core, slot, name) : *sp_float_cell(m, p->core, slot, name)) + delta))
      return true;
  }
  return false;
}

static uint32_t add_to_floats(lua_State *L, sp_lua_pool *p, uint32_t name, double delta)
{
  int what = SP_NAME_WHAT(name);
  if (!isfinite((float)delta) || overflows(p, name, (float)delta))
    sp_raise_arg(L, 3, "the amount is too large");
  return SP_NAME_KIND(name) == SP_NAME_FLOAT ? sp_pool_add(p->core, what, 0, (float)delta)
                                             : sp_pool_add(p->core, SP_LOOK, (size_t)what, (float)delta);
}

int sp_lua_pool_add(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  uint32_t name = check_field(L, p), count = 0;
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
             sp_pool_type(p->core));
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
  int function, error; /* stack indices; nil at `error` until there is one */
  int failures;
} visit;

/* A stopped function is not called again: it may be a C function, in which nothing else would stop it. */
static void visit_values(visit *v, int nargs)
{
  if (sp_watchdog_is_over(v->watchdog)) {
    lua_pop(v->L, nargs + 1);
    return;
  }
  if (lua_pcall(v->L, nargs, 0, 0) == LUA_OK)
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

static int finish_visit(lua_State *L, const visit *v, uint32_t calls, sp_result why)
{
  if (v->failures > 0) {
    lua_pushvalue(L, v->error);
    return lua_error(L);
  }
  sp_watchdog_look(L);
  if (why != SP_OK)
    sp_raise(L, "%s", sp_result_text(why));
  lua_pushinteger(L, calls);
  return 1;
}

/* }== */

/* {== Near =============================================================== */

/* Found objects, in memory that was allocated before the search, because nothing may raise during it. */
typedef struct found {
  sp_ref *objects;
  lua_Integer count, room;
} found;

static void note_found(void *ud, sp_ref object)
{
  found *f = ud;
  if (f->count < f->room)
    f->objects[f->count++] = object;
}

typedef struct near_request {
  float x, y, radius;
} near_request;

/* A list that is also an iterator: `for o in list do` as well as `ipairs(list)`. Upvalue 1 is how far it is. */
int sp_hits_call(lua_State *L)
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
  lua_pushcclosure(L, sp_hits_call, 1);
  lua_setfield(L, -2, "__call");
  lua_pushliteral(L, "spawnpool.list");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

static float check_float(lua_State *L, int arg, const char *what)
{
  float number = (float)sp_check_finite(L, arg, what);
  if (!isfinite(number))
    sp_raise_arg(L, arg, "too large");
  return number;
}

/* new_block(size) -> a userdata. */
static int new_block(lua_State *L)
{
  lua_newuserdatauv(L, (size_t)lua_tointeger(L, 1), 0);
  return 1;
}

static int within_list(lua_State *L, sp_lua_pool *p, const near_request *r)
{
  sp_result why = SP_OK;
  found f = {.room = sp_pool_live(p->core)};
  lua_pushcfunction(L, new_block);
  lua_pushinteger(L, (f.room + 1) * (lua_Integer)sizeof(sp_ref));
  sp_quietly(L, 1, 1);
  f.objects = sp_raw_block(L, -1);
  sp_pool_within(p->core, r->x, r->y, r->radius, note_found, &f, &why);
  if (why != SP_OK) {
    sp_watchdog_look(L);
    sp_raise(L, "%s", sp_result_text(why));
  }
  lua_createtable(L, (int)f.count, 0);
  for (lua_Integer i = 0; i < f.count; i++) {
    sp_push_object(L, f.objects[i]);
    sp_raw_seti(L, -2, i + 1);
  }
  make_callable(L);
  return 1;
}

/* within(x, y, r) -> list; within(x, y, r, fn) calls fn(object) for each and returns how many. */
int sp_lua_pool_within(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  near_request r = {check_float(L, 2, "x"), check_float(L, 3, "y"), check_float(L, 4, "radius")};
  if (!(r.radius >= 0))
    sp_raise_arg(L, 4, "radius must not be negative");
  luaL_checkstack(L, 8, NULL);
  if (lua_isnoneornil(L, 5))
    return within_list(L, p, &r);
  sp_check_function(L, 5);
  lua_settop(L, 5);
  lua_pushnil(L);
  sp_context *c = p->manager->context;
  sp_result why = SP_OK;
  visit v = {.L = L, .watchdog = c->watchdog, .function = 5, .error = 6};
  lua_State *outer = sp_begin(c, L);
  uint32_t calls = sp_pool_within(p->core, r.x, r.y, r.radius, visit_one, &v, &why);
  sp_finish(c, outer);
  return finish_visit(L, &v, calls, why);
}

/* nearest(x, y, within?) -> object, distance; or nil. */
int sp_lua_pool_nearest(lua_State *L)
{
  const sp_lua_pool *p = sp_check_open_pool(L, 1);
  float distance, x = check_float(L, 2, "x"), y = check_float(L, 3, "y");
  double most = lua_isnoneornil(L, 4) ? HUGE_VAL : lua_type(L, 4) == LUA_TNUMBER ? lua_tonumber(L, 4) : -1;
  sp_shown shown;
  if (!(most >= 0))
    sp_raise_arg(L, 4, "within must be a distance from 0 up, got %s", sp_show(L, 4, &shown));
  sp_ref object = sp_pool_nearest(p->core, x, y, &distance);
  if (!object || distance > most) {
    sp_watchdog_look(L); /* the watchdog may have stopped the search */
    return sp_return_refusal(L, true, SP_NONE);
  }
  sp_push_object(L, object);
  lua_pushnumber(L, distance);
  return 2;
}

/* overlaps(other, fn) calls fn(object, other) for each pair and returns how many. */
int sp_lua_pool_overlaps(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  sp_lua_pool *other = sp_check_open_pool(L, 2);
  if (other->manager != p->manager)
    sp_raise_arg(L, 2, "the pools belong to different managers");
  sp_check_function(L, 3);
  luaL_checkstack(L, 8, NULL);
  lua_settop(L, 3);
  lua_pushnil(L);
  sp_context *c = p->manager->context;
  sp_result why = SP_OK;
  visit v = {.L = L, .watchdog = c->watchdog, .function = 3, .error = 4};
  lua_State *outer = sp_begin(c, L);
  uint32_t calls = sp_pool_overlaps(p->core, other->core, visit_pair, &v, &why);
  sp_finish(c, outer);
  return finish_visit(L, &v, calls, why);
}

/* separate(other?) pushes overlapping circles apart and returns how many pairs. No hook runs. */
int sp_lua_pool_separate(lua_State *L)
{
  const sp_lua_pool *p = sp_check_open_pool(L, 1);
  const sp_lua_pool *other = lua_isnoneornil(L, 2) ? p : sp_check_open_pool(L, 2);
  sp_result why = SP_OK;
  if (other->manager != p->manager)
    sp_raise_arg(L, 2, "the pools belong to different managers");
  uint32_t pairs = sp_pool_separate(p->core, other->core, &why);
  if (why != SP_OK) {
    sp_watchdog_look(L);
    sp_raise(L, "%s", sp_result_text(why));
  }
  lua_pushinteger(L, pairs);
  return 1;
}

/* }== */
