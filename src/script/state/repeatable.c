#include "script/state/repeatable.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  const spl_handle *p = sp_to_handle(L, index, sizeof *p, SP_MAGIC_POOL);
  const spl_handle *m = sp_to_handle(L, index, sizeof *m, SP_MAGIC_MANAGER);
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
}
