/*
** Closes managers: by a call of the game, by the collector, or with the Lua state.
*/
#include "script/bind/manager_close.h"

#include "script/bind/reachable.h"
#include "script/bind/run.h"
#include "script/bind/types.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* Removes every way from Lua to the core of `m`, which is freed or will be next. References of this manager stay stale
   for ever, because a later one of the same id continues the generations at `next`. */
static void forget_core(lua_State *L, sp_lua_manager *m, uint32_t next)
{
  sp_context *c = m->context;
  const uint32_t id = (uint32_t)(m->id >> 56);
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i])
      sp_manager_unlist(m, m->pools[i]);
  if (m->opened)
    alloc(ud, m->opened, m->opened_capacity * sizeof *m->opened, 0);
  m->opened = NULL;
  m->opened_count = m->opened_capacity = 0;
  m->core = NULL;
  c->next_generation[id] = next;
  c->managers[id] = NULL;
  c->cores[id] = NULL;
}

/* Hooks run, but none of them can make an object or a pool. */
static sp_result close_manager(lua_State *L, sp_lua_manager *m, sp_stats *before)
{
  sp_context *c = m->context;
  const uint64_t id = m->id;
  const uint32_t next = sp_next_generation(m->core);
  *before = sp_total_stats(m->core);
  lua_State *outer = sp_begin(c, L);
  sp_result why = sp_close(m->core);
  sp_finish(c, outer);
  m = sp_manager_again(c, id);
  if (why == SP_OK && m)
    forget_core(L, m, next);
  return why;
}

int sp_manager_close(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  sp_stats before = {0};
  sp_result why = m->core ? close_manager(L, m, &before) : SP_OK;
  if (why != SP_OK)
    return sp_return_refusal(L, false, why);
  lua_pushinteger(L, before.live);
  lua_pushinteger(L, before.total);
  return 2;
}

/* Frees a manager without a call to anybody: what hooks would need may be gone already. Coroutines that sleep stay
   as they are. */
void sp_manager_discard(lua_State *L, sp_lua_manager *m)
{
  sp_manager *core = m->core;
  forget_core(L, m, sp_next_generation(core));
  sp_discard(core);
}

/* A collected manager. One whose core is at work right now has its finaliser called again later. Nothing of the game
   runs in here: to-be-closed variables of its coroutines wait for the next update of any manager. */
int sp_manager_gc(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  if (!m->core)
    return 0;
  if (sp_is_busy(m->core)) {
    lua_getmetatable(L, 1);
    lua_setmetatable(L, 1);
    return 0;
  }
  if (m->context->default_manager == m)
    m->context->default_manager = NULL;
  sp_put_off_closing(L, m->context, 1);
  sp_manager_discard(L, m);
  return 0;
}

void sp_manager_free_all(lua_State *L, sp_context *c)
{
  c->default_manager = NULL;
  for (int id = 0; id < 256; id++)
    if (c->managers[id])
      sp_manager_discard(L, c->managers[id]);
}
