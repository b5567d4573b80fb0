#include "script/guard/bounds.h"

#include <lauxlib.h>
#include <limits.h>
#include <lualib.h>
#include <string.h>

#include "script/guard/watchdog.h"

#define LONGEST_TEXT ((size_t)PTRDIFF_MAX) /* of Lua */

/* Counts the work of copying a text. */
static void do_bytes(sp_work *work, size_t bytes)
{
  for (; bytes / 16 >= SP_STEPS_A_CHECK; bytes -= SP_STEPS_A_CHECK * (size_t)16)
    sp_work_do(work, SP_STEPS_A_CHECK);
  sp_work_do(work, 1 + (uint32_t)(bytes / 16));
}

/* {== Tables ============================================================= */

enum { READ = 1, WRITE = 2, LENGTH = 4 };

/* A value that is no table must have the metamethods for what is done to it. */
static void check_table(lua_State *L, int index, int needed)
{
  static const char *const names[] = {"__index", "__newindex", "__len"};
  if (lua_istable(L, index))
    return;
  for (int i = 0; i < 3; i++) {
    if (!(needed >> i & 1))
      continue;
    if (luaL_getmetafield(L, index, names[i]) == LUA_TNIL)
      luaL_checktype(L, index, LUA_TTABLE);
    lua_pop(L, 1);
  }
}

static lua_Integer length_of(lua_State *L, int needed)
{
  check_table(L, 1, needed | LENGTH);
  return luaL_len(L, 1);
}

/* Shows the value at `from` of the table at 1 also at `to` of the table at `other`. */
static void copy_one(lua_State *L, sp_work *work, lua_Integer from, int other, lua_Integer to)
{
  lua_geti(L, 1, from);
  lua_seti(L, other, to);
  sp_work_do(work, 2);
}

static int table_insert(lua_State *L)
{
  lua_Integer end = (lua_Integer)((lua_Unsigned)length_of(L, READ | WRITE) + 1), at = end;
  sp_work work = sp_work_begin(L);
  int count = lua_gettop(L);
  if (count != 2 && count != 3)
    return luaL_error(L, "wrong number of arguments to 'insert'");
  if (count == 3) {
    at = luaL_checkinteger(L, 2);
    luaL_argcheck(L, (lua_Unsigned)at - 1u < (lua_Unsigned)end, 2, "position out of bounds");
    for (lua_Integer i = end; i > at; i--)
      copy_one(L, &work, i - 1, 1, i);
  }
  lua_seti(L, 1, at);
  return 0;
}

static int table_remove(lua_State *L)
{
  lua_Integer length = length_of(L, READ | WRITE), at = luaL_optinteger(L, 2, length);
  sp_work work = sp_work_begin(L);
  if (at != length)
    luaL_argcheck(L, (lua_Unsigned)at - 1u <= (lua_Unsigned)length, 2, "position out of bounds");
  lua_geti(L, 1, at);
  for (; at < length; at++)
    copy_one(L, &work, at + 1, 1, at);
  lua_pushnil(L);
  lua_seti(L, 1, at);
  return 1;
}

static int table_move(lua_State *L)
{
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3), to = luaL_checkinteger(L, 4);
  int other = lua_isnoneornil(L, 5) ? 1 : 5;
  sp_work work = sp_work_begin(L);
  check_table(L, 1, READ);
  check_table(L, other, WRITE);
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    /* What is still to be read must not be overwritten. */
    bool is_forward = to > last || to <= first || (other != 1 && !lua_compare(L, 1, other, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++)
      copy_one(L, &work, first + (is_forward ? i : count - 1 - i), other, to + (is_forward ? i : count - 1 - i));
  }
  lua_pushvalue(L, other);
  return 1;
}

static void add_element(lua_State *L, luaL_Buffer *b, sp_work *work, lua_Integer i)
{
  if (lua_geti(L, 1, i) != LUA_TSTRING && !lua_isnumber(L, -1))
    luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
  size_t length = (size_t)lua_rawlen(L, -1);
  luaL_addvalue(b);
  do_bytes(work, length);
}

static int table_concat(lua_State *L)
{
  luaL_Buffer b;
  size_t parting_length;
  lua_Integer length = length_of(L, READ), first, last;
  const char *parting = luaL_optlstring(L, 2, "", &parting_length);
  sp_work work = sp_work_begin(L);
  first = luaL_optinteger(L, 3, 1);
  last = luaL_optinteger(L, 4, length);
  luaL_buffinit(L, &b);
  for (lua_Integer i = first; i <= last; i++) {
    add_element(L, &b, &work, i);
    if (i == last)
      break; /* it may be the greatest integer */
    luaL_addlstring(&b, parting, parting_length);
    do_bytes(&work, parting_length);
  }
  luaL_pushresult(&b);
  return 1;
}

/* }== */

/* {== table.sort ========================================================= */

/* A merge sort of indices: the elements stay where they are until their order is known, so an error in the order
   function loses none of them, and elements that are equal keep their order. */

typedef struct sorting {
  lua_State *L;
  sp_work work;
  bool has_order; /* a function at 2 */
} sorting;

enum { TABLE = 1, ORDER, ELEMENTS }; /* on the stack */

/* Returns whether element `a` goes before element `b`. */
static bool is_less(sorting *s, unsigned a, unsigned b)
{
  lua_State *L = s->L;
  if (s->has_order)
    lua_pushvalue(L, ORDER);
  lua_rawgeti(L, ELEMENTS, a);
  lua_rawgeti(L, ELEMENTS, b);
  size_t length = lua_type(L, -1) == LUA_TSTRING ? (size_t)lua_rawlen(L, -1) : 0;
  if (s->has_order)
    lua_call(L, 2, 1);
  bool less = s->has_order ? lua_toboolean(L, -1) : lua_compare(L, -2, -1, LUA_OPLT);
  lua_settop(L, ELEMENTS + 1);
  sp_work_do(&s->work, length < SP_STEPS_A_CHECK ? 4 + (uint32_t)length / 16 : SP_STEPS_A_CHECK);
  return less;
}

/* Merges two neighbouring runs of `from` into `to`. */
static void merge(sorting *s, const unsigned *from, unsigned *to, unsigned low, unsigned middle, unsigned high)
{
  unsigned a = low, b = middle;
  for (unsigned i = low; i < high; i++)
    to[i] = b >= high || (a < middle && !is_less(s, from[b], from[a])) ? from[a++] : from[b++];
}

/* Sorts the indices in `at`; `spare` has room for as many. Returns which of the two has the result. */
static const unsigned *sort(sorting *s, unsigned *at, unsigned *spare, unsigned count)
{
  for (unsigned width = 1; width < count; width *= 2) {
    for (unsigned low = 0; low < count; low += 2 * width) {
      unsigned middle = low + width < count ? low + width : count;
      merge(s, at, spare, low, middle, middle + width < count ? middle + width : count);
    }
    unsigned *sorted = spare;
    spare = at;
    at = sorted;
  }
  return at;
}

static bool is_sorted(sorting *s, unsigned count)
{
  unsigned i = 2;
  while (i <= count && !is_less(s, i, i - 1))
    i++;
  return i > count;
}

static int table_sort(lua_State *L)
{
  lua_Integer length = length_of(L, READ | WRITE);
  luaL_argcheck(L, length < INT_MAX / 2, TABLE, "array too big");
  if (length > 1 && !lua_isnoneornil(L, ORDER))
    luaL_checktype(L, ORDER, LUA_TFUNCTION);
  if (length <= 1)
    return 0;
  lua_settop(L, ORDER);
  sorting s = {L, sp_work_begin(L), !lua_isnil(L, ORDER)};
  unsigned count = (unsigned)length;
  lua_createtable(L, (int)count, 0);
  unsigned *at = lua_newuserdatauv(L, 2 * sizeof *at * count, 0);
  for (unsigned i = 0; i < count; i++) {
    at[i] = i + 1;
    lua_geti(L, TABLE, i + 1);
    lua_rawseti(L, ELEMENTS, i + 1);
    sp_work_do(&s.work, 1);
  }
  if (is_sorted(&s, count))
    return 0;
  const unsigned *sorted = sort(&s, at, at + count, count);
  for (unsigned i = 0; i < count; i++) {
    lua_rawgeti(L, ELEMENTS, sorted[i]);
    lua_seti(L, TABLE, i + 1);
    sp_work_do(&s.work, 1);
  }
  return 0;
}

/* }== */

/* {== Texts ============================================================== */

static int string_rep(lua_State *L)
{
  size_t length, parting_length;
  const char *text = luaL_checklstring(L, 1, &length);
  lua_Integer count = luaL_checkinteger(L, 2);
  const char *parting = luaL_optlstring(L, 3, "", &parting_length);
  if (count <= 0 || length + parting_length == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (length + parting_length < length || length + parting_length > LONGEST_TEXT / (lua_Unsigned)count)
    return luaL_error(L, "resulting string too large");
  luaL_Buffer b;
  sp_work work = sp_work_begin(L);
  size_t size = (size_t)count * length + (size_t)(count - 1) * parting_length;
  char *at = luaL_buffinitsize(L, &b, size);
  while (count-- > 0) {
    memcpy(at, text, length);
    at += length;
    if (count > 0) {
      memcpy(at, parting, parting_length);
      at += parting_length;
    }
    do_bytes(&work, length + parting_length);
  }
  luaL_pushresultsize(&b, size);
  return 1;
}

/* }== */

void sp_bounds_open_sort(lua_State *L)
{
  lua_getglobal(L, LUA_TABLIBNAME);
  lua_pushcfunction(L, table_sort);
  lua_setfield(L, -2, "sort");
  lua_pop(L, 1);
}

void sp_bounds_open(lua_State *L)
{
  static const luaL_Reg of_tables[] = {
      {"insert", table_insert}, {"remove", table_remove}, {"move", table_move}, {"concat", table_concat}, {NULL, NULL}};
  lua_getglobal(L, LUA_TABLIBNAME);
  luaL_setfuncs(L, of_tables, 0);
  lua_getglobal(L, LUA_STRLIBNAME);
  lua_pushcfunction(L, string_rep);
  lua_setfield(L, -2, "rep");
  lua_pop(L, 2);
}
