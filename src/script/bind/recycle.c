/*
** The functions of Lua that recycle. The core calls the class's override (hooks.c), except from the base function,
** which overrides call as `Class.super.recycle`.
*/
#include "script/bind/recycle.h"

#include "script/bind/reachable.h"
#include "script/state/arguments.h"
#include "script/state/report.h"

#include "script/state/careful.h"

static SP_COLD int refuse_recycle(lua_State *L, sp_context *c, uint64_t manager, sp_result why, sp_ref object)
{
  const sp_lua_manager *m = sp_manager_again(c, manager);
  if (m && why != SP_VETOED && why != SP_CLOSED)
    sp_report_misuse(L, m, why, object);
  return sp_return_refusal(L, false, why);
}

/* `only`: the pool that the object must belong to, or NULL for any of the manager. Both are open. */
static inline int recycle(lua_State *L, sp_lua_manager *m, const sp_pool *only, sp_ref object)
{
  sp_context *c = m->context;
  const uint64_t id = m->id;
  lua_State *outer = sp_begin(c, L);
  sp_result result = SP_LIKELY(!only || sp_ref_is_of(m->core, object, only)) ? sp_recycle(m->core, object) : SP_FOREIGN;
  sp_finish(c, outer);
  if (!SP_LIKELY(result == SP_OK))
    return refuse_recycle(L, c, id, result, object);
  lua_pushboolean(L, 1);
  return 1;
}

int sp_recycle_object(lua_State *L, sp_lua_manager *m, sp_ref object) { return recycle(L, m, NULL, object); }

/* Nothing of a closed manager can be recycled, and what is no object is still refused as that. */
static SP_COLD int recycle_closed(lua_State *L)
{
  sp_check_object(L, 2);
  return sp_return_refusal(L, false, SP_CLOSED);
}

int sp_manager_recycle(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  return SP_LIKELY(m->core) ? recycle(L, m, NULL, sp_check_object(L, 2)) : recycle_closed(L);
}

int sp_lua_recycle(lua_State *L)
{
  sp_lua_pool *p = sp_check_pool(L, 1);
  if (!SP_LIKELY(p->core))
    return sp_return_refusal(L, false, SP_CLOSED);
  return recycle(L, p->manager, p->core, sp_check_object(L, 2));
}

int sp_base_recycle(lua_State *L)
{
  const sp_lua_pool *p = sp_check_pool(L, 1);
  sp_ref object = sp_check_object(L, 2);
  sp_context *c = p->manager->context;
  if (!p->core)
    return sp_return_refusal(L, false, SP_CLOSED);
  sp_manager *m = p->manager->core;
  const uint64_t manager = p->manager->id;
  lua_State *outer = sp_begin(c, L);
  sp_result result = sp_ref_is_of(m, object, p->core) ? sp_recycle_base(m, object) : SP_FOREIGN;
  sp_finish(c, outer);
  if (result != SP_OK)
    return refuse_recycle(L, c, manager, result, object);
  lua_pushboolean(L, 1);
  return 1;
}
