#include "script/reload/heap_walk.h"

#include <lauxlib.h>
#include <string.h>

enum { FIRST_SIZE = 1024 }; /* bytes of an array, addresses in a set */

bool sp_is_library_source(const char *source) { return strncmp(source, "=spawnpool", 10) == 0; }

bool sp_is_library(lua_State *L, int function)
{
  lua_Debug ar;
  lua_pushvalue(L, function);
  lua_getinfo(L, ">S", &ar);
  return sp_is_library_source(ar.source);
}

/* {== The set ============================================================= */

static uint32_t place_of(const heap_walk *w, const void *address)
{
  uint64_t bits = (uint64_t)(uintptr_t)address >> 4;
  return (uint32_t)((bits * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & w->seen_mask;
}

/* Returns the slot of an address, or the free one that it would get. */
static const void **seat_of(const heap_walk *w, const void *address)
{
  uint32_t i = place_of(w, address);
  while (w->seen[i] && w->seen[i] != address)
    i = (i + 1) & w->seen_mask;
  return &w->seen[i];
}

static void resize(heap_walk *w, uint32_t size)
{
  const heap_walk old = *w;
  const size_t bytes = size * sizeof *w->seen;
  w->seen = memset(lua_newuserdatauv(w->L, bytes, 0), 0, bytes);
  w->seen_mask = size - 1;
  for (uint32_t i = 0; old.seen && i <= old.seen_mask; i++)
    if (old.seen[i])
      *seat_of(w, old.seen[i]) = old.seen[i];
  lua_setiuservalue(w->L, w->self, SP_HEAP_SEEN);
}

bool sp_heap_walk_meet(heap_walk *w, const void *address)
{
  const void **seat = seat_of(w, address);
  if (*seat)
    return false;
  if (2 * ++w->seen_count > w->seen_mask) {
    resize(w, 2 * (w->seen_mask + 1));
    seat = seat_of(w, address);
  }
  *seat = address;
  return true;
}

/* }== */

/* {== The walk ============================================================ */

void *sp_heap_walk_new(lua_State *L, size_t size, int places)
{
  heap_walk *w = memset(lua_newuserdatauv(L, size, places), 0, size);
  w->L = L;
  w->self = lua_gettop(L);
  lua_newtable(L);
  lua_setiuservalue(L, w->self, SP_HEAP_LIST);
  resize(w, FIRST_SIZE);
  return w;
}

heap_walk *sp_heap_walk_open(lua_State *L, int self)
{
  heap_walk *w = lua_touserdata(L, self);
  luaL_checkstack(L, 40, "too deep to look around");
  w->L = L;
  w->self = self;
  lua_getiuservalue(L, self, SP_HEAP_LIST);
  w->list = lua_gettop(L);
  return w;
}

void sp_heap_walk_restart(heap_walk *w)
{
  lua_newtable(w->L);
  lua_pushvalue(w->L, -1);
  lua_replace(w->L, w->list);
  lua_setiuservalue(w->L, w->self, SP_HEAP_LIST);
  w->count = 0;
  w->seen = NULL;
  w->seen_mask = w->seen_count = 0;
  resize(w, FIRST_SIZE);
}

void sp_heap_walk_visit(heap_walk *w, int index)
{
  if (!sp_heap_walk_meet(w, lua_topointer(w->L, index)))
    return;
  lua_pushvalue(w->L, index);
  lua_rawseti(w->L, w->list, w->count + 1);
  w->count++; /* only now: memory may be refused */
}

void *sp_heap_walk_grow(heap_walk *w, int place, const void *old, size_t size)
{
  void *new = lua_newuserdatauv(w->L, size ? 2 * size : FIRST_SIZE, 0);
  if (size)
    memcpy(new, old, size);
  lua_setiuservalue(w->L, w->self, place);
  return new;
}

/* }== */
