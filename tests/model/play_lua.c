/*
** Plays a game by the functions of Lua: pushes the arguments of each call for the function of its name in player.lua.
*/
#include "script/state/handles.h" /* a manager of Lua leads to that of the core */

#include "model/game.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <string.h>

#define CALLS "calls" /* in the registry: the table of functions */

/* {== What Lua tells ===================================================== */

static player *player_of(lua_State *L) { return *(player **)lua_getextraspace(L); }

static hook_kind hook_named(const char *name)
{
  int hook = 0;
  while (strcmp(model_hook_name((hook_kind)hook), name) != 0)
    must(hook++ < HOOK_VISIT);
  return (hook_kind)hook;
}

/* The third value that a hook gets: `fresh`, `why` or `dt`. */
static int argument_at(lua_State *L, int index)
{
  if (lua_type(L, index) == LUA_TNUMBER)
    return MODEL_DT((int64_t)(lua_tonumber(L, index) * 256));
  if (lua_type(L, index) != LUA_TSTRING)
    return lua_toboolean(L, index);
  int why = 0;
  while (strcmp(sp_why_name((sp_why)why), lua_tostring(L, index)) != 0)
    must(why++ < SP_WHY_COUNT);
  return why;
}

static sp_ref object_at(lua_State *L, int index)
{
  return lua_islightuserdata(L, index) ? (sp_ref)(uintptr_t)lua_touserdata(L, index) : SP_NULL_REF;
}

static void push_object(lua_State *L, sp_ref object)
{
  if (object)
    lua_pushlightuserdata(L, (void *)(uintptr_t)object);
  else
    lua_pushnil(L);
}

/* native.note(pool, hook, object, argument) -> whether the hook does what is asked of it. */
static int note(lua_State *L)
{
  player *it = player_of(L);
  const int pool = (int)luaL_checkinteger(L, 1);
  const sp_ref object = object_at(L, 3);
  sp_pool *owner = object ? sp_object_pool(it->c.manager, object) : NULL;
  lua_settop(L, 4);
  lua_pushboolean(L, true);
  if (object && !owner)
    return 1; /* of what was loaded from a save */
  if (owner)
    it->pools[pool] = owner; /* it may run before the pool is known */
  const event *e = player_note(it, pool, hook_named(luaL_checkstring(L, 2)), object, argument_at(L, 4));
  lua_pushboolean(L, e->yes);
  return 1;
}

/* native.victim(pool) -> what an overflow function returns. */
static int victim(lua_State *L)
{
  player *it = player_of(L);
  event *e = player_note(it, (int)luaL_checkinteger(L, 1), HOOK_OVERFLOW, SP_NULL_REF, 0);
  push_object(L, player_victim(it, e));
  return 1;
}

/* native.opened(manager): pools follow. */
static int opened(lua_State *L)
{
  player *it = player_of(L);
  it->c.manager = sp_to_manager(L, 1)->core;
  it->acts = 0; /* no hook acts before all pools are there */
  player_forget(it, 200);
  return 0;
}

static int walks(lua_State *L)
{
  player_of(L)->walks += (int)luaL_checkinteger(L, 1);
  return 0;
}

static const luaL_Reg native[] = {{"note", note}, {"victim", victim}, {"opened", opened}, {"walks", walks}, {0, 0}};

/* }== */

/* {== Arguments and results ============================================== */

/* ref(slot, generation, id), as a game that is written down has it. */
static int ref(lua_State *L)
{
  const sp_ref slot = (sp_ref)luaL_checkinteger(L, 1), generation = (sp_ref)luaL_checkinteger(L, 2);
  push_object(L, generation << 32 | (sp_ref)luaL_checkinteger(L, 3) << 24 | slot);
  return 1;
}

/* Returns how many. */
static int push_arguments(lua_State *L, const op *o)
{
  char text[4000];
  const int top = lua_gettop(L);
  FILE *f = fmemopen(text, sizeof text, "w");
  must(f);
  fputs("local ref <const> = ... return ", f);
  say_arguments(f, o);
  must(fclose(f) == 0 && luaL_loadstring(L, text) == LUA_OK);
  lua_pushcfunction(L, ref);
  must(lua_pcall(L, 1, LUA_MULTRET, 0) == LUA_OK);
  return lua_gettop(L) - top;
}

static sp_result result_named(const char *name)
{
  int result = 0;
  while (name && result < SP_RESULT_COUNT && strcmp(sp_result_name((sp_result)result), name) != 0)
    result++;
  return name && result < SP_RESULT_COUNT ? (sp_result)result : SP_FAILED;
}

/* The results of a function: an object or true, or nothing and the reason; two counts, and a distance. */
static answer answer_at(lua_State *L, int first)
{
  answer a = {.result = SP_OK};
  a.object = object_at(L, first);
  if (!lua_toboolean(L, first) && lua_type(L, first + 4) != LUA_TNUMBER && !lua_isnoneornil(L, first + 1))
    a.result = result_named(lua_tostring(L, first + 1));
  a.count = (uint32_t)lua_tointeger(L, first + 2);
  a.count2 = (uint32_t)lua_tointeger(L, first + 3);
  return a;
}

/* An error is SP_FAILED. */
static answer call_function(player *it, const char *name, const op *o)
{
  lua_State *L = it->L;
  const int top = lua_gettop(L);
  must(lua_checkstack(L, 20) && lua_getfield(L, LUA_REGISTRYINDEX, CALLS) == LUA_TTABLE);
  must(lua_getfield(L, -1, name) == LUA_TFUNCTION);
  const int count = push_arguments(L, o);
  answer a = {.result = SP_FAILED};
  if (lua_pcall(L, count, 5, 0) == LUA_OK)
    a = answer_at(L, top + 2);
  else if (it->errors)
    fprintf(it->errors, "Lua: %s\n", lua_tostring(L, -1));
  if (o->kind == OP_NEAREST) {
    const float distance = lua_type(L, -1) == LUA_TNUMBER ? (float)lua_tonumber(L, -1) : (float)INFINITY;
    a.result = SP_OK;
    memcpy(&a.count2, &distance, sizeof distance);
  }
  lua_settop(L, top);
  return a;
}

/* }== */

/* {== The player ========================================================= */

static void find_pools(player *it)
{
  static const char *const types[] = {"A", "B", "C"};
  for (int i = 0; i < POOLS; i++)
    it->pools[i] = sp_manager_pool(it->c.manager, types[i]);
}

static answer call(player *it, op *o)
{
  const answer a = call_function(it, model_op_name(o->kind), o);
  if (o->kind >= OP_REMOVE)
    find_pools(it);
  return a;
}

static void open_state(player *it, const op *shapes)
{
  lua_State *L = it->L = luaL_newstate();
  must(L);
  *(player **)lua_getextraspace(L) = it;
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  lua_settop(L, 0);
  must(luaL_loadfile(L, "tests/model/player.lua") == LUA_OK);
  luaL_newlib(L, native);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK)
    ck_abort_msg("%s", lua_tostring(L, -1));
  lua_setfield(L, LUA_REGISTRYINDEX, CALLS);
  const answer a = call_function(it, "open", shapes);
  must(a.result == SP_OK);
  find_pools(it);
}

void player_print(const player *it)
{
  for (int i = 0; i < HISTORY; i++) {
    const sp_ref object = it->history[i];
    const known_name *n = &it->names[i];
    char own[40];
    if (!object || n->number == 0)
      continue;
    const bool lives = sp_object_is_live(it->c.manager, object);
    snprintf(own, sizeof own, "%c#%u (%s)", "ABC"[n->pool], n -> number, lives ? "live" : "stale");
    push_object(it->L, object);
    const char *printed = luaL_tolstring(it->L, -1, NULL);
    if (strcmp(printed, own) != 0 && (lives || strcmp(printed, "object (stale)") != 0))
      ck_abort_msg("%s is printed as %s", own, printed);
    lua_pop(it->L, 2);
  }
}

static void close_state(player *it)
{
  lua_close(it->L);
  it->L = NULL;
}

void player_in_lua(player *it)
{
  it->call = call;
  it->open = open_state;
  it->close = close_state;
}

/* }== */
