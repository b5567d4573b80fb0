/*
** Managers in Lua: `spawnpool.pools` and what `spawnpool.new` returns.
*/
#include <math.h>
#include <string.h>

#include "script/births.h"
#include "script/object.h"
#include "script/stats.h"
#include "script/walk.h"
#include "script/watchdog.h"

/* {== Objects ============================================================ */

static int manager_is_live(lua_State *L)
{
  const sp_lua_manager *m = sp_check_manager(L, 1);
  bool live = m->core && lua_islightuserdata(L, 2) && sp_is_live(m->core, sp_to_object(L, 2));
  lua_pushboolean(L, live);
  return 1;
}

static int manager_pool(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  sp_lua_pool *p = sp_manager_pool(L, m, 2);
  if (!p)
    return sp_return_refusal(L, true, SP_CLOSED);
  sp_push_anchor(L, m->context, p);
  return 1;
}

static int manager_each(lua_State *L)
{
  sp_check_open_manager(L, 1);
  sp_check_filter(L, 2);
  return sp_walk_manager(L, 1, 2);
}

/* }== */

/* {== Whole pools ======================================================== */

static int manager_update(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  double dt = sp_check_finite(L, 2, "dt");
  luaL_argcheck(L, dt >= 0, 2, "dt must not be negative");
  if (!m->core)
    return sp_return_refusal(L, false, SP_CLOSED);
  lua_State *outer = sp_begin(m->context, L);
  sp_result why = sp_update(m->core, dt);
  sp_finish(m->context, outer);
  if (why == SP_BUSY)
    return luaL_error(L, "update called from inside a hook or another update");
  luaL_argcheck(L, why == SP_OK, 2, "dt is too long");
  lua_pushboolean(L, 1);
  return 1;
}

/* Runs `action` on the pools that the filter at 2 takes in; returns the sum. */
static uint32_t sum_over_pools(lua_State *L, sp_lua_manager *m, uint32_t (*action)(sp_pool *))
{
  uint32_t sum = 0;
  for (uint32_t i = 0; m->core && i < m->pool_count; i++) {
    sp_lua_pool *p = m->pools[i];
    if (!p || !p->core || !sp_filter_takes_pool(L, 2, p))
      continue;
    lua_State *outer = sp_begin(m->context, L);
    sum += action(p->core);
    sp_finish(m->context, outer);
  }
  return sum;
}

/* Objects are chosen by the function at 2: walk, ask, recycle. */
static uint32_t recycle_chosen(lua_State *L, sp_lua_manager *m)
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
    if (lua_isnil(L, -1) || !m->core)
      return ended;
    lua_replace(L, last);
    lua_State *outer = sp_begin(m->context, L);
    sp_ref object = sp_to_object(L, last);
    if (sp_is_live(m->core, object))
      ended += sp_end(m->core, sp_ref_slot(object), SP_WHY_CLEARED, true, false) == SP_OK;
    sp_finish(m->context, outer);
  }
}

static int manager_recycle_all(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  sp_check_filter(L, 2);
  lua_settop(L, 2);
  uint32_t ended = 0;
  if (m->core)
    ended = lua_isfunction(L, 2) ? recycle_chosen(L, m) : sum_over_pools(L, m, sp_pool_recycle_all);
  lua_pushinteger(L, ended);
  return 1;
}

static int manager_clear(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  sp_check_filter(L, 2);
  luaL_argcheck(L, !lua_isfunction(L, 2), 2,
                "clear takes pools, not single objects: use {type=}, {class=} or {group=}");
  lua_settop(L, 2);
  lua_pushinteger(L, m->core ? sum_over_pools(L, m, sp_pool_clear) : 0);
  return 1;
}

static int manager_remove(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  sp_check_type(L, 2);
  sp_lua_pool *p = m->core ? sp_manager_find(L, m, 2) : NULL;
  uint32_t recycled = 0, destroyed = 0;
  if (p && p->core) {
    lua_State *outer = sp_begin(m->context, L);
    sp_result why = sp_pool_remove(p->core, &recycled, &destroyed);
    sp_finish(m->context, outer);
    if (why != SP_OK)
      return sp_return_refusal(L, false, why);
    sp_manager_unlist(m, p);
  }
  lua_pushinteger(L, recycled);
  lua_pushinteger(L, destroyed);
  return 2;
}

static int manager_stats(lua_State *L)
{
  sp_lua_manager *m = sp_check_open_manager(L, 1);
  sp_stats stats = {0};
  if (lua_isnoneornil(L, 2)) {
    stats = sp_manager_stats(m->core);
  } else {
    sp_check_type(L, 2);
    const sp_lua_pool *p = sp_manager_find(L, m, 2);
    if (p && p->core)
      stats = sp_pool_stats(p->core);
  }
  sp_push_stats(L, &stats);
  return 1;
}

/* }== */

/* {== Reports ============================================================ */

/* Calls `function` of lua/spawnpool/report.lua with the manager, the options table at 2 and `extra` values on top. */
static int call_report(lua_State *L, const sp_lua_manager *m, const char *function, int extra)
{
  sp_push_kept(L, m->context, SP_KEPT_REPORTING);
  lua_getfield(L, -1, function);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  for (int i = 0; i < extra; i++)
    lua_pushvalue(L, 3 + i);
  lua_call(L, 2 + extra, 1);
  return 1;
}

static void check_report_options(lua_State *L)
{
  if (!lua_isnoneornil(L, 2))
    luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
}

static int manager_leaks(lua_State *L)
{
  const sp_lua_manager *m = sp_check_open_manager(L, 1);
  check_report_options(L);
  lua_getiuservalue(L, 1, SP_MANAGER_TRACES);
  return call_report(L, m, "leaks", 1);
}

/* The pools in order of creation, as a list of {type, stats}. */
static int manager_configure(lua_State *L)
{
  const sp_lua_manager *m = sp_check_open_manager(L, 1);
  check_report_options(L);
  lua_newtable(L);
  for (uint32_t i = 0; i < sp_pool_count(m->core); i++) {
    const sp_pool *pool = sp_pool_at(m->core, i);
    sp_stats stats = sp_pool_stats(pool);
    sp_push_stats(L, &stats);
    lua_pushstring(L, sp_pool_type(pool));
    lua_setfield(L, -2, "type");
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return call_report(L, m, "configure", 1);
}

/* }== */

/* {== Closing ============================================================ */

/* References of this manager stay stale for ever: a later one of the same id goes on where the generations stopped. Where
   they have come to their end there is no later one. */
static void retire_id(sp_context *c, const sp_manager *core)
{
  uint32_t last = core->first_generation;
  for (uint32_t slot = 0; slot < core->chunk_count * SP_CHUNK_SLOTS; slot++)
    if (core->generation[slot] > last)
      last = core->generation[slot];
  const uint32_t id = core->origin >> 24;
  c->next_generation[id] = last < SP_LAST_GENERATION ? (last + 2) & ~1u : SP_LAST_GENERATION;
  c->managers[id] = NULL;
  c->cores[id] = NULL;
}

/* What hooks do from now on makes no object and no pool: it would outlive the manager. */
static void close_doors(const sp_lua_manager *m)
{
  m->core->closing = true;
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i]) {
      m->pools[i]->core->closing = true;
      sp_pool_tune(m->pools[i]->core);
    }
}

static sp_result close_manager(lua_State *L, sp_lua_manager *m, uint32_t *recycled, uint32_t *destroyed)
{
  sp_context *c = m->context;
  sp_manager *core = m->core;
  if (core->busy > 0 || core->closing || core->opening)
    return SP_BUSY;
  sp_stats before = sp_manager_stats(core);
  close_doors(m);
  lua_State *outer = sp_begin(c, L);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i])
      sp_pool_empty(m->pools[i]->core);
  /* Pools go here, so that the generations can be read before the slots are freed. */
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i]) {
      sp_pool_drop(m->pools[i]->core);
      sp_manager_unlist(m, m->pools[i]);
    }
  sp_pool_list_settle(core);
  core->closing = false;
  retire_id(c, core);
  m->core = NULL;
  sp_close(core);
  sp_finish(c, outer);
  *recycled = before.live;
  *destroyed = before.total;
  return SP_OK;
}

static void free_opened(lua_State *L, sp_lua_manager *m)
{
  void *ud;
  lua_Alloc alloc = sp_births_allocator(L, &ud);
  if (m->opened)
    alloc(ud, m->opened, m->opened_capacity * sizeof *m->opened, 0);
  m->opened = NULL;
  m->opened_count = m->opened_capacity = 0;
}

static int manager_close(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  uint32_t recycled = 0, destroyed = 0;
  if (m->core) {
    sp_result why = close_manager(L, m, &recycled, &destroyed);
    if (why != SP_OK)
      return sp_return_refusal(L, false, why);
  }
  lua_pushinteger(L, recycled);
  lua_pushinteger(L, destroyed);
  return 2;
}

/* A collected manager frees its memory quietly: what its hooks would need may be gone already. */
static int manager_gc(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  uint32_t unused;
  if (m->context->default_manager == m)
    m->context->default_manager = NULL;
  if (m->core) {
    sp_hooks none = {0};
    for (uint32_t i = 0; i < m->core->pool_count; i++)
      if (m->core->pools[i])
        sp_pool_set_hooks(m->core->pools[i], &none);
    m->core->busy = 0;
    close_manager(L, m, &unused, &unused);
  }
  free_opened(L, m);
  return 0;
}

/* }== */

/* {== Fields ============================================================= */

static const luaL_Reg methods[] = {
    {"alloc", sp_manager_alloc},
    {"recycle", sp_manager_recycle},
    {"pool", manager_pool},
    {"is_live", manager_is_live},
    {"update", manager_update},
    {"each", manager_each},
    {"recycle_all", manager_recycle_all},
    {"clear", manager_clear},
    {"remove", manager_remove},
    {"close", manager_close},
    {"stats", manager_stats},
    {"take", sp_manager_take},
    {"leaks", manager_leaks},
    {"configure", manager_configure},
    {NULL, NULL},
};

/* Says so of the key at 2, with the nearest name that there is. */
static int unknown_field(lua_State *L, const sp_context *c)
{
  lua_settop(L, 2);
  sp_push_kept(L, c, SP_KEPT_CLASSES);
  lua_getfield(L, -1, "unknown_member");
  lua_pushvalue(L, 2);
  sp_push_kept(L, c, SP_KEPT_MANAGER_METHODS);
  lua_call(L, 2, 1);
  return luaL_error(L, "%s", lua_tostring(L, -1));
}

/* Upvalues: context, manager userdata. Arguments: the methods table, key. */
static int manager_field(lua_State *L)
{
  const sp_lua_manager *m = lua_touserdata(L, lua_upvalueindex(2));
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (!m->core)
    return luaL_error(L, "the manager is closed");
  if (strcmp(key, "time") == 0)
    lua_pushnumber(L, sp_time(m->core));
  else if (strcmp(key, "time_scale") == 0)
    lua_pushnumber(L, sp_time_scale(m->core));
  else if (strcmp(key, "paused") == 0)
    lua_pushboolean(L, sp_paused(m->core));
  else
    return unknown_field(L, m->context);
  return 1;
}

static int manager_newindex(lua_State *L)
{
  const sp_lua_manager *m = sp_check_open_manager(L, 1);
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "time_scale") == 0) {
    double scale = sp_check_finite(L, 3, "time_scale");
    if (sp_set_time_scale(m->core, scale) != SP_OK)
      return luaL_error(L, "time_scale must be from 0 to 1e6, got %s", sp_push_shown(L, 3));
  } else if (strcmp(key, "paused") == 0) {
    if (!lua_isboolean(L, 3))
      return luaL_error(L, "paused must be true or false, got %s", sp_push_shown(L, 3));
    sp_set_paused(m->core, lua_toboolean(L, 3));
  } else {
    return luaL_error(L, "pools have no writable field '%s' (time_scale and paused can be set)",
                      luaL_tolstring(L, 2, NULL));
  }
  return 0;
}

static int manager_tostring(lua_State *L)
{
  const sp_lua_manager *m = sp_check_manager(L, 1);
  if (m->core)
    lua_pushfstring(L, "pools (%d types, %d live)", (int)sp_pool_count(m->core), (int)sp_manager_stats(m->core).live);
  else
    lua_pushliteral(L, "pools (closed)");
  return 1;
}

/* }== */

/* {== Opening ============================================================ */

static const luaL_Reg metamethods[] = {{"__newindex", manager_newindex},
                                       {"__tostring", manager_tostring},
                                       {"__gc", manager_gc},
                                       {"__close", manager_close},
                                       {NULL, NULL}};
static const sp_handle_type handle_type = {"spawnpool.pools", metamethods, SP_KEPT_MANAGER_METHODS, manager_field};

/* A free id, and one whose generations are not used up; or 0. */
static uint8_t find_id(const sp_context *c)
{
  for (int id = 1; id <= 255; id++)
    if (!c->managers[id] && c->next_generation[id] < SP_LAST_GENERATION - 2)
      return (uint8_t)id;
  return 0;
}

static uint8_t free_id(lua_State *L, const sp_context *c)
{
  uint8_t id = find_id(c);
  if (!id) { /* some may only wait to be collected */
    lua_gc(L, LUA_GCCOLLECT, 0);
    id = find_id(c);
  }
  return id ? id : (uint8_t)luaL_error(L, "too many managers are open (at most 255); close or collect some");
}

sp_lua_manager *sp_manager_new(lua_State *L, sp_context *c, int options)
{
  sp_lua_manager *m = lua_newuserdatauv(L, sizeof *m, SP_MANAGER_USER_VALUES);
  int manager = lua_gettop(L);
  memset(m, 0, sizeof *m);
  m->magic = SP_MAGIC_MANAGER;
  m->context = c;
  sp_dress(L, c, &handle_type);
  sp_set_anchor(L, c, m, manager);
  for (int table = 0; table < 3; table++) {
    static const int tables[] = {SP_MANAGER_POOLS, SP_MANAGER_TIMERS, SP_MANAGER_TRACES};
    lua_newtable(L);
    lua_setiuservalue(L, manager, tables[table]);
  }
  sp_manager_reserve_types(L, m, manager);
  sp_options o = {.step = c->step};
  m->trace = c->trace;
  sp_read_options(L, m, &o, options, manager);
  m->noted = m->trace || c->staging;
  o.id = free_id(L, c);
  o.first_generation = c->next_generation[o.id];
  o.memory = (sp_memory_fn)sp_births_allocator(L, &o.memory_ud);
  o.on_timer = sp_on_timer;
  o.on_timer_end = sp_on_timer_end;
  o.timer_ud = m;
  sp_result why = SP_OK;
  m->core = sp_open(&o, &why);
  if (!m->core) {
    luaL_error(L, "cannot open a manager: %s", sp_result_text(why));
    return NULL; /* never */
  }
  m->core->is_halted = sp_watchdog_is_stopping;
  m->core->halt_ud = c->watchdog;
  c->managers[o.id] = m;
  c->cores[o.id] = m->core;
  return m;
}

void sp_manager_open_methods(lua_State *L, sp_context *c)
{
  sp_push_kept(L, c, SP_KEPT_MANAGER_METHODS);
  sp_set_functions(L, c, methods);
  lua_pop(L, 1);
}

/* }== */
