#include "script/guard/repeatable.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "script/guard/identity.h"
#include "script/guard/ordered_tables.h"
#include "script/state/border.h"

#define HEAP_KIB 1024.0     /* what collectgarbage("count") answers: the true size depends on addresses and time */
#define UPDATES_A_CYCLE 60u /* of the collector, when it is timed */

enum { OURS = lua_upvalueindex(1), ORIGINAL = lua_upvalueindex(2), SEED = lua_upvalueindex(3) };

static const char key = 'r'; /* its address is the key in the registry */

void sp_repeatable_begin(lua_State *L, sp_repeatable *r)
{
  lua_pushlightuserdata(L, r);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}

sp_repeatable *sp_repeatable_push(lua_State *L)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &key);
  return lua_touserdata(L, -1);
}

/* {== Clocks ============================================================= */

int64_t sp_repeatable_time(const sp_repeatable *r) { return r->start + (int64_t)floor(r->now + 1e-6); }

double sp_repeatable_clock(sp_repeatable *r) { return r->now + (double)r->clocked++ * 1e-6; }

/* }== */

/* {== The collector ====================================================== */

void sp_repeatable_time_collector(lua_State *L, sp_repeatable *r)
{
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

/* A step is a whole cycle where it can be seen what was collected. */
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
    lua_pushinteger(L, sp_repeatable_time(sp_repeatable_at(L, OURS)));
  }
  return call_original(L);
}

static int os_time(lua_State *L)
{
  if (!lua_isnoneornil(L, 1))
    return call_original(L);
  lua_pushinteger(L, sp_repeatable_time(sp_repeatable_at(L, OURS)));
  return 1;
}

static int os_clock(lua_State *L)
{
  lua_pushnumber(L, sp_repeatable_clock(sp_repeatable_at(L, OURS)));
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
      sp_identity_push_pointer(L, r, arg);
    } else if (*at == 's') {
      sp_identity_push_text(L, r, arg);
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

void sp_repeatable_open(lua_State *L)
{
  sp_repeatable *r = sp_repeatable_push(L);
  lua_pop(L, 1);
  lua_pushglobaltable(L);
  replace(L, "collectgarbage", collect_garbage);
  sp_identity_open(L, r);
  sp_ordered_tables_open(L, r);
  sp_raw_field(L, -1, "math");
  replace(L, "randomseed", random_seed);
  sp_raw_field(L, -2, "os");
  replace(L, "clock", os_clock);
  replace(L, "date", os_date);
  replace(L, "time", os_time);
  sp_raw_field(L, -3, "string");
  replace(L, "format", text_format);
  lua_pop(L, 4);
}
