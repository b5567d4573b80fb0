#include "script/reload/heap_walk.h"

#include <lauxlib.h>
#include <string.h>

enum { FIRST_ITEMS = 64, MOST_FIRST = 1 << 24 };

static bool is_library_source(const char *source) { return strncmp(source, "=spawnpool", 10) == 0; }

bool sp_is_library(lua_State *L, int function)
{
  lua_Debug ar;
  if (lua_iscfunction(L, function))
    return false;
  lua_pushvalue(L, function);
  lua_getinfo(L, ">S", &ar);
  return is_library_source(ar.source);
}

/* {== The set ============================================================= */

/* Returns the seat of an address, or the free one that it would get. Addresses in one page of 4 KiB have adjacent
   seats: they are often met in a row, and scattered seats would miss the cache. */
static uint32_t *seat_of(const sp_heap_walk *w, const void *address)
{
  uint64_t bits = (uint64_t)(uintptr_t)address >> 4;
  uint32_t i = (uint32_t)(((bits >> 8) * UINT64_C(0x9E3779B97F4A7C15) >> 32) + (bits & 255)) & w->mask;
  while (w->seats[i] && w->addresses[w->seats[i]] != address)
    i = (i + 1) & w->mask;
  return &w->seats[i];
}

static void resize(sp_heap_walk *w, uint32_t size)
{
  const size_t bytes = size * sizeof *w->seats;
  w->seats = memset(lua_newuserdatauv(w->L, bytes, 0), 0, bytes);
  w->mask = size - 1;
  lua_setiuservalue(w->L, w->self, SP_HEAP_SEATS);
  for (uint32_t number = 1; number <= w->count; number++)
    if (w->addresses[number])
      *seat_of(w, w->addresses[number]) = number;
}

uint32_t sp_heap_number(const sp_heap_walk *w, int index) { return *seat_of(w, lua_topointer(w->L, index)); }

bool sp_heap_is(const sp_heap_walk *w, uint32_t number, int index)
{
  return w->addresses[number] == lua_topointer(w->L, index);
}

/* Appends the value on top, and pops it. The value has its number only at the end, because memory may be refused. */
static uint32_t append(sp_heap_walk *w, const void *address)
{
  w->addresses = sp_heap_room(w, SP_HEAP_ADDRESSES, w->addresses, w->count + (size_t)1, sizeof *w->addresses);
  lua_rawseti(w->L, w->list, (lua_Integer)w->count + 1);
  w->addresses[w->count + 1] = address;
  return ++w->count;
}

uint32_t sp_heap_hold(sp_heap_walk *w, int index)
{
  lua_pushvalue(w->L, index);
  return append(w, NULL);
}

/* Returns the seat of an address, in a set that has room for one more. */
static uint32_t *seat_for(sp_heap_walk *w, const void *address)
{
  if (2 * (w->taken + 1) > w->mask)
    resize(w, 2 * (w->mask + 1));
  return seat_of(w, address);
}

/* Takes a free seat for the value on top, and pops it. */
static void sit(sp_heap_walk *w, uint32_t *seat, const void *address)
{
  *seat = append(w, address);
  w->taken++;
}

uint32_t sp_heap_meet(sp_heap_walk *w, int index)
{
  const void *address = lua_topointer(w->L, index);
  uint32_t *seat = seat_for(w, address);
  if (*seat == 0) {
    lua_pushvalue(w->L, index);
    sit(w, seat, address);
  }
  return *seat;
}

bool sp_heap_mark(sp_heap_walk *w, const void *address)
{
  uint32_t *seat = seat_for(w, address);
  if (*seat)
    return false;
  lua_pushboolean(w->L, 0);
  sit(w, seat, address);
  return true;
}

bool sp_heap_knows(const sp_heap_walk *w, const void *address) { return *seat_of(w, address) != 0; }

void sp_heap_meet_any(sp_heap_walk *w, int index)
{
  int type = lua_type(w->L, index);
  if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD)
    sp_heap_meet(w, index);
}

void sp_heap_meet_all(sp_heap_walk *w, int index)
{
  for (lua_Integer i = 1; lua_rawgeti(w->L, index, i) != LUA_TNIL; i++, lua_pop(w->L, 1))
    sp_heap_meet_any(w, lua_gettop(w->L));
  lua_pop(w->L, 1);
}

/* }== */

/* {== Memory ============================================================== */

void *sp_heap_walk_new(lua_State *L, size_t size, int places, lua_Integer expected)
{
  sp_heap_walk *w = memset(lua_newuserdatauv(L, size, places), 0, size);
  w->L = L;
  w->self = lua_gettop(L);
  for (w->first = FIRST_ITEMS; w->first < expected && w->first < MOST_FIRST;)
    w->first *= 2;
  resize(w, 2 * w->first);
  lua_createtable(L, expected > FIRST_ITEMS ? (int)(expected + expected / 16) : FIRST_ITEMS, 0);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, w->self, SP_HEAP_LIST);
  w->list = w->self + 1;
  return w;
}

void *sp_heap_walk_open(lua_State *L, int self)
{
  sp_heap_walk *w = lua_touserdata(L, self);
  luaL_checkstack(L, 40, "too deep to look around");
  w->L = L;
  w->self = self;
  lua_getiuservalue(L, self, SP_HEAP_LIST);
  w->list = lua_gettop(L);
  return w;
}

void *sp_heap_grow(sp_heap_walk *w, int place, void *array, size_t used, size_t item)
{
  void *new = lua_newuserdatauv(w->L, (used < w->first ? w->first : 2 * used) * item, 0);
  if (array)
    memcpy(new, array, used * item);
  lua_setiuservalue(w->L, w->self, place);
  return new;
}

/* }== */

/* {== Stacks ============================================================== */

static void push_from(sp_heap_walk *w, lua_State *co)
{
  if (co != w->L)
    lua_xmove(co, w->L, 1);
}

static bool visit_local(sp_heap_walk *w, lua_State *co, lua_Debug *ar, int n, sp_heap_variable_fn fn, void *ud)
{
  if (!lua_getlocal(co, ar, n))
    return false;
  push_from(w, co);
  fn(ud, co, ar, n);
  lua_pop(w->L, 1);
  return true;
}

static void visit_frame(sp_heap_walk *w, lua_State *co, lua_Debug *ar, sp_heap_variable_fn fn, void *ud)
{
  lua_getinfo(co, "Sf", ar);
  push_from(w, co);
  fn(ud, co, ar, 0);
  lua_pop(w->L, 1);
  if (is_library_source(ar->source))
    return;
  for (int n = 1; visit_local(w, co, ar, n, fn, ud);)
    n++;
  for (int n = -1; visit_local(w, co, ar, n, fn, ud);)
    n--;
}

void sp_heap_each_variable(sp_heap_walk *w, lua_State *co, sp_heap_variable_fn fn, void *ud)
{
  lua_Debug ar;
  int level = co == w->L; /* level 0 of this stack is this C function */
  if (!lua_checkstack(co, 8))
    return;
  for (; lua_getstack(co, level, &ar); level++)
    visit_frame(w, co, &ar, fn, ud);
  /* A coroutine that was never resumed has its function and arguments on its stack, but no frame. */
  for (int i = 1; level == 0 && co != w->L && lua_status(co) == LUA_OK && i <= lua_gettop(co); i++) {
    lua_pushvalue(co, i);
    lua_xmove(co, w->L, 1);
    fn(ud, co, NULL, i);
    lua_pop(w->L, 1);
  }
}

/* }== */

/* {== Boxes ============================================================== */

enum { NIL, FALSE, TRUE }; /* payloads of SP_HEAP_BOX_PLAIN; SP_HEAP_BOX_NIL is the first */

static bool is_same_number(lua_State *L, int a, int b)
{
  if (lua_isinteger(L, a) || lua_isinteger(L, b))
    return lua_isinteger(L, a) && lua_isinteger(L, b) && lua_tointeger(L, a) == lua_tointeger(L, b);
  lua_Number x = lua_tonumber(L, a), y = lua_tonumber(L, b);
  return memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);
}

bool sp_heap_box_is_same(lua_State *L, int a, int b)
{
  bool numbers = lua_type(L, a) == LUA_TNUMBER && lua_type(L, b) == LUA_TNUMBER;
  return numbers ? is_same_number(L, a, b) : lua_rawequal(L, a, b);
}

/* Boxes a number; false where it has no room. */
static bool box_number(lua_State *L, int index, sp_heap_box *b)
{
  lua_Number x;
  if (lua_isinteger(L, index)) {
    lua_Integer n = lua_tointeger(L, index);
    *b = SP_HEAP_BOX_TAG(SP_HEAP_BOX_INTEGER) | ((uint64_t)n & SP_HEAP_BOX_PAYLOAD);
    return n >= -((lua_Integer)1 << 47) && n < (lua_Integer)1 << 47;
  }
  x = lua_tonumber(L, index);
  memcpy(b, &x, sizeof x);
  return x == x; /* others have bits of their own */
}

/* Boxes a value of this type that needs no number; false for another one. */
static inline bool box_plain(lua_State *L, int index, int type, sp_heap_box *b)
{
  switch (type) {
  case LUA_TNIL:
    *b = SP_HEAP_BOX_NIL;
    return true;
  case LUA_TBOOLEAN:
    *b = SP_HEAP_BOX_TAG(SP_HEAP_BOX_PLAIN) | (lua_toboolean(L, index) ? TRUE : FALSE);
    return true;
  case LUA_TNUMBER:
    return box_number(L, index, b);
  default:
    return false;
  }
}

static inline bool has_seat(int type) { return type != LUA_TNUMBER && type != LUA_TLIGHTUSERDATA; }

sp_heap_box sp_heap_box_of(sp_heap_walk *w, int index)
{
  sp_heap_box b;
  const int type = lua_type(w->L, index);
  if (box_plain(w->L, index, type, &b))
    return b;
  if (has_seat(type))
    return SP_HEAP_BOX_TAG(SP_HEAP_BOX_KNOWN) | sp_heap_meet(w, index);
  return SP_HEAP_BOX_TAG(SP_HEAP_BOX_HELD) | sp_heap_hold(w, index);
}

static lua_Integer integer_of(sp_heap_box b) { return (int64_t)(b << 16) >> 16; }

void sp_heap_box_push(const sp_heap_walk *w, sp_heap_box b)
{
  lua_State *L = w->L;
  lua_Number x;
  switch (SP_HEAP_BOX_TAG_OF(b)) {
  case SP_HEAP_BOX_FLOAT:
    memcpy(&x, &b, sizeof x);
    lua_pushnumber(L, x);
    break;
  case SP_HEAP_BOX_PLAIN:
    if ((b & SP_HEAP_BOX_PAYLOAD) == NIL)
      lua_pushnil(L);
    else
      lua_pushboolean(L, (b & SP_HEAP_BOX_PAYLOAD) == TRUE);
    break;
  case SP_HEAP_BOX_INTEGER:
    lua_pushinteger(L, integer_of(b));
    break;
  default:
    lua_rawgeti(L, w->list, (lua_Integer)(b & SP_HEAP_BOX_PAYLOAD));
    break;
  }
}

bool sp_heap_box_is(const sp_heap_walk *w, sp_heap_box b, int index)
{
  lua_State *L = w->L;
  sp_heap_box now;
  const unsigned tag = SP_HEAP_BOX_TAG_OF(b);
  if (tag == SP_HEAP_BOX_INTEGER)
    return lua_isinteger(L, index) && lua_tointeger(L, index) == integer_of(b);
  const int type = lua_type(L, index);
  if (tag == SP_HEAP_BOX_KNOWN && has_seat(type) && sp_heap_is(w, (uint32_t)(b & SP_HEAP_BOX_PAYLOAD), index))
    return true;
  if (tag < SP_HEAP_BOX_KNOWN || (tag == SP_HEAP_BOX_KNOWN && type != LUA_TSTRING))
    return box_plain(L, index, type, &now) && now == b;
  sp_heap_box_push(w, b);
  bool same = sp_heap_box_is_same(L, -1, index);
  lua_pop(L, 1);
  return same;
}

/* }== */
