#include "script/host/value_hash.h"

#include <lauxlib.h>
#include <string.h>

#include "script/guard/ordered_tables.h"
#include "script/state/handles.h"

#define ENTRIES_MOST 200000u /* visited in all tables: beyond that a table is only counted */
#define DEPTH_MOST 100       /* of tables in tables */

void sp_value_hash_begin(lua_State *L, sp_value_hash *h, sp_repeatable *r)
{
  lua_newtable(L);
  *h = (sp_value_hash){.repeatable = r, .seen = lua_gettop(L), .entries = ENTRIES_MOST};
}

static uint64_t hash_text(const char *text, size_t length)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
  return hash;
}

static uint64_t hash_number(lua_State *L, int index)
{
  lua_Number number = lua_tonumber(L, index);
  uint64_t bits;
  if (lua_isinteger(L, index))
    return (uint64_t)lua_tointeger(L, index);
  memcpy(&bits, &number, sizeof bits);
  return number != number ? 1 : bits; /* NaN has many bit patterns */
}

static uint64_t hash_value(lua_State *L, sp_value_hash *h, int index, int depth);

static uint64_t hash_entries(lua_State *L, sp_value_hash *h, int table, int depth)
{
  int top = lua_gettop(L);
  uint64_t hash = 0;
  luaL_checkstack(L, 10, NULL);
  lua_Integer count = sp_push_ordered_keys(L, h->repeatable, table);
  for (lua_Integer i = 1; i <= count && h->entries > 0; i++, h->entries--) {
    lua_rawgeti(L, top + 1, i);
    bool is_plain = lua_type(L, -1) != LUA_TTABLE; /* a table that is a key counts by its order */
    hash = sp_hash_mix(hash, is_plain ? hash_value(L, h, -1, depth) : 5);
    lua_rawget(L, table);
    hash = sp_hash_mix(hash, hash_value(L, h, -1, depth));
    lua_pop(L, 1);
  }
  lua_settop(L, top);
  return sp_hash_mix(hash, (uint64_t)count);
}

/* A table that was met before counts by the number of its visit: cycles end. */
static uint64_t hash_table(lua_State *L, sp_value_hash *h, int table, int depth)
{
  lua_pushvalue(L, table);
  if (lua_rawget(L, h->seen) == LUA_TNUMBER) {
    uint64_t visit = (uint64_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return visit;
  }
  lua_pop(L, 1);
  lua_pushvalue(L, table);
  lua_pushinteger(L, (lua_Integer)++h->tables);
  lua_rawset(L, h->seen);
  return depth < DEPTH_MOST ? hash_entries(L, h, table, depth + 1) : 3;
}

static uint64_t hash_value(lua_State *L, sp_value_hash *h, int index, int depth)
{
  int at = lua_absindex(L, index), type = lua_type(L, at);
  uint64_t kind = (uint64_t)type + 1;
  size_t length;
  const char *text;
  switch (type) {
  case LUA_TBOOLEAN:
    return sp_hash_mix(kind, (uint64_t)lua_toboolean(L, at));
  case LUA_TNUMBER:
    return sp_hash_mix(kind, hash_number(L, at));
  case LUA_TSTRING:
    text = lua_tolstring(L, at, &length);
    return sp_hash_mix(kind, hash_text(text, length));
  case LUA_TLIGHTUSERDATA:
    return sp_hash_mix(kind, sp_to_object(L, at));
  case LUA_TTABLE:
    return sp_hash_mix(kind, hash_table(L, h, at, depth));
  default:
    return kind;
  }
}

uint64_t sp_value_hash_at(lua_State *L, sp_value_hash *h, int index) { return hash_value(L, h, index, 0); }
