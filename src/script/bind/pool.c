/*
** Pools in Lua: the userdata that is `self` in class functions. A pool is created from its class at the first use of
** its type.
*/
#include "script/bind/pool.h"

#include <math.h>
#include <string.h>

#include "script/bind/class.h"
#include "script/bind/hooks.h"
#include "script/bind/map.h"
#include "script/bind/members.h"
#include "script/bind/query.h"
#include "script/bind/rows.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* {== Types ================================================================== */

/* An empty or enormous name is a mistake. */
void sp_check_type(lua_State *L, int index)
{
  size_t length = 0;
  sp_check_text(L, index);
  const char *type = lua_tolstring(L, index, &length);
  if (length == 0 || length > 200)
    sp_raise_arg(L, index, "a type is a name of 1 to 200 characters");
  if (strlen(type) != length)
    sp_raise_arg(L, index, "a type has no zero bytes");
}

/* Long names are not remembered: their address is not theirs alone. */
spl_pool *sp_manager_look_up(lua_State *L, spl_manager *m, int index)
{
  if (lua_type(L, index) != LUA_TSTRING)
    return NULL;
  const void *key = lua_topointer(L, index);
  uint32_t at = sp_keymap_at(m->types, m->types->mask, key);
  if (at == SP_NO_KEY) {
    at = sp_keymap_find(L, m->types, index);
    return at == SP_NO_KEY ? NULL : sp_held_pool(m->pools[at]);
  }
  m->known[sp_keymap_hash(key) % SP_KNOWN_TYPES] = (sp_known_type){key, m->pools[at]};
  return sp_held_pool(m->pools[at]);
}

static void set_pool(spl_manager *m, uint32_t at, spl_pool *p)
{
  m->pools[at] = p;
  memset(m->known, 0, sizeof m->known);
}

/* Both arrays are userdata, which the record at `record` keeps, so a failed step leaves nothing behind. */
void sp_manager_reserve_types(lua_State *L, spl_manager *m, int record)
{
  if (m->types && (m->types->count + 1) * 4 <= m->types->mask + 1)
    return;
  uint32_t count = m->types ? m->types->count : 0, seats = sp_keymap_seats((count + 1) * 2);
  sp_keymap *types = lua_newuserdatauv(L, sp_keymap_size(seats), 0);
  sp_keymap_init(types, seats);
  spl_pool **pools = lua_newuserdatauv(L, seats * sizeof(spl_pool *), 0);
  memset(pools, 0, seats * sizeof(spl_pool *));
  if (m->types)
    sp_keymap_add_all(types, m->types);
  if (m->pools)
    memcpy(pools, m->pools, m->pool_count * sizeof(spl_pool *));
  lua_setiuservalue(L, record, SP_RECORD_LIST);
  lua_setiuservalue(L, record, SP_RECORD_TYPES);
  m->types = types;
  m->pools = pools;
}

/* Lists a pool (userdata at `pool`) under the type named at `type`. Raises on memory. */
static void list_pool(lua_State *L, spl_manager *m, spl_pool *p, int type, int pool)
{
  sp_push_anchor(L, m->context, m);
  int manager = lua_gettop(L);
  sp_push_record(L, m->context, m);
  uint32_t at = sp_keymap_find(L, m->types, type);
  if (at == SP_NO_KEY)
    sp_manager_reserve_types(L, m, manager + 1);
  lua_getiuservalue(L, manager + 1, SP_RECORD_STRINGS);
  lua_pushvalue(L, type);
  lua_pushboolean(L, 1);
  sp_raw_set(L, -3);
  bool is_new = at == SP_NO_KEY;
  if (is_new)
    at = m->pool_count;
  lua_getiuservalue(L, manager, SP_MANAGER_POOLS);
  lua_pushvalue(L, type);
  lua_pushboolean(L, 1);
  sp_raw_set(L, -3);
  lua_pushvalue(L, pool);
  sp_raw_seti(L, -2, (lua_Integer)at + 1);
  if (is_new) {
    m->pool_count++;
    sp_keymap_add(L, m->types, type, at);
  }
  p->index = at;
  p->id = sp_new_id(m->context, (uint32_t)(m->id >> 56), at);
  ((spl_handle *)sp_raw_block(L, pool))->id = p->id;
  set_pool(m, at, p);
  lua_settop(L, manager - 1);
}

void sp_manager_unlist(lua_State *L, spl_manager *m, spl_pool *p)
{
  sp_held_pool(p);
  p->core = NULL;
  p->manager = m->context->closed_manager; /* what still holds the record may outlive the manager's */
  set_pool(m, p->index, NULL);
  sp_drop_record(L, m->context, sp_anchor_of(p));
}

void sp_pool_unlist(lua_State *L, sp_context *c, uint64_t pool)
{
  spl_pool *p = sp_pool_from_id(c, pool);
  if (p)
    sp_manager_unlist(L, p->manager, p);
}

/* }== */

/* {== Methods ============================================================ */

static int prewarm_now(lua_State *L, spl_pool *p, uint32_t count)
{
  sp_context *c = p->manager->context;
  sp_shown type;
  sp_copy_text(sp_pool_desc_of(p->core)->type, &type);
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(c, L);
  uint32_t made = sp_pool_prewarm_now(p->core, count, &why);
  sp_finish(c, outer);
  sp_raise_failures(L, c);
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
  if (!(value >= 0 && value <= SP_MAX_LIFETIME) && !(value == HUGE_VAL && strcmp(key, "delay") == 0))
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
int spl_pool_prewarm(lua_State *L)
{
  spl_pool *p = sp_check_open_pool(L, 1);
  uint32_t count = sp_check_count(L, 2, "count", 0, SP_MAX_SLOTS);
  if (lua_isnoneornil(L, 3))
    return prewarm_now(L, p, count);
  prewarming o = check_prewarm_options(L);
  if (o.slice == 0 && o.delay == 0)
    o.slice = SP_MAX_SLOTS; /* all, in the next update */
  sp_pool_prewarm(p->core, count, (uint32_t)o.slice, o.delay);
  lua_pushinteger(L, 0);
  return 1;
}

static int call_counting(lua_State *L, uint32_t (*action)(sp_pool *))
{
  const spl_pool *p = sp_check_pool(L, 1);
  sp_context *c = p->manager->context;
  uint32_t count = 0;
  lua_State *outer = sp_begin(c, L);
  if (p->core)
    count = action(p->core);
  sp_finish(c, outer);
  sp_raise_failures(L, c);
  lua_pushinteger(L, count);
  return 1;
}

int spl_pool_recycle_all(lua_State *L) { return call_counting(L, sp_pool_recycle_all); }
static uint32_t clear(sp_pool *p) { return sp_pool_trim(p, 0); }
static uint32_t trim(sp_pool *p) { return sp_pool_trim(p, sp_pool_desc_of(p)->settings.prealloc); }
int spl_pool_clear(lua_State *L) { return call_counting(L, clear); }
int spl_pool_trim(lua_State *L) { return call_counting(L, trim); }

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

int spl_pool_stats(lua_State *L)
{
  const spl_pool *p = sp_check_open_pool(L, 1);
  sp_stats stats;
  sp_pool_stats(p->core, &stats);
  sp_push_stats(L, &stats);
  return 1;
}

int spl_pool_each(lua_State *L)
{
  sp_check_open_pool(L, 1);
  return lua_gettop(L) > 1 ? sp_walk_pool_with_fields(L) : sp_walk_pool(L, 1);
}

/* }== */

/* {== Fields ============================================================= */

static void push_limit(lua_State *L, uint32_t limit)
{
  if (limit == SP_UNLIMITED)
    lua_pushnil(L);
  else
    lua_pushinteger(L, limit);
}

static void push_overflow(lua_State *L, const spl_pool *p, const sp_row *row, sp_overflow overflow)
{
  if (overflow != SP_OVERFLOW_FUNCTION) {
    sp_row_push_word(L, row, overflow == SP_OVERFLOW_REFUSE && p->raises ? SP_REFUSE_AND_RAISE : (int)overflow);
    return;
  }
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, p->overflow_set ? SP_POOL_OVERFLOW : SP_POOL_HOOKS + SP_HOOK_OVERFLOW);
  lua_replace(L, -2);
}

/* Falls back on the class, so that its helper functions and constants can be reached through `self`. Runs scripts: a
   class may have a metatable behind it. */
static void push_of_class(lua_State *L, const spl_pool *p, int key)
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

static void push_setting(lua_State *L, const spl_pool *p, const sp_row *row)
{
  const sp_settings s = sp_pool_desc_of(p->core)->settings;
  const uint32_t value = *sp_row_cell(row, &s);
  if (row->kind == SP_ROW_LIMIT)
    push_limit(L, value);
  else if (row->kind == SP_ROW_OVERFLOW)
    push_overflow(L, p, row, (sp_overflow)value);
  else
    lua_pushinteger(L, value);
}

static void push_field(lua_State *L, const spl_pool *p, const sp_row *row)
{
  switch (row->place) {
  case SP_POOL_LIVE:
    lua_pushinteger(L, sp_pool_live(p->core));
    break;
  case SP_POOL_IDLE:
    lua_pushinteger(L, sp_pool_idle(p->core));
    break;
  case SP_POOL_TOTAL:
    lua_pushinteger(L, (lua_Integer)sp_pool_live(p->core) + sp_pool_idle(p->core));
    break;
  case SP_POOL_PEAK:
    lua_pushinteger(L, sp_stats_of(p->core).peak);
    break;
  case SP_POOL_TYPE:
    lua_pushstring(L, sp_pool_desc_of(p->core)->type);
    break;
  default: /* SP_POOL_ITS_CLASS */
    sp_push_anchor(L, p->manager->context, p);
    lua_getiuservalue(L, -1, SP_POOL_CLASS);
  }
}

/* Upvalues: context, pool userdata. Arguments: the methods table, key. */
int spl_pool_field(lua_State *L)
{
  const spl_pool *p = sp_to_pool(L, lua_upvalueindex(2));
  const char *key = sp_to_text(L, 2);
  if (!p->core)
    sp_raise(L, "the pool was removed, or its manager closed");
  const sp_row *row = sp_row_find(sp_pool_rows, key);
  if (row) {
    push_field(L, p, row);
    return 1;
  }
  row = sp_row_find(sp_tunable_rows, key);
  if (row)
    push_setting(L, p, row);
  else
    push_of_class(L, p, 2);
  return 1;
}

/* Returns the limit at 3; nil and math.huge mean none. */
static uint32_t check_limit(lua_State *L, const sp_row *row)
{
  if (lua_isnil(L, 3) || (lua_type(L, 3) == LUA_TNUMBER && lua_tonumber(L, 3) == (lua_Number)HUGE_VAL))
    return SP_UNLIMITED;
  return sp_check_count(L, 3, row->name, (uint32_t)row->low, (uint32_t)row->high);
}

static sp_overflow check_overflow(lua_State *L, const sp_row *row, bool *raises)
{
  sp_overflow overflow;
  sp_shown words;
  if (sp_to_function(L, 3))
    return SP_OVERFLOW_FUNCTION;
  if (sp_overflow_of_name(sp_to_text(L, 3), &overflow, raises))
    return overflow;
  sp_raise_value(L, 3, "overflow is %s or a function(pool) that returns the victim", sp_row_words(row, &words));
}

/* Sets whether `overflow` raises, and its function, which is on top; nil: none, or that of the class. A value that is
   as the class says is not set by the game. */
static void set_overflow(lua_State *L, spl_pool *p, sp_overflow overflow, bool raises)
{
  const int value = lua_gettop(L);
  const bool is_other =
      overflow != p->described.overflow || (overflow == SP_OVERFLOW_REFUSE && raises != p->raises_described);
  p->overflow_set = overflow == SP_OVERFLOW_FUNCTION ? lua_isfunction(L, value) : is_other;
  p->raises = p->overflow_set ? raises : p->raises_described;
  sp_push_anchor(L, p->manager->context, p);
  p->overflow_set &&overflow == SP_OVERFLOW_FUNCTION ? lua_pushvalue(L, value) : lua_pushnil(L);
  lua_setiuservalue(L, -2, SP_POOL_OVERFLOW);
  const int type = lua_getiuservalue(L, -1, SP_POOL_HOOKS + SP_HOOK_OVERFLOW);
  p->hooks &= ~(1u << SP_HOOK_OVERFLOW);
  p->hooks |= (uint32_t)(p->overflow_set ? overflow == SP_OVERFLOW_FUNCTION : type == LUA_TFUNCTION)
              << SP_HOOK_OVERFLOW;
  lua_settop(L, value);
  if (p->manager->is_loading) /* hooks come later */
    return;
  sp_pool_hooks hooks = sp_hooks_for(p);
  sp_as_owner(p->manager->core);
  sp_pool_set_hooks(p->core, &hooks);
}

/* Returns the row of the setting with the key at 2. */
static const sp_row *check_setting(lua_State *L, const spl_pool *p)
{
  const sp_row *row = sp_row_find(sp_tunable_rows, sp_to_text(L, 2));
  sp_shown shown, names;
  if (!row)
    sp_raise(L, "pool '%s' has no writable field '%s' (%s can be set)", sp_pool_desc_of(p->core)->type,
             sp_show_name(L, 2, &shown), sp_row_names(sp_tunable_rows, &names));
  return row;
}

static uint32_t check_value(lua_State *L, const sp_row *row, bool *raises)
{
  if (row->kind == SP_ROW_LIMIT)
    return check_limit(L, row);
  if (row->kind == SP_ROW_OVERFLOW)
    return (uint32_t)check_overflow(L, row, raises);
  return sp_check_count(L, 3, row->name, (uint32_t)row->low, (uint32_t)row->high);
}

int spl_pool_newindex(lua_State *L)
{
  spl_pool *p = sp_check_open_pool(L, 1);
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  const sp_row *row = check_setting(L, p);
  bool raises = false;
  sp_settings s = sp_pool_desc_of(p->core)->settings;
  *sp_row_cell(row, &s) = check_value(L, row, &raises);
  lua_State *outer = sp_begin(c, L);
  sp_as_owner(p->manager->core);
  sp_result why = sp_pool_set_settings(p->core, &s);
  sp_finish(c, outer);
  if (why != SP_OK)
    sp_raise(L, "cannot change '%s': %s", row->name,
             why == SP_CLOSED ? "the pool is being removed, or its manager closed" : sp_result_text(why));
  p = sp_pool_from_id(c, id);
  lua_settop(L, 3);
  if (p && row->kind == SP_ROW_OVERFLOW)
    set_overflow(L, p, s.overflow, raises);
  return 0;
}

/* }== */

/* {== Saved settings ===================================================== */

void sp_push_overflow(lua_State *L, const spl_pool *p)
{
  lua_createtable(L, 3, 0);
  const int list = lua_gettop(L);
  lua_pushboolean(L, p->overflow_set);
  sp_raw_seti(L, list, 1);
  lua_pushboolean(L, p->raises);
  sp_raw_seti(L, list, 2);
  if (p->overflow_set && sp_find_user_value(L, p->manager->context, p, SP_POOL_OVERFLOW) == LUA_TFUNCTION)
    sp_raw_seti(L, list, 3);
  lua_settop(L, list);
}

void sp_take_overflow(lua_State *L, spl_pool *p)
{
  const int list = lua_gettop(L);
  for (int i = 1; i <= 3; i++)
    lua_istable(L, list) ? (void)sp_raw_geti(L, list, i) : lua_pushnil(L);
  const bool raises = lua_toboolean(L, list + 1) ? lua_toboolean(L, list + 2) : p->raises_described;
  set_overflow(L, p, sp_pool_desc_of(p->core)->settings.overflow, raises);
  lua_settop(L, list);
}

/* }== */

/* {== Creating ========================================================== */

static const sp_handle_type handle_type = {"spawnpool.pool", "pool", SP_KEPT_POOL_METHODS, spl_pool_field};

/* Pushes the userdata of a pool of `m`, in no list and without a core. Raises on memory. */
static spl_pool *new_handle(lua_State *L, spl_manager *m)
{
  spl_handle *handle = lua_newuserdatauv(L, sizeof *handle, SP_POOL_USER_VALUES);
  *handle = (spl_handle){.magic = SP_MAGIC_POOL, .context = m->context};
  sp_dress(L, m->context, &handle_type);
  sp_push_anchor(L, m->context, m);
  lua_setiuservalue(L, -2, SP_POOL_MANAGER);
  spl_pool *p = lua_newuserdatauv(L, sizeof *p, SP_POOL_RECORD_VALUES);
  memset(p, 0, sizeof *p);
  p->manager = m;
  sp_set_anchor(L, m->context, -1, -2);
  lua_pop(L, 1);
  return p;
}

/* make(plan, type, manager) -> the handle of a new pool, listed and without a core. */
static int make(lua_State *L)
{
  enum { PLAN = 1, NAME, MANAGER, POOL };
  spl_manager *m = sp_raw_block(L, MANAGER);
  luaL_checkstack(L, 30, NULL);
  spl_pool *p = new_handle(L, m);
  ((sp_pool_plan *)sp_raw_block(L, PLAN))->record = sp_anchor_of(p);
  sp_plan_fill(L, PLAN, p, POOL);
  sp_plan_take(L, PLAN, p);
  list_pool(L, m, p, NAME, POOL);
  lua_settop(L, POOL);
  return 1;
}

/* Creates the core of the pool whose userdata is on top. Hooks run for its first objects; returns NULL when they
   removed the pool. */
static spl_pool *open_core(lua_State *L, sp_context *c, sp_pool_plan *plan)
{
  spl_pool *p = sp_to_pool(L, -1);
  const uint64_t id = p->id;
  sp_result why = SP_OK;
  plan->desc.user = p;
  if (p->manager->is_loading) /* its first objects are replaced by those of a save */
    plan->desc.hooks = (sp_pool_hooks){.ud = p};
  lua_State *outer = sp_begin(c, L);
  sp_settings *settings = &plan->desc.settings;
  settings->prealloc = settings->prealloc < settings->limit ? settings->prealloc : settings->limit;
  sp_pool *core = sp_manager_add_pool(p->manager->core, &plan->desc, &why);
  sp_finish(c, outer);
  if (!core) {
    sp_pool_unlist(L, c, id);
    const char *problem = why == SP_MEMORY ? "not enough memory" : sp_result_text(why);
    sp_raise(L, "cannot make a pool of '%s': %s", plan->desc.type, problem);
  }
  p = sp_pool_from_id(c, id);
  if (p)
    p->core = core;
  return p;
}

/* Makes the pool of type `index` from its class (or generic) and returns it; raises errors. */
static spl_pool *create(lua_State *L, spl_manager *m, int index)
{
  sp_context *c = m->context;
  const uint64_t id = m->id;
  luaL_checkstack(L, 40, NULL);
  index = lua_absindex(L, index);
  int top = lua_gettop(L);
  sp_pool_plan *plan = sp_plan_new(L, m, index, true);
  m = sp_manager_from_id(c, id);
  /* Reading the class may have run code that made this very pool, or closed the manager. */
  spl_pool *p = m ? sp_manager_find(L, m, index) : NULL;
  if (!p && m && !sp_is_closing(m->core)) {
    lua_pushcfunction(L, make);
    lua_pushvalue(L, top + 1);
    lua_pushvalue(L, index);
    lua_pushlightuserdata(L, m);
    if (sp_pcall_without_gc(L, 3, 1) != LUA_OK) {
      sp_drop_record(L, c, plan->record);
      lua_error(L);
    }
    p = open_core(L, c, plan);
  }
  lua_settop(L, top);
  return p;
}

spl_pool *spl_manager_pool(lua_State *L, spl_manager *m, int index)
{
  spl_pool *p = m->core ? sp_manager_find(L, m, index) : NULL;
  if (p)
    return p;
  sp_check_type(L, index);
  return m->core && !sp_is_closing(m->core) ? create(L, m, index) : NULL;
}

void sp_pool_open_methods(lua_State *L, sp_context *c)
{
  sp_push_kept(L, c, SP_KEPT_POOL_METHODS);
  sp_add_functions(L, c, "pool", false);
  lua_pop(L, 1);
}

/* }== */
