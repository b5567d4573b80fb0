/*
** Verbs over whole pools: take, set, add, within, nearest, overlaps.
*/
#include <math.h>
#include <string.h>

#include "script/object.h"
#include "script/walk.h"

/* {== Take =============================================================== */

static int bring_to_life(lua_State *L, sp_lua_pool *p, sp_ref idle)
{
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(p->manager->context, L);
  sp_ref object = sp_take(p->core, idle, 0, &why);
  sp_finish(p->manager->context, outer);
  return sp_finish_alloc(L, p, object, why);
}

/* The first idle object that the function at `predicate` wants, or 0. It may do anything meanwhile: so no more are asked
   than there were at first, and the pool's userdata stays on the stack. */
static sp_ref choose_idle(lua_State *L, sp_lua_pool *p, int predicate)
{
  uint32_t count = sp_pool_idle(p->core);
  sp_push_anchor(L, p->manager->context, p);
  for (uint32_t i = 0; p->core && i < count && i < sp_pool_idle(p->core); i++) {
    sp_ref idle = sp_idle_at(p->core, i);
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

int sp_pool_take(lua_State *L)
{
  sp_lua_pool *p = sp_check_pool(L, 1);
  if (!lua_isnoneornil(L, 2))
    luaL_checktype(L, 2, LUA_TFUNCTION);
  if (!p->core)
    return sp_return_refusal(L, true, SP_CLOSED);
  sp_ref idle = lua_isnoneornil(L, 2) ? sp_idle_at(p->core, 0) : choose_idle(L, p, 2);
  return idle && p->core ? bring_to_life(L, p, idle) : sp_return_refusal(L, true, SP_NONE);
}

int sp_manager_take(lua_State *L)
{
  const sp_lua_manager *m = sp_check_manager(L, 1);
  sp_check_filter(L, 2);
  lua_settop(L, 2);
  if (!m->core)
    return sp_return_refusal(L, true, SP_CLOSED);
  for (uint32_t i = 0; m->core && i < sp_pool_count(m->core); i++) {
    sp_lua_pool *p = sp_lua_pool_of(sp_pool_at(m->core, i));
    lua_settop(L, 2);
    if (!sp_filter_takes_pool(L, 2, p))
      continue;
    sp_ref idle = lua_isfunction(L, 2) ? choose_idle(L, p, 2) : sp_idle_at(p->core, 0);
    if (idle && p->core)
      return bring_to_life(L, p, idle);
  }
  return sp_return_refusal(L, true, SP_NONE);
}

/* }== */

/* {== Set and add ======================================================== */

/* The field named at 2, which must be one that can be written in bulk. */
static uint32_t check_field(lua_State *L, sp_lua_pool *p)
{
  uint32_t name = sp_keymap_find(L, p->names, 2);
  if (name == SP_NO_KEY)
    sp_object_unknown(L, p, 2);
  return name;
}

/* What is wrong with the value at `index` for the field, when there is no object to write it to. */
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
    return type == LUA_TNUMBER && floor(number) == number && fabs(number + 0.5) < 32768
               ? NULL
               : "must be an integer from -32768 to 32767";
  case SP_NAME_SPRITE:
    return type == LUA_TSTRING ? NULL : "must be the name of a sprite";
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

static int bad_value(lua_State *L, const sp_lua_pool *p, const char *wrong)
{
  return luaL_error(L, "field '%s' of %s %s, got %s", lua_tostring(L, 2), sp_pool_type(p->core), wrong,
                    sp_push_shown(L, 3));
}

static int pool_set(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  uint32_t name = check_field(L, p), count = 0;
  luaL_checkany(L, 3);
  sp_walk walk = sp_walk_begin(p->core);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF; count++) {
    const char *wrong = sp_object_write(L, p, sp_ref_slot(object), name, 3);
    if (wrong)
      return bad_value(L, p, wrong);
  }
  const char *wrong = count == 0 ? value_refused(L, name, 3) : NULL;
  if (wrong)
    return bad_value(L, p, wrong);
  lua_pushinteger(L, count);
  return 1;
}

static uint32_t add_to_doubles(sp_lua_pool *p, int column, double delta)
{
  uint32_t count = 0;
  sp_mark_written(p->core, p->core->layout.columns[column].written);
  sp_walk walk = sp_walk_begin(p->core);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF; count++)
    *(double *)sp_slot_cell(p->core, sp_ref_slot(object), column) += delta;
  return count;
}

static int pool_add(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  uint32_t name = check_field(L, p), count = 0;
  double delta = sp_check_finite(L, 3, "the amount");
  int what = SP_NAME_WHAT(name);
  bool single = SP_NAME_KIND(name) == SP_NAME_FLOAT || SP_NAME_KIND(name) == SP_NAME_LOOK_FLOAT;
  luaL_argcheck(L, !single || isfinite((float)delta), 3, "the amount is too large");
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_FLOAT:
    count = sp_pool_add(p->core, what, 0, (float)delta);
    break;
  case SP_NAME_LOOK_FLOAT:
    count = sp_pool_add(p->core, SP_LOOK, (size_t)what, (float)delta);
    break;
  case SP_NAME_NUMBER:
  case SP_NAME_INTEGER:
    count = add_to_doubles(p, what, delta);
    break;
  default:
    return luaL_error(L, "field '%s' of %s holds no number that can be added to", lua_tostring(L, 2),
                      sp_pool_type(p->core));
  }
  lua_pushinteger(L, count);
  return 1;
}

/* }== */

/* {== Callbacks ========================================================== */

/* A query's callback: all hits are visited; the first error waits until then. */
typedef struct visit {
  lua_State *L;
  int function, error; /* stack indices; nil at `error` until there is one */
  int failures;
} visit;

static void visit_values(visit *v, int nargs)
{
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
  if (why != SP_OK)
    return luaL_error(L, "%s", sp_result_text(why));
  lua_pushinteger(L, calls);
  return 1;
}

/* }== */

/* {== Near =============================================================== */

/* Found objects, in memory that was got before the search: nothing in it may raise. */
typedef struct found {
  sp_ref *objects;
  lua_Integer count;
} found;

static void note_found(void *ud, sp_ref object)
{
  found *f = ud;
  f->objects[f->count++] = object;
}

typedef struct near_request {
  sp_lua_pool *p;
  float x, y, radius;
} near_request;

/* A list that is also an iterator: `for o in list do` as well as `ipairs(list)`. Upvalue 1 is how far it is. */
static int list_call(lua_State *L)
{
  lua_Integer at = lua_tointeger(L, lua_upvalueindex(1)) + 1;
  lua_pushinteger(L, at);
  lua_replace(L, lua_upvalueindex(1));
  lua_rawgeti(L, 1, at);
  return 1;
}

static void make_callable(lua_State *L)
{
  lua_createtable(L, 0, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, list_call, 1);
  lua_setfield(L, -2, "__call");
  lua_setmetatable(L, -2);
}

static float check_float(lua_State *L, int arg, const char *what)
{
  float number = (float)sp_check_finite(L, arg, what);
  luaL_argcheck(L, isfinite(number), arg, "too large");
  return number;
}

static int within_list(lua_State *L, const near_request *r)
{
  sp_result why = SP_OK;
  found f = {.objects = lua_newuserdatauv(L, (sp_pool_live(r->p->core) + 1) * sizeof(sp_ref), 0)};
  sp_pool_within(r->p->core, r->x, r->y, r->radius, note_found, &f, &why);
  if (why != SP_OK)
    return luaL_error(L, "%s", sp_result_text(why));
  lua_createtable(L, (int)f.count, 0);
  for (lua_Integer i = 0; i < f.count; i++) {
    sp_push_object(L, f.objects[i]);
    lua_rawseti(L, -2, i + 1);
  }
  make_callable(L);
  return 1;
}

/* within(x, y, r) -> list; within(x, y, r, fn) calls fn(object) for each and returns how many. */
static int pool_within(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  near_request r = {p, check_float(L, 2, "x"), check_float(L, 3, "y"), check_float(L, 4, "radius")};
  luaL_argcheck(L, r.radius >= 0, 4, "radius must not be negative");
  luaL_checkstack(L, 8, NULL);
  if (lua_isnoneornil(L, 5))
    return within_list(L, &r);
  luaL_checktype(L, 5, LUA_TFUNCTION);
  lua_settop(L, 5);
  lua_pushnil(L);
  sp_result why = SP_OK;
  visit v = {.L = L, .function = 5, .error = 6};
  lua_State *outer = sp_begin(p->manager->context, L);
  uint32_t calls = sp_pool_within(p->core, r.x, r.y, r.radius, visit_one, &v, &why);
  sp_finish(p->manager->context, outer);
  return finish_visit(L, &v, calls, why);
}

/* nearest(x, y) -> object, distance; or nil. */
static int pool_nearest(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  float distance, x = check_float(L, 2, "x"), y = check_float(L, 3, "y");
  sp_ref object = sp_pool_nearest(p->core, x, y, &distance);
  if (!object)
    return sp_return_refusal(L, true, SP_NONE);
  sp_push_object(L, object);
  lua_pushnumber(L, distance);
  return 2;
}

/* overlaps(other, fn) calls fn(object, other) for each pair and returns how many. */
static int pool_overlaps(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  sp_lua_pool *other = sp_check_open_pool(L, 2);
  luaL_argcheck(L, other->manager == p->manager, 2, "the pools belong to different managers");
  luaL_checktype(L, 3, LUA_TFUNCTION);
  luaL_checkstack(L, 8, NULL);
  lua_settop(L, 3);
  lua_pushnil(L);
  sp_result why = SP_OK;
  visit v = {.L = L, .function = 3, .error = 4};
  lua_State *outer = sp_begin(p->manager->context, L);
  uint32_t calls = sp_pool_overlaps(p->core, other->core, visit_pair, &v, &why);
  sp_finish(p->manager->context, outer);
  return finish_visit(L, &v, calls, why);
}

/* }== */

const luaL_Reg sp_pool_verbs[] = {
    {"take", sp_pool_take},    {"set", pool_set},           {"add", pool_add}, {"within", pool_within},
    {"nearest", pool_nearest}, {"overlaps", pool_overlaps}, {NULL, NULL},
};
