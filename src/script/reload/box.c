#include "script/reload/box.h"

#include <string.h>

enum { NIL, FALSE, TRUE }; /* payloads of SP_BOX_PLAIN; SP_BOX_NIL is the first */

static bool is_same_number(lua_State *L, int a, int b)
{
  if (lua_isinteger(L, a) || lua_isinteger(L, b))
    return lua_isinteger(L, a) && lua_isinteger(L, b) && lua_tointeger(L, a) == lua_tointeger(L, b);
  lua_Number x = lua_tonumber(L, a), y = lua_tonumber(L, b);
  return memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);
}

bool sp_box_is_same(lua_State *L, int a, int b)
{
  bool numbers = lua_type(L, a) == LUA_TNUMBER && lua_type(L, b) == LUA_TNUMBER;
  return numbers ? is_same_number(L, a, b) : lua_rawequal(L, a, b);
}

/* Boxes a number; false where it has no room. */
static bool box_number(lua_State *L, int index, sp_box *b)
{
  lua_Number x;
  if (lua_isinteger(L, index)) {
    lua_Integer n = lua_tointeger(L, index);
    *b = SP_BOX_TAG(SP_BOX_INTEGER) | ((uint64_t)n & SP_BOX_PAYLOAD);
    return n >= -((lua_Integer)1 << 47) && n < (lua_Integer)1 << 47;
  }
  x = lua_tonumber(L, index);
  memcpy(b, &x, sizeof x);
  return x == x; /* others have bits of their own */
}

/* Boxes a value of this type that needs no number; false for another one. */
static inline bool box_plain(lua_State *L, int index, int type, sp_box *b)
{
  switch (type) {
  case LUA_TNIL:
    *b = SP_BOX_NIL;
    return true;
  case LUA_TBOOLEAN:
    *b = SP_BOX_TAG(SP_BOX_PLAIN) | (lua_toboolean(L, index) ? TRUE : FALSE);
    return true;
  case LUA_TNUMBER:
    return box_number(L, index, b);
  default:
    return false;
  }
}

static inline bool has_seat(int type) { return type != LUA_TNUMBER && type != LUA_TLIGHTUSERDATA; }

sp_box sp_box_of(sp_heap_walk *w, int index)
{
  sp_box b;
  const int type = lua_type(w->L, index);
  if (box_plain(w->L, index, type, &b))
    return b;
  if (has_seat(type))
    return SP_BOX_TAG(SP_BOX_KNOWN) | sp_heap_meet(w, index);
  return SP_BOX_TAG(SP_BOX_HELD) | sp_heap_hold(w, index);
}

void sp_box_push(const sp_heap_walk *w, sp_box b)
{
  lua_State *L = w->L;
  lua_Number x;
  switch (SP_BOX_TAG_OF(b)) {
  case SP_BOX_FLOAT:
    memcpy(&x, &b, sizeof x);
    lua_pushnumber(L, x);
    break;
  case SP_BOX_PLAIN:
    if ((b & SP_BOX_PAYLOAD) == NIL)
      lua_pushnil(L);
    else
      lua_pushboolean(L, (b & SP_BOX_PAYLOAD) == TRUE);
    break;
  case SP_BOX_INTEGER:
    lua_pushinteger(L, (lua_Integer)((int64_t)(b << 16) >> 16));
    break;
  default:
    lua_rawgeti(L, w->list, (lua_Integer)(b & SP_BOX_PAYLOAD));
    break;
  }
}

bool sp_box_is(const sp_heap_walk *w, sp_box b, int index)
{
  lua_State *L = w->L;
  sp_box now;
  const int type = lua_type(L, index);
  if (box_plain(L, index, type, &now))
    return now == b;
  if (SP_BOX_TAG_OF(b) < SP_BOX_KNOWN)
    return false;
  if (SP_BOX_TAG_OF(b) == SP_BOX_KNOWN && has_seat(type) && sp_heap_is(w, (uint32_t)(b & SP_BOX_PAYLOAD), index))
    return true;
  if (SP_BOX_TAG_OF(b) == SP_BOX_KNOWN && type != LUA_TSTRING)
    return false;
  sp_box_push(w, b);
  bool same = sp_box_is_same(L, -1, index);
  lua_pop(L, 1);
  return same;
}
