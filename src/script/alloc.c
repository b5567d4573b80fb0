/*
** The doors of alloc and recycle. Every one of them honours the class's overrides; the base functions, which overrides
** reach as `Class.super.alloc` and `.recycle`, do not. An object that an override's base call opened is remembered
** until the override returns, so that nothing is lost when it fails, forgets it or returns something else.
*/
#include <math.h>
#include <string.h>

#include "script/births.h"
#include "script/hook_clock.h"
#include "script/object.h"
#include "script/reload.h"

/* {== Arguments ========================================================== */

static SP_COLD double bad_lifetime(lua_State *L, int arg)
{
  luaL_argerror(
      L, arg,
      lua_pushfstring(L, "lifetime must be a finite number of seconds (at most 1e11), got %s", sp_push_shown(L, arg)));
  return 0;
}

static inline double check_lifetime(lua_State *L, int arg)
{
  int type = lua_type(L, arg);
  if (SP_LIKELY(type == LUA_TNUMBER)) {
    double lifetime = lua_tonumber(L, arg);
    return SP_LIKELY(fabs(lifetime) <= SP_MAX_LIFETIME) ? lifetime : bad_lifetime(L, arg);
  }
  return type <= LUA_TNIL ? 0 : bad_lifetime(L, arg);
}

static SP_COLD float bad_float(lua_State *L, int arg, const char *what)
{
  sp_check_finite(L, arg, what);
  luaL_argerror(L, arg, "too large");
  return 0;
}

static inline float optional_float(lua_State *L, int arg, const char *what, float none)
{
  int type = lua_type(L, arg);
  if (type <= LUA_TNIL)
    return none;
  float number = type == LUA_TNUMBER ? (float)lua_tonumber(L, arg) : (float)INFINITY;
  return isfinite(number) ? number : bad_float(L, arg, what);
}

/* }== */

/* {== Opening ============================================================ */

static bool remember_opened(lua_State *L, sp_lua_manager *m, sp_ref object)
{
  if (m->opened_count == m->opened_capacity) {
    void *ud;
    lua_Alloc alloc = sp_births_allocator(L, &ud);
    uint32_t want = m->opened_capacity ? m->opened_capacity * 2 : 16;
    sp_ref *grown = alloc(ud, m->opened, m->opened_capacity * sizeof *grown, want * sizeof *grown);
    if (!grown)
      return false;
    m->opened = grown;
    m->opened_capacity = want;
  }
  m->opened[m->opened_count++] = object;
  return true;
}

/* Errors of hooks wait here while the core unwinds. */
static int rethrow(lua_State *L, const sp_context *c)
{
  sp_push_kept(L, c, SP_KEPT_ERROR);
  lua_rawgeti(L, -1, 1);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -3, 1);
  return lua_error(L);
}

/* Gives back what the innermost override has opened since `from`. */
static __attribute__((noinline)) void give_back(lua_State *L, sp_lua_manager *m, uint32_t from)
{
  lua_State *outer = sp_begin(m->context, L);
  while (m->opened_count > from)
    sp_undo_alloc(m->core, m->opened[--m->opened_count]);
  sp_finish(m->context, outer);
}

static __attribute__((noinline)) int finish_slowly(lua_State *L, sp_lua_pool *p, sp_ref object, sp_result why)
{
  sp_lua_manager *m = p->manager;
  if (object && m->opening == p && !remember_opened(L, m, object)) {
    lua_State *outer = sp_begin(m->context, L);
    sp_undo_alloc(m->core, object);
    sp_finish(m->context, outer);
    why = SP_MEMORY;
    object = SP_NONE_REF;
  }
  if (object) {
    if (m->noted)
      sp_note_alloc(L, m, object);
    sp_push_object(L, object);
    return 1;
  }
  if (why == SP_FAILED)
    return rethrow(L, m->context);
  if (why == SP_FULL && sp_pool_settings(p->core).overflow == SP_OVERFLOW_ERROR)
    return luaL_error(L, "pool '%s' is full (limit %I)", sp_pool_type(p->core),
                      (lua_Integer)sp_pool_settings(p->core).limit);
  if (why == SP_MEMORY)
    return luaL_error(L, "not enough memory for another '%s'", sp_pool_type(p->core));
  return sp_return_refusal(L, true, why);
}

/* Within an override there is one more thing to do, as long as there is room for it. */
static inline int finish(lua_State *L, sp_lua_pool *p, sp_ref object, sp_result why)
{
  sp_lua_manager *m = p->manager;
  bool remembered = m->opening == p;
  if (!SP_LIKELY(object && !m->noted && !(remembered && m->opened_count == m->opened_capacity)))
    return finish_slowly(L, p, object, why);
  if (remembered)
    m->opened[m->opened_count++] = object;
  sp_push_object(L, object);
  return 1;
}

int sp_finish_alloc(lua_State *L, sp_lua_pool *p, sp_ref object, sp_result why) { return finish(L, p, object, why); }

static inline int alloc_plain(lua_State *L, sp_lua_pool *p, double lifetime)
{
  sp_context *c = p->manager->context;
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(c, L);
  sp_ref object = sp_alloc(p->core, lifetime, &why);
  sp_finish(c, outer);
  return finish(L, p, object, why);
}

/* The parent at `arg`, or 0; raises unless it is a live object of this manager that has a place. */
static sp_ref optional_parent(lua_State *L, const sp_lua_manager *m, int arg)
{
  if (lua_isnoneornil(L, arg))
    return SP_NONE_REF;
  sp_ref parent = sp_check_object(L, arg);
  luaL_argcheck(L, sp_is_live(m->core, parent), arg, "the parent is no live object of this manager");
  return parent;
}

static __attribute__((noinline)) int alloc_placed(lua_State *L, sp_lua_pool *p, double lifetime, int first)
{
  int top = lua_gettop(L);
  sp_context *c = p->manager->context;
  sp_manager *m = p->manager->core;
  /* What is not given starts where the class says. */
  const float *initial = (const float *)p->core->layout.initial;
  sp_place place = {
      optional_float(L, first + 1, "x", initial[SP_X]),
      optional_float(L, first + 2, "y", initial[SP_Y]),
      top > first + 2 ? optional_float(L, first + 3, "angle", initial[SP_ANGLE]) : initial[SP_ANGLE],
  };
  sp_ref parent = top > first + 3 ? optional_parent(L, p->manager, first + 4) : SP_NONE_REF;
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(c, L);
  sp_ref object = SP_NONE_REF;
  if (!parent || lifetime < 0) {
    object = sp_alloc_at(p->core, lifetime, &place, &why);
  } else if ((object = sp_alloc_begin(p->core, lifetime, &why)) != SP_NONE_REF) {
    sp_slot_put(p->core, sp_ref_slot(object), &place);
    why = sp_set_parent(m, object, parent);
    if (why == SP_OK)
      object = sp_alloc_commit(m, object, &why);
    else
      sp_alloc_cancel(m, object);
    object = why == SP_OK ? object : SP_NONE_REF;
  }
  sp_finish(c, outer);
  return sp_finish_alloc(L, p, object, why);
}

/* fill(table, object, context): writes every pair; protected by its caller, for an object is open. */
static int fill(lua_State *L)
{
  sp_ref object = sp_to_object(L, 2);
  sp_context *c = lua_touserdata(L, 3); /* no upvalue: a closure would be garbage */
  sp_lua_manager *m = sp_manager_of(c, object);
  sp_lua_pool *p = sp_lua_pool_of(sp_slot_pool(m->core, sp_ref_slot(object)));
  lua_settop(L, 2);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    if (lua_type(L, 3) != LUA_TSTRING)
      return luaL_error(L, "field names are strings, got %s", luaL_typename(L, 3));
    uint32_t name = sp_keymap_find(L, p->names, 3);
    if (name == SP_NO_KEY)
      return sp_object_unknown(L, p, 3);
    const char *wrong = sp_object_write(L, p, sp_ref_slot(object), name, 4);
    if (wrong)
      return luaL_error(L, "field '%s' %s, got %s", lua_tostring(L, 3), wrong, sp_push_shown(L, 4));
  }
  return 0;
}

static __attribute__((noinline)) int alloc_filled(lua_State *L, sp_lua_pool *p, double lifetime, int first)
{
  sp_context *c = p->manager->context;
  sp_result why = SP_OK;
  if (lifetime < 0)
    return alloc_plain(L, p, lifetime);
  lua_pushcfunction(L, fill);
  lua_pushvalue(L, first + 1);
  lua_State *outer = sp_begin(c, L);
  sp_ref object = sp_alloc_begin(p->core, lifetime, &why);
  if (object) {
    sp_push_object(L, object);
    lua_pushlightuserdata(L, c);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK) {
      sp_forget_values(p, sp_ref_slot(object));
      sp_alloc_cancel(p->manager->core, object);
      sp_finish(c, outer);
      luaL_argerror(L, first + 1, lua_tostring(L, -1));
    }
    object = sp_alloc_commit(p->manager->core, object, &why);
  }
  sp_finish(c, outer);
  return sp_finish_alloc(L, p, object, why);
}

static __attribute__((noinline)) int alloc_with(lua_State *L, sp_lua_pool *p, int first)
{
  double lifetime = check_lifetime(L, first);
  if (lua_istable(L, first + 1))
    return alloc_filled(L, p, lifetime, first);
  return alloc_placed(L, p, lifetime, first);
}

static inline int base_alloc(lua_State *L, sp_lua_pool *p, int first)
{
  int top = lua_gettop(L);
  if (!SP_LIKELY(top <= first))
    return alloc_with(L, p, first);
  return alloc_plain(L, p, top < first ? 0 : check_lifetime(L, first));
}

int sp_base_alloc(lua_State *L)
{
  sp_lua_pool *p = sp_check_pool(L, 1);
  return p->core ? base_alloc(L, p, 2) : sp_return_refusal(L, true, SP_CLOSED);
}

/* }== */

/* {== Overrides of alloc ================================================= */

static bool was_opened(const sp_lua_manager *m, uint32_t from, sp_ref object)
{
  for (uint32_t i = m->opened_count; i > from; i--)
    if (m->opened[i - 1] == object)
      return true;
  return false;
}

static inline int do_alloc(lua_State *L, sp_lua_pool *p, int first);

/* `top` and `first` are those of the call: new code that does this is taken back, and the old one has its turn. */
static int wrong_return(lua_State *L, sp_lua_pool *p, int result, int first, int top)
{
  luaL_where(L, 1);
  const char *where = lua_tostring(L, -1), *shown = sp_push_shown(L, result);
  lua_pushfstring(L, "%salloc of class '%s' returned %s; it must return the object that its base call opened, or nil",
                  where, sp_pool_type(p->core), shown);
  if (!sp_reload_heal_hook(L, p, SP_HOOK_ALLOC))
    return lua_error(L);
  lua_settop(L, top);
  return do_alloc(L, p, first);
}

/* The override returned the two values on top. */
static __attribute__((noinline)) int settle_alloc(lua_State *L, sp_lua_pool *p, uint32_t from, int first, int top)
{
  sp_lua_manager *m = p->manager;
  int result = lua_gettop(L) - 1;
  sp_ref object = lua_islightuserdata(L, result) ? sp_to_object(L, result) : SP_NONE_REF;
  if (object && was_opened(m, from, object)) {
    m->opened_count = from;
    if (!sp_is_live(m->core, object))
      return sp_return_refusal(L, true, SP_RECYCLED);
    if (m->opening == p) /* an override of the same pool is waiting for it */
      remember_opened(L, m, object);
    if (m->trace)
      sp_trace_alloc(L, m, object); /* the line that asked, not that of the override */
    lua_settop(L, result);
    return 1;
  }
  give_back(L, m, from);
  if (lua_toboolean(L, result))
    return wrong_return(L, p, result, first, top);
  if (lua_isnil(L, result + 1)) {
    lua_pushstring(L, sp_result_name(SP_VETOED));
    lua_replace(L, result + 1);
  }
  lua_pushnil(L);
  lua_replace(L, result);
  return 2;
}

/* Whether the override returned what its one base call opened, and nobody else asks about it. */
static inline bool is_as_usual(lua_State *L, const sp_lua_pool *p, uint32_t from)
{
  const sp_lua_manager *m = p->manager;
  if (m->opened_count != from + 1 || m->opening == p || m->trace || lua_type(L, -2) != LUA_TLIGHTUSERDATA)
    return false;
  sp_ref object = m->opened[from];
  return sp_to_object(L, -2) == object && sp_ref_is_live(m->core, object);
}

/* The function and the pool. They are found by way of the caller's own first argument, which is faster than by address. */
static void push_override(lua_State *L, int first)
{
  if (first == 2) {
    lua_getiuservalue(L, 1, SP_POOL_HOOKS + SP_HOOK_ALLOC);
    lua_pushvalue(L, 1);
    return;
  }
  lua_getiuservalue(L, 1, SP_MANAGER_POOLS);
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  lua_getiuservalue(L, -1, SP_POOL_HOOKS + SP_HOOK_ALLOC);
  lua_replace(L, -3);
}

static SP_COLD int failed_alloc(lua_State *L, sp_lua_pool *p, int first, int top)
{
  if (!sp_reload_heal(L, p->manager->context))
    return lua_error(L);
  lua_settop(L, top);
  return do_alloc(L, p, first);
}

/* Pushes the function, the pool and the arguments; returns how many follow the function. An override may count on a
   lifetime. */
static inline int push_override_call(lua_State *L, int first, int top)
{
  int nargs = top - first + 1;
  if (!SP_LIKELY(nargs <= 1))
    luaL_checkstack(L, nargs + 8, "too many arguments");
  push_override(L, first);
  if (nargs == 0) {
    lua_pushinteger(L, 0);
    return 2;
  }
  for (int arg = first; arg <= top; arg++)
    lua_pushvalue(L, arg);
  return 1 + nargs;
}

static __attribute__((noinline)) int overridden_alloc(lua_State *L, sp_lua_pool *p, int first)
{
  sp_lua_manager *m = p->manager;
  int top = lua_gettop(L);
  check_lifetime(L, first);
  int nargs = push_override_call(L, first, top);
  sp_lua_pool *outer_opening = m->opening;
  uint32_t from = m->opened_count;
  m->opening = p;
  sp_enter(p->core); /* the pool stays while its function runs */
  lua_State *outer = sp_begin(m->context, L);
  int status = sp_hook_door(L, p, nargs, 2, false);
  sp_finish(m->context, outer);
  m->opening = outer_opening;
  if (!SP_LIKELY(status == LUA_OK))
    give_back(L, m, from);
  sp_leave(p->core);
  if (!SP_LIKELY(status == LUA_OK))
    return failed_alloc(L, p, first, top);
  if (!SP_LIKELY(is_as_usual(L, p, from)))
    return settle_alloc(L, p, from, first, top);
  sp_push_object(L, m->opened[m->opened_count = from]);
  return 1;
}

static inline int do_alloc(lua_State *L, sp_lua_pool *p, int first)
{
  return p->hooks >> SP_HOOK_ALLOC & 1 ? overridden_alloc(L, p, first) : base_alloc(L, p, first);
}

/* }== */

/* {== Recycle ============================================================ */

static SP_COLD int refuse_recycle(lua_State *L, sp_lua_manager *m, sp_result why, int arg)
{
  if (why != SP_VETOED && why != SP_CLOSED)
    sp_tell_misuse(L, m, why, arg);
  return sp_return_refusal(L, false, why);
}

static inline bool is_of(const sp_pool *pool, sp_ref object)
{
  const sp_manager *m = pool->manager;
  return sp_ref_is_ours(m, object) && sp_slot_pool(m, sp_ref_slot(object)) == pool;
}

/* `only`: the pool that the object at `arg` must belong to, or NULL for any of the manager. Both are open. */
static inline int recycle(lua_State *L, sp_lua_manager *m, const sp_pool *only, sp_ref object, int arg)
{
  sp_context *c = m->context;
  lua_State *outer = sp_begin(c, L);
  sp_result result = SP_LIKELY(!only || is_of(only, object)) ? sp_recycle(m->core, object) : SP_FOREIGN;
  sp_finish(c, outer);
  if (!SP_LIKELY(result == SP_OK))
    return refuse_recycle(L, m, result, arg);
  lua_pushboolean(L, 1);
  return 1;
}

int sp_recycle_object(lua_State *L, sp_lua_manager *m, sp_ref object, int arg)
{
  return recycle(L, m, NULL, object, arg);
}

int sp_manager_alloc(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  sp_lua_pool *p = SP_LIKELY(m->core) ? sp_manager_find(L, m, 2) : NULL;
  if (!SP_LIKELY(p) && !(p = sp_manager_pool(L, m, 2)))
    return sp_return_refusal(L, true, SP_CLOSED);
  return do_alloc(L, p, 3);
}

int sp_pool_alloc(lua_State *L)
{
  sp_lua_pool *p = sp_check_pool(L, 1);
  return p->core ? do_alloc(L, p, 2) : sp_return_refusal(L, true, SP_CLOSED);
}

/* Nothing of a closed manager can be recycled, and what is no object is still refused as that. */
static SP_COLD int recycle_closed(lua_State *L)
{
  sp_check_object(L, 2);
  return sp_return_refusal(L, false, SP_CLOSED);
}

int sp_manager_recycle(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  return SP_LIKELY(m->core) ? recycle(L, m, NULL, sp_check_object(L, 2), 2) : recycle_closed(L);
}

int sp_pool_recycle(lua_State *L)
{
  sp_lua_pool *p = sp_check_pool(L, 1);
  if (!SP_LIKELY(p->core))
    return sp_return_refusal(L, false, SP_CLOSED);
  return recycle(L, p->manager, p->core, sp_check_object(L, 2), 2);
}

int sp_base_recycle(lua_State *L)
{
  sp_lua_pool *p = sp_check_pool(L, 1);
  sp_ref object = sp_check_object(L, 2);
  sp_context *c = p->manager->context;
  if (!p->core)
    return sp_return_refusal(L, false, SP_CLOSED);
  lua_State *outer = sp_begin(c, L);
  sp_result result =
      sp_pool_of(p->manager->core, object) == p->core ? sp_recycle_base(p->manager->core, object) : SP_FOREIGN;
  sp_finish(c, outer);
  if (result != SP_OK) {
    sp_tell_misuse(L, p->manager, result, 2);
    return sp_return_refusal(L, false, result);
  }
  lua_pushboolean(L, 1);
  return 1;
}

/* }== */
