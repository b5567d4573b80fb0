/*
** First a plan is made for each pool, which may run Lua code; then everything that the plans need is reserved, and the
** first refusal gives all of it back; then all pools change, which cannot fail; and last their hooks run.
*/
#include "script/bind/class_adopt.h"

#include "script/bind/class_plan.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

enum { NAMES = 1, PLANS = 3 }; /* on the stack */

/* {== Planning =========================================================== */

/* Appends a plan for an open pool to the list, whose userdata is on top. */
static void plan_pool(lua_State *L, const sp_context *c, uint64_t manager, const sp_lua_pool *p, bool all)
{
  int pool = lua_gettop(L);
  lua_pushstring(L, sp_pool_type(p->core));
  sp_lua_manager *m = sp_manager_again(c, manager);
  if (!m)
    return;
  sp_plan_new(L, m, pool + 1, all);
  lua_pushvalue(L, pool);
  lua_setiuservalue(L, -2, SP_PLAN_POOL);
  sp_raw_seti(L, PLANS, (lua_Integer)sp_raw_length(L, PLANS) + 1);
}

static void plan_manager(lua_State *L, const sp_context *c, uint64_t manager, bool all)
{
  int top = lua_gettop(L);
  const sp_lua_manager *m;
  for (uint32_t i = 0; (m = sp_manager_again(c, manager)) && i < m->pool_count; i++, lua_settop(L, top)) {
    const sp_lua_pool *p = sp_held_pool(m->pools[i]);
    if (!p || !p->core || sp_pool_is_closing(p->core) || sp_raw_field(L, NAMES, sp_pool_type(p->core)) == LUA_TNIL)
      continue;
    sp_push_anchor(L, c, p);
    plan_pool(L, c, manager, p, all);
  }
}

static void plan_all(lua_State *L, const sp_context *c, bool all)
{
  for (int id = 0; id < 256; id++) {
    const sp_lua_manager *m = sp_held_manager(c->managers[id]);
    if (sp_is_dropped(L, c, m))
      continue;
    sp_push_anchor(L, c, m); /* the collector may find no other reference to it */
    plan_manager(L, c, m->id, all);
    lua_pop(L, 1);
  }
}

/* }== */

/* {== Reserving ========================================================== */

/* Pushes plan i; NULL, and nothing pushed, after the last one. */
static sp_pool_plan *push_plan(lua_State *L, lua_Integer i)
{
  sp_raw_geti(L, PLANS, i);
  sp_pool_plan *plan = sp_raw_block(L, -1);
  if (!plan)
    lua_pop(L, 1);
  return plan;
}

/* Pushes the userdata of the plan's pool, which is on top. */
static sp_lua_pool *push_pool(lua_State *L)
{
  lua_getiuservalue(L, -1, SP_PLAN_POOL);
  return sp_raw_block(L, -1);
}

/* Reading may have removed the pool, or begun to close its manager. */
static bool is_open(const sp_lua_pool *p) { return p->core && !sp_pool_is_closing(p->core); }

static void prepare(lua_State *L, sp_pool_plan *plan)
{
  int at = lua_gettop(L);
  const sp_lua_pool *p = push_pool(L);
  if (is_open(p)) {
    sp_plan_fill(L, at, p, at + 1);
    sp_result why = SP_OK;
    plan->change = plan->all ? sp_change_new(p->core, &plan->desc, &why) : NULL;
    if (why != SP_OK)
      luaL_error(L, "cannot change the pool of '%s': %s", sp_pool_type(p->core), sp_result_text(why));
  }
  lua_settop(L, at);
}

/* }== */

/* {== Changing =========================================================== */

static void commit(lua_State *L, sp_pool_plan *plan)
{
  int at = lua_gettop(L);
  sp_lua_pool *p = push_pool(L);
  if (is_open(p)) {
    sp_plan_take(L, at, p);
    if (plan->change)
      plan->prealloc = sp_change_commit(plan->change);
    else
      sp_pool_set_hooks(p->core, &plan->desc.hooks);
    plan->is_changed = plan->change != NULL;
    plan->change = NULL;
    sp_pool_reset_columns(p->core, plan->retyped);
  }
  lua_settop(L, at);
}

/* change(names, all, plans) -> fields of another kind */
static int change(lua_State *L)
{
  int retyped = 0;
  luaL_checkstack(L, 40, NULL);
  sp_pool_plan *plan;
  for (lua_Integer i = 1; (plan = push_plan(L, i)) != NULL; i++, lua_pop(L, 1))
    prepare(L, plan);
  for (lua_Integer i = 1; (plan = push_plan(L, i)) != NULL; i++, lua_pop(L, 1)) {
    commit(L, plan);
    retyped += __builtin_popcountll(plan->retyped);
  }
  lua_pushinteger(L, retyped);
  return 1;
}

static void cancel_all(lua_State *L)
{
  sp_pool_plan *plan;
  for (lua_Integer i = 1; (plan = push_plan(L, i)) != NULL; i++, lua_pop(L, 1))
    if (plan->change)
      sp_change_cancel(plan->change);
}

/* Hooks of one pool may remove another. */
static void settle_all(lua_State *L, sp_context *c)
{
  for (lua_Integer i = 1; push_plan(L, i) != NULL; i++, lua_settop(L, PLANS))
    sp_plan_settle(L, c, PLANS + 1);
}

int sp_native_changed(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_check_table(L, NAMES);
  luaL_checkstack(L, 40, NULL);
  lua_settop(L, 2);
  lua_newtable(L);
  plan_all(L, c, lua_toboolean(L, 2));
  lua_pushcfunction(L, change);
  for (int i = 1; i <= PLANS; i++)
    lua_pushvalue(L, i);
  if (sp_quiet_pcall(L, PLANS, 1) != LUA_OK) {
    cancel_all(L);
    return lua_error(L);
  }
  lua_Integer retyped = lua_tointeger(L, -1);
  lua_settop(L, PLANS);
  settle_all(L, c);
  lua_pushinteger(L, retyped);
  return 1;
}

/* }== */
