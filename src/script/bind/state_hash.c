/*
** Of a value beside the columns counts what a snapshot holds: a seat with the default of its field counts as an empty
** one.
*/
#include "script/bind/state_hash.h"

#include <string.h>

#include "script/bind/codec.h"
#include "script/bind/fields.h"
#include "script/bind/reachable.h"
#include "script/bind/snapshots.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

typedef struct hashing {
  const sp_state_hashing *how;
  sp_encoder values;
  uint64_t hash;
} hashing;

/* Pushes a block of numbers, the sums of the names of all sprites. */
static const uint64_t *push_sprites(lua_State *L, const sp_context *c)
{
  uint64_t *sums = lua_newuserdatauv(L, (c->sprite_count + 1) * sizeof *sums, 0);
  sp_push_kept(L, c, SP_KEPT_SPRITES);
  for (uint32_t i = 0; i < c->sprite_count; i++) {
    size_t size = 0;
    sp_raw_geti(L, -1, i);
    const char *name = lua_tolstring(L, -1, &size);
    sums[i] = sp_sum(SP_SUM_BEGIN, name, size);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return sums;
}

/* The number of a seat of the column at `column`, whose default is above it; 0: it has that, or a fresh value that was
   not made yet. */
static uint64_t hash_seat(lua_State *L, hashing *h, int column, uint32_t slot)
{
  uint64_t number = 0;
  if (sp_raw_geti(L, column, slot) != LUA_TNIL && !sp_seat_is_empty(L, -1) && !sp_raw_equal(L, -1, column + 1))
    number = sp_raw_equal(L, -1, column) ? 1 : sp_value_hash_at(&h->values, -1); /* the column stands for nil */
  lua_pop(L, 1);
  return number;
}

static void hash_column(lua_State *L, hashing *h, const sp_lua_pool *p, int column)
{
  sp_pool *core = p->core;
  const int seats = lua_gettop(L);
  sp_walk walk = sp_pool_walk(core);
  sp_raw_geti(L, seats, SP_COLUMN_DEFAULT);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    uint64_t number = hash_seat(L, h, seats, sp_ref_slot(object));
    h->hash = sp_hash_mix(h->hash, number);
    if (h->how->on_part)
      h->how->on_part(h->how->ud, object, column, number);
  }
  for (uint32_t i = 0; !(p->value_reset >> column & 1) && i < sp_pool_idle(core); i++)
    h->hash = sp_hash_mix(h->hash, hash_seat(L, h, seats, sp_ref_slot(sp_pool_idle_at(core, i))));
}

static void hash_values(lua_State *L, hashing *h, const sp_lua_pool *p)
{
  int top = lua_gettop(L);
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_VALUES);
  for (uint64_t mask = p->values; mask; mask &= mask - 1) {
    sp_raw_geti(L, top + 2, __builtin_ctzll(mask));
    hash_column(L, h, p, __builtin_ctzll(mask));
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

/* The names of methods that timers call; the sum does not depend on the order of the table. */
static uint64_t hash_timers(lua_State *L, const sp_lua_manager *m)
{
  uint64_t sum = 0;
  sp_push_anchor(L, m->context, m);
  lua_getiuservalue(L, -1, SP_MANAGER_TIMERS);
  for (lua_pushnil(L); sp_raw_next(L, -2); lua_pop(L, 1))
    if (lua_isinteger(L, -2)) { /* others are coroutines of the manager */
      const char *method = sp_to_text(L, -1);
      sum += sp_hash_mix(sp_sum(SP_SUM_BEGIN, method, strlen(method)), (uint64_t)lua_tointeger(L, -2));
    }
  lua_pop(L, 2);
  return sum;
}

uint64_t sp_state_hash(lua_State *L, const sp_lua_manager *m, const sp_state_hashing *how)
{
  const int top = lua_gettop(L);
  const sp_context *c = m->context;
  hashing h = {.how = how, .hash = sp_hash_manager(m->core)};
  luaL_checkstack(L, 40, NULL);
  const sp_hashing parts = {push_sprites(L, c), c->sprite_count, how->on_part, how->ud};
  sp_value_hash_begin(L, &h.values, m->core, how->repeatable, how->entries);
  for (uint32_t i = 0; i < sp_count_pools(m->core); i++) {
    const sp_lua_pool *p = sp_lua_pool_of(sp_get_pool(m->core, i));
    if (how->on_pool)
      how->on_pool(how->ud, p);
    h.hash = sp_hash_pool(h.hash, p->core, &parts);
    hash_values(L, &h, p);
  }
  if (how->on_pool)
    how->on_pool(how->ud, NULL);
  h.hash = sp_hash_mix(h.hash, hash_timers(L, m));
  lua_settop(L, top);
  return h.hash;
}

/* hash(manager) -> its number. Quiet. */
static int hash_all(lua_State *L)
{
  const sp_state_hashing all = {.entries = UINT64_MAX};
  lua_pushinteger(L, (lua_Integer)sp_state_hash(L, sp_check_open_manager(L, 1), &all));
  return 1;
}

int sp_manager_hash(lua_State *L)
{
  const sp_lua_manager *m = sp_check_manager(L, 1);
  sp_result why = sp_manager_rests(m);
  if (why != SP_OK)
    return sp_return_refusal(L, true, why);
  lua_pushcfunction(L, hash_all);
  lua_pushvalue(L, 1);
  sp_quietly(L, 1, 1);
  return 1;
}
