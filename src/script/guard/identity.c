#include "script/guard/identity.h"

#include <lauxlib.h>
#include <stdio.h>

#include "script/state/handles.h"

static const char ranks_key = 'i'; /* its address is the key in the registry */

/* {== Marks ============================================================== */

/* The mark of a table, a closure or a coroutine: a coroutine begins behind its extra space. */
static sp_birth *birth_of(lua_State *L, int index)
{
  lua_State *co = lua_tothread(L, index);
  const void *block = co ? lua_getextraspace(co) : lua_topointer(L, index);
  return (sp_birth *)block - 1;
}

/* A C function without upvalues is no block, only an address. */
static bool is_block(lua_State *L, int index)
{
  switch (lua_type(L, index)) {
  case LUA_TTABLE:
  case LUA_TTHREAD:
    return true;
  case LUA_TFUNCTION:
    if (!lua_iscfunction(L, index))
      return true;
    if (!lua_getupvalue(L, index, 1))
      return false;
    lua_pop(L, 1);
    return true;
  default:
    return false;
  }
}

/* Pushes value -> number, weak: for values whose block cannot be found. */
static void push_ranks(lua_State *L)
{
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &ranks_key) == LUA_TTABLE)
    return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &ranks_key);
}

/* The number of a value in the order in which such values were first seen. */
static uint64_t rank_of(lua_State *L, sp_repeatable *r, int index)
{
  index = lua_absindex(L, index);
  push_ranks(L);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) != LUA_TNUMBER) {
    lua_pushvalue(L, index);
    lua_pushinteger(L, (lua_Integer)++r->ranks);
    lua_rawset(L, -4);
    lua_pop(L, 2);
    return r->ranks;
  }
  uint64_t rank = (uint64_t)lua_tointeger(L, -1);
  lua_pop(L, 2);
  return rank;
}

/* }== */

uint64_t sp_identity_order(lua_State *L, sp_repeatable *r, int index)
{
  if (is_block(L, index))
    return birth_of(L, index)->number;
  const sp_lua_pool *p = sp_to_pool(L, index);
  const sp_lua_manager *m = sp_to_handle(L, index, sizeof *m, SP_MAGIC_MANAGER);
  if (p || m)
    return p ? p->id : m->id;
  return UINT64_C(1) << 63 | rank_of(L, r, index); /* behind pools and managers */
}

/* {== Texts ============================================================== */

/* The number that stands for the address of a value. */
static uint64_t name_of(lua_State *L, sp_repeatable *r, int index)
{
  if (!is_block(L, index))
    return rank_of(L, r, index) << 32;
  sp_birth *b = birth_of(L, index);
  if (b->name == 0)
    b->name = ++r->names;
  return b->name;
}

static uint64_t hash_of(const char *text, size_t length)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return hash >> 16;
}

void sp_identity_push_pointer(lua_State *L, sp_repeatable *r, int index)
{
  char text[32] = "(null)";
  size_t length;
  uint64_t number = 0;
  if (lua_type(L, index) == LUA_TSTRING) { /* strings of the same text may be one or several */
    const char *bytes = lua_tolstring(L, index, &length);
    number = hash_of(bytes, length);
  } else if (lua_type(L, index) == LUA_TLIGHTUSERDATA) {
    number = sp_to_object(L, index);
  } else if (lua_topointer(L, index)) {
    number = name_of(L, r, index) << 4;
  }
  if (number)
    snprintf(text, sizeof text, "0x%012llx", (unsigned long long)number);
  lua_pushstring(L, text);
}

/* As luaL_tolstring: `__name` of the metatable, or the type. */
static void push_kind(lua_State *L, int index)
{
  int type = luaL_getmetafield(L, index, "__name");
  if (type == LUA_TSTRING)
    return;
  if (type != LUA_TNIL)
    lua_pop(L, 1);
  lua_pushstring(L, luaL_typename(L, index));
}

const char *sp_identity_push_text(lua_State *L, sp_repeatable *r, int index)
{
  index = lua_absindex(L, index);
  int type = lua_type(L, index);
  bool has_address = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD || type == LUA_TUSERDATA;
  if (!r || !has_address)
    return luaL_tolstring(L, index, NULL);
  if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
    lua_pop(L, 1);
    return luaL_tolstring(L, index, NULL);
  }
  push_kind(L, index);
  lua_pushliteral(L, ": ");
  sp_identity_push_pointer(L, r, index);
  lua_concat(L, 3);
  return lua_tostring(L, -1);
}

static int to_string(lua_State *L)
{
  luaL_checkany(L, 1);
  sp_identity_push_text(L, sp_repeatable_at(L, lua_upvalueindex(1)), 1);
  return 1;
}

void sp_identity_open(lua_State *L, sp_repeatable *r)
{
  lua_pushlightuserdata(L, r);
  lua_pushcclosure(L, to_string, 1);
  lua_setfield(L, -2, "tostring");
}

/* }== */
