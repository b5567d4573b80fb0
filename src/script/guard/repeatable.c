#include "script/guard/repeatable.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/guard/watchdog.h"
#include "script/state/border.h"
#include "script/state/handles.h"

#define HEAP_KIB 1024.0     /* what collectgarbage("count") answers: the true size depends on addresses and time */
#define UPDATES_A_CYCLE 60u /* of the collector, when it is timed */

enum { OURS = lua_upvalueindex(1), ORIGINAL = lua_upvalueindex(2), SEED = lua_upvalueindex(3) };

static const char registry_key = 'r';

void sp_repeatable_begin(lua_State *L, sp_repeatable *r)
{
  lua_pushlightuserdata(L, r);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_key);
}

sp_repeatable *sp_repeatable_push(lua_State *L)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_key);
  return lua_touserdata(L, -1);
}

/* {== Clocks ============================================================= */

static int64_t time_of(const sp_repeatable *r) { return r->start + (int64_t)floor(r->now + 1e-6); }

/* Each call takes a microsecond, so that loops that wait for the clock end. */
static double read_clock(sp_repeatable *r) { return r->now + (double)r->clocked++ * 1e-6; }

/* }== */

/* {== The collector ====================================================== */

void sp_repeatable_time_collector(lua_State *L, sp_repeatable *r)
{
  if (r->has_real_clocks)
    return;
  r->is_timed = true;
  lua_gc(L, LUA_GCSTOP);
}

void sp_repeatable_note_metatable(lua_State *L, sp_repeatable *r, int index)
{
  if (r->is_timed || sp_raw_field(L, index, "__mode") != LUA_TSTRING || !strpbrk(lua_tostring(L, -1), "kv")) {
    lua_pop(L, r->is_timed ? 0 : 1);
    return;
  }
  lua_pop(L, 1);
  sp_repeatable_time_collector(L, r);
}

void sp_repeatable_advance(lua_State *L, sp_repeatable *r, double dt)
{
  r->now += dt;
  if (!r->is_timed || ++r->rested < UPDATES_A_CYCLE)
    return;
  r->rested = 0;
  lua_gc(L, LUA_GCCOLLECT);
}

/* A step is a whole cycle once the game has weak tables. */
static int run_step(lua_State *L, const sp_repeatable *r)
{
  if (r->is_timed)
    lua_gc(L, LUA_GCCOLLECT);
  else
    lua_gc(L, LUA_GCSTEP, 0);
  lua_pushboolean(L, 1);
  return 1;
}

static int collect_garbage(lua_State *L)
{
  const sp_repeatable *r = sp_repeatable_at(L, OURS);
  const char *option = luaL_optstring(L, 1, "collect");
  if (strcmp(option, "count") == 0) {
    lua_pushnumber(L, HEAP_KIB);
    return 1;
  }
  if (strcmp(option, "step") == 0)
    return run_step(L, r);
  int results = lua_tocfunction(L, ORIGINAL)(L);
  if (r->is_timed)
    lua_gc(L, LUA_GCSTOP);
  return results;
}

/* }== */

/* {== Identities ========================================================= */

/* Each block of memory is marked with its number in the order of allocation: that orders tables, functions and
   coroutines in the same way in every run, and their text has the number of the first call that asked for it instead of
   an address. */

static const char ranks_key = 'i'; /* its address is the key in the registry */

/* The mark of a table, a closure or a coroutine: a coroutine begins behind its extra space. */
static sp_block_mark *mark_of(lua_State *L, int index)
{
  lua_State *co = lua_tothread(L, index);
  const void *block = co ? lua_getextraspace(co) : lua_topointer(L, index);
  return (sp_block_mark *)block - 1;
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

/* Returns the number of a value in the order in which such values were first seen. */
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

uint64_t sp_repeatable_order(lua_State *L, sp_repeatable *r, int index)
{
  if (is_block(L, index))
    return mark_of(L, index)->number;
  const sp_lua_pool *p = sp_to_pool(L, index);
  const sp_lua_manager *m = sp_to_handle(L, index, sizeof *m, SP_MAGIC_MANAGER);
  if (p || m)
    return p ? p->id : m->id;
  return UINT64_C(1) << 63 | rank_of(L, r, index); /* behind pools and managers */
}

/* Returns the number that stands for the address of a value. */
static uint64_t name_of(lua_State *L, sp_repeatable *r, int index)
{
  if (!is_block(L, index))
    return rank_of(L, r, index) << 32;
  sp_block_mark *mark = mark_of(L, index);
  if (mark->name == 0)
    mark->name = ++r->names;
  return mark->name;
}

/* Pushes the text of "%p". */
static void push_pointer(lua_State *L, sp_repeatable *r, int index)
{
  char text[32] = "(null)";
  size_t length;
  uint64_t number = 0;
  if (lua_type(L, index) == LUA_TSTRING) { /* strings of the same text may be one or several */
    const char *bytes = lua_tolstring(L, index, &length);
    number = sp_sum(SP_SUM_BEGIN, bytes, length) >> 16;
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

const char *sp_repeatable_push_text(lua_State *L, sp_repeatable *r, int index)
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
  push_pointer(L, r, index);
  lua_concat(L, 3);
  return lua_tostring(L, -1);
}

static int to_string(lua_State *L)
{
  luaL_checkany(L, 1);
  sp_repeatable_push_text(L, sp_repeatable_at(L, OURS), 1);
  return 1;
}

/* }== */

/* {== math.randomseed ==================================================== */

/* Without arguments Lua takes the time and an address. */
static int random_seed(lua_State *L)
{
  sp_repeatable *r = sp_repeatable_at(L, OURS);
  if (lua_isnone(L, 1)) {
    lua_pushvalue(L, SEED);
    lua_pushinteger(L, (lua_Integer)++r->seeded);
  } else {
    luaL_checknumber(L, 1);
    luaL_optinteger(L, 2, 0);
  }
  lua_pushvalue(L, ORIGINAL); /* it has upvalues */
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

/* }== */

/* {== os ================================================================= */

static int call_original(lua_State *L) { return lua_tocfunction(L, ORIGINAL)(L); }

static int os_date(lua_State *L)
{
  if (lua_isnoneornil(L, 2)) {
    luaL_optstring(L, 1, "%c");
    lua_settop(L, 1);
    lua_pushinteger(L, time_of(sp_repeatable_at(L, OURS)));
  }
  return call_original(L);
}

static int os_time(lua_State *L)
{
  if (!lua_isnoneornil(L, 1))
    return call_original(L);
  lua_pushinteger(L, time_of(sp_repeatable_at(L, OURS)));
  return 1;
}

static int os_clock(lua_State *L)
{
  lua_pushnumber(L, read_clock(sp_repeatable_at(L, OURS)));
  return 1;
}

/* }== */

/* {== string.format ====================================================== */

/* Addresses are replaced, in the arguments, and "%p" by "%s". */
static int text_format(lua_State *L)
{
  size_t length;
  sp_repeatable *r = sp_repeatable_at(L, OURS);
  int top = lua_gettop(L), arg = 1;
  const char *format = luaL_checklstring(L, 1, &length), *end = format + length;
  char *copy = memcpy(lua_newuserdatauv(L, length + 1, 0), format, length + 1);
  for (const char *at = format; arg < top && (at = memchr(at, '%', (size_t)(end - at))) != NULL; at++) {
    at++;
    at += strspn(at, "-+ #0123456789.");
    if (*at == '%')
      continue;
    arg++;
    if (*at == 'p') {
      copy[at - format] = 's';
      push_pointer(L, r, arg);
    } else if (*at == 's') {
      sp_repeatable_push_text(L, r, arg);
    } else {
      continue;
    }
    lua_replace(L, arg);
  }
  lua_pushlstring(L, copy, length);
  lua_replace(L, 1);
  lua_settop(L, top);
  return call_original(L);
}

/* }== */

/* {== Keys of tables ===================================================== */

/* A loop gets a list of the keys when it begins, and walks that. `next` without a loop is stateless: the list of a
   table is kept until its last key was passed, so that walking a table with `next` does not sort it again at each step.
   */

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
  sp_work_do(&work, sorted ? 1 : (uint32_t)(count < 4000 ? count * 5 : SP_STEPS_A_CHECK));
  return count;
}

enum { CACHE = lua_upvalueindex(2) };
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

/* Replaces `pairs` and `next`. */
static void replace_pairs(lua_State *L, sp_repeatable *r)
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

/* Replaces the function `name` of the table on top. */
static void replace(lua_State *L, const char *name, lua_CFunction ours)
{
  sp_repeatable *r = sp_repeatable_push(L);
  sp_raw_field(L, -2, name);
  lua_pushinteger(L, r->start);
  lua_pushcclosure(L, ours, 3);
  lua_setfield(L, -2, name);
}

/* Replaces what returns the time, or depends on it, in the table of globals on top. */
static void replace_clocks(lua_State *L)
{
  replace(L, "collectgarbage", collect_garbage);
  sp_raw_field(L, -1, "math");
  replace(L, "randomseed", random_seed);
  sp_raw_field(L, -2, "os");
  replace(L, "clock", os_clock);
  replace(L, "date", os_date);
  replace(L, "time", os_time);
  lua_pop(L, 2);
}

void sp_repeatable_open(lua_State *L)
{
  bool has_real_clocks = sp_repeatable_push(L)->has_real_clocks;
  lua_pushglobaltable(L);
  if (!has_real_clocks)
    replace_clocks(L);
  replace(L, "tostring", to_string);
  sp_raw_field(L, -1, "string");
  replace(L, "format", text_format);
  lua_pop(L, 3);
  replace_pairs(L, sp_repeatable_push(L));
  lua_pop(L, 1);
}
