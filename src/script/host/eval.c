/*
** Console input: running text that a person types, and completing it. It goes through the same door as callbacks, but
** its errors are only reported: they neither stop the game nor take new code back.
*/
#include "script/host/eval.h"

#include <lauxlib.h>
#include <string.h>

#include "script/host/callbacks.h"
#include "script/state/border.h"
#include "script/state/lua_sources.h"

/* Calls a function of lua/spawnpool/console.lua. */
static int call_console(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  sp_push_helper(L, s->context, "spawnpool.console", lua_touserdata(L, 2));
  lua_pushstring(L, lua_touserdata(L, 3));
  if (s->selected)
    sp_push_object(L, s->selected);
  else
    lua_pushnil(L);
  lua_call(L, 2, 2);
  return 2;
}

/* Leaves two results, or the text of an error. */
static bool ask(sp_script *s, const char *function, const char *text)
{
  lua_State *L = s->L;
  uint32_t probation = s->context->probation;
  s->context->probation = 0; /* failures of typed text do not count against new code */
  lua_pushcfunction(L, call_console);
  lua_pushlightuserdata(L, s);
  lua_pushlightuserdata(L, (void *)function);
  lua_pushlightuserdata(L, (void *)text);
  int status = sp_host_door(s, 3, 2);
  s->context->probation = probation;
  return status == LUA_OK;
}

/* For a single line, the position of an error is obvious. */
static void report_wrong(sp_script *s, const char *text, const char *wrong)
{
  static const char place[] = "console:1: ";
  size_t length = sizeof place - 1;
  if (!wrong)
    wrong = "not enough memory to say what went wrong";
  if (!strchr(text, '\n') && strncmp(wrong, place, length) == 0)
    wrong += length;
  sp_host_report(s, SP_REPORT_ERROR, wrong);
}

sp_eval sp_script_eval(sp_script *s, const char *text)
{
  lua_State *L = s->L;
  int top = lua_gettop(L);
  sp_eval outcome = SP_EVAL_FAILED;
  if (s->on_command)
    s->on_command(s->command_ud, s->selected, NULL, text);
  if (!lua_checkstack(L, 20))
    return outcome;
  bool answered = ask(s, "eval", text);
  if (answered && strcmp(lua_tostring(L, -2), "done") == 0) {
    outcome = SP_EVAL_DONE;
    if (!lua_isnil(L, -1))
      sp_host_report(s, SP_REPORT_PRINT, lua_tostring(L, -1));
  } else if (answered && strcmp(lua_tostring(L, -2), "more") == 0) {
    outcome = SP_EVAL_MORE;
  } else {
    report_wrong(s, text, lua_tostring(L, -1));
  }
  lua_settop(L, top);
  return outcome;
}

size_t sp_script_complete(sp_script *s, const char *text, void (*fn)(void *ud, const char *word), void *ud)
{
  lua_State *L = s->L;
  int top = lua_gettop(L);
  size_t begun = 0;
  if (lua_checkstack(L, 20) && ask(s, "complete", text)) {
    begun = (size_t)lua_tointeger(L, -1);
    for (lua_Integer i = 1; lua_rawgeti(L, top + 1, i) == LUA_TSTRING; i++) {
      fn(ud, lua_tostring(L, -1));
      lua_pop(L, 1);
    }
  }
  lua_settop(L, top);
  return begun;
}

void sp_script_select(sp_script *s, sp_ref object) { s->selected = object; }

void sp_script_on_command(sp_script *s, sp_command_fn fn, void *ud)
{
  s->on_command = fn;
  s->command_ud = ud;
}
