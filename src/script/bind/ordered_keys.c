#include "script/bind/ordered_keys.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "script/guard/watchdog.h"
#include "script/state/border.h"
#include "script/state/handles.h"

enum { OURS = lua_upvalueindex(1) };

/* {== Keys of tables ===================================================== */

/* A loop gets a list of the keys when it begins, and walks that; the keys 1 to n need no list. Tables that have the
   same keys share one list, so that only new sets of keys are sorted. `next` without a loop is stateless: the walk of a
   table is kept until its last key was passed. */

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

/* Pushes the list of keys as the table has them, and returns their count. */
static lua_Integer push_keys(lua_State *L, int table)
{
  lua_Integer count = 0;
  sp_timed_work work = sp_work_begin(L, sp_watchdog_of(L));
  lua_createtable(L, (int)(lua_rawlen(L, table) & 0xfffff), 0);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_rawseti(L, -4, ++count);
    sp_work_do(&work, 8);
  }
  return count;
}

/* Pushes a new list of the keys of the table at `table` in their order, and returns their count. */
static lua_Integer push_sorted_keys(lua_State *L, sp_repeatable *r, int table)
{
  sp_timed_work work = sp_work_begin(L, sp_watchdog_of(L));
  const lua_Integer count = push_keys(L, table);
  const int list = lua_gettop(L);
  ordered_key *keys = lua_newuserdatauv(L, (size_t)count * sizeof *keys, 0);
  for (lua_Integer i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    keys[i] = read_key(L, r, -1); /* strings stay where they are: the list holds them */
    keys[i].place = i + 1;
    lua_pop(L, 1);
    sp_work_do(&work, 8);
  }
  qsort(keys, (size_t)count, sizeof *keys, compare);
  lua_createtable(L, (int)count, 0);
  for (lua_Integer i = 0; i < count; i++) {
    lua_rawgeti(L, list, keys[i].place);
    lua_rawseti(L, -2, i + 1);
  }
  lua_replace(L, list);
  lua_settop(L, list);
  sp_work_do(&work, (uint32_t)(count < 4000 ? count * 5 : SP_STEPS_A_CHECK));
  return count;
}

/* }== */

/* {== Shared lists of keys =============================================== */

static const char lists_key = 'l'; /* its address is the key in the registry */

/* Places of shared lists, which a newer list takes over. Large ones have few, because they hold their keys. */
enum { SMALL_LISTS = 64, LARGE_LISTS = 4, SMALL_MOST = 1024 };

/* The keys of a table. */
typedef struct key_set {
  lua_Integer count;
  uint64_t content; /* a number that is the same in all runs: the garbage of loops must not depend on addresses */
  bool is_sequence; /* they are 1 .. count */
  bool has_blocks;  /* a list of them must not keep them alive */
} key_set;

static key_set read_set(lua_State *L, int table)
{
  key_set set = {.is_sequence = true};
  sp_timed_work work = sp_work_begin(L, sp_watchdog_of(L));
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    const int type = lua_type(L, -2);
    const uint64_t integer = type == LUA_TNUMBER ? (uint64_t)lua_tointeger(L, -2) : 0;
    set.is_sequence &= integer == (uint64_t)++set.count && lua_isinteger(L, -2);
    set.has_blocks |= type >= LUA_TTABLE;
    set.content += integer;
    if (type == LUA_TSTRING) {
      size_t length;
      const char *text = lua_tolstring(L, -2, &length);
      set.content += length * 67 + (unsigned char)text[0] * 31u + (unsigned char)text[length / 2];
    }
    sp_work_do(&work, 3);
  }
  return set;
}

/* Returns whether the list on top has the keys of a table that has `count`. */
static bool is_list_of(lua_State *L, int table, lua_Integer count)
{
  const int list = lua_gettop(L);
  bool is = true;
  for (lua_Integer i = 1; is && i <= count; i++, lua_settop(L, list))
    is = lua_rawgeti(L, list, i) != LUA_TNIL && lua_rawget(L, table) != LUA_TNIL;
  return is;
}

int spl_push_key_lists(lua_State *L) { return lua_rawgetp(L, LUA_REGISTRYINDEX, &lists_key); }

/* Pushes the table of shared lists; its entry 0 is the metatable of those that hold their keys weakly. */
static void push_lists(lua_State *L)
{
  if (spl_push_key_lists(L) == LUA_TTABLE)
    return;
  lua_pop(L, 1);
  lua_createtable(L, SMALL_LISTS + LARGE_LISTS, 1);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_rawseti(L, -2, 0);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &lists_key);
}

/* Pushes the list of the keys of the table at `table`. Shared lists are at `lists`. */
static void push_shared_keys(lua_State *L, sp_repeatable *r, int table, const key_set *set, int lists)
{
  const uint64_t content = set->content + (uint64_t)set->count;
  const uint64_t seat = set->count <= SMALL_MOST ? content % SMALL_LISTS : SMALL_LISTS + content % LARGE_LISTS;
  const lua_Integer place = (lua_Integer)seat + 1;
  const int list = lua_gettop(L) + 1;
  if (lua_rawgeti(L, lists, place) == LUA_TTABLE && is_list_of(L, table, set->count))
    return;
  push_sorted_keys(L, r, table);
  lua_replace(L, list);
  if (set->has_blocks) {
    lua_rawgeti(L, lists, 0);
    lua_setmetatable(L, list);
  }
  lua_pushvalue(L, list);
  lua_rawseti(L, lists, place);
}

lua_Integer sp_push_ordered_keys(lua_State *L, sp_repeatable *r, int index)
{
  const int table = lua_absindex(L, index);
  luaL_checkstack(L, 8, NULL);
  if (!r)
    return push_sorted_keys(L, r, table);
  const key_set set = read_set(L, table);
  push_lists(L);
  push_shared_keys(L, r, table, &set, lua_gettop(L));
  lua_replace(L, -2);
  return set.count;
}

/* }== */

/* {== pairs and next ===================================================== */

/* A walk over the keys of a table. */
typedef struct walk {
  const void *table;        /* NULL: the walk is over */
  uint64_t number;          /* of the table's block: another table may get its address */
  lua_Integer place, count; /* keys visited, and all */
  bool is_sequence;         /* the keys are 1 .. count, and there is no list */
  const void *last;         /* lua_topointer of the last key */
} walk;

/* Pushes a new walk. */
static walk *push_walk(lua_State *L)
{
  walk *w = lua_newuserdatauv(L, sizeof *w, 1);
  *w = (walk){.table = NULL};
  return w;
}

/* Returns whether the key at 2 is the one that the walk has visited last. */
static inline bool is_at(lua_State *L, const walk *w, int keys)
{
  if (w->last)
    return lua_topointer(L, 2) == w->last;
  if (w->place == 0)
    return lua_isnil(L, 2);
  if (w->is_sequence)
    return lua_isinteger(L, 2) && lua_tointeger(L, 2) == w->place;
  lua_rawgeti(L, keys, w->place);
  bool is_it = lua_rawequal(L, -1, 2);
  lua_pop(L, 1);
  return is_it;
}

/* Pushes the next key of the table at 1 that has a value, and that; returns 0 at the end. The list is at `keys`. */
static inline int advance(lua_State *L, walk *w, int keys)
{
  while (w->place < w->count) {
    int type;
    w->place++;
    if (w->is_sequence) {
      lua_pushinteger(L, w->place);
      type = lua_rawgeti(L, 1, w->place);
    } else {
      lua_rawgeti(L, keys, w->place); /* nil when it was collected */
      w->last = lua_topointer(L, -1);
      lua_pushvalue(L, -1);
      type = lua_rawget(L, 1);
    }
    if (type != LUA_TNIL)
      return 2;
    lua_pop(L, 2);
  }
  w->table = NULL;
  return 0;
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

/* next(t): pushes the least key. Makes no list, because games often call it only to test whether a table is empty. */
static int push_first(lua_State *L, sp_repeatable *r)
{
  sp_timed_work work = sp_work_begin(L, sp_watchdog_of(L));
  ordered_key least = {.kind = KIND_USERDATA, .of.identity = UINT64_MAX};
  lua_settop(L, 1);
  lua_pushnil(L); /* at 2: the least key so far */
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    ordered_key key = read_key(L, r, 3);
    if (compare(&key, &least) < 0) {
      least = key;
      lua_pushvalue(L, 3);
      lua_replace(L, 2);
    }
    sp_work_do(&work, 8);
  }
  if (lua_isnil(L, 2))
    return 1;
  lua_pushvalue(L, 2);
  lua_rawget(L, 1);
  return 2;
}

enum { WALKS = lua_upvalueindex(2) };

/* Sets the walk of the table at 1, in a table whose keys are weak, to the value on top, and pops it. */
static void set_walk(lua_State *L)
{
  lua_pushvalue(L, 1);
  lua_insert(L, -2);
  lua_rawset(L, WALKS);
}

/* Pushes the walk of the table at 1, which is made if there is none. */
static walk *push_walk_of(lua_State *L, sp_repeatable *r)
{
  lua_pushvalue(L, 1);
  if (lua_rawget(L, WALKS) == LUA_TUSERDATA)
    return lua_touserdata(L, -1);
  lua_pop(L, 1);
  walk *w = push_walk(L);
  w->count = push_sorted_keys(L, r, 1);
  lua_setiuservalue(L, -2, 1);
  lua_pushvalue(L, -1);
  set_walk(L);
  return w;
}

/* The arguments are at 1 and 2. */
static int next_key(lua_State *L)
{
  enum { KEY = 2, WALK, KEYS };
  sp_repeatable *r = sp_repeatable_at(L, OURS);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, KEY);
  if (lua_isnil(L, KEY)) {
    lua_pushnil(L);
    set_walk(L);
    return push_first(L, r);
  }
  walk *w = push_walk_of(L, r);
  lua_getiuservalue(L, WALK, 1);
  if (w->place == 0 || !is_at(L, w, KEYS))
    w->place = place_of(L, r, KEYS);
  if (advance(L, w, KEYS))
    return 2;
  lua_pushnil(L);
  set_walk(L);
  lua_pushnil(L);
  return 1;
}

/* Upvalues of an iterator: its walk, the list of keys, and `next`. */
enum { WALK = 1, KEYS, NEXT };

static uint64_t number_of(const void *table) { return ((const sp_block_mark *)table - 1)->number; }

/* Works like `next` when it is not called by its own loop. */
static int call_next(lua_State *L)
{
  lua_settop(L, 2);
  lua_pushvalue(L, lua_upvalueindex(NEXT));
  lua_insert(L, 1);
  lua_call(L, 2, LUA_MULTRET);
  return lua_gettop(L);
}

static int iterate(lua_State *L)
{
  walk *w = lua_touserdata(L, lua_upvalueindex(WALK));
  if (!w->table || lua_topointer(L, 1) != w->table || number_of(w->table) != w->number ||
      !is_at(L, w, lua_upvalueindex(KEYS)))
    return call_next(L);
  if (advance(L, w, lua_upvalueindex(KEYS)))
    return 2;
  lua_pushnil(L);
  return 1;
}

static int after_pairs(lua_State *L, int status, lua_KContext unused)
{
  (void)L, (void)status, (void)unused;
  return 3;
}

/* Upvalues of `pairs`: the state, `next`, the shared lists, and the two newest iterators, each with its walk: the next
   loop takes one whose own loop is over, so that loops, and loops in loops, make no garbage. */
enum { LISTS = lua_upvalueindex(3), OLDER = 4, NEWER = 6, UPVALUES = 7 };

static void move_upvalue(lua_State *L, int from, int to)
{
  lua_pushvalue(L, from);
  lua_replace(L, to);
}

/* Pushes an iterator whose walk is over. */
static walk *push_iterator(lua_State *L)
{
  walk *w;
  for (int at = OLDER; at <= NEWER; at += NEWER - OLDER)
    if ((w = lua_touserdata(L, lua_upvalueindex(at + 1))) != NULL && !w->table) {
      lua_pushvalue(L, lua_upvalueindex(at));
      return w;
    }
  move_upvalue(L, lua_upvalueindex(NEWER), lua_upvalueindex(OLDER));
  move_upvalue(L, lua_upvalueindex(NEWER + 1), lua_upvalueindex(OLDER + 1));
  w = push_walk(L);
  move_upvalue(L, -1, lua_upvalueindex(NEWER + 1));
  lua_pushnil(L);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushcclosure(L, iterate, 3);
  move_upvalue(L, -1, lua_upvalueindex(NEWER));
  return w;
}

/* Pushes an iterator over the table at 1. */
static void begin_walk(lua_State *L)
{
  const key_set set = read_set(L, 1);
  const void *table = lua_topointer(L, 1);
  walk *w = push_iterator(L);
  if (!set.is_sequence) {
    push_shared_keys(L, sp_repeatable_at(L, OURS), 1, &set, LISTS);
    lua_setupvalue(L, -2, KEYS);
  }
  *w = (walk){table, number_of(table), .count = set.count, .is_sequence = set.is_sequence};
}

static int ordered_pairs(lua_State *L)
{
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_callk(L, 1, 3, 0, after_pairs);
    return 3;
  }
  if (lua_istable(L, 1))
    begin_walk(L);
  else
    lua_pushvalue(L, lua_upvalueindex(2)); /* it raises, as Lua's does */
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

bool sp_orders_keys(lua_CFunction f) { return f == ordered_pairs || f == next_key || f == iterate; }

void sp_replace_pairs(lua_State *L)
{
  sp_repeatable_push(L);
  lua_pushvalue(L, -1);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pushcclosure(L, next_key, 2);
  lua_pushvalue(L, -1);
  lua_setglobal(L, "next");
  push_lists(L);
  for (int i = OLDER; i <= UPVALUES; i++)
    lua_pushnil(L);
  lua_pushcclosure(L, ordered_pairs, UPVALUES);
  lua_setglobal(L, "pairs");
}

/* }== */
