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

void sp_script_warn_unknown(sp_script *s)
{
  lua_State *L = s->L;
  if (s->callbacks == LUA_NOREF)
    return;
  lua_pushcfunction(L, advise);
  lua_pushlightuserdata(L, s);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK)
    lua_pop(L, 1); /* not enough memory for advice */
}

/* A question to a helper about an entry of main.lua's table. */
typedef struct question {
  const sp_script *script;
  const char *module, *function, *name;
} question;

/* ask(question) -> function(main, name, value of the entry) */
static int ask(lua_State *L)
{
  const question *q = lua_touserdata(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, q->script->callbacks);
  sp_push_helper(L, q->script->context, q->module, q->function);
  lua_pushstring(L, q->script->main);
  lua_pushstring(L, q->name);
  sp_raw_field(L, 2, q->name);
  lua_call(L, 3, 1);
  return 1;
}

/* Writes the answer, or `instead` when it is no text. */
static void answer(question q, const char *instead, char *text, size_t size)
{
  lua_State *L = q.script->L;
  lua_pushcfunction(L, ask);
  lua_pushlightuserdata(L, &q);
  bool fine = lua_pcall(L, 1, 1, 0) == LUA_OK && lua_isstring(L, -1);
  snprintf(text, size, "%s", fine ? lua_tostring(L, -1) : instead);
  lua_pop(L, 1);
}

void sp_script_setting_line(sp_script *s, const char *name, char *text, size_t size)
{
  answer((question){s, "spawnpool.callbacks", "place", name}, s->main, text, size);
}

void sp_script_read_literal(sp_script *s, const char *name, char *text, size_t size)
{
  answer((question){s, "spawnpool.literal", "read", name}, "", text, size);
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
