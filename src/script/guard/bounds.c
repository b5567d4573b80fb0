#include "script/guard/bounds.h"

#include <lauxlib.h>
#include <limits.h>
#include <lualib.h>
#include <string.h>

#include "script/guard/pattern.h"
#include "script/state/repeatable.h"

#define NANOSECONDS_A_STEP 10
#define LONGEST_TEXT ((size_t)PTRDIFF_MAX) /* of Lua */

/* Upvalues of each function: first those of the one that it replaces, which can so be called without a call of Lua, and
   names its own arguments in messages. */
enum { ITS_UPVALUES = 3, ORIGINAL, COST = SP_BOUNDED_WATCHDOG + 1 };

static int call_original(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(ORIGINAL))(L); }

/* Counts the work of copying a text. */
static void do_bytes(sp_timed_work *work, size_t bytes)
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

/* Work on the elements of the table at 1. */
typedef struct elements {
  sp_timed_work work;
  bool calls; /* metamethods, which may be functions in C */
} elements;

static elements begin_elements(lua_State *L, int other)
{
  elements e = {sp_bounded_begin(L), false};
  int top = lua_gettop(L);
  e.calls = !lua_istable(L, 1) || lua_getmetatable(L, 1) || lua_getmetatable(L, other);
  lua_settop(L, top);
  return e;
}

static inline void count_one(elements *e)
{
  if (e->calls)
    sp_work_called(&e->work);
  else
    sp_work_do(&e->work, 2);
}

/* Copies the value at `from` of the table at 1 to `to` in the table at `other`. */
static void copy_one(lua_State *L, elements *e, lua_Integer from, int other, lua_Integer to)
{
  lua_geti(L, 1, from);
  lua_seti(L, other, to);
  count_one(e);
}

static int table_insert(lua_State *L)
{
  lua_Integer end = (lua_Integer)((lua_Unsigned)length_of(L, READ | WRITE) + 1), at = end;
  elements e = begin_elements(L, 1);
  int count = lua_gettop(L);
  if (count != 2 && count != 3)
    return luaL_error(L, "wrong number of arguments to 'insert'");
  if (count == 3) {
    at = luaL_checkinteger(L, 2);
    luaL_argcheck(L, (lua_Unsigned)at - 1u < (lua_Unsigned)end, 2, "position out of bounds");
    sp_work_expect(&e.work, (lua_Unsigned)end - (lua_Unsigned)at);
    for (lua_Integer i = end; i > at; i--)
      copy_one(L, &e, i - 1, 1, i);
  }
  lua_seti(L, 1, at);
  return 0;
}

static int table_remove(lua_State *L)
{
  lua_Integer length = length_of(L, READ | WRITE), at = luaL_optinteger(L, 2, length);
  elements e = begin_elements(L, 1);
  if (at != length)
    luaL_argcheck(L, (lua_Unsigned)at - 1u <= (lua_Unsigned)length, 2, "position out of bounds");
  lua_geti(L, 1, at);
  if (at < length)
    sp_work_expect(&e.work, (lua_Unsigned)length - (lua_Unsigned)at);
  for (; at < length; at++)
    copy_one(L, &e, at + 1, 1, at);
  lua_pushnil(L);
  lua_seti(L, 1, at);
  return 1;
}

static int table_move(lua_State *L)
{
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3), to = luaL_checkinteger(L, 4);
  int other = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, READ);
  check_table(L, other, WRITE);
  elements e = begin_elements(L, other);
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    /* Values that are still to be read must not be overwritten. */
    bool is_forward = to > last || to <= first || (other != 1 && !lua_compare(L, 1, other, LUA_OPEQ));
    sp_work_expect(&e.work, (lua_Unsigned)count);
    for (lua_Integer i = 0; i < count; i++)
      copy_one(L, &e, first + (is_forward ? i : count - 1 - i), other, to + (is_forward ? i : count - 1 - i));
  }
  lua_pushvalue(L, other);
  return 1;
}

static void add_element(lua_State *L, luaL_Buffer *b, elements *e, lua_Integer i)
{
  if (lua_geti(L, 1, i) != LUA_TSTRING && !lua_isnumber(L, -1))
    luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
  size_t length = (size_t)lua_rawlen(L, -1);
  luaL_addvalue(b);
  do_bytes(&e->work, length);
  count_one(e);
}

static int table_concat(lua_State *L)
{
  luaL_Buffer b;
  size_t parting_length;
  lua_Integer length = length_of(L, READ), first, last;
  const char *parting = luaL_optlstring(L, 2, "", &parting_length);
  elements e = begin_elements(L, 1);
  first = luaL_optinteger(L, 3, 1);
  last = luaL_optinteger(L, 4, length);
  if (first <= last)
    sp_work_expect(&e.work, (lua_Unsigned)last - (lua_Unsigned)first);
  luaL_buffinit(L, &b);
  for (lua_Integer i = first; i <= last; i++) {
    add_element(L, &b, &e, i);
    if (i == last)
      break; /* it may be the greatest integer */
    luaL_addlstring(&b, parting, parting_length);
    do_bytes(&e.work, parting_length);
  }
  luaL_pushresult(&b);
  return 1;
}

static int table_unpack(lua_State *L)
{
  lua_Integer first = luaL_optinteger(L, 2, 1), last = luaL_opt(L, luaL_checkinteger, 3, luaL_len(L, 1));
  elements e = begin_elements(L, 1);
  if (first > last)
    return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
  if (count >= INT_MAX || !lua_checkstack(L, (int)++count))
    return luaL_error(L, "too many results to unpack");
  for (int i = 0; i < (int)count; i++) {
    lua_geti(L, 1, first + i);
    count_one(&e);
  }
  return (int)count;
}

/* }== */

/* {== table.sort ========================================================= */

/* A merge sort of indices: the elements stay where they are until their order is known, so an error in the order
   function loses none of them, and elements that are equal keep their order. */

typedef struct sorting {
  lua_State *L;
  sp_timed_work work;
  bool has_order; /* a function at 2 */
  bool order_is_c;
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
  bool calls_c = s->order_is_c || (!s->has_order && lua_type(L, -1) > LUA_TSTRING);
  if (s->has_order)
    lua_call(L, 2, 1);
  bool less = s->has_order ? lua_toboolean(L, -1) : lua_compare(L, -2, -1, LUA_OPLT);
  lua_settop(L, ELEMENTS + 1);
  if (calls_c)
    sp_work_called(&s->work);
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
  elements e = begin_elements(L, TABLE);
  sp_work_expect(&e.work, (lua_Unsigned)length);
  sorting s = {L, e.work, !lua_isnil(L, ORDER), lua_iscfunction(L, ORDER)};
  unsigned count = (unsigned)length;
  lua_createtable(L, (int)count, 0);
  unsigned *at = lua_newuserdatauv(L, 2 * sizeof *at * count, 0);
  for (unsigned i = 0; i < count; i++) {
    at[i] = i + 1;
    lua_geti(L, TABLE, i + 1);
    lua_rawseti(L, ELEMENTS, i + 1);
    count_one(&e);
  }
  if (is_sorted(&s, count))
    return 0;
  const unsigned *sorted = sort(&s, at, at + count, count);
  for (unsigned i = 0; i < count; i++) {
    lua_rawgeti(L, ELEMENTS, sorted[i]);
    lua_seti(L, TABLE, i + 1);
    count_one(&e);
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
  sp_timed_work work = sp_bounded_begin(L);
  size_t size = (size_t)count * length + (size_t)(count - 1) * parting_length;
  sp_work_expect(&work, size / 16);
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

/* Replaces each argument that "%s" shows by its text: __tostring may be a function in C that takes long. */
static void show_arguments(lua_State *L, sp_timed_work *work, const char *format, size_t length)
{
  const char *end = format + length;
  int top = lua_gettop(L);
  for (int arg = 1; arg < top && (format = memchr(format, '%', (size_t)(end - format))) != NULL; format++) {
    format++;
    format += strspn(format, "-+ #0123456789.");
    if (*format == '%')
      continue;
    arg++;
    if (*format != 's' || luaL_getmetafield(L, arg, "__tostring") == LUA_TNIL)
      continue;
    lua_pop(L, 1);
    luaL_tolstring(L, arg, NULL);
    lua_replace(L, arg);
    sp_work_called(work);
  }
}

/* Announces the texts among the arguments, and calls Lua's own function, which passes over each once. */
static int count_texts(lua_State *L)
{
  sp_timed_work work = sp_bounded_begin(L);
  lua_Integer bytes = 0, cost = lua_tointeger(L, lua_upvalueindex(COST));
  for (int i = 1; i <= 2; i++)
    bytes += lua_type(L, i) == LUA_TSTRING ? (lua_Integer)lua_rawlen(L, i) : 0;
  sp_work_expect(&work, (uint64_t)(bytes * cost) / NANOSECONDS_A_STEP);
  return call_original(L);
}

static int string_format(lua_State *L)
{
  size_t length;
  sp_timed_work work = sp_bounded_begin(L);
  const char *format = luaL_checklstring(L, 1, &length);
  show_arguments(L, &work, format, length);
  return count_texts(L);
}

/* }== */

/* {== The table ========================================================== */

typedef struct row {
  const char *library, *name;
  lua_CFunction function;
  int cost; /* of count_texts: nanoseconds for a byte of the first two arguments, at least */
} row;

static const row rows[] = {
    {LUA_TABLIBNAME, "sort", table_sort, 0}, /* the first one: see sp_bounds_open */
    {LUA_TABLIBNAME, "insert", table_insert, 0},      {LUA_TABLIBNAME, "remove", table_remove, 0},
    {LUA_TABLIBNAME, "move", table_move, 0},          {LUA_TABLIBNAME, "concat", table_concat, 0},
    {LUA_TABLIBNAME, "unpack", table_unpack, 0},      {LUA_STRLIBNAME, "rep", string_rep, 0},
    {LUA_STRLIBNAME, "find", sp_bounded_find, 0},     {LUA_STRLIBNAME, "match", sp_bounded_match, 0},
    {LUA_STRLIBNAME, "gmatch", sp_bounded_gmatch, 0}, {LUA_STRLIBNAME, "gsub", sp_bounded_gsub, 0},
    {LUA_STRLIBNAME, "format", string_format, 20},    {LUA_STRLIBNAME, "pack", count_texts, 5},
    {LUA_STRLIBNAME, "packsize", count_texts, 5},     {LUA_STRLIBNAME, "unpack", count_texts, 5},
    {LUA_STRLIBNAME, "upper", count_texts, 1},        {LUA_STRLIBNAME, "lower", count_texts, 1},
    {LUA_STRLIBNAME, "reverse", count_texts, 1},      {LUA_UTF8LIBNAME, "len", count_texts, 2},
    {LUA_UTF8LIBNAME, "offset", count_texts, 1},      {LUA_UTF8LIBNAME, "codepoint", count_texts, 0},
    {LUA_UTF8LIBNAME, "char", count_texts, 0},        {LUA_OSLIBNAME, "date", count_texts, 20},
    {LUA_GNAME, "tonumber", count_texts, 1},          {LUA_GNAME, "collectgarbage", count_texts, 0},
};

/* Replaces a function of the library on top. */
static void replace(lua_State *L, const row *r, sp_watchdog *w)
{
  int library = lua_gettop(L), original = library + 1;
  lua_getfield(L, library, r->name);
  for (int i = 1; i <= ITS_UPVALUES; i++)
    if (!lua_getupvalue(L, original, i))
      lua_pushnil(L);
  lua_pushvalue(L, original);
  lua_pushlightuserdata(L, w);
  lua_pushinteger(L, r->cost);
  lua_pushcclosure(L, r->function, COST);
  lua_setfield(L, library, r->name);
  lua_settop(L, library);
}

void sp_bounds_open(lua_State *L, sp_watchdog *w, bool trust)
{
  bool is_repeatable = sp_repeatable_push(L);
  size_t count = !trust ? sizeof rows / sizeof *rows : is_repeatable ? 1 : 0;
  lua_pop(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  for (size_t i = 0; i < count; i++) {
    lua_getfield(L, -1, rows[i].library);
    replace(L, &rows[i], w);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* }== */
