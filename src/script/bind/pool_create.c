/*
** Creates the pool of a type at its first use.
*/
#include "script/bind/pool_create.h"

#include <string.h>

#include "script/bind/class_plan.h"
#include "script/bind/lua_pool.h"
#include "script/bind/types.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* Pushes the userdata of a pool of `m`, in no list and without a core. Raises on memory. */
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

/* make(plan, type, manager) -> the handle of a new pool, listed and without a core. */
static int make(lua_State *L)
{
  enum { PLAN = 1, TYPE, MANAGER, POOL };
  sp_lua_manager *m = sp_raw_block(L, MANAGER);
  luaL_checkstack(L, 30, NULL);
  sp_lua_pool *p = new_handle(L, m);
  sp_plan_fill(L, PLAN, p, POOL);
  sp_plan_take(L, PLAN, p);
  sp_manager_list(L, m, p, TYPE, POOL);
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
