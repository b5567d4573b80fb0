/*
** Tables are numbered as they are met, and their entries are visited one table after the other: neither depth nor
** circles matter.
*/
#include "script/bind/value_hash.h"

#include <lauxlib.h>
#include <string.h>

#include "core/binding.h"
#include "script/guard/ordered_tables.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

void sp_value_hash_begin(lua_State *L, sp_value_hash *h, const sp_manager *m, sp_repeatable *r, uint64_t entries)
{
  lua_newtable(L);
  *h = (sp_value_hash){.manager = m, .repeatable = r, .seen = lua_gettop(L), .entries = entries};
}

static uint64_t hash_number(lua_State *L, int index)
{
  lua_Number number = lua_tonumber(L, index);
  uint64_t bits;
  if (lua_isinteger(L, index))
    return sp_hash_mix(1, (uint64_t)lua_tointeger(L, index));
  memcpy(&bits, &number, sizeof bits);
  return number != number ? 1 : bits; /* NaN has many bit patterns */
}

static uint64_t hash_text(lua_State *L, int index)
{
  size_t length;
  const char *text = lua_tolstring(L, index, &length);
  return sp_sum(SP_SUM_BEGIN, text, length);
}

/* The number of a table; one that is new waits for the visit of its entries. */
static uint64_t number_table(lua_State *L, sp_value_hash *h, int index)
{
  lua_pushvalue(L, index);
  if (sp_raw_get(L, h->seen) == LUA_TNIL) {
    lua_pushvalue(L, index);
    sp_raw_seti(L, h->seen, ++h->tables);
    lua_pushvalue(L, index);
    lua_pushinteger(L, h->tables);
    sp_raw_set(L, h->seen);
    lua_pushinteger(L, h->tables);
    lua_replace(L, -2);
  }
  uint64_t number = (uint64_t)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return number;
}

static uint64_t hash_value(lua_State *L, sp_value_hash *h, int index)
{
  int at = lua_absindex(L, index), type = lua_type(L, at);
  uint64_t kind = (uint64_t)type + 1;
  switch (type) {
  case LUA_TNIL:
    return 0;
  case LUA_TBOOLEAN:
    return sp_hash_mix(kind, (uint64_t)lua_toboolean(L, at));
  case LUA_TNUMBER:
    return sp_hash_mix(kind, hash_number(L, at));
  case LUA_TSTRING:
    return sp_hash_mix(kind, hash_text(L, at));
  case LUA_TLIGHTUSERDATA:
    return sp_hash_mix(kind, sp_hash_ref(h->manager, sp_to_object(L, at)));
  case LUA_TTABLE:
    return sp_hash_mix(kind, number_table(L, h, at));
  default:
    return kind;
  }
}

/* Keys that have no order of their own count as their type, in the order that a repeatable state gives them. */
static bool is_counted(lua_State *L, const sp_value_hash *h, int key)
{
  int type = lua_type(L, key);
  if (type == LUA_TLIGHTUSERDATA && !h->repeatable)
    return sp_hash_ref(h->manager, sp_to_object(L, key)) != 0;
  return h->repeatable || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING ||
         type == LUA_TLIGHTUSERDATA;
}

static uint64_t hash_entries(lua_State *L, sp_value_hash *h, int table)
{
  int top = lua_gettop(L);
  uint64_t hash = 1;
  luaL_checkstack(L, 10, NULL);
  lua_Integer count = sp_push_ordered_keys(L, h->repeatable, table);
  for (lua_Integer i = 1; i <= count && h->entries > 0; i++, h->entries--) {
    sp_raw_geti(L, top + 1, i);
    if (is_counted(L, h, -1)) {
      hash = sp_hash_mix(hash, lua_istable(L, -1) ? LUA_TTABLE + 1 : hash_value(L, h, -1));
      sp_raw_get(L, table);
      hash = sp_hash_mix(hash, hash_value(L, h, -1));
    }
    lua_pop(L, 1);
  }
  lua_settop(L, top);
  return hash;
}

uint64_t sp_value_hash_at(lua_State *L, sp_value_hash *h, int index)
{
  uint64_t hash = hash_value(L, h, index);
  while (h->done < h->tables) {
    sp_raw_geti(L, h->seen, ++h->done);
    hash = sp_hash_mix(hash, hash_entries(L, h, lua_gettop(L)));
    lua_pop(L, 1);
  }
  return hash;
}
