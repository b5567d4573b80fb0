/*
** The prototype that the Lua binding was chosen from, kept as a yardstick: a fixed pool behind Lua 5.4 whose objects
** are light userdata of generation << 32 | pool << 24 | slot, with fields found by a perfect hash over the addresses of
** the interned keys, and lifetimes in a wheel of 1024 ticks (17 s) with linked lists. No classes, hooks, growth or
** statistics, and no error worth reading: what is left when everything else is taken away. Its memory is never freed.
*/
#include <lauxlib.h>
#include <lua.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NONE 0xffffffffu
#define COLUMNS 8
#define WHEEL 1024
#define POOLS 3
#define KEYS 16

/* {== Pools ============================================================== */

typedef struct slot {
  uint32_t generation, next_idle; /* generation is odd while live */
  uint32_t next_due, previous_due, due;
  uint32_t unused[3];
} slot;

typedef struct pool {
  uint32_t capacity, idle, live, id;
  uint64_t now;
  slot *slots;
  float *column[COLUMNS];
  uint32_t bucket[WHEEL];
} pool;

typedef enum key_kind { KEY_NONE, KEY_COLUMN, KEY_METHOD, KEY_TYPE } key_kind;

typedef struct key {
  const char *name; /* address of an interned string */
  int kind, value;
} key;

typedef struct world {
  pool *pools[16];
  key table[64];
  uint64_t multiplier;
  key keys[KEYS];
  int pool_count, key_count;
} world;

static void due_unlink(pool *p, uint32_t i)
{
  slot *s = &p->slots[i];
  if (s->due == NONE)
    return;
  if (s->previous_due == NONE)
    p->bucket[s->due & (WHEEL - 1)] = s->next_due;
  else
    p->slots[s->previous_due].next_due = s->next_due;
  if (s->next_due != NONE)
    p->slots[s->next_due].previous_due = s->previous_due;
  s->due = NONE;
}

static void due_link(pool *p, uint32_t i, uint32_t tick)
{
  slot *s = &p->slots[i];
  uint32_t *first = &p->bucket[tick & (WHEEL - 1)];
  s->due = tick;
  s->previous_due = NONE;
  s->next_due = *first;
  if (*first != NONE)
    p->slots[*first].previous_due = i;
  *first = i;
}

static uint32_t slot_take(pool *p, double lifetime)
{
  const uint32_t i = p->idle;
  if (i == NONE)
    return NONE;
  slot *s = &p->slots[i];
  p->idle = s->next_idle;
  s->generation++;
  p->live++;
  if (lifetime > 0)
    due_link(p, i, (uint32_t)p->now + (uint32_t)(lifetime * 60.0 + 0.5));
  return i;
}

static void slot_give(pool *p, uint32_t i)
{
  slot *s = &p->slots[i];
  s->generation++;
  due_unlink(p, i);
  s->next_idle = p->idle;
  p->idle = i;
  p->live--;
}

static pool *pool_new(world *w, uint32_t capacity)
{
  pool *p = calloc(1, sizeof *p);
  const size_t bytes = (capacity * sizeof(float) + 63) & ~(size_t)63;
  p->capacity = capacity;
  p->id = (uint32_t)w->pool_count;
  p->slots = calloc(capacity, sizeof(slot));
  for (int c = 0; c < COLUMNS; c++) {
    p->column[c] = aligned_alloc(64, bytes);
    memset(p->column[c], 0, bytes);
  }
  for (uint32_t i = 0; i < capacity; i++) {
    p->slots[i].next_idle = i + 1 < capacity ? i + 1 : NONE;
    p->slots[i].due = NONE;
  }
  for (int k = 0; k < WHEEL; k++)
    p->bucket[k] = NONE;
  w->pools[w->pool_count++] = p;
  return p;
}

/* }== */

/* {== Keys =============================================================== */

static uint32_t key_place(const world *w, const char *name)
{
  return (uint32_t)(((uint64_t)(uintptr_t)name * w->multiplier) >> 58);
}

static const key *key_find(const world *w, const char *name)
{
  const key *k = &w->table[key_place(w, name)];
  return k->name == name ? k : NULL;
}

static void key_add(lua_State *L, world *w, const char *name, key_kind kind, int value)
{
  lua_pushstring(L, name);
  w->keys[w->key_count++] = (key){lua_tostring(L, -1), kind, value};
  luaL_ref(L, LUA_REGISTRYINDEX); /* keeps the string, so its address stays */
}

/* Tries multipliers until no two keys share a place. */
static void keys_place(world *w)
{
  uint64_t x = 0x9e3779b97f4a7c15ull;
  for (;;) {
    int clash = 0;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    w->multiplier = x | 1;
    memset(w->table, 0, sizeof w->table);
    for (int i = 0; i < w->key_count && !clash; i++) {
      key *k = &w->table[key_place(w, w->keys[i].name)];
      clash = k->name != NULL;
      *k = w->keys[i];
    }
    if (!clash)
      return;
  }
}

/* }== */

/* {== Lua ================================================================ */

#define POOL_MAGIC 0x706f6f6c70726f74ull

typedef struct pool_userdata {
  uint64_t magic;
  world *world;
  pool *pool;
} pool_userdata;

static world *upvalue_world(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

static void push_object(lua_State *L, const pool *p, uint32_t i)
{
  const uint64_t handle = (uint64_t)p->slots[i].generation << 32 | (uint64_t)p->id << 24 | i;
  lua_pushlightuserdata(L, (void *)(uintptr_t)handle);
}

static int to_object(lua_State *L, const world *w, int arg, pool **found, uint32_t *index)
{
  if (lua_type(L, arg) != LUA_TLIGHTUSERDATA)
    return 0;
  const uint64_t handle = (uint64_t)(uintptr_t)lua_touserdata(L, arg);
  const uint32_t id = (handle >> 24) & 255, i = handle & 0xffffff;
  if (id >= (uint32_t)w->pool_count)
    return 0;
  pool *p = w->pools[id];
  if (i >= p->capacity || p->slots[i].generation != (uint32_t)(handle >> 32))
    return 0;
  *found = p;
  *index = i;
  return 1;
}

static int alloc_from(lua_State *L, pool *p, double lifetime)
{
  const uint32_t i = slot_take(p, lifetime);
  if (i == NONE)
    return luaL_error(L, "pool empty");
  push_object(L, p, i);
  return 1;
}

/* pools:alloc("Bullet", lifetime) */
static int f_alloc_type(lua_State *L)
{
  const world *w = upvalue_world(L);
  const char *name = lua_tostring(L, 2);
  const key *k = name ? key_find(w, name) : NULL;
  if (!k || k->kind != KEY_TYPE)
    return luaL_error(L, "unknown type");
  return alloc_from(L, w->pools[k->value], lua_tonumber(L, 3));
}

/* bullets:alloc(lifetime) */
static int f_alloc(lua_State *L)
{
  const pool_userdata *u = lua_touserdata(L, 1);
  if (!u || lua_rawlen(L, 1) != sizeof *u || u->magic != POOL_MAGIC)
    return luaL_error(L, "not a pool");
  return alloc_from(L, u->pool, lua_tonumber(L, 2));
}

static int recycle_arg(lua_State *L, int arg)
{
  pool *p;
  uint32_t i;
  if (to_object(L, upvalue_world(L), arg, &p, &i)) {
    slot_give(p, i);
    return 0;
  }
  lua_pushboolean(L, 0);
  return 1;
}

/* pools:recycle(object), bullets:recycle(object) */
static int f_recycle(lua_State *L) { return recycle_arg(L, 2); }

/* object:recycle() */
static int f_object_recycle(lua_State *L) { return recycle_arg(L, 1); }

/* The metamethods trust argument 1 to be a light userdata, since their metatable is out of a script's reach. */
static pool *field_of(const world *w, uint64_t handle, uint32_t *index)
{
  pool *p = w->pools[(handle >> 24) & 15];
  *index = handle & 0xffffff;
  return *index < p->capacity && p->slots[*index].generation == (uint32_t)(handle >> 32) ? p : NULL;
}

static int f_index(lua_State *L)
{
  const world *w = *(world **)lua_getextraspace(L);
  const uint64_t handle = (uint64_t)(uintptr_t)lua_touserdata(L, 1);
  const key *k = key_find(w, lua_tostring(L, 2));
  uint32_t i;
  const pool *p = field_of(w, handle, &i);
  if (k && k->kind == KEY_COLUMN && p) {
    lua_pushnumber(L, p->column[k->value][i]);
    return 1;
  }
  if (k && k->kind == KEY_METHOD) {
    lua_rawgeti(L, lua_upvalueindex(2), k->value);
    return 1;
  }
  return luaL_error(L, "stale or unknown");
}

static int f_newindex(lua_State *L)
{
  const world *w = *(world **)lua_getextraspace(L);
  const uint64_t handle = (uint64_t)(uintptr_t)lua_touserdata(L, 1);
  const key *k = key_find(w, lua_tostring(L, 2));
  uint32_t i;
  const pool *p = field_of(w, handle, &i);
  if (!k || k->kind != KEY_COLUMN || !p)
    return luaL_error(L, "stale or unknown");
  p->column[k->value][i] = (float)lua_tonumber(L, 3);
  return 0;
}

/* bullets:move(dt) */
static int f_move(lua_State *L)
{
  const pool *p = ((pool_userdata *)lua_touserdata(L, 1))->pool;
  const float dt = (float)lua_tonumber(L, 2);
  float *restrict x = p->column[0], *restrict y = p->column[1];
  const float *restrict vx = p->column[2], *restrict vy = p->column[3];
  for (uint32_t i = 0; i < p->capacity; i++) {
    x[i] += vx[i] * dt;
    y[i] += vy[i] * dt;
  }
  return 0;
}

/* bullets:tick() -> how many expired */
static int f_tick(lua_State *L)
{
  pool *p = ((pool_userdata *)lua_touserdata(L, 1))->pool;
  uint32_t *first = &p->bucket[++p->now & (WHEEL - 1)];
  int expired = 0;
  for (; *first != NONE; expired++)
    slot_give(p, *first);
  lua_pushinteger(L, expired);
  return 1;
}

/* Pushes a pool userdata whose methods have the world as upvalue. */
static void push_pool(lua_State *L, world *w, pool *p, const luaL_Reg *methods)
{
  pool_userdata *u = lua_newuserdatauv(L, sizeof *u, 1);
  *u = (pool_userdata){POOL_MAGIC, w, p};
  lua_newtable(L);
  lua_newtable(L);
  lua_pushlightuserdata(L, w);
  luaL_setfuncs(L, methods, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

static const luaL_Reg manager_methods[] = {{"alloc", f_alloc_type}, {"recycle", f_recycle}, {NULL, NULL}};
static const luaL_Reg pool_methods[] = {
    {"alloc", f_alloc}, {"recycle", f_recycle}, {"move", f_move}, {"tick", f_tick}, {NULL, NULL}};

static void set_metamethod(lua_State *L, world *w, const char *event, lua_CFunction f, int methods)
{
  lua_pushlightuserdata(L, w);
  lua_pushvalue(L, methods);
  lua_pushcclosure(L, f, 2);
  lua_setfield(L, -2, event);
}

/* prototype.new(capacity) -> pools, bullets. One world per Lua state. */
static int f_new(lua_State *L)
{
  static const char *const columns[] = {"x", "y", "vx", "vy", "rot", "scale"};
  static const char *const types[POOLS] = {"Bullet", "Enemy", "Coin"};
  const uint32_t capacity = (uint32_t)luaL_checkinteger(L, 1);
  world *w = calloc(1, sizeof *w);
  *(world **)lua_getextraspace(L) = w;
  for (int c = 0; c < 6; c++)
    key_add(L, w, columns[c], KEY_COLUMN, c);
  key_add(L, w, "recycle", KEY_METHOD, 1);
  for (int t = 0; t < POOLS; t++) {
    pool_new(w, t == 0 ? capacity : 16);
    key_add(L, w, types[t], KEY_TYPE, t);
  }
  keys_place(w);

  lua_settop(L, 0);
  lua_createtable(L, 1, 0); /* 1: methods of objects */
  lua_pushlightuserdata(L, w);
  lua_pushcclosure(L, f_object_recycle, 1);
  lua_rawseti(L, 1, 1);
  lua_pushlightuserdata(L, NULL); /* all light userdata share one metatable */
  lua_newtable(L);
  set_metamethod(L, w, "__index", f_index, 1);
  set_metamethod(L, w, "__newindex", f_newindex, 1);
  lua_setmetatable(L, -2);
  lua_settop(L, 0);
  push_pool(L, w, w->pools[0], manager_methods);
  push_pool(L, w, w->pools[0], pool_methods);
  return 2;
}

/* }== */

int luaopen_prototype(lua_State *L);
int luaopen_prototype(lua_State *L)
{
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, f_new);
  lua_setfield(L, -2, "new");
  return 1;
}
