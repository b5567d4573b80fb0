/*
** Managers in Lua: `spawnpool.pools` and what `spawnpool.new` returns.
*/
#include "script/bind/manager.h"

#include <math.h>
#include <string.h>

#include "script/bind/members.h"
#include "script/bind/pool.h"
#include "script/bind/query.h"
#include "script/bind/rows.h"
#include "script/bind/save.h"
#include "script/bind/snapshot.h"
#include "script/bind/timer.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"
#include "script/state/repeatable.h"

#include "script/state/careful.h"

/* {== Objects ============================================================ */

int spl_manager_is_live(lua_State *L)
{
  const spl_manager *m = sp_check_manager(L, 1);
  bool live = m->core && lua_islightuserdata(L, 2) && sp_object_is_live(m->core, sp_to_object(L, 2));
  lua_pushboolean(L, live);
  return 1;
}

/* Makes a pool that a restore took back, as if this call had created it. */
static void make_again(lua_State *L, const spl_pool *p)
{
  sp_context *c = p->manager->context;
  lua_State *outer = sp_begin(c, L);
  sp_result why = sp_pool_appear(p->core);
  sp_finish(c, outer);
  if (why != SP_OK)
    sp_raise(L, "cannot make the pool again: %s", sp_result_text(why));
}

int spl_manager_get_pool(lua_State *L)
{
  spl_manager *m = sp_check_manager(L, 1);
  sp_context *c = m->context;
  spl_pool *p = spl_manager_pool(L, m, 2);
  if (!p)
    return sp_return_refusal(L, true, SP_CLOSED);
  sp_push_anchor(L, c, p);
  if (sp_pool_is_absent(p->core))
    make_again(L, p);
  return 1;
}

/* Errors of a filter name its argument, before a closed manager is an error. */
static spl_manager *check_filtered(lua_State *L)
{
  sp_check_manager(L, 1);
  sp_check_filter(L, 2);
  lua_settop(L, 2);
  return sp_check_manager(L, 1);
}

int spl_manager_each(lua_State *L)
{
  sp_check_open_manager(L, 1);
  sp_check_filter(L, 2);
  sp_check_open_manager(L, 1); /* the filter may have closed it */
  return sp_walk_manager(L, 1, 2);
}

/* }== */

/* {== Whole pools ======================================================== */

static void sweep_some(lua_State *L, sp_context *c);

int spl_manager_update(lua_State *L)
{
  spl_manager *m = sp_check_manager(L, 1);
  double dt = sp_check_finite(L, 2, "dt");
  if (dt < 0)
    sp_raise_arg(L, 2, "dt must not be negative");
  sp_context *c = m->context;
  if (c->has_dropped && m->core && !sp_manager_is_busy(m->core)) {
    sp_close_dropped(L, c);
    m = sp_check_manager(L, 1);
  }
  sweep_some(L, c);
  if (!m->core)
    return sp_return_refusal(L, false, SP_CLOSED);
  lua_State *outer = sp_begin(c, L);
  c->turn += c->root == NULL; /* a hosted game has the turns of its host */
  sp_result why = sp_manager_update(m->core, dt);
  sp_finish(c, outer);
  sp_raise_failures(L, c);
  if (why == SP_BUSY)
    sp_raise(L, "update called from inside a hook or another update");
  if (why != SP_OK)
    sp_raise_arg(L, 2, "dt is too long");
  lua_pushboolean(L, 1);
  return 1;
}

/* Runs `action` on the pools that the filter at 2 accepts, and returns the sum of its results. */
static uint32_t sum_over_pools(lua_State *L, sp_context *c, uint64_t manager, uint32_t (*action)(sp_pool *))
{
  uint32_t sum = 0;
  const spl_manager *m;
  for (uint32_t i = 0; (m = sp_manager_from_id(c, manager)) && i < m->pool_count; i++) {
    const spl_pool *p = sp_held_pool(m->pools[i]);
    const uint64_t pool = p ? p->id : 0;
    if (!p || !sp_filter_takes_pool(L, 2, p) || !(p = sp_pool_from_id(c, pool)))
      continue;
    lua_State *outer = sp_begin(c, L);
    sum += action(p->core);
    sp_finish(c, outer);
  }
  return sum;
}

/* Recycles the objects that the function at 2 chooses. */
static uint32_t recycle_chosen(lua_State *L, sp_context *c, uint64_t manager)
{
  uint32_t ended = 0;
  const int next = 3, last = 5;
  lua_settop(L, 2);
  sp_walk_manager(L, 1, 2);
  lua_settop(L, last);
  for (;;) {
    lua_pushvalue(L, next);
    lua_pushvalue(L, next + 1);
    lua_pushvalue(L, last);
    lua_call(L, 2, 1);
    const spl_manager *m = sp_manager_from_id(c, manager);
    if (lua_isnil(L, -1) || !m)
      return ended;
    lua_replace(L, last);
    lua_State *outer = sp_begin(c, L);
    sp_ref object = sp_to_object(L, last);
    if (sp_object_is_live(m->core, object))
      ended += sp_recycle_for(m->core, object, SP_WHY_RECYCLED_ALL) == SP_OK;
    sp_finish(c, outer);
  }
}

int spl_manager_recycle_all(lua_State *L)
{
  const spl_manager *m = check_filtered(L);
  sp_context *c = m->context;
  uint32_t ended = 0;
  if (m->core)
    ended = lua_isfunction(L, 2) ? recycle_chosen(L, c, m->id) : sum_over_pools(L, c, m->id, sp_pool_recycle_all);
  sp_raise_failures(L, c);
  lua_pushinteger(L, ended);
  return 1;
}

static uint32_t clear(sp_pool *p) { return sp_pool_trim(p, 0); }

int spl_manager_clear(lua_State *L)
{
  const spl_manager *m = check_filtered(L);
  if (lua_isfunction(L, 2))
    sp_raise_arg(L, 2, "clear takes pools, not single objects: use {type=}, {class=} or {group=}");
  sp_context *c = m->context;
  lua_pushinteger(L, m->core ? sum_over_pools(L, c, m->id, clear) : 0);
  sp_raise_failures(L, c);
  return 1;
}

int spl_manager_remove(lua_State *L)
{
  spl_manager *m = sp_check_manager(L, 1);
  sp_check_type(L, 2);
  const spl_pool *p = m->core ? sp_manager_find(L, m, 2) : NULL;
  uint32_t recycled = 0, destroyed = 0;
  if (p && p->core) {
    sp_context *c = m->context;
    const uint64_t id = p->id;
    lua_State *outer = sp_begin(c, L);
    sp_as_owner(m->core);
    sp_result why = sp_pool_remove(p->core, &recycled, &destroyed);
    sp_finish(c, outer);
    if (why != SP_OK)
      return sp_return_refusal(L, false, why);
    sp_pool_unlist(L, c, id);
    sp_raise_failures(L, c);
  }
  lua_pushinteger(L, recycled);
  lua_pushinteger(L, destroyed);
  return 2;
}

int spl_manager_stats(lua_State *L)
{
  spl_manager *m = sp_check_open_manager(L, 1);
  sp_stats stats = {0};
  if (lua_isnoneornil(L, 2)) {
    sp_manager_stats(m->core, &stats);
  } else {
    sp_check_type(L, 2);
    const spl_pool *p = sp_manager_find(L, m, 2);
    if (p && p->core)
      sp_pool_stats(p->core, &stats);
  }
  sp_push_stats(L, &stats);
  return 1;
}

/* }== */

/* {== Reports ============================================================ */

/* Calls `function` of lua/spawnpool/report.lua with the manager, the options at 2 and what was traced. */
static int call_report(lua_State *L, const char *function)
{
  const spl_manager *m = sp_check_open_manager(L, 1);
  if (!lua_isnoneornil(L, 2))
    sp_check_table(L, 2);
  lua_settop(L, 2);
  sp_push_kept(L, m->context, SP_KEPT_REPORTING);
  sp_raw_field(L, -1, function);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_getiuservalue(L, 1, SP_MANAGER_TRACES);
  lua_call(L, 3, 1);
  return 1;
}

int spl_manager_leaks(lua_State *L) { return call_report(L, "leaks"); }
int spl_manager_configure(lua_State *L) { return call_report(L, "configure"); }

/* }== */

/* {== Fields ============================================================= */

/* Raises that the manager has no field with the key at 2, and names the most similar one. */
static SP_COLD int unknown_field(lua_State *L, const sp_context *c)
{
  sp_shown shown;
  sp_show_name(L, 2, &shown);
  lua_settop(L, 2);
  sp_push_kept(L, c, SP_KEPT_CLASSES);
  sp_raw_field(L, -1, "unknown_member");
  lua_pushstring(L, shown.text);
  sp_push_kept(L, c, SP_KEPT_MANAGER_METHODS);
  lua_call(L, 2, 1);
  return luaL_error(L, "%s", lua_tostring(L, -1));
}

/* Upvalues: context, manager userdata. Arguments: the methods table, key. */
int spl_manager_field(lua_State *L)
{
  const spl_manager *m = sp_to_manager(L, lua_upvalueindex(2));
  const char *key = sp_to_text(L, 2);
  if (!m->core)
    sp_raise(L, "the manager is closed");
  const sp_row *row = sp_row_find(sp_manager_rows, key);
  if (!row)
    return unknown_field(L, m->context);
  if (row->place == SP_MANAGER_TIME)
    lua_pushnumber(L, sp_clock_of(m->core).time);
  else if (row->place == SP_MANAGER_TIME_SCALE)
    lua_pushnumber(L, sp_clock_of(m->core).time_scale);
  else
    lua_pushboolean(L, sp_clock_of(m->core).paused);
  return 1;
}

int spl_manager_newindex(lua_State *L)
{
  const spl_manager *m = sp_check_open_manager(L, 1);
  const char *key = sp_to_text(L, 2);
  sp_shown shown;
  if (strcmp(key, "time_scale") == 0) {
    double scale = sp_check_finite(L, 3, "time_scale");
    if (sp_manager_set_time_scale(m->core, scale) != SP_OK)
      sp_raise(L, "time_scale must be from 0 to 1e6, got %s", sp_show(L, 3, &shown));
  } else if (strcmp(key, "paused") == 0) {
    if (!lua_isboolean(L, 3))
      sp_raise(L, "paused must be true or false, got %s", sp_show(L, 3, &shown));
    sp_manager_set_paused(m->core, lua_toboolean(L, 3));
  } else {
    sp_raise(L, "pools have no writable field '%s' (time_scale and paused can be set)", sp_show_name(L, 2, &shown));
  }
  return 0;
}

/* }== */

/* {== Closing ================================================================ */

/* Removes every way from Lua to the core of `m`, which is freed or will be next. References of this manager stay stale
   for ever, because a later one of the same id continues the generations at `next`. */
static void forget_core(lua_State *L, spl_manager *m, uint32_t next)
{
  sp_context *c = m->context;
  const uint32_t id = (uint32_t)(m->id >> 56);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i])
      sp_manager_unlist(L, m, m->pools[i]);
  m->core = NULL;
  c->next_generation[id] = next;
  c->managers[id] = NULL;
  c->cores[id] = NULL;
  if (m != c->default_manager) /* the host keeps that one, and looks whether it is open */
    sp_drop_record(L, c, sp_anchor_of(m));
}

/* Hooks run, but none of them can make an object or a pool. */
static sp_result close_manager(lua_State *L, spl_manager *m, sp_stats *before)
{
  sp_context *c = m->context;
  const uint64_t id = m->id;
  const uint32_t next = sp_next_generation(m->core);
  sp_manager_stats(m->core, before);
  lua_State *outer = sp_begin(c, L);
  sp_as_owner(m->core);
  sp_result why = sp_manager_close(m->core);
  sp_finish(c, outer);
  m = sp_manager_from_id(c, id);
  if (why == SP_OK && m)
    forget_core(L, m, next);
  return why;
}

int spl_manager_close(lua_State *L)
{
  spl_manager *m = sp_check_manager(L, 1);
  sp_context *c = m->context;
  sp_stats before = {0};
  sp_result why = m->core ? close_manager(L, m, &before) : SP_OK;
  if (why != SP_OK)
    return sp_return_refusal(L, false, why);
  sp_raise_failures(L, c);
  lua_pushinteger(L, before.live);
  lua_pushinteger(L, before.total);
  return 2;
}

/* Frees a manager without a call to anybody: what hooks would need may be gone already. Coroutines that sleep stay
   as they are. */
void spl_manager_discard(lua_State *L, spl_manager *m)
{
  sp_manager *core = m->core;
  forget_core(L, m, sp_next_generation(core));
  sp_as_owner(core);
  sp_manager_discard(core);
}

/* A collected manager. One whose core is at work right now has its finaliser called again later. Nothing of the game
   runs in here: to-be-closed variables of its coroutines wait for the next update of any manager. */
int spl_manager_gc(lua_State *L)
{
  spl_manager *m = sp_check_manager(L, 1);
  if (!m->core)
    return 0;
  if (sp_manager_is_busy(m->core)) {
    lua_getmetatable(L, 1);
    lua_setmetatable(L, 1);
    return 0;
  }
  if (m->context->default_manager == m)
    m->context->default_manager = NULL;
  sp_put_off_closing(L, m->context, 1);
  spl_manager_discard(L, m);
  return 0;
}

/* The finaliser of a manager does not run when there is no memory for it. Frees the first manager from the id `from`
   on, below `to`, that was collected without; returns the next id. */
static uint32_t sweep(lua_State *L, sp_context *c, uint32_t from, uint32_t to)
{
  for (; from < to; from++) {
    spl_manager *m = sp_held_manager(c->managers[from]);
    if (!m || sp_manager_is_busy(m->core) || !sp_is_dropped(L, c, m))
      continue;
    sp_push_anchor(L, c, m); /* nil unless its finaliser is still to come */
    const bool is_gone = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (is_gone)
      spl_manager_discard(L, m);
  }
  return from;
}

/* Looks at a few managers in each update, and once a round at all snapshots, so that the time of one does not depend on
   how many there are. */
static void sweep_some(lua_State *L, sp_context *c)
{
  const uint32_t to = c->swept + 4 < 256 ? c->swept + 4 : 256;
  c->swept = sweep(L, c, c->swept, to) % 256;
  if (c->swept == 0)
    sp_snapshots_sweep(L, c, false);
}

void sp_manager_free_all(lua_State *L, sp_context *c)
{
  c->default_manager = NULL;
  for (int id = 0; id < 256; id++)
    if (c->managers[id])
      spl_manager_discard(L, c->managers[id]);
  sp_snapshots_sweep(L, c, true);
}

/* }== */

/* {== Options ============================================================ */

typedef struct manager_options {
  sp_unknown unknown;
  sp_misuse misuse;
  bool trace;
  double step; /* 0: the core's default */
} manager_options;

/* math.randomseed(seed): all that is random in a game comes from there. */
static void seed_random(lua_State *L, lua_Integer seed)
{
  int top = lua_gettop(L);
  lua_pushglobaltable(L);
  if (sp_raw_field(L, -1, "math") == LUA_TTABLE && sp_raw_field(L, -1, "randomseed") == LUA_TFUNCTION) {
    lua_pushinteger(L, seed);
    lua_call(L, 1, 0);
  }
  lua_settop(L, top);
}

/* Pushes the option, checked, from the list at `values`; NULL, and nothing pushed, when it is not given. */
static const sp_row *push_option(lua_State *L, int values, uint32_t option)
{
  if (sp_raw_geti(L, values, (lua_Integer)option + 1) != LUA_TNIL)
    return &sp_option_rows[option];
  lua_pop(L, 1);
  return NULL;
}

/* Reads the options table at `options` (0: none) into `o`, pushes the path or nil, and seeds the random numbers if the
   table says so; raises errors. */
static void read_options(lua_State *L, const sp_context *c, manager_options *o, int options)
{
  const int path = lua_gettop(L) + 1, values = path + 1;
  const sp_row *row;
  lua_pushnil(L);
  if (!options)
    return;
  sp_push_kept(L, c, SP_KEPT_CLASSES);
  sp_raw_field(L, -1, "options");
  lua_replace(L, values);
  lua_pushvalue(L, options);
  lua_call(L, 1, 2);
  if (lua_isnil(L, values))
    luaL_error(L, "%s", lua_tostring(L, -1));
  if ((row = push_option(L, values, SP_OPTION_UNKNOWN)) != NULL)
    o->unknown = (sp_unknown)sp_row_word(row, lua_tostring(L, -1));
  if ((row = push_option(L, values, SP_OPTION_MISUSE)) != NULL)
    o->misuse = (sp_misuse)sp_row_word(row, lua_tostring(L, -1));
  if (push_option(L, values, SP_OPTION_TRACE))
    o->trace = lua_toboolean(L, -1);
  if (push_option(L, values, SP_OPTION_STEP))
    o->step = lua_tonumber(L, -1);
  if (push_option(L, values, SP_OPTION_SEED))
    seed_random(L, lua_tointeger(L, -1));
  if (push_option(L, values, SP_OPTION_PATH))
    lua_replace(L, path);
  lua_settop(L, path);
}

/* }== */

/* {== Opening ============================================================ */

static const sp_handle_type handle_type = {"spawnpool.pools", "pools", SP_KEPT_MANAGER_METHODS, spl_manager_field};

/* Returns an id that is free and has generations left, or 0. */
static uint8_t find_id(const sp_context *c)
{
  for (int id = 1; id <= 255; id++)
    if (!c->managers[id] && c->next_generation[id] < SP_LAST_GENERATION)
      return (uint8_t)id;
  return 0;
}

/* Pushes a new userdata with its user values, still without a core. */
static spl_manager *new_handle(lua_State *L, sp_context *c)
{
  static const int tables[] = {SP_MANAGER_POOLS, SP_MANAGER_TIMERS, SP_MANAGER_TRACES};
  spl_handle *handle = lua_newuserdatauv(L, sizeof *handle, SP_MANAGER_USER_VALUES);
  int manager = lua_gettop(L);
  *handle = (spl_handle){.magic = SP_MAGIC_MANAGER, .context = c};
  sp_dress(L, c, &handle_type);
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    lua_newtable(L);
    lua_setiuservalue(L, manager, tables[i]);
  }
  sp_prepare_closing(L, manager);
  spl_manager *m = lua_newuserdatauv(L, sizeof *m, SP_MANAGER_RECORD_VALUES);
  memset(m, 0, sizeof *m);
  m->context = c;
  lua_newtable(L);
  lua_setiuservalue(L, -2, SP_RECORD_STRINGS);
  sp_manager_reserve_types(L, m, manager + 1);
  sp_set_anchor(L, c, manager + 1, manager);
  lua_settop(L, manager);
  return m;
}

/* open_handle(context, path) -> userdata, record */
static int open_handle(lua_State *L)
{
  spl_manager *m = new_handle(L, sp_raw_block(L, 1));
  lua_pushvalue(L, 2);
  lua_setiuservalue(L, -2, SP_MANAGER_PATH);
  lua_pushlightuserdata(L, m);
  return 2;
}

/* Opens the core of a manager. No script runs, except for finalisers when all ids are taken. */
static sp_result open_core(lua_State *L, sp_context *c, spl_manager *m, double step)
{
  sp_manager_options o = sp_manager_defaults();
  sp_result why = SP_OK;
  o.step = step;
  o.on_timer = sp_on_timer;
  o.on_timer_end = sp_on_timer_end;
  o.timer_ud = m;
  o.memory = (sp_memory_fn)lua_getallocf(L, &o.memory_ud);
  o.id = find_id(c);
  if (!o.id)
    return SP_FULL;
  m->core = sp_manager_open_from(&o, c->next_generation[o.id] ? c->next_generation[o.id] : SP_FIRST_GENERATION, &why);
  if (!m->core)
    return why;
  sp_set_owned(m->core);
  sp_set_halt(m->core, sp_watchdog_is_stopping, c->watchdog);
  sp_manager_set_progress(m->core, sp_watchdog_goes_on, c->watchdog);
  m->id = sp_new_id(c, o.id, 0);
  c->managers[o.id] = m;
  c->cores[o.id] = m->core;
  return SP_OK;
}

spl_manager *sp_manager_new(lua_State *L, sp_context *c, int options, double step)
{
  manager_options o = {.step = step, .trace = c->trace};
  luaL_checkstack(L, 20, NULL);
  if (c->is_closing)
    sp_raise(L, "the Lua state is closing");
  read_options(L, c, &o, options);
  if (!find_id(c)) {
    lua_gc(L, LUA_GCCOLLECT, 0); /* frees ids of managers that nothing refers to */
    sweep(L, c, 0, 256);
  }
  lua_pushcfunction(L, open_handle);
  lua_pushlightuserdata(L, c);
  lua_rotate(L, -3, 2); /* below the path */
  sp_call_without_gc(L, 2, 2);
  spl_manager *m = sp_raw_block(L, -1);
  lua_pop(L, 1);
  m->unknown = o.unknown;
  m->misuse = o.misuse;
  m->trace = o.trace;
  m->noted = o.trace || c->staging;
  sp_result why = open_core(L, c, m, o.step);
  if (why != SP_OK) {
    sp_drop_record(L, c, sp_anchor_of(m));
    sp_raise(L, why == SP_FULL ? "too many managers are open (at most 255); close or collect some"
                               : "cannot open a manager: not enough memory");
  }
  ((spl_handle *)sp_raw_block(L, -1))->id = m->id;
  return m;
}

/* testing(on?): errors of hooks and timers are raised by the call in which they ran, and not reported. */
int spl_module_testing(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_shown shown;
  if (!lua_isnoneornil(L, 1) && !lua_isboolean(L, 1))
    sp_raise_arg(L, 1, "must be true or false, got %s", sp_show(L, 1, &shown));
  c->testing = lua_isnoneornil(L, 1) || lua_toboolean(L, 1);
  c->failed = false;
  return 0;
}

int spl_module_new(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  int options = lua_isnoneornil(L, 1) ? 0 : 1;
  if (options)
    sp_check_table(L, 1);
  sp_close_dropped(L, c); /* a program that makes managers and updates none holds no coroutines of former ones */
  sp_manager_new(L, c, options, c->step);
  sp_repeatable *r = sp_repeatable_push(L);
  lua_pop(L, 1);
  if (r) /* an unreferenced manager closes when it is collected */
    sp_repeatable_time_collector(L, r);
  return 1;
}

void sp_manager_open_methods(lua_State *L, sp_context *c)
{
  sp_push_kept(L, c, SP_KEPT_MANAGER_METHODS);
  sp_add_functions(L, c, "pools", false);
  lua_pop(L, 1);
}

/* }== */
