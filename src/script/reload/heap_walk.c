#include "script/reload/heap_walk.h"

#include <lauxlib.h>
#include <string.h>

enum { FIRST_ITEMS = 64 };

bool sp_is_library_source(const char *source) { return strncmp(source, "=spawnpool", 10) == 0; }

bool sp_is_library(lua_State *L, int function)
{
  lua_Debug ar;
  if (lua_iscfunction(L, function))
    return false;
  lua_pushvalue(L, function);
  lua_getinfo(L, ">S", &ar);
  return sp_is_library_source(ar.source);
}

/* {== The set ============================================================= */

/* Returns the seat of an address, or the free one that it would get. */
static sp_heap_seat *seat_of(const sp_heap_walk *w, const void *address)
{
  uint64_t bits = (uint64_t)(uintptr_t)address >> 4;
  uint32_t i = (uint32_t)(bits * UINT64_C(0x9E3779B97F4A7C15) >> 32) & w->mask;
  while (w->seats[i].address && w->seats[i].address != address)
    i = (i + 1) & w->mask;
  return &w->seats[i];
}

static void resize(sp_heap_walk *w, uint32_t size)
{
  const sp_heap_walk old = *w;
  const size_t bytes = size * sizeof *w->seats;
  sp_heap_seat *seats = lua_newuserdatauv(w->L, bytes, 0);
  w->seats = memset(seats, 0, bytes);
  w->mask = size - 1;
  for (uint32_t i = 0; old.seats && i <= old.mask; i++)
    if (old.seats[i].address)
      *seat_of(w, old.seats[i].address) = old.seats[i];
  lua_setiuservalue(w->L, w->self, SP_HEAP_SEATS);
}

uint32_t sp_heap_number(const sp_heap_walk *w, int index) { return seat_of(w, lua_topointer(w->L, index))->number; }

uint32_t sp_heap_hold(sp_heap_walk *w, int index)
{
  lua_pushvalue(w->L, index);
  lua_rawseti(w->L, w->list, (lua_Integer)w->count + 1);
  return ++w->count; /* only now: memory may be refused */
}

/* Returns the seat of an address: its own, or a free one with room to spare. */
static sp_heap_seat *room_for(sp_heap_walk *w, const void *address)
{
  if (!seat_of(w, address)->address && 2 * (w->taken + 1) > w->mask)
    resize(w, 2 * (w->mask + 1));
  return seat_of(w, address);
}

uint32_t sp_heap_meet(sp_heap_walk *w, int index)
{
  const void *address = lua_topointer(w->L, index);
  sp_heap_seat *seat = seat_of(w, address);
  if (seat->address)
    return seat->number;
  seat = room_for(w, address);
  uint32_t number = sp_heap_hold(w, index);
  *seat = (sp_heap_seat){address, number};
  w->taken++;
  return number;
}

bool sp_heap_mark(sp_heap_walk *w, const void *address)
{
  sp_heap_seat *seat = room_for(w, address);
  bool is_new = !seat->address;
  seat->address = address;
  w->taken += is_new;
  return is_new;
}

bool sp_heap_knows(const sp_heap_walk *w, const void *address) { return seat_of(w, address)->address != NULL; }

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

void *sp_heap_walk_new(lua_State *L, size_t size, int places)
{
  sp_heap_walk *w = memset(lua_newuserdatauv(L, size, places), 0, size);
  w->L = L;
  w->self = lua_gettop(L);
  resize(w, FIRST_ITEMS);
  lua_newtable(L);
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

/* Arrays have FIRST_ITEMS times a power of two items. */
void *sp_heap_room(sp_heap_walk *w, int place, void *array, size_t used, size_t item)
{
  if (array && (used < FIRST_ITEMS || (used & (used - 1)) != 0))
    return array;
  void *new = lua_newuserdatauv(w->L, (used < FIRST_ITEMS ? FIRST_ITEMS : 2 * used) * item, 0);
  if (used > 0)
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
  if (sp_is_library_source(ar->source))
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
