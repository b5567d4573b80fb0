/*
** Pools in Lua: the userdata that is `self` in class functions. A pool is created from its class at the first use of
** its type.
*/
#include "script/bind/pool.h"

#include <math.h>
#include <string.h>

#include "script/bind/class.h"
#include "script/bind/hooks.h"
#include "script/bind/manager.h"
#include "script/bind/members.h"
#include "script/bind/query.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* {== Methods ============================================================ */

static int prewarm_now(lua_State *L, sp_lua_pool *p, uint32_t count)
{
  sp_context *c = p->manager->context;
  sp_shown type;
  sp_copy_text(sp_pool_type(p->core), &type);
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(c, L);
  uint32_t made = sp_pool_prewarm(p->core, count, &why);
  sp_finish(c, outer);
  if (why == SP_MEMORY)
    sp_raise(L, "not enough memory to prewarm '%s'", type.text);
  lua_pushinteger(L, made);
  return 1;
}

typedef struct prewarming {
  double slice, delay;
} prewarming;

/* Returns the value on top, which must be a number of at least 0. */
static double prewarm_number(lua_State *L, const char *key)
{
  double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(value >= 0 && value <= SP_MAX_LIFETIME))
    sp_raise_arg(L, 3, "%s must be a number from 0 up", key);
  return value;
}

static prewarming check_prewarm_options(lua_State *L)
{
  prewarming o = {0, 0};
  sp_shown shown;
  sp_check_table(L, 3);
  for (lua_pushnil(L); sp_raw_next(L, 3); lua_pop(L, 1)) {
    const char *key = sp_to_text(L, -2);
    if (strcmp(key, "per_frame") == 0)
      o.slice = prewarm_number(L, key);
    else if (strcmp(key, "delay") == 0)
      o.delay = prewarm_number(L, key);
    else
      sp_raise_arg(L, 3, "prewarm has no option '%s' (per_frame, delay)", sp_show_name(L, -2, &shown));
  }
  if (o.slice != floor(o.slice) || o.slice > SP_MAX_SLOTS)
    sp_raise_arg(L, 3, "per_frame must be a whole number");
  return o;
}

/* prewarm(n) at once; prewarm(n, {per_frame=, delay=}) in the updates to come. Returns how many were made now. */
int sp_lua_pool_prewarm(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  uint32_t count = sp_check_count(L, 2, "count", 0, SP_MAX_SLOTS);
  if (lua_isnoneornil(L, 3))
    return prewarm_now(L, p, count);
  prewarming o = check_prewarm_options(L);
  sp_pool_prewarm_slowly(p->core, count, (uint32_t)o.slice, o.delay);
  lua_pushinteger(L, 0);
  return 1;
}

static int call_counting(lua_State *L, uint32_t (*action)(sp_pool *))
{
  const sp_lua_pool *p = sp_check_pool(L, 1);
  sp_context *c = p->manager->context;
  uint32_t count = 0;
  lua_State *outer = sp_begin(c, L);
  if (p->core)
    count = action(p->core);
  sp_finish(c, outer);
  lua_pushinteger(L, count);
  return 1;
}

int sp_lua_pool_recycle_all(lua_State *L) { return call_counting(L, sp_pool_recycle_all); }
int sp_lua_pool_clear(lua_State *L) { return call_counting(L, sp_pool_clear); }
int sp_lua_pool_trim(lua_State *L) { return call_counting(L, sp_pool_trim); }

static void set_count(lua_State *L, const char *name, uint64_t count)
{
  lua_pushinteger(L, (lua_Integer)count);
  lua_setfield(L, -2, name);
}

void sp_push_stats(lua_State *L, const sp_stats *stats)
{
  lua_createtable(L, 0, 18);
#define COUNT(name) set_count(L, #name, stats->name)
  COUNT(live);
  COUNT(idle);
  COUNT(total);
  COUNT(peak);
  COUNT(allocs);
  COUNT(recycles);
  COUNT(expired);
  COUNT(refused);
  COUNT(evicted);
  COUNT(vetoed);
  COUNT(stale_uses);
  COUNT(double_recycles);
  COUNT(created);
  COUNT(destroyed);
  COUNT(retired);
  COUNT(bytes);
#undef COUNT
  lua_pushnumber(L, stats->peak_time);
  lua_setfield(L, -2, "peak_time");
  lua_createtable(L, 0, 2);
  set_count(L, "done", stats->prewarm_done);
  set_count(L, "wanted", stats->prewarm_wanted);
  lua_setfield(L, -2, "prewarm");
}

int sp_lua_pool_stats(lua_State *L)
{
  const sp_lua_pool *p = sp_check_open_pool(L, 1);
  sp_stats stats = sp_pool_stats(p->core);
  sp_push_stats(L, &stats);
  return 1;
}

int sp_lua_pool_each(lua_State *L)
{
  sp_check_open_pool(L, 1);
  return sp_walk_pool(L, 1);
}

/* }== */

/* {== Fields ============================================================= */

enum { REFUSE_AND_RAISE = 3 };
static const char *const overflow_names[] = {"refuse", "oldest", "grow", "error", NULL};

static const char *overflow_name(sp_overflow overflow, bool raises)
{
  return overflow_names[raises && overflow == SP_OVERFLOW_REFUSE ? REFUSE_AND_RAISE : (int)overflow];
}

bool sp_overflow_of_name(const char *name, sp_overflow *overflow, bool *raises)
{
  int i = 0;
  while (overflow_names[i] && strcmp(overflow_names[i], name) != 0)
    i++;
  if (!overflow_names[i])
    return false;
  *raises = i == REFUSE_AND_RAISE;
  *overflow = *raises ? SP_OVERFLOW_REFUSE : (sp_overflow)i;
  return true;
}

static void push_limit(lua_State *L, uint32_t limit)
{
  if (limit == SP_UNLIMITED)
    lua_pushnil(L);
  else
    lua_pushinteger(L, limit == SP_NO_OBJECTS ? 0 : limit);
}

static void push_overflow(lua_State *L, const sp_lua_pool *p, const sp_settings *s)
{
  if (s->overflow != SP_OVERFLOW_FUNCTION) {
    lua_pushstring(L, overflow_name(s->overflow, p->raises));
    return;
  }
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_HOOKS + SP_HOOK_OVERFLOW);
  lua_replace(L, -2);
}

/* Falls back on the class, so that its helper functions and constants can be reached through `self`. Runs scripts: a
   class may have a metatable behind it. */
static void push_of_class(lua_State *L, const sp_lua_pool *p, int key)
{
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_CLASS);
  lua_replace(L, -2);
  if (lua_isnil(L, -1))
    return;
  lua_pushvalue(L, key);
  sp_get_as_script(L, -2);
  lua_replace(L, -2);
}

enum { LIVE, IDLE, TOTAL, PEAK, TYPE, CLASS, LIMIT, IDLE_LIMIT, GROW, OVERFLOW, OWN_FIELDS };

/* Returns the number of an own field of pools, or OWN_FIELDS. Mostly an `alloc` asks for members of its class, so first
   letters are compared before names. */
static int own_field(const char *key)
{
  static const char *const names[OWN_FIELDS] = {"live",  "idle",  "total",      "peak", "type",
                                                "class", "limit", "idle_limit", "grow", "overflow"};
  int i = 0;
  while (i < OWN_FIELDS && (names[i][0] != key[0] || strcmp(names[i], key) != 0))
    i++;
  return i;
}

static void push_setting(lua_State *L, const sp_lua_pool *p, int field)
{
  sp_settings s = sp_pool_settings(p->core);
  if (field == LIMIT)
    push_limit(L, s.limit);
  else if (field == IDLE_LIMIT)
    push_limit(L, s.idle_limit);
  else if (field == GROW)
    lua_pushinteger(L, s.grow);
  else
    push_overflow(L, p, &s);
}

/* Upvalues: context, pool userdata. Arguments: the methods table, key. */
int sp_lua_pool_field(lua_State *L)
{
  const sp_lua_pool *p = sp_raw_block(L, lua_upvalueindex(2));
  int field = own_field(sp_to_text(L, 2));
  if (!p->core)
    sp_raise(L, "the pool was removed, or its manager closed");
  switch (field) {
  case LIVE:
    lua_pushinteger(L, sp_pool_live(p->core));
    break;
  case IDLE:
    lua_pushinteger(L, sp_pool_idle(p->core));
    break;
  case TOTAL:
    lua_pushinteger(L, (lua_Integer)sp_pool_live(p->core) + sp_pool_idle(p->core));
    break;
  case PEAK:
    lua_pushinteger(L, sp_pool_stats(p->core).peak);
    break;
  case TYPE:
    lua_pushstring(L, sp_pool_type(p->core));
    break;
  case CLASS:
    sp_push_anchor(L, p->manager->context, p);
    lua_getiuservalue(L, -1, SP_POOL_CLASS);
    break;
  case OWN_FIELDS:
    push_of_class(L, p, 2);
    break;
  default:
    push_setting(L, p, field);
  }
  return 1;
}

/* Returns the limit at `arg`; nil and math.huge mean none. */
static uint32_t check_limit(lua_State *L, int arg, const char *what)
{
  if (lua_isnil(L, arg) || (lua_type(L, arg) == LUA_TNUMBER && lua_tonumber(L, arg) == (lua_Number)HUGE_VAL))
    return SP_UNLIMITED;
  uint32_t limit = sp_check_count(L, arg, what, 0, SP_MAX_SLOTS);
  return limit ? limit : SP_NO_OBJECTS;
}

static sp_overflow check_overflow(lua_State *L, int arg, bool *raises)
{
  sp_overflow overflow;
  if (lua_isfunction(L, arg))
    return SP_OVERFLOW_FUNCTION;
  if (sp_overflow_of_name(sp_to_text(L, arg), &overflow, raises))
    return overflow;
  sp_raise_value(L, arg, "overflow is 'refuse', 'oldest', 'grow', 'error' or a function(pool) that returns the victim");
}

static void set_overflow(lua_State *L, sp_lua_pool *p, sp_overflow overflow, bool raises)
{
  p->overflow_set = true;
  p->raises = raises;
  p->hooks &= ~(1u << SP_HOOK_OVERFLOW);
  if (overflow == SP_OVERFLOW_FUNCTION) {
    lua_pushvalue(L, 3);
    lua_setiuservalue(L, 1, SP_POOL_HOOKS + SP_HOOK_OVERFLOW);
    p->hooks |= 1u << SP_HOOK_OVERFLOW;
  }
  sp_hooks hooks = sp_hooks_for(p);
  sp_pool_set_hooks(p->core, &hooks);
}

/* Returns the settings after the assignment. */
static sp_settings check_settings(lua_State *L, const sp_lua_pool *p, const char *key, bool *raises)
{
  sp_settings s = sp_pool_settings(p->core);
  sp_shown shown;
  if (strcmp(key, "limit") == 0)
    s.limit = check_limit(L, 3, "limit");
  else if (strcmp(key, "idle_limit") == 0)
    s.idle_limit = check_limit(L, 3, "idle_limit");
  else if (strcmp(key, "grow") == 0)
    s.grow = sp_check_count(L, 3, "grow", 1, SP_MAX_SLOTS);
  else if (strcmp(key, "overflow") == 0)
    s.overflow = check_overflow(L, 3, raises);
  else
    sp_raise(L, "pool '%s' has no writable field '%s' (limit, idle_limit, grow and overflow can be set)",
             sp_pool_type(p->core), sp_show_name(L, 2, &shown));
  return s;
}

int sp_lua_pool_newindex(lua_State *L)
{
  sp_lua_pool *p = sp_check_open_pool(L, 1);
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  const char *key = sp_to_text(L, 2);
  bool raises = false;
  sp_settings s = check_settings(L, p, key, &raises);
  lua_State *outer = sp_begin(c, L);
  sp_result why = sp_pool_configure(p->core, &s);
  sp_finish(c, outer);
  if (why != SP_OK)
    sp_raise(L, "cannot change '%s': %s", key, sp_result_text(why));
  p = sp_pool_again(c, id);
  if (p && strcmp(key, "overflow") == 0)
    set_overflow(L, p, s.overflow, raises);
  return 0;
}

/* }== */

/* {== Creating ========================================================== */

static const sp_handle_type handle_type = {"spawnpool.pool", "pool", SP_KEPT_POOL_METHODS, sp_lua_pool_field};

/* Pushes the userdata of a pool of `m`, in no list and without a core. Raises on memory. */
static sp_lua_pool *new_handle(lua_State *L, sp_lua_manager *m)
{
  sp_lua_pool *p = lua_newuserdatauv(L, sizeof *p, SP_POOL_USER_VALUES);
  memset(p, 0, sizeof *p);
  p->manager = m;
  p->head.magic = SP_MAGIC_POOL;
  sp_dress(L, m->context, &handle_type);
  sp_push_anchor(L, m->context, m);
  lua_setiuservalue(L, -2, SP_POOL_MANAGER);
  sp_set_anchor(L, m->context, p, -1);
  return p;
}

/* make(plan, type, manager) -> the handle of a new pool, listed and without a core. */
static int make(lua_State *L)
{
  enum { PLAN = 1, NAME, MANAGER, POOL };
  sp_lua_manager *m = sp_raw_block(L, MANAGER);
  luaL_checkstack(L, 30, NULL);
  sp_lua_pool *p = new_handle(L, m);
  sp_plan_fill(L, PLAN, p, POOL);
  sp_plan_take(L, PLAN, p);
  sp_manager_list(L, m, p, NAME, POOL);
  lua_settop(L, POOL);
  return 1;
}

/* Creates the core of the pool whose userdata is on top. Hooks run for its first objects; returns NULL when they
   removed the pool. */
static sp_lua_pool *open_core(lua_State *L, sp_context *c, sp_pool_plan *plan)
{
  sp_lua_pool *p = sp_raw_block(L, -1);
  const uint64_t id = p->id;
  sp_result why = SP_OK;
  plan->desc.user = p;
  if (p->manager->is_loading) /* its first objects are replaced by those of a save */
    plan->desc.hooks = (sp_hooks){.ud = p};
  lua_State *outer = sp_begin(c, L);
  sp_pool *core = sp_add_pool(p->manager->core, &plan->desc, &why);
  sp_finish(c, outer);
  if (!core) {
    sp_pool_unlist(c, id);
    const char *problem = why == SP_MEMORY ? "not enough memory" : sp_result_text(why);
    sp_raise(L, "cannot make a pool of '%s': %s", plan->desc.type, problem);
  }
  p = sp_pool_again(c, id);
  if (p)
    p->core = core;
  return p;
}

sp_lua_pool *sp_pool_create(lua_State *L, sp_lua_manager *m, int index)
{
  sp_context *c = m->context;
  const uint64_t id = m->id;
  luaL_checkstack(L, 40, NULL);
  index = lua_absindex(L, index);
  int top = lua_gettop(L);
  sp_pool_plan *plan = sp_plan_new(L, m, index, true);
  m = sp_manager_again(c, id);
  /* Reading the class may have run code that made this very pool, or closed the manager. */
  sp_lua_pool *p = m ? sp_manager_find(L, m, index) : NULL;
  if (!p && m && !sp_is_closing(m->core)) {
    lua_pushcfunction(L, make);
    lua_pushvalue(L, top + 1);
    lua_pushvalue(L, index);
    lua_pushlightuserdata(L, m);
    sp_quietly(L, 3, 1);
    p = open_core(L, c, plan);
  }
  lua_settop(L, top);
  return p;
}

void sp_pool_open_methods(lua_State *L, sp_context *c)
{
  sp_push_kept(L, c, SP_KEPT_POOL_METHODS);
  sp_add_functions(L, c, "pool", false);
  lua_pop(L, 1);
}

/* }== */
