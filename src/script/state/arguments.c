#include "script/state/arguments.h"

#include <math.h>
#include <string.h>

SP_COLD void sp_not_a_manager(lua_State *L, int arg)
{
  luaL_typeerror(L, arg, "pools (call methods with a colon: pools:alloc(...))");
}

SP_COLD void sp_not_a_pool(lua_State *L, int arg)
{
  luaL_typeerror(L, arg, arg == 1 ? "pool (call methods with a colon: pool:alloc(...))" : "pool");
}

spl_manager *sp_check_open_manager(lua_State *L, int arg)
{
  spl_manager *m = sp_check_manager(L, arg);
  if (!m->core)
    sp_raise(L, "the manager is closed");
  return m;
}

spl_pool *sp_check_open_pool(lua_State *L, int arg)
{
  spl_pool *p = sp_check_pool(L, arg);
  if (!p->core)
    sp_raise(L, "the pool was removed, or its manager closed");
  return p;
}

SP_COLD void sp_not_an_object(lua_State *L, int arg) { luaL_typeerror(L, arg, "object"); }

uint32_t sp_check_count(lua_State *L, int arg, const char *what, uint32_t low, uint32_t high)
{
  int exact = 0;
  sp_shown shown;
  lua_Integer count = lua_type(L, arg) == LUA_TNUMBER ? lua_tointegerx(L, arg, &exact) : 0;
  if (!exact || count < (lua_Integer)low || count > (lua_Integer)high)
    sp_raise_value(L, arg, "%s must be an integer from %u to %u, got %s", what, (unsigned)low, (unsigned)high,
                   sp_show(L, arg, &shown));
  return (uint32_t)count;
}

double sp_check_finite(lua_State *L, int arg, const char *what)
{
  sp_shown shown;
  if (lua_type(L, arg) != LUA_TNUMBER || !isfinite(lua_tonumber(L, arg)))
    sp_raise_value(L, arg, "%s must be a finite number, got %s", what, sp_show(L, arg, &shown));
  return lua_tonumber(L, arg);
}

bool sp_is_seconds(double seconds) { return seconds >= 0 && (seconds <= SP_MAX_LIFETIME || isinf(seconds)); }

float sp_check_coordinate(lua_State *L, int arg, const char *what)
{
  float number = (float)sp_check_finite(L, arg, what);
  if (!isfinite(number))
    sp_raise_arg(L, arg, "%s is too large", what);
  return number;
}

double sp_check_real(lua_State *L, int arg)
{
  if (lua_type(L, arg) != LUA_TNUMBER)
    luaL_typeerror(L, arg, "number");
  if (!isfinite(lua_tonumber(L, arg)))
    luaL_argerror(L, arg, "finite number expected");
  return lua_tonumber(L, arg);
}

float sp_check_float(lua_State *L, int arg)
{
  float number = (float)sp_check_real(L, arg);
  if (!isfinite(number))
    luaL_argerror(L, arg, "finite number expected");
  return number;
}

static int finish_call(lua_State *L, int status, lua_KContext context)
{
  (void)status, (void)context;
  return lua_gettop(L);
}

/* Its upvalue can be called. */
static int call_value(lua_State *L)
{
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_callk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, finish_call);
  return lua_gettop(L);
}

bool sp_to_function(lua_State *L, int index)
{
  const int type = lua_type(L, index);
  if (type != LUA_TTABLE && type != LUA_TUSERDATA)
    return type == LUA_TFUNCTION;
  index = lua_absindex(L, index);
  if (luaL_getmetafield(L, index, "__call") == LUA_TNIL)
    return false;
  lua_pop(L, 1);
  lua_pushvalue(L, index);
  lua_pushcclosure(L, call_value, 1);
  lua_replace(L, index);
  return true;
}

int sp_check_word(lua_State *L, int arg, int other, const char *const *words)
{
  sp_shown shown;
  if (lua_isnoneornil(L, arg))
    return other;
  const char *word = sp_check_text(L, arg);
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], word) == 0)
      return i;
  sp_raise_arg(L, arg, "invalid option %s", sp_show(L, arg, &shown));
}

const char *sp_check_shown(lua_State *L, int arg, size_t *length)
{
  luaL_checkany(L, arg);
  return luaL_tolstring(L, arg, length);
}

void *sp_check_block(lua_State *L, int arg, const char *type, const char *what)
{
  void *block = luaL_testudata(L, arg, type);
  if (!block)
    luaL_typeerror(L, arg, what);
  return block;
}
