/*
** The functions of Lua that begin and end lives: alloc, take and recycle, of managers, pools and objects.
**
** All that allocate call the class's override, except the base function, which overrides call as `Class.super.alloc`.
** The object that an override's base call opened is noted until the override returns: it is given back when
** the override fails, drops it or returns something else. Overrides of recycle are called by the core (hooks.c).
*/
#include <math.h>

#include "script/bind/fields.h"
#include "script/bind/hooks.h"
#include "script/bind/members.h"
#include "script/bind/object.h"
#include "script/bind/pool.h"
#include "script/bind/query.h"
#include "script/guard/door.h"
#include "script/state/arguments.h"
#include "script/state/report.h"

#include "script/state/careful.h"

/* {== Arguments ========================================================== */

static SP_COLD double bad_lifetime(lua_State *L, int arg)
{
  sp_shown shown;
  if (lua_isnoneornil(L, arg) || (lua_type(L, arg) == LUA_TNUMBER && lua_tonumber(L, arg) == HUGE_VAL))
    return 0; /* for ever */
  sp_raise_arg(L, arg, "lifetime must be a finite number of seconds (at most 1e11), got %s", sp_show(L, arg, &shown));
}

static inline double check_lifetime(lua_State *L, int arg)
{
  double lifetime = sp_to_number(L, arg);
  if (SP_LIKELY(fabs(lifetime) <= SP_MAX_LIFETIME))
    return lifetime;
  return bad_lifetime(L, arg);
}

/* `type` is the Lua type of the argument. */
static inline float optional_float(lua_State *L, int arg, int type, const char *what, float none)
{
  if (type <= LUA_TNIL)
    return none;
  float number = SP_LIKELY(type == LUA_TNUMBER) ? (float)lua_tonumber(L, arg) : (float)INFINITY;
  return SP_LIKELY(isfinite(number)) ? number : sp_check_coordinate(L, arg, what);
}

/* }== */

/* {== Filling ============================================================ */

/* Writing a table's pairs into an object that is open. What is wrong with a pair is noted, and raised when the
   object is not open any more: a message allocates. */
typedef struct filling {
  spl_pool *p;
  sp_ref object;
  struct refusal *refusal;
} filling;

typedef struct refusal {
  const char *wrong; /* NULL: nothing */
  bool unknown;      /* there is no such field */
  sp_shown name, value;
} refusal;

/* Writes the pair of the key at 3 and the value at 4. Returns false when that is not possible. */
static bool fill_pair(lua_State *L, const filling *f)
{
  refusal *r = f->refusal;
  uint32_t name = lua_type(L, 3) == LUA_TSTRING ? sp_keymap_find(L, f->p->names, 3) : SP_NO_KEY;
  if (lua_type(L, 3) != LUA_TSTRING)
    r->wrong = "is no name";
  else if (name == SP_NO_KEY)
    r->unknown = true;
  else
    r->wrong = sp_object_write(L, f->p, sp_ref_slot(f->object), name, 4);
  return !r->wrong && !r->unknown;
}

/* fill(table, filling) -> the key that cannot be written. Protected by its caller: running out of memory is all that it
   raises. */
static int fill(lua_State *L)
{
  const filling *f = sp_raw_block(L, 2);
  lua_settop(L, 2);
  for (lua_pushnil(L); sp_raw_next(L, 1); lua_pop(L, 1))
    if (!fill_pair(L, f)) {
      sp_show_name(L, 3, &f->refusal->name);
      sp_show(L, 4, &f->refusal->value);
      lua_pushvalue(L, 3);
      return 1;
    }
  return 0;
}

/* Raises why a pair was refused. The result of fill is on top; the object is no longer open, and hooks may have run. */
static SP_COLD int refuse_filling(lua_State *L, sp_context *c, uint64_t pool, const refusal *r, int arg)
{
  const spl_pool *p = sp_pool_from_id(c, pool);
  if (r->unknown && p)
    sp_object_unknown(L, p, -1, arg);
  if (lua_type(L, -1) != LUA_TSTRING)
    sp_raise_arg(L, arg, "field names are strings, got %s", luaL_typename(L, -1));
  sp_raise_arg(L, arg, "field '%s' %s, got %s", r->name.text, r->wrong ? r->wrong : "is unknown", r->value.text);
}

/* Writes the fields whose writing raises nothing and allocates nothing: those of most tables, without the cost of a
   protected call. Returns false where another one comes, or a mistake: fill does all of them again, or says why not. */
static bool fill_quickly(lua_State *L, const filling *f, int arg)
{
  const uint32_t slot = sp_ref_slot(f->object);
  for (lua_pushnil(L); sp_raw_next(L, arg); lua_pop(L, 1)) {
    const uint32_t name = lua_type(L, -2) == LUA_TSTRING ? sp_keymap_find(L, f->p->names, -2) : SP_NO_KEY;
    const bool is_quick = name != SP_NO_KEY && SP_NAME_KIND(name) != SP_NAME_SPRITE && sp_cell_part_of(name).size > 0;
    if (!is_quick || sp_object_write(L, f->p, slot, name, -1)) {
      lua_pop(L, 2);
      return false;
    }
  }
  lua_pushnil(L);
  return true;
}

/* Pushes the result of fill; false, and the message is pushed, when memory has run out. */
static bool try_filling(lua_State *L, filling *f, int arg)
{
  lua_pushcfunction(L, fill);
  lua_pushvalue(L, arg);
  lua_pushlightuserdata(L, f);
  return sp_raw_pcall(L, 2, 1) == LUA_OK;
}

/* The object is open: writes the fields from the table at `arg`, and commits it, or cancels it and raises why. */
static sp_ref fill_object(lua_State *L, spl_pool *p, sp_ref object, int arg, sp_result *why)
{
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  refusal r = {.wrong = NULL};
  filling f = {p, object, &r};
  bool filled = fill_quickly(L, &f, arg) || try_filling(L, &f, arg);
  if (filled && r.unknown && sp_names_scale(L, -1) && !sp_gain_scales(L, p)) { /* the pool stays: an object is open */
    lua_pop(L, 1);
    r.unknown = false;
    filled = try_filling(L, &f, arg);
  }
  bool accepted = filled && !r.wrong && !r.unknown;
  lua_State *outer = sp_begin(c, L);
  if (accepted) {
    object = sp_alloc_commit(p->manager->core, object, why);
  } else {
    sp_forget_values(p, sp_ref_slot(object));
    sp_alloc_cancel(p->manager->core, object);
  }
  sp_finish(c, outer);
  if (!filled)
    luaL_argerror(L, arg, lua_tostring(L, -1));
  if (!accepted)
    refuse_filling(L, c, id, &r, arg);
  return object;
}

/* }== */

/* {== Opening ============================================================ */

/* Gives an object back. Hooks may run. */
static __attribute__((noinline)) void undo(lua_State *L, const spl_manager *m, sp_ref object)
{
  sp_context *c = m->context;
  lua_State *outer = sp_begin(c, L);
  sp_alloc_undo(m->core, object);
  sp_finish(c, outer);
}

static SP_COLD int fail_for_memory(lua_State *L, const char *type)
{
  sp_raise(L, "not enough memory for another '%s'", type);
}

/* Returns nil and the reason to Lua, or raises. The pool has not changed. */
static SP_COLD int refuse_alloc(lua_State *L, const spl_pool *p, sp_result why)
{
  if (why == SP_FAILED)
    return sp_raise_held_error(L, p->manager->context);
  const sp_settings s = sp_pool_desc_of(p->core)->settings;
  if (why == SP_FULL && p->raises && s.overflow == SP_OVERFLOW_REFUSE)
    sp_raise(L, "pool '%s' is full (limit %u)", sp_pool_desc_of(p->core)->type, (unsigned)s.limit);
  if (why == SP_MEMORY)
    return fail_for_memory(L, sp_pool_desc_of(p->core)->type);
  return sp_return_refusal(L, true, why);
}

static void note_alloc(lua_State *L, spl_manager *m, sp_ref object)
{
  if (m->trace)
    sp_trace_alloc(L, m, object);
  if (m->context->staging)
    m->context->calls.note_alloc(L, m, object);
}

static __attribute__((noinline)) int finish_slowly(lua_State *L, spl_pool *p, sp_ref object, sp_result why)
{
  if (!object)
    return refuse_alloc(L, p, why);
  note_alloc(L, p->manager, object);
  sp_push_object(L, object);
  return 1;
}

/* Returns the object to Lua. Within an override of its pool it is the one that the base call has opened. */
static inline int finish(lua_State *L, spl_pool *p, sp_ref object, sp_result why)
{
  const spl_manager *m = p->manager;
  if (m->opening && m->opening->pool == p->id)
    m->opening->object = object;
  if (!SP_LIKELY(object && !m->noted))
    return finish_slowly(L, p, object, why);
  sp_push_object(L, object);
  return 1;
}

/* Pushes the results of alloc after a core call: the object, or nil and the reason; raises a hook's error. Returns
   their number. */
static int finish_alloc(lua_State *L, sp_context *c, uint64_t pool, sp_ref object, sp_result why)
{
  spl_pool *p = sp_pool_from_id(c, pool);
  if (p)
    return finish(L, p, object, why);
  return why == SP_FAILED ? sp_raise_held_error(L, c) : sp_return_refusal(L, true, SP_CLOSED);
}

/* Makes the pool ready and allocates nothing: what a lifetime below 0 asks for. */
static SP_COLD int make_ready(lua_State *L, const spl_pool *p, double lifetime)
{
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  const bool warns = lifetime != floor(lifetime) && p->manager->misuse != SP_MISUSE_IGNORE;
  const sp_settings s = sp_pool_desc_of(p->core)->settings;
  sp_shown type;
  sp_copy_text(sp_pool_desc_of(p->core)->type, &type);
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(c, L);
  why = sp_pool_prewarm(p->core, s.prealloc ? s.prealloc : s.grow, 0, 0);
  sp_finish(c, outer);
  if (why != SP_OK || !sp_pool_from_id(c, id))
    return finish_alloc(L, c, id, SP_NULL_REF, why);
  if (warns)
    sp_report_lifetime(L, c, type.text, lifetime);
  lua_pushnil(L);
  lua_pushliteral(L, "prewarmed");
  return 2;
}

static inline int alloc_plain(lua_State *L, spl_pool *p, double lifetime)
{
  sp_context *c = p->manager->context;
  const uint64_t id = p->id, crossings = c->crossings;
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(c, L);
  sp_ref object = sp_pool_alloc(p->core, lifetime, NULL, &why);
  sp_finish(c, outer);
  if (!sp_is_untouched(c, crossings))
    return finish_alloc(L, c, id, object, why);
  return finish(L, p, object, why);
}

/* Returns the parent at `arg`, or 0. Raises unless it is a live object of this manager that has a place. */
static sp_ref optional_parent(lua_State *L, const spl_manager *m, int arg)
{
  if (lua_isnoneornil(L, arg))
    return SP_NULL_REF;
  sp_ref parent = sp_check_object(L, arg);
  if (!sp_object_is_live(m->core, parent))
    sp_raise_arg(L, arg, "the parent is no live object of this manager");
  return parent;
}

/* `type` is the Lua type of x. */
static inline int alloc_placed(lua_State *L, spl_pool *p, double lifetime, int first, int top, int type)
{
  sp_context *c = p->manager->context;
  const uint64_t id = p->id, crossings = c->crossings;
  /* Numbers that are not given are those of the class. */
  sp_start start = sp_pool_first_start(p->core);
  start.x = optional_float(L, first + 1, type, "x", start.x);
  if (SP_LIKELY(top > first + 1))
    start.y = optional_float(L, first + 2, lua_type(L, first + 2), "y", start.y);
  if (top > first + 2)
    start.angle = optional_float(L, first + 3, lua_type(L, first + 3), "angle", start.angle);
  if (top > first + 3)
    start.parent = optional_parent(L, p->manager, first + 4);
  if (lifetime < 0)
    return make_ready(L, p, lifetime);
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(c, L);
  sp_ref object = sp_pool_alloc(p->core, lifetime, &start, &why);
  sp_finish(c, outer);
  if (!sp_is_untouched(c, crossings))
    return finish_alloc(L, c, id, object, why);
  return finish(L, p, object, why);
}

static __attribute__((noinline)) int alloc_filled(lua_State *L, spl_pool *p, double lifetime, int first)
{
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  sp_result why = SP_OK;
  if (lifetime < 0)
    return make_ready(L, p, lifetime);
  luaL_checkstack(L, 8, NULL);
  lua_State *outer = sp_begin(c, L);
  sp_ref object = sp_alloc_begin(p->core, lifetime, &why);
  sp_finish(c, outer);
  p = sp_pool_from_id(c, id);
  object = object && p ? fill_object(L, p, object, first + 1, &why) : SP_NULL_REF;
  return finish_alloc(L, c, id, object, why);
}

static __attribute__((noinline)) int alloc_with(lua_State *L, spl_pool *p, int first, int top)
{
  double lifetime = check_lifetime(L, first);
  int type = lua_type(L, first + 1);
  if (type == LUA_TTABLE)
    return alloc_filled(L, p, lifetime, first);
  return alloc_placed(L, p, lifetime, first, top, type);
}

static inline int base_alloc(lua_State *L, spl_pool *p, int first, int top)
{
  if (!SP_LIKELY(top <= first))
    return alloc_with(L, p, first, top);
  double lifetime = top < first ? 0 : check_lifetime(L, first);
  return SP_LIKELY(lifetime >= 0) ? alloc_plain(L, p, lifetime) : make_ready(L, p, lifetime);
}

int spl_base_alloc(lua_State *L)
{
  spl_pool *p = sp_check_pool(L, 1);
  return p->core ? base_alloc(L, p, 2, lua_gettop(L)) : sp_return_refusal(L, true, SP_CLOSED);
}

/* }== */

/* {== Overrides of alloc ================================================= */

/* Returns whether an override may return this object: of its pool, allocated since the override began, and the last one
   of its slot. */
static bool may_return(const spl_pool *p, const sp_opening *o, sp_ref object)
{
  const sp_manager *m = p->manager->core;
  if (!sp_ref_is_of(m, object, p->core) || sp_serial_of(m, object) <= o->serial)
    return false;
  const uint32_t generation = sp_slot_life(m, sp_ref_slot(object))->generation;
  return sp_ref_generation(object) == generation - (generation % 2 == 0);
}

static inline int do_alloc(lua_State *L, spl_pool *p, int first);

/* The override returned something else. If its code is new, it is taken back, and the old code is called with the same
   arguments, which `first` and `top` describe. */
static SP_COLD int wrong_return(lua_State *L, spl_pool *p, int result, int first, int top)
{
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  sp_shown shown, type;
  sp_show(L, result, &shown);
  sp_copy_text(sp_pool_desc_of(p->core)->type, &type);
  luaL_where(L, 1);
  lua_pushfstring(L, "%salloc of class '%s' returned %s; it must return the object that its base call opened, or nil",
                  lua_tostring(L, -1), type.text, shown.text);
  p = sp_pool_from_id(c, id);
  if (!p || !sp_revert_hook(L, p, SP_HOOK_ALLOC))
    return lua_error(L);
  lua_settop(L, top);
  p = sp_pool_from_id(c, id);
  return p ? do_alloc(L, p, first) : sp_return_refusal(L, true, SP_CLOSED);
}

/* Handles an override that returned, at `result`, an object that it may return. */
static int settle_opened(lua_State *L, const spl_pool *p, const sp_opening *o, sp_ref object, int result)
{
  spl_manager *m = p->manager;
  if (!sp_object_is_live(m->core, object)) {
    undo(L, m, o->object);
    return sp_return_refusal(L, true, SP_SPAWN_RECYCLED);
  }
  if (m->trace)
    sp_trace_alloc(L, m, object); /* traces the line that asked, not the override's */
  lua_settop(L, result);
  return 1;
}

/* Handles what the override returned, from `result` on. */
static __attribute__((noinline)) int settle_alloc(lua_State *L, spl_pool *p, const sp_opening *o, int first, int top,
                                                  int result)
{
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  const bool is_silent = lua_gettop(L) < result && sp_object_is_live(p->manager->core, o->object);
  lua_settop(L, result + 1);
  sp_ref object = lua_islightuserdata(L, result) ? sp_to_object(L, result) : SP_NULL_REF;
  if (object && may_return(p, o, object))
    return settle_opened(L, p, o, object, result);
  undo(L, p->manager, o->object);
  p = sp_pool_from_id(c, id);
  if (p && lua_toboolean(L, result))
    return wrong_return(L, p, result, first, top);
  if (p && is_silent)
    sp_report_no_return(L, p);
  if (lua_isnil(L, result + 1)) {
    lua_pushstring(L, sp_result_name(SP_VETOED));
    lua_replace(L, result + 1);
  }
  lua_pushnil(L);
  lua_replace(L, result);
  return 2;
}

/* Returns whether the override returned, on top, what its base call opened. A reference never equals the address of a
   userdata. */
static inline bool is_as_usual(lua_State *L, const spl_manager *m, const sp_opening *o)
{
  return o->object == sp_to_object(L, -1) && !m->trace && sp_ref_is_live(m->core, o->object);
}

/* Pushes the function and the pool, and returns how many other values lie below them. Both are found through the
   caller's own first argument, which is faster than by address. */
static inline int push_override(lua_State *L, const spl_pool *p, int first)
{
  if (first == 2) {
    lua_getiuservalue(L, 1, SP_POOL_HOOKS + SP_HOOK_ALLOC);
    lua_pushvalue(L, 1);
    return 0;
  }
  lua_getiuservalue(L, 1, SP_MANAGER_POOLS);
  sp_raw_geti(L, -1, (lua_Integer)p->index + 1);
  lua_getiuservalue(L, -1, SP_POOL_HOOKS + SP_HOOK_ALLOC);
  lua_pushvalue(L, -2);
  return 2;
}

/* The error of an override is on top. */
static SP_COLD int failed_alloc(lua_State *L, sp_context *c, uint64_t pool, int first, int top)
{
  if (top >= first)
    check_lifetime(L, first); /* a large integer fails in the base call, but is the caller's mistake */
  if (!sp_revert(L, c))
    return lua_error(L);
  lua_settop(L, top);
  spl_pool *p = sp_pool_from_id(c, pool);
  return p ? do_alloc(L, p, first) : sp_return_refusal(L, true, SP_CLOSED);
}

/* Pushes the arguments from `first` to `top`; an override may count on a lifetime. */
static __attribute__((noinline)) void push_all_arguments(lua_State *L, int first, int top)
{
  luaL_checkstack(L, top - first + 8, "too many arguments");
  if (top < first || lua_isnil(L, first)) {
    lua_pushinteger(L, 0);
  } else {
    check_lifetime(L, first);
    lua_pushvalue(L, first);
  }
  for (int arg = first + 1; arg <= top; arg++)
    lua_pushvalue(L, arg);
}

/* Checks nothing but the type of an integer: the base call checks how large it is. */
static inline void push_arguments(lua_State *L, int first, int top)
{
  if (SP_LIKELY(top == first && lua_isinteger(L, first)))
    lua_pushvalue(L, first);
  else
    push_all_arguments(L, first, top);
}

/* An override has raised the error on top: gives back what it has opened. Hooks may run, and fail as well. */
static SP_COLD void undo_failed(lua_State *L, const spl_pool *p, sp_ref object)
{
  sp_context *c = p->manager->context;
  if (!object)
    return;
  sp_hold_error(L, c);
  undo(L, p->manager, object);
  sp_release_error(L, c);
}

/* Between sp_pool_enter and sp_pool_leave the pool stays, and so does its manager, whatever the override does. */
static __attribute__((noinline)) int overridden_alloc(lua_State *L, spl_pool *p, int first)
{
  spl_manager *m = p->manager;
  sp_context *c = m->context;
  const uint64_t id = p->id;
  const int handler = sp_door_handler(L, false), top = handler - 1;
  const int result = handler + push_override(L, p, first) + 1;
  push_arguments(L, first, top);
  sp_opening opening = {m->opening, id, sp_serial(m->core), SP_NULL_REF};
  m->opening = &opening;
  sp_pool_enter(p->core);
  lua_State *outer = sp_begin(c, L);
  int status = sp_hook_door(L, p, top > first ? top - first + 2 : 2, LUA_MULTRET, handler);
  sp_finish(c, outer);
  p = sp_held_pool(p);
  m = sp_held_manager(p->manager);
  m->opening = opening.outer;
  if (!SP_LIKELY(status == LUA_OK))
    undo_failed(L, p, opening.object);
  p = sp_held_pool(p);
  sp_pool_leave(p->core);
  if (!SP_LIKELY(status == LUA_OK))
    return failed_alloc(L, c, id, first, top);
  if (!SP_LIKELY(lua_gettop(L) == result && is_as_usual(L, m, &opening)))
    return settle_alloc(L, p, &opening, first, top, result);
  return 1;
}

/* Allocates with two arguments, which may be meant as x and y. The warning comes last, because it runs scripts. */
static SP_COLD int alloc_of_two(lua_State *L, spl_pool *p, int first)
{
  const double seconds = sp_to_number(L, first), x = sp_to_number(L, first + 1);
  const bool warns = seconds > 0 && isfinite(seconds) && isfinite(x) && p->manager->misuse != SP_MISUSE_IGNORE;
  sp_context *c = p->manager->context;
  sp_shown type;
  snprintf(type.text, sizeof type.text, "%s", sp_pool_desc_of(p->core)->type);
  int results = base_alloc(L, p, first, first + 1);
  if (warns)
    sp_report_habit(L, c, type.text, seconds, x);
  return results;
}

static inline int do_alloc(lua_State *L, spl_pool *p, int first)
{
  if (p->hooks >> SP_HOOK_ALLOC & 1)
    return overridden_alloc(L, p, first);
  const int top = lua_gettop(L);
  return top == first + 1 ? alloc_of_two(L, p, first) : base_alloc(L, p, first, top);
}

/* }== */

/* {== Alloc ============================================================== */

int spl_manager_alloc(lua_State *L)
{
  spl_manager *m = sp_check_manager(L, 1);
  spl_pool *p = SP_LIKELY(m->core) ? sp_manager_find(L, m, 2) : NULL;
  if (!SP_LIKELY(p) && !(p = spl_manager_pool(L, m, 2)))
    return sp_return_refusal(L, true, SP_CLOSED);
  return do_alloc(L, p, 3);
}

int spl_pool_alloc(lua_State *L)
{
  spl_pool *p = sp_check_pool(L, 1);
  return p->core ? do_alloc(L, p, 2) : sp_return_refusal(L, true, SP_CLOSED);
}

/* }== */

/* {== Take =============================================================== */

static int bring_to_life(lua_State *L, spl_pool *p, sp_ref idle)
{
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(c, L);
  sp_ref object = sp_pool_take_idle(p->core, idle, 0, &why);
  sp_finish(c, outer);
  return finish_alloc(L, c, id, object, why);
}

/* Returns the first idle object that the function at `predicate` accepts, or 0. It is asked as often as there were idle
   ones. */
static sp_ref choose_idle(lua_State *L, const sp_context *c, uint64_t pool, int predicate)
{
  const spl_pool *p = sp_pool_from_id(c, pool);
  sp_ref idle = SP_NULL_REF;
  for (uint32_t count = p ? sp_pool_idle(p->core) : 0; count > 0 && (p = sp_pool_from_id(c, pool)); count--) {
    idle = sp_pool_idle_after(p->core, idle);
    if (idle == SP_NULL_REF || sp_function_takes(L, predicate, idle))
      return idle;
  }
  return SP_NULL_REF;
}

/* Returns the idle object that the argument at 2, a function or none, chooses. */
static sp_ref find_idle(lua_State *L, const sp_context *c, uint64_t pool)
{
  const spl_pool *p = sp_pool_from_id(c, pool);
  if (lua_isfunction(L, 2))
    return choose_idle(L, c, pool, 2);
  return p ? sp_pool_idle_after(p->core, SP_NULL_REF) : SP_NULL_REF;
}

int spl_pool_take(lua_State *L)
{
  spl_pool *p = sp_check_pool(L, 1);
  if (!lua_isnoneornil(L, 2))
    sp_check_function(L, 2);
  if (!p->core)
    return sp_return_refusal(L, true, SP_CLOSED);
  const sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  sp_ref idle = find_idle(L, c, id);
  p = sp_pool_from_id(c, id);
  return idle && p ? bring_to_life(L, p, idle) : sp_return_refusal(L, true, SP_NONE);
}

int spl_manager_take(lua_State *L)
{
  const spl_manager *m = sp_check_manager(L, 1);
  const sp_context *c = m->context;
  const uint64_t id = m->id;
  sp_check_filter(L, 2);
  lua_settop(L, 2);
  m = sp_manager_from_id(c, id);
  if (!m)
    return sp_return_refusal(L, true, SP_CLOSED);
  sp_pool *core = NULL;
  while ((m = sp_manager_from_id(c, id)) && (core = sp_manager_next_pool(m->core, core))) {
    spl_pool *p = spl_pool_of(core);
    const uint64_t pool = p->id;
    lua_settop(L, 2);
    sp_ref idle = sp_filter_takes_pool(L, 2, p) ? find_idle(L, c, pool) : SP_NULL_REF;
    p = sp_pool_from_id(c, pool);
    if (idle && p)
      return bring_to_life(L, p, idle);
    if (!p)
      break; /* the filter removed it */
  }
  return sp_return_refusal(L, true, SP_NONE);
}

/* }== */

/* {== Recycle ============================================================ */

static SP_COLD int refuse_recycle(lua_State *L, sp_context *c, uint64_t manager, sp_result why, sp_ref object)
{
  const spl_manager *m = sp_manager_from_id(c, manager);
  if (m && why != SP_VETOED && why != SP_CLOSED)
    sp_report_misuse(L, m, why, object);
  return sp_return_refusal(L, false, why);
}

/* Ends a life by `end`: sp_object_recycle, or sp_object_recycle_base in an override. `only`: the pool that the object
   must belong to, or NULL for any of the manager. Both are open. */
static inline int recycle(lua_State *L, spl_manager *m, sp_pool *only, sp_ref object,
                          sp_result (*end)(sp_manager *, sp_ref))
{
  sp_context *c = m->context;
  const uint64_t id = m->id;
  lua_State *outer = sp_begin(c, L);
  sp_result result = SP_FOREIGN;
  if (SP_LIKELY(!only || sp_ref_may_be_of(m->core, object, only)))
    result = end(m->core, object);
  sp_finish(c, outer);
  if (!SP_LIKELY(result == SP_OK))
    return refuse_recycle(L, c, id, result, object);
  lua_pushboolean(L, 1);
  return 1;
}

/* On a closed manager every object is "closed"; a value that is no object is still an argument error. */
static SP_COLD int recycle_closed(lua_State *L)
{
  sp_check_object(L, 2);
  return sp_return_refusal(L, false, SP_CLOSED);
}

int spl_manager_recycle(lua_State *L)
{
  spl_manager *m = sp_check_manager(L, 1);
  return SP_LIKELY(m->core) ? recycle(L, m, NULL, sp_check_object(L, 2), sp_object_recycle) : recycle_closed(L);
}

int spl_pool_recycle(lua_State *L)
{
  spl_pool *p = sp_check_pool(L, 1);
  if (!SP_LIKELY(p->core))
    return sp_return_refusal(L, false, SP_CLOSED);
  return recycle(L, p->manager, p->core, sp_check_object(L, 2), sp_object_recycle);
}

int spl_object_recycle(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_ref object = sp_check_object(L, 1);
  spl_manager *m = sp_manager_of(c, object);
  if (!m)
    return sp_return_refusal(L, false, sp_is_of_closed(c, object) ? SP_CLOSED : SP_FOREIGN);
  bool live = sp_ref_is_live(m->core, object);
  if (!SP_LIKELY(live && sp_view_of(sp_slot_pool(m->core, sp_ref_slot(object)))->quick_recycle))
    sp_push_anchor(L, c, m); /* keeps the manager from being collected while hooks run */
  return recycle(L, m, NULL, object, sp_object_recycle);
}

/* `local o <close> = pools:alloc "X"`: its life ends with the block, if it has not ended before. */
int spl_object_close(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  sp_ref object = sp_check_object(L, 1);
  spl_manager *m = sp_manager_of(c, object);
  if (!m || !sp_object_is_live(m->core, object))
    return 0;
  sp_push_anchor(L, c, m);
  return recycle(L, m, NULL, object, sp_object_recycle);
}

int spl_base_recycle(lua_State *L)
{
  const spl_pool *p = sp_check_pool(L, 1);
  sp_ref object = sp_check_object(L, 2);
  return p->core ? recycle(L, p->manager, p->core, object, sp_object_recycle_base)
                 : sp_return_refusal(L, false, SP_CLOSED);
}

/* }== */
