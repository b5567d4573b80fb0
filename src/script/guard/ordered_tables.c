/*
** A loop gets a list of the keys when it begins, and walks that. `next` without a loop is stateless: the list of a table
** is kept until its last key was passed, so that walking a table with `next` does not sort it again at each step.
*/
#include "script/guard/ordered_tables.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "script/guard/watchdog.h"
#include "script/state/handles.h"

/* {== The order ========================================================== */

/* Kinds of keys in their order. */
typedef enum key_kind {
  KIND_FALSE,
  KIND_TRUE,
  KIND_NUMBER,
  KIND_STRING,
  KIND_OBJECT,
  KIND_TABLE,
  KIND_FUNCTION,
  KIND_COROUTINE,
  KIND_USERDATA
} key_kind;

typedef struct ordered_key {
  key_kind kind;
  bool is_integer;
  size_t length; /* of the string */
  union {
    lua_Integer integer;
    lua_Number number;
    uint64_t identity;
    const char *text;
  } of;
  lua_Integer place; /* in the list that was read */
} ordered_key;

static ordered_key identified(key_kind kind, uint64_t identity)
{
  return (ordered_key){.kind = kind, .of.identity = identity};
}

static uint64_t order_of(lua_State *L, sp_repeatable *r, int index) { return r ? sp_repeatable_order(L, r, index) : 0; }

/* Reads the key at `index`. Its string must stay referenced while the key is compared. */
static ordered_key read_key(lua_State *L, sp_repeatable *r, int index)
{
  ordered_key k = {.kind = KIND_STRING};
  switch (lua_type(L, index)) {
  case LUA_TBOOLEAN:
    k.kind = lua_toboolean(L, index) ? KIND_TRUE : KIND_FALSE;
    return k;
  case LUA_TNUMBER:
    k.kind = KIND_NUMBER;
    k.is_integer = lua_isinteger(L, index);
    if (k.is_integer)
      k.of.integer = lua_tointeger(L, index);
    else
      k.of.number = lua_tonumber(L, index);
    return k;
  case LUA_TSTRING:
    k.of.text = lua_tolstring(L, index, &k.length);
    return k;
  case LUA_TLIGHTUSERDATA:
    return identified(KIND_OBJECT, sp_to_object(L, index));
  case LUA_TTABLE:
    return identified(KIND_TABLE, order_of(L, r, index));
  case LUA_TFUNCTION:
    return identified(KIND_FUNCTION, order_of(L, r, index));
  case LUA_TTHREAD:
    return identified(KIND_COROUTINE, order_of(L, r, index));
  default:
    return identified(KIND_USERDATA, order_of(L, r, index));
  }
}

/* Compares an integer with a float as floats, which rounds; equal ones by kind, because a key that is a float equals no
   integer. */
static int compare_numbers(const ordered_key *a, const ordered_key *b)
{
  if (a->is_integer && b->is_integer)
    return (a->of.integer > b->of.integer) - (a->of.integer < b->of.integer);
  lua_Number x = a->is_integer ? (lua_Number)a->of.integer : a->of.number;
  lua_Number y = b->is_integer ? (lua_Number)b->of.integer : b->of.number;
  return x != y ? (x > y) - (x < y) : a->is_integer - b->is_integer;
}

static int compare_strings(const ordered_key *a, const ordered_key *b)
{
  int by_bytes = memcmp(a->of.text, b->of.text, a->length < b->length ? a->length : b->length);
  return by_bytes != 0 ? by_bytes : (a->length > b->length) - (a->length < b->length);
}

static int compare(const void *first, const void *second)
{
  const ordered_key *a = first, *b = second;
  if (a->kind != b->kind)
    return (a->kind > b->kind) - (a->kind < b->kind);
  if (a->kind == KIND_NUMBER)
    return compare_numbers(a, b);
  if (a->kind == KIND_STRING)
    return compare_strings(a, b);
  if (a->kind < KIND_NUMBER)
    return 0;
  return (a->of.identity > b->of.identity) - (a->of.identity < b->of.identity);
}

/* }== */

/* {== Lists of keys ====================================================== */

/* Pushes the list of keys as the table has them, and returns their count. */
static lua_Integer push_keys(lua_State *L, int table)
{
  lua_Integer count = 0;
  sp_work work = sp_work_begin(L);
  lua_createtable(L, (int)(lua_rawlen(L, table) & 0xfffff), 0);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_rawseti(L, -4, ++count);
    sp_work_do(&work, 8);
  }
  return count;
}

static bool is_sorted(const ordered_key *keys, lua_Integer count)
{
  for (lua_Integer i = 1; i < count; i++)
    if (compare(&keys[i - 1], &keys[i]) > 0)
      return false;
  return true;
}

/* Replaces the list on top by one in the order of the keys. */
static void reorder(lua_State *L, const ordered_key *keys, lua_Integer count)
{
  int list = lua_gettop(L);
  lua_createtable(L, (int)count, 0);
  for (lua_Integer i = 0; i < count; i++) {
    lua_rawgeti(L, list, keys[i].place);
    lua_rawseti(L, list + 1, i + 1);
  }
  lua_replace(L, list);
}

#define FEW 16

lua_Integer sp_push_ordered_keys(lua_State *L, sp_repeatable *r, int index)
{
  ordered_key few[FEW], *keys = few;
  sp_work work = sp_work_begin(L);
  luaL_checkstack(L, 8, NULL);
  int table = lua_absindex(L, index);
  lua_Integer count = push_keys(L, table);
  int list = lua_gettop(L);
  if (count > FEW)
    keys = lua_newuserdatauv(L, (size_t)count * sizeof *keys, 0);
  for (lua_Integer i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    keys[i] = read_key(L, r, -1); /* strings stay where they are: the list holds them */
    keys[i].place = i + 1;
    lua_pop(L, 1);
    sp_work_do(&work, 8);
  }
  bool sorted = is_sorted(keys, count);
  if (!sorted) {
    qsort(keys, (size_t)count, sizeof *keys, compare);
    lua_pushvalue(L, list);
    reorder(L, keys, count);
    lua_replace(L, list);
  }
  lua_settop(L, list);
  sp_work_do(&work, sorted ? 1 : (uint32_t)(count < 4000 ? count * 5 : SP_STEPS_A_LOOK));
  return count;
}

/* }== */

/* {== next =============================================================== */

enum { OURS = lua_upvalueindex(1), CACHE = lua_upvalueindex(2) };
#define PLACE_VISITED 0 /* the index in a list of keys of how many were visited */

/* Sets the list of the table at 1 in the cache, whose keys are weak, to the value on top, and pops it. */
static void set_list(lua_State *L)
{
  lua_pushvalue(L, 1);
  lua_insert(L, -2);
  lua_rawset(L, CACHE);
}

static void forget_list(lua_State *L)
{
  lua_pushnil(L);
  set_list(L);
}

/* Pushes the list of the table at 1, which is made if there is none. */
static void push_list(lua_State *L, sp_repeatable *r)
{
  lua_pushvalue(L, 1);
  if (lua_rawget(L, CACHE) != LUA_TNIL)
    return;
  lua_pop(L, 1);
  sp_push_ordered_keys(L, r, 1);
  lua_pushvalue(L, -1);
  set_list(L);
}

/* Returns the place in the list at `keys` of the last key that is not behind the key at 2. */
static lua_Integer place_of(lua_State *L, sp_repeatable *r, int keys)
{
  lua_Integer low = 0, high = (lua_Integer)lua_rawlen(L, keys);
  ordered_key key = read_key(L, r, 2);
  while (low < high) {
    lua_Integer middle = low + (high - low + 1) / 2;
    lua_rawgeti(L, keys, middle);
    ordered_key other = read_key(L, r, -1);
    bool is_behind = compare(&other, &key) > 0;
    lua_pop(L, 1);
    if (is_behind)
      high = middle - 1;
    else
      low = middle;
  }
  return low;
}

/* Returns from the list at `keys`, behind `place`, the first key that has a value, and that; the place is written to
   `place`. Returns 0 at the end. */
static int push_next(lua_State *L, int table, int keys, lua_Integer *place)
{
  for (lua_Integer i = *place + 1; lua_rawgeti(L, keys, i) != LUA_TNIL; i++) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, table) != LUA_TNIL) {
      *place = i;
      return 2;
    }
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
  return 0;
}

/* next(t): pushes the least key. Makes no list, because games often call it only to test whether a table is empty. */
static int push_first(lua_State *L, sp_repeatable *r)
{
  sp_work work = sp_work_begin(L);
  bool any = false;
  lua_settop(L, 1);
  lua_pushnil(L); /* at 2: the least key so far */
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    ordered_key key = read_key(L, r, 3), least = any ? read_key(L, r, 2) : key;
    if (!any || compare(&key, &least) < 0) {
      lua_pushvalue(L, 3);
      lua_replace(L, 2);
    }
    any = true;
    sp_work_do(&work, 8);
  }
  if (!any)
    return 1;
  lua_pushvalue(L, 2);
  lua_rawget(L, 1);
  return 2;
}

/* The arguments are at 1 and 2. */
static int next_key(lua_State *L)
{
  enum { TABLE = 1, KEY, KEYS };
  sp_repeatable *r = sp_repeatable_at(L, OURS);
  luaL_checktype(L, TABLE, LUA_TTABLE);
  lua_settop(L, KEY);
  if (lua_isnil(L, KEY)) {
    forget_list(L);
    return push_first(L, r);
  }
  push_list(L, r);
  lua_rawgeti(L, KEYS, PLACE_VISITED);
  lua_Integer place = lua_tointeger(L, -1);
  lua_rawgeti(L, KEYS, place);
  if (place == 0 || !lua_rawequal(L, -1, KEY))
    place = place_of(L, r, KEYS);
  lua_settop(L, KEYS);
  int count = push_next(L, TABLE, KEYS, &place);
  if (count == 0) {
    forget_list(L);
    lua_pushnil(L);
    return 1;
  }
  lua_pushinteger(L, place);
  lua_rawseti(L, KEYS, PLACE_VISITED);
  return count;
}

/* }== */

/* {== pairs ============================================================== */

/* Upvalues of an iterator: the table, its keys, how many were visited, and `next`. */
enum {
  TABLE = lua_upvalueindex(1),
  KEYS = lua_upvalueindex(2),
  PLACE = lua_upvalueindex(3),
  NEXT = lua_upvalueindex(4)
};

/* Works like `next` when it is not called by its own loop. */
static int call_next(lua_State *L)
{
  lua_settop(L, 2);
  lua_pushvalue(L, NEXT);
  lua_insert(L, 1);
  lua_call(L, 2, LUA_MULTRET);
  return lua_gettop(L);
}

static int iterate(lua_State *L)
{
  lua_Integer place = lua_tointeger(L, PLACE);
  lua_settop(L, 2);
  lua_rawgeti(L, KEYS, place);
  if (!lua_rawequal(L, 1, TABLE) || !(place == 0 ? lua_isnil(L, 2) : lua_rawequal(L, 3, 2)))
    return call_next(L);
  if (push_next(L, TABLE, KEYS, &place) == 0) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushinteger(L, place);
  lua_replace(L, PLACE);
  return 2;
}

static int after_pairs(lua_State *L, int status, lua_KContext unused)
{
  (void)L, (void)status, (void)unused;
  return 3;
}

/* Upvalues: the state, and `next`. */
static int ordered_pairs(lua_State *L)
{
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_callk(L, 1, 3, 0, after_pairs);
    return 3;
  }
  if (lua_istable(L, 1)) {
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    sp_push_ordered_keys(L, sp_repeatable_at(L, OURS), 1);
    lua_pushinteger(L, 0);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_pushcclosure(L, iterate, 4);
  } else {
    lua_pushvalue(L, lua_upvalueindex(2)); /* it raises, as Lua's does */
  }
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

void sp_ordered_tables_open(lua_State *L, sp_repeatable *r)
{
  lua_pushlightuserdata(L, r);
  lua_pushvalue(L, -1);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pushcclosure(L, next_key, 2);
  lua_pushvalue(L, -1);
  lua_setglobal(L, "next");
  lua_pushcclosure(L, ordered_pairs, 2);
  lua_setglobal(L, "pairs");
}

/* }== */
