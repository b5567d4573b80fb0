/*
** concat, insert, move, remove, sort and unpack. Tables without a metatable are accessed raw, which is faster; with
** one, each access may call a function, after which the watchdog is checked.
*/
#include "script/guard/table_library.h"

#include <lauxlib.h>
#include <limits.h>
#include <string.h>

#include "script/guard/watchdog.h"
#include "script/state/border.h"

#define MOVED_MOST ((lua_Unsigned)1 << 26) /* elements: less than a second */

/* {== Access ============================================================= */

typedef struct access {
  sp_work work;
  bool raw; /* without metamethods */
} access;

static bool has_metatable(lua_State *L, int index)
{
  if (SP_LIKELY(!lua_getmetatable(L, index)))
    return false;
  lua_pop(L, 1);
  return true;
}

static bool has_metamethod(lua_State *L, int index, const char *name)
{
  bool has = false;
  if (lua_getmetatable(L, index)) {
    has = sp_raw_field(L, -1, name) != LUA_TNIL;
    lua_pop(L, 2);
  }
  return has;
}

/* `needs`: metamethods that a value other than a table must have, ended by NULL. */
static access check_table(lua_State *L, int arg, const char *const *needs)
{
  bool is_table = lua_type(L, arg) == LUA_TTABLE, stands_in = !is_table && has_metatable(L, arg);
  for (; stands_in && *needs; needs++)
    stands_in = has_metamethod(L, arg, *needs);
  if (!is_table && !stands_in)
    luaL_checktype(L, arg, LUA_TTABLE);
  return (access){sp_work_begin(L), !has_metatable(L, arg)};
}

static const char *const reading[] = {"__index", NULL};
static const char *const writing[] = {"__newindex", NULL};
static const char *const measured[] = {"__index", "__len", NULL};
static const char *const changed[] = {"__index", "__newindex", "__len", NULL};

static lua_Integer length_of(lua_State *L, access *a)
{
  if (a->raw)
    return (lua_Integer)lua_rawlen(L, 1);
  lua_Integer length = luaL_len(L, 1);
  sp_work_called(&a->work);
  return length;
}

/* Each access counts as a step. */
static inline int get(lua_State *L, access *a, int table, lua_Integer i)
{
  if (a->raw)
    return lua_rawgeti(L, table, i);
  int type = lua_geti(L, table, i);
  sp_work_called(&a->work);
  return type;
}

static inline void set(lua_State *L, access *a, int table, lua_Integer i)
{
  if (a->raw) {
    sp_work_do(&a->work, 1);
    lua_rawseti(L, table, i);
  } else {
    lua_seti(L, table, i);
    sp_work_called(&a->work);
  }
}

/* }== */

/* {== Moving ============================================================= */

static void check_moved(lua_State *L, int arg, lua_Integer from, lua_Integer to)
{
  if (to >= from && (lua_Unsigned)to - (lua_Unsigned)from >= MOVED_MOST)
    luaL_argerror(L, arg, "too many elements to move");
}

static int table_insert(lua_State *L)
{
  access a = check_table(L, 1, changed);
  lua_Integer end = (lua_Integer)((lua_Unsigned)length_of(L, &a) + 1), at = end;
  int count = lua_gettop(L);
  if (count != 2 && count != 3)
    return luaL_error(L, "wrong number of arguments to 'insert'");
  if (count == 3) {
    at = luaL_checkinteger(L, 2);
    luaL_argcheck(L, (lua_Unsigned)at - 1 < (lua_Unsigned)end, 2, "position out of bounds");
    check_moved(L, 1, at, end);
    for (lua_Integer i = end; i > at; i--) {
      get(L, &a, 1, i - 1);
      set(L, &a, 1, i);
    }
  }
  set(L, &a, 1, at);
  return 0;
}

static int table_remove(lua_State *L)
{
  access a = check_table(L, 1, changed);
  lua_Integer size = length_of(L, &a), at = luaL_optinteger(L, 2, size);
  if (at != size)
    luaL_argcheck(L, (lua_Unsigned)at - 1 <= (lua_Unsigned)size, 2, "position out of bounds");
  check_moved(L, 1, at, size);
  get(L, &a, 1, at);
  for (; at < size; at++) {
    get(L, &a, 1, at + 1);
    set(L, &a, 1, at);
  }
  lua_pushnil(L);
  set(L, &a, 1, at);
  return 1;
}

static int table_move(lua_State *L)
{
  lua_Integer from = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3), to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  access a = check_table(L, 1, reading), b = check_table(L, target, writing);
  a.raw &= b.raw;
  if (last >= from) {
    luaL_argcheck(L, from > 0 || last < LUA_MAXINTEGER + from, 3, "too many elements to move");
    check_moved(L, 3, from, last);
    lua_Integer count = last - from + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    bool upwards = to > last || to <= from || (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      lua_Integer offset = upwards ? i : count - 1 - i;
      get(L, &a, 1, from + offset);
      set(L, &a, target, to + offset);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

/* }== */

/* {== Reading ============================================================ */

static int table_unpack(lua_State *L)
{
  access a = {sp_work_begin(L), lua_istable(L, 1) && !has_metatable(L, 1)};
  lua_Integer from = luaL_optinteger(L, 2, 1);
  lua_Integer last = lua_isnoneornil(L, 3) ? length_of(L, &a) : luaL_checkinteger(L, 3);
  if (from > last)
    return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)from;
  if (count >= (unsigned)INT_MAX || !lua_checkstack(L, (int)(count + 1)))
    return luaL_error(L, "too many results to unpack");
  for (lua_Unsigned i = 0; i <= count; i++) /* at most a million */
    get(L, &a, 1, (lua_Integer)((lua_Unsigned)from + i));
  return (int)count + 1;
}

static void add_element(lua_State *L, access *a, luaL_Buffer *b, lua_Integer i)
{
  get(L, a, 1, i);
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1), i);
  sp_work_do(&a->work, 2);
  luaL_addvalue(b);
}

static int table_concat(lua_State *L)
{
  luaL_Buffer b;
  size_t separator_length;
  access a = check_table(L, 1, measured);
  lua_Integer length = length_of(L, &a);
  const char *separator = luaL_optlstring(L, 2, "", &separator_length);
  lua_Integer i = luaL_optinteger(L, 3, 1), last = luaL_optinteger(L, 4, length);
  if (last >= i && (lua_Unsigned)last - (lua_Unsigned)i >= MOVED_MOST)
    return luaL_argerror(L, 4, "too many elements to concatenate");
  luaL_buffinit(L, &b);
  for (; i < last; i++) {
    add_element(L, &a, &b, i);
    luaL_addlstring(&b, separator, separator_length);
  }
  if (i == last)
    add_element(L, &a, &b, i);
  luaL_pushresult(&b);
  return 1;
}

/* }== */

/* {== Sorting ============================================================ */

/* Lua's quicksort: with the same order function, elements end up in the same positions. Only the pivot of long,
   badly divided ranges is chosen by their length instead of the clock. */

#define RANDOM_FROM 100u /* elements */

typedef struct sorting {
  access a;
  unsigned mixed; /* chooses pivots; 0 while ranges divide well */
} sorting;

static bool is_less_by_itself(lua_State *L, sorting *s, int a, int b)
{
  int type = lua_type(L, a);
  size_t length = type == LUA_TSTRING ? (size_t)lua_rawlen(L, a) : 0;
  bool less = lua_compare(L, a, b, LUA_OPLT);
  sp_work_do(&s->a.work, length < SP_STEPS_A_LOOK ? 2 + (uint32_t)length / 16 : SP_STEPS_A_LOOK);
  if (type != LUA_TNUMBER && type != LUA_TSTRING)
    sp_work_called(&s->a.work);
  return less;
}

/* Compares two elements on the stack, by negative indices. */
static bool is_less(lua_State *L, sorting *s, int a, int b)
{
  if (lua_isnil(L, 2))
    return is_less_by_itself(L, s, a, b);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, a - 1);
  lua_pushvalue(L, b - 2);
  lua_call(L, 2, 1);
  bool less = lua_toboolean(L, -1);
  lua_pop(L, 1);
  sp_work_called(&s->a.work);
  return less;
}

static void set_both(lua_State *L, sorting *s, unsigned i, unsigned k)
{
  set(L, &s->a, 1, i);
  set(L, &s->a, 1, k);
}

/* Partitions a range; the pivot is on top of the stack, and at high - 1. Returns its final index. */
static unsigned divide(lua_State *L, sorting *s, unsigned low, unsigned high)
{
  static const char wrong[] = "invalid order function for sorting";
  unsigned i = low, k = high - 1;
  for (;;) {
    while (get(L, &s->a, 1, ++i), is_less(L, s, -1, -2)) {
      if (i == high - 1)
        luaL_error(L, wrong);
      lua_pop(L, 1);
    }
    while (get(L, &s->a, 1, --k), is_less(L, s, -3, -1)) {
      if (k < i)
        luaL_error(L, wrong);
      lua_pop(L, 1);
    }
    if (k < i) {
      lua_pop(L, 1);
      set_both(L, s, high - 1, i); /* element i moves to the pivot's place */
      return i;
    }
    set_both(L, s, i, k);
  }
}

static unsigned choose_pivot(const sorting *s, unsigned low, unsigned high)
{
  unsigned quarter = (high - low) / 4;
  if (high - low < RANDOM_FROM || s->mixed == 0)
    return (low + high) / 2;
  return s->mixed % (quarter * 2) + low + quarter;
}

/* Elements i and k are on the stack, k on top: swaps them when they are in the wrong order. */
static void put_in_order(lua_State *L, sorting *s, unsigned i, unsigned k)
{
  if (is_less(L, s, -1, -2))
    set_both(L, s, i, k);
  else
    lua_pop(L, 2);
}

/* Moves the median of three to high - 1, and keeps it on the stack. False when the range has no more than these and
   is sorted. */
static bool take_pivot(lua_State *L, sorting *s, unsigned low, unsigned high)
{
  get(L, &s->a, 1, low);
  get(L, &s->a, 1, high);
  put_in_order(L, s, low, high);
  if (high - low == 1)
    return false;
  unsigned pivot = choose_pivot(s, low, high);
  get(L, &s->a, 1, pivot);
  get(L, &s->a, 1, low);
  if (is_less(L, s, -2, -1)) {
    set_both(L, s, pivot, low);
  } else {
    lua_pop(L, 1);
    get(L, &s->a, 1, high);
    put_in_order(L, s, pivot, high);
  }
  if (high - low == 2)
    return false;
  get(L, &s->a, 1, pivot);
  lua_pushvalue(L, -1);
  get(L, &s->a, 1, high - 1);
  set_both(L, s, pivot, high - 1);
  return true;
}

static void sort(lua_State *L, sorting *s, unsigned low, unsigned high)
{
  while (low < high && take_pivot(L, s, low, high)) {
    unsigned at = divide(L, s, low, high), size;
    if (at - low < high - at) {
      sort(L, s, low, at - 1);
      size = at - low;
      low = at + 1;
    } else {
      sort(L, s, at + 1, high);
      size = high - at;
      high = at - 1;
    }
    if (high > low && (high - low) / 128 > size)
      s->mixed = (high - low) * 2654435761u | 1;
  }
}

static int table_sort(lua_State *L)
{
  sorting s = {.a = check_table(L, 1, changed)};
  lua_Integer length = length_of(L, &s.a);
  if (length > 1) {
    luaL_argcheck(L, length < INT_MAX, 1, "array too big");
    if (!lua_isnoneornil(L, 2))
      luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    luaL_checkstack(L, 40, "");
    sort(L, &s, 1, (unsigned)length);
  }
  return 0;
}

/* }== */

void sp_tables_open(lua_State *L)
{
  static const luaL_Reg functions[] = {
      {"concat", table_concat}, {"insert", table_insert}, {"move", table_move}, {"remove", table_remove},
      {"sort", table_sort},     {"unpack", table_unpack}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
