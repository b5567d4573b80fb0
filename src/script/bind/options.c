/*
** Options of `spawnpool.new`.
*/
#include "script/bind/options.h"

#include <math.h>
#include <string.h>

#include "script/state/arguments.h"

#include "script/state/careful.h"

static int choice(lua_State *L, const char *key, const char *const *names, const char *list)
{
  sp_shown shown;
  const char *name = sp_to_text(L, -1);
  for (int i = 0; names[i]; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  sp_raise(L, "option '%s' must be %s, got %s", key, list, sp_show(L, -1, &shown));
}

static double number(lua_State *L, const char *key)
{
  sp_shown shown;
  if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
    sp_raise(L, "option '%s' must be a finite number, got %s", key, sp_show(L, -1, &shown));
  return lua_tonumber(L, -1);
}

/* Returns the number on top as an integer: without its fraction, or, where it is out of range, its bits. */
static lua_Integer whole(lua_State *L, const char *key)
{
  double value = number(L, key);
  lua_Integer result;
  if (lua_isinteger(L, -1))
    return lua_tointeger(L, -1);
  if (!lua_numbertointeger(trunc(value), &result))
    memcpy(&result, &value, sizeof result);
  return result;
}

/* math.randomseed(seed): all that is random in a game comes from there. */
static void seed_random(lua_State *L, lua_Integer seed)
{
  int top = lua_gettop(L);
  lua_pushglobaltable(L);
  if (sp_raw_field(L, -1, "math") == LUA_TTABLE && sp_raw_field(L, -1, "randomseed") == LUA_TFUNCTION) {
    lua_pushinteger(L, seed);
    lua_call(L, 1, 0);
  }
  lua_settop(L, top);
}

static SP_COLD _Noreturn void unknown_option(lua_State *L, const sp_context *c, int key)
{
  sp_shown shown;
  sp_show_name(L, key, &shown);
  sp_push_kept(L, c, SP_KEPT_CLASSES);
  sp_raw_field(L, -1, "unknown_option");
  lua_pushstring(L, shown.text);
  lua_call(L, 1, 1);
  luaL_error(L, "%s", lua_tostring(L, -1));
}

/* Options that take effect once all were read. */
typedef struct reading {
  int path; /* stack index */
  bool seeds;
  lua_Integer seed;
} reading;

/* Reads one pair: key at -2, value at -1. */
static void read_option(lua_State *L, const sp_context *c, sp_manager_options *o, reading *r)
{
  static const char *const unknowns[] = {"generic", "error", NULL};
  static const char *const misuses[] = {"warn", "error", "ignore", NULL};
  const char *key = sp_to_text(L, -2);
  sp_shown shown;
  if (strcmp(key, "unknown") == 0) {
    o->unknown = (sp_unknown)choice(L, key, unknowns, "'generic' or 'error'");
  } else if (strcmp(key, "misuse") == 0) {
    o->misuse = (sp_misuse)choice(L, key, misuses, "'warn', 'error' or 'ignore'");
  } else if (strcmp(key, "path") == 0) {
    if (!strchr(sp_to_text(L, -1), '?'))
      sp_raise(L, "option 'path' must be a file name with a '?' for the type, like \"pools/?.lua\"");
    lua_pushvalue(L, -1);
    lua_replace(L, r->path);
  } else if (strcmp(key, "step") == 0) {
    o->step = number(L, key);
    if (!(o->step >= 1e-6 && o->step <= 1e3))
      sp_raise(L, "option 'step' must be seconds per tick, from 1e-6 to 1000");
  } else if (strcmp(key, "trace") == 0) {
    if (!lua_isboolean(L, -1))
      sp_raise(L, "option 'trace' must be true or false, got %s", sp_show(L, -1, &shown));
    o->trace = lua_toboolean(L, -1);
  } else if (strcmp(key, "seed") == 0) {
    r->seeds = true;
    r->seed = whole(L, key);
  } else {
    unknown_option(L, c, -2);
  }
}

void sp_read_options(lua_State *L, const sp_context *c, sp_manager_options *o, int options)
{
  lua_pushnil(L);
  reading r = {.path = lua_gettop(L)};
  if (options)
    for (lua_pushnil(L); sp_raw_next(L, options); lua_pop(L, 1))
      read_option(L, c, o, &r);
  if (r.seeds)
    seed_random(L, r.seed);
}
