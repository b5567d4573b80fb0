/*
** The end of a manager: closed by the game, collected, or gone with the state.
*/
#include "script/state/births.h"
#include "script/state/border.h"

/* References of this manager stay stale for ever: a later one of the same id goes on where the generations stopped.
   Where they have come to their end there is no later one. */
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

static void free_opened(lua_State *L, sp_lua_manager *m)
{
  void *ud;
  lua_Alloc alloc = sp_births_allocator(L, &ud);
  if (m->opened)
    alloc(ud, m->opened, m->opened_capacity * sizeof *m->opened, 0);
  m->opened = NULL;
  m->opened_count = m->opened_capacity = 0;
}

/* Every pool is empty: nothing runs from here on. Pools go first, so that the generations can be read before the
   slots are freed. */
static void drop_all(lua_State *L, sp_lua_manager *m)
{
  sp_context *c = m->context;
  sp_manager *core = m->core;
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i]) {
      sp_pool_drop(m->pools[i]->core);
      sp_pool_unlist(c, m->pools[i]->id);
    }
  sp_pool_list_settle(core);
  core->closing = false;
  retire_id(c, core);
  m->core = NULL;
  free_opened(L, m);
  sp_close(core);
}

static sp_result close_manager(lua_State *L, sp_lua_manager *m, uint32_t *recycled, uint32_t *destroyed)
{
  sp_context *c = m->context;
  const uint64_t id = m->id;
  if (m->core->busy > 0 || m->core->closing || m->core->opening)
    return SP_BUSY;
  sp_stats before = sp_total_stats(m->core);
  close_doors(m);
  for (uint32_t i = 0; (m = sp_manager_again(c, id)) && i < m->pool_count; i++)
    if (m->pools[i]) {
      lua_State *outer = sp_begin(c, L);
      sp_pool_empty(m->pools[i]->core);
      sp_finish(c, outer);
    }
  if (m)
    drop_all(L, m);
  *recycled = before.live;
  *destroyed = before.total;
  return SP_OK;
}

int sp_manager_close(lua_State *L)
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

/* Frees a manager without a call to anybody: what hooks would need may be gone already. Coroutines that sleep stay
   as they are. */
static void free_quietly(lua_State *L, sp_lua_manager *m)
{
  static const sp_hooks none = {0};
  uint32_t unused;
  m->is_silent = true;
  for (uint32_t i = 0; i < m->core->pool_count; i++)
    if (m->core->pools[i])
      sp_pool_set_hooks(m->core->pools[i], &none);
  close_manager(L, m, &unused, &unused);
}

/* A collected manager. One whose core is at work right now has its finaliser called again later. Nothing of the game
   runs in here: to-be-closed variables of its coroutines wait for the next update of any manager. */
int sp_manager_gc(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  if (!m->core)
    return 0;
  if (m->core->busy > 0 || m->core->closing || m->core->opening) {
    lua_getmetatable(L, 1);
    lua_setmetatable(L, 1);
    return 0;
  }
  if (m->context->default_manager == m)
    m->context->default_manager = NULL;
  sp_put_off_closing(L, m->context, 1);
  free_quietly(L, m);
  return 0;
}

void sp_manager_free_all(lua_State *L, sp_context *c)
{
  c->default_manager = NULL;
  for (int id = 0; id < 256; id++)
    if (c->managers[id]) {
      sp_manager *core = c->managers[id]->core;
      core->busy = 0; /* what it was doing will not go on */
      core->opening = SP_NONE_REF;
      core->closing = false;
      free_quietly(L, c->managers[id]);
    }
}
