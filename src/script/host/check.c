/*
** Checks a game without playing it, for editors and continuous integration; and warns of probable mistakes in one that
** is played.
*/
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "script/host/host.h"
#include "script/state/border.h"
#include "script/state/context.h"

/* check(script) -> a list of problems, how many files. Keeps the table of main.lua. */
static int check(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  size_t length = strlen(s->folder);
  bool is_folder = strncmp(s->main, s->folder, length) == 0 && strcmp(s->main + length, "/main.lua") == 0;
  sp_push_helper(L, s->context, "spawnpool.checking", "run");
  lua_pushstring(L, is_folder ? s->folder : NULL);
  lua_pushstring(L, s->main);
  lua_call(L, 2, 3);
  if (lua_istable(L, -1))
    s->callbacks = luaL_ref(L, LUA_REGISTRYINDEX);
  else
    lua_pop(L, 1);
  return 2;
}

/* advise(script) */
static int advise(lua_State *L)
{
  const sp_script *s = lua_touserdata(L, 1);
  sp_push_helper(L, s->context, "spawnpool.callbacks", "advise_once");
  lua_rawgeti(L, LUA_REGISTRYINDEX, s->callbacks);
  lua_pushstring(L, s->main);
  lua_call(L, 2, 0);
  return 0;
}

void sp_script_advise(sp_script *s)
{
  lua_State *L = s->L;
  if (s->callbacks == LUA_NOREF)
    return;
  lua_pushcfunction(L, advise);
  lua_pushlightuserdata(L, s);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK)
    lua_pop(L, 1); /* not enough memory for advice */
}

/* place(script, name) -> "file:line" */
static int place(lua_State *L)
{
  const sp_script *s = lua_touserdata(L, 1);
  sp_push_helper(L, s->context, "spawnpool.callbacks", "place");
  lua_pushstring(L, s->main);
  lua_pushstring(L, lua_touserdata(L, 2));
  lua_rawgeti(L, LUA_REGISTRYINDEX, s->callbacks);
  lua_pushvalue(L, -2);
  lua_rawget(L, -2);
  lua_remove(L, -2);
  lua_call(L, 3, 1);
  return 1;
}

void sp_script_place(sp_script *s, const char *name, char *text, size_t size)
{
  lua_State *L = s->L;
  snprintf(text, size, "%s", s->main);
  if (s->callbacks == LUA_NOREF)
    return;
  lua_pushcfunction(L, place);
  lua_pushlightuserdata(L, s);
  lua_pushlightuserdata(L, (void *)name);
  if (lua_pcall(L, 2, 1, 0) == LUA_OK)
    snprintf(text, size, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
}

/* literal(script, name) -> the text, or nil */
static int literal(lua_State *L)
{
  const sp_script *s = lua_touserdata(L, 1);
  sp_push_helper(L, s->context, "spawnpool.literal", "read");
  lua_pushstring(L, s->main);
  lua_pushstring(L, lua_touserdata(L, 2));
  lua_call(L, 2, 1);
  return 1;
}

void sp_script_literal(sp_script *s, const char *name, char *text, size_t size)
{
  lua_State *L = s->L;
  lua_pushcfunction(L, literal);
  lua_pushlightuserdata(L, s);
  lua_pushlightuserdata(L, (void *)name);
  bool fine = lua_pcall(L, 2, 1, 0) == LUA_OK && lua_isstring(L, -1);
  snprintf(text, size, "%s", fine ? lua_tostring(L, -1) : "");
  lua_pop(L, 1);
}

size_t sp_script_check(sp_script *s, void (*report)(void *ud, const char *problem), void *ud, size_t *files)
{
  lua_State *L = s->L;
  int top = lua_gettop(L);
  size_t problems = 1;
  *files = 0;
  lua_pushcfunction(L, check);
  lua_pushlightuserdata(L, s);
  if (lua_pcall(L, 1, 2, 0) == LUA_OK) { /* each call of the game has its own door */
    *files = (size_t)lua_tointeger(L, -1);
    problems = (size_t)lua_rawlen(L, -2);
    for (size_t i = 1; i <= problems; i++) {
      lua_rawgeti(L, -2, (lua_Integer)i);
      report(ud, lua_tostring(L, -1));
      lua_pop(L, 1);
    }
  } else {
    const char *text = lua_tostring(L, -1);
    report(ud, text ? text : "not enough memory to check the game");
  }
  lua_settop(L, top);
  return problems;
}
