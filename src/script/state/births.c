#include "script/state/births.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "script/state/context.h"

enum {
  FIRST_SEATS = 64,
  GRAIN_BITS = 4, /* blocks begin at multiples of 16 bytes, */
  PAGE_BITS = 12, /* and those of one page of memory are one seat's */
  WORDS = (1 << (PAGE_BITS - GRAIN_BITS)) / 64
};

/* What one file made in one page: a bit for each place where a block may begin. No maker: a free seat. A page has a
   seat for each file that made something there; they follow its home, in a table with open addressing. */
typedef struct births_page {
  uintptr_t page;
  uint32_t maker;
  uint64_t bits[WORDS];
} births_page;

/* Lies in a userdata that the registry keeps while the allocator is wrapped. */
struct sp_births {
  lua_Alloc alloc; /* the state's own */
  void *ud;
  births_page *seats, *last; /* `last`: the seat that was noted in last, or NULL */
  uint32_t mask, count;
  uint32_t maker;
  int reference; /* in the registry */
  bool is_on;
};

/* {== The set ============================================================= */

static uintptr_t page_of(const void *address) { return (uintptr_t)address >> PAGE_BITS; }

static uint32_t home_of(const sp_births *b, uintptr_t page)
{
  return (uint32_t)((uint64_t)page * UINT64_C(0x9E3779B97F4A7C15) >> 32) & b->mask;
}

/* An address in the seat of its page: the word, and the bit in that. */
static uint32_t grain_of(const void *address)
{
  return (uint32_t)((uintptr_t)address >> GRAIN_BITS) & (64 * WORDS - 1);
}
static uint64_t *word_of(births_page *seat, const void *address) { return &seat->bits[grain_of(address) / 64]; }
static uint64_t bit_of(const void *address) { return UINT64_C(1) << grain_of(address) % 64; }

/* The seat in which an address is noted, or NULL. */
static births_page *find(const sp_births *b, const void *address)
{
  const uintptr_t page = page_of(address);
  for (uint32_t i = home_of(b, page); b->seats && b->seats[i].maker; i = (i + 1) & b->mask)
    if (b->seats[i].page == page && (*word_of(&b->seats[i], address) & bit_of(address)))
      return &b->seats[i];
  return NULL;
}

/* The seat of a page and a maker: theirs, or the free one that they would get. */
static births_page *seat_of(const sp_births *b, uintptr_t page, uint32_t maker)
{
  uint32_t i = home_of(b, page);
  while (b->seats[i].maker && (b->seats[i].page != page || b->seats[i].maker != maker))
    i = (i + 1) & b->mask;
  return &b->seats[i];
}

static void *resize(sp_births *b, void *block, size_t old, size_t new) { return b->alloc(b->ud, block, old, new); }

static bool grow(sp_births *b)
{
  const sp_births old = *b;
  const size_t count = b->seats ? 2 * ((size_t)b->mask + 1) : FIRST_SEATS, bytes = count * sizeof *b->seats;
  births_page *seats = resize(b, NULL, 0, bytes);
  if (!seats)
    return false;
  b->seats = memset(seats, 0, bytes);
  b->mask = (uint32_t)count - 1;
  b->last = NULL;
  for (uint32_t i = 0; old.seats && i <= old.mask; i++)
    if (old.seats[i].maker)
      *seat_of(b, old.seats[i].page, old.seats[i].maker) = old.seats[i];
  if (old.seats)
    resize(b, old.seats, (old.mask + (size_t)1) * sizeof *old.seats, 0);
  return true;
}

static bool has_room(sp_births *b) { return (b->seats && b->count < b->mask / 2) || grow(b); }

static void note(sp_births *b, const void *address)
{
  const uintptr_t page = page_of(address);
  births_page *seat = b->last;
  if (!seat || seat->page != page || seat->maker != b->maker) {
    seat = seat_of(b, page, b->maker);
    b->count += !seat->maker;
    seat->page = page;
    seat->maker = b->maker;
    b->last = seat;
  }
  *word_of(seat, address) |= bit_of(address);
}

static void forget(const sp_births *b, const void *address)
{
  births_page *seat = find(b, address);
  if (seat)
    *word_of(seat, address) &= ~bit_of(address);
}

/* }== */

/* {== The allocator ======================================================= */

/* Of a new block, `old_size` is the type of the value that it is for. */
static void *noting_alloc(void *ud, void *block, size_t old_size, size_t new_size)
{
  sp_births *b = ud;
  if (block) {
    if (new_size == 0)
      forget(b, block);
    return b->alloc(b->ud, block, old_size, new_size);
  }
  bool noted = b->maker && new_size > 0 && (old_size == LUA_TTABLE || old_size == LUA_TFUNCTION);
  if (noted && !has_room(b))
    return NULL;
  void *new = b->alloc(b->ud, NULL, old_size, new_size);
  if (noted && new)
    note(b, new);
  return new;
}

/* When another allocator has been put around this one, this one stays, and passes everything on. */
static void unwrap(lua_State *L, sp_births *b)
{
  void *ud;
  if (!b->is_on)
    return;
  b->maker = 0;
  if (b->seats)
    resize(b, b->seats, (b->mask + (size_t)1) * sizeof *b->seats, 0);
  b->seats = b->last = NULL;
  b->mask = b->count = 0;
  if (lua_getallocf(L, &ud) != noting_alloc || ud != b)
    return;
  b->is_on = false;
  lua_setallocf(L, b->alloc, b->ud);
}

/* }== */

lua_Alloc sp_births_allocator(lua_State *L, void **ud)
{
  const sp_context *c = sp_context_of(L);
  if (!c || !c->births)
    return lua_getallocf(L, ud);
  *ud = c->births->ud;
  return c->births->alloc;
}

/* {== For Lua ============================================================= */

/* The state closes while files run. */
static int close_births(lua_State *L)
{
  unwrap(L, lua_touserdata(L, 1));
  return 0;
}

int sp_births_begin(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  if (c->births)
    return luaL_error(L, "births are noted already");
  sp_births *b = memset(lua_newuserdatauv(L, sizeof *b, 0), 0, sizeof *b);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, close_births);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  b->reference = luaL_ref(L, LUA_REGISTRYINDEX);
  b->alloc = lua_getallocf(L, &b->ud);
  b->is_on = true;
  lua_setallocf(L, noting_alloc, b);
  c->births = b;
  return 0;
}

int sp_births_finish(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_births *b = c->births;
  if (!b)
    return 0;
  unwrap(L, b);
  if (!b->is_on)
    luaL_unref(L, LUA_REGISTRYINDEX, b->reference);
  c->births = NULL;
  return 0;
}

int sp_births_maker(lua_State *L)
{
  sp_births *b = sp_context_here(L)->births;
  lua_Integer maker = luaL_checkinteger(L, 1);
  lua_pushinteger(L, b ? b->maker : 0);
  if (b)
    b->maker = (uint32_t)maker;
  return 1;
}

uint32_t sp_births_maker_of(lua_State *L, int index)
{
  const sp_births *b = sp_context_here(L)->births;
  const void *address = lua_topointer(L, index);
  int type = lua_type(L, index);
  if (!b || !address || (type != LUA_TTABLE && type != LUA_TFUNCTION))
    return 0;
  const births_page *seat = find(b, address);
  return seat ? seat->maker : 0;
}

int sp_births_made_by(lua_State *L)
{
  uint32_t maker = sp_births_maker_of(L, 1);
  if (!maker)
    return 0;
  lua_pushinteger(L, maker);
  return 1;
}

/* }== */
