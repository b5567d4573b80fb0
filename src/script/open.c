/*
** The first use of a type makes its pool.
*/
#include <string.h>

#include "script/plan.h"

static sp_lua_pool *new_handle(lua_State *L, sp_lua_manager *m)
{
  sp_lua_pool *p = lua_newuserdatauv(L, sizeof *p, SP_POOL_USER_VALUES);
  memset(p, 0, sizeof *p);
  p->manager = m;
  sp_pool_dress(L, m->context, p);
  sp_push_anchor(L, m->context, m);
  lua_setiuservalue(L, -2, SP_POOL_MANAGER);
  sp_set_anchor(L, m->context, p, -1);
  return p;
}

/* make(plan, type, manager) -> the handle of a new pool, listed and without a core. Reading the class may have run code
   that made this very pool, or closed the manager: nothing then. */
static int make(lua_State *L)
{
  const int plan = 1, type = 2, pool = 4;
  sp_lua_manager *m = lua_touserdata(L, 3);
  if (!m->core || m->core->closing || sp_manager_find(L, m, type))
    return 0;
  sp_lua_pool *p = new_handle(L, m);
  sp_plan_fill(L, plan, p, pool);
  sp_plan_take(L, plan, p);
  sp_manager_list(L, m, p, type, pool);
  lua_settop(L, pool);
  return 1;
}

static void open_core(lua_State *L, sp_pool_plan *plan, sp_lua_pool *p)
{
  sp_context *c = p->manager->context;
  sp_result why = SP_OK;
  plan->desc.user = p;
  lua_State *outer = sp_begin(c, L);
  sp_pool *core = sp_pool_open(p->manager->core, &plan->desc, &why);
  sp_finish(c, outer);
  p->core = core;
  if (core)
    return;
  sp_manager_unlist(p->manager, p);
  luaL_error(L, "cannot make a pool of '%s': %s", plan->desc.type, sp_result_text(why));
}

sp_lua_pool *sp_pool_create(lua_State *L, sp_lua_manager *m, int index)
{
  luaL_checkstack(L, 40, NULL);
  index = lua_absindex(L, index);
  int top = lua_gettop(L), plan_at = top + 1;
  sp_pool_plan *plan = sp_plan_new(L, m, index, true);
  lua_pushcfunction(L, make);
  lua_pushvalue(L, plan_at);
  lua_pushvalue(L, index);
  lua_pushlightuserdata(L, m);
  if (sp_pcall_uncollected(L, 3, 1) != LUA_OK)
    lua_error(L);
  sp_lua_pool *p = lua_touserdata(L, -1);
  if (p)
    open_core(L, plan, p);
  else if (m->core)
    p = sp_manager_find(L, m, index);
  lua_settop(L, top);
  return p;
}
