/*
** The player adds these to the module itself, and to the window of the game:
**
**   spawnpool.gc_budget                 microseconds a frame for the collector; 0, the default: Lua's own pace
**   spawnpool.quit()                    ends the game before its next frame, unless its callback quit() refuses
**   spawnpool.window.fullscreen         whether it covers the screen
**   spawnpool.window.cursor             whether the mouse cursor is shown over it
**   spawnpool.window.title              its title
**
** The functions hold the address of the player's state, a `game_wishes`, as an upvalue: a game changes wishes, and
** nothing happens to the window while it runs. Other names of the module are those of its table.
*/
#include "demo/bind/module_lua.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/bind/reachable.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

#define MOST_BUDGET 1e6 /* a second */

static game_wishes *state_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

static bool is_budget(lua_State *L) { return strcmp(sp_to_text(L, 2), "gc_budget") == 0; }

int module_lua_index(lua_State *L)
{
  const double *budget = &state_of(L)->gc_budget;
  if (is_budget(L) && *budget == floor(*budget))
    lua_pushinteger(L, (lua_Integer)*budget);
  else if (is_budget(L))
    lua_pushnumber(L, *budget);
  else
    lua_pushnil(L);
  return 1;
}

int module_lua_newindex(lua_State *L)
{
  double *budget = &state_of(L)->gc_budget;
  sp_shown shown;
  if (!is_budget(L)) {
    sp_check_table(L, 1);
    lua_settop(L, 3);
    sp_raw_set(L, 1);
    return 0;
  }
  double wanted = lua_type(L, 3) == LUA_TNUMBER ? lua_tonumber(L, 3) : -1;
  if (!(wanted >= 0 && wanted <= MOST_BUDGET))
    sp_raise_value(L, 3, "spawnpool.gc_budget must be a number of microseconds from 0 to 1000000, got %s",
                   sp_show(L, 3, &shown));
  *budget = wanted;
  return 0;
}

int module_lua_quit(lua_State *L)
{
  state_of(L)->quits = true;
  return 0;
}

/* {== The window ========================================================= */

typedef enum field { FIELD_FULLSCREEN, FIELD_CURSOR, FIELD_TITLE } field;

static field check_field(lua_State *L)
{
  static const char *const names[] = {
      [FIELD_FULLSCREEN] = "fullscreen", [FIELD_CURSOR] = "cursor", [FIELD_TITLE] = "title"};
  const char *name = sp_to_text(L, 2);
  sp_shown shown;
  for (int i = FIELD_FULLSCREEN; i <= FIELD_TITLE; i++)
    if (strcmp(name, names[i]) == 0)
      return (field)i;
  luaL_error(L, "spawnpool.window has no field '%s' (fullscreen, cursor, title)", sp_show_name(L, 2, &shown));
}

int window_lua_index(lua_State *L)
{
  const game_wishes *w = state_of(L);
  field which = check_field(L);
  if (which == FIELD_TITLE)
    lua_pushstring(L, w->title[0] ? w->title : w->shown);
  else
    lua_pushboolean(L, which == FIELD_FULLSCREEN ? w->fullscreen : !w->no_cursor);
  return 1;
}

int window_lua_newindex(lua_State *L)
{
  game_wishes *w = state_of(L);
  field which = check_field(L);
  if (which == FIELD_TITLE) {
    snprintf(w->title, sizeof w->title, "%s", sp_check_text(L, 3));
  } else {
    bool on = sp_check_boolean(L, 3);
    if (which == FIELD_FULLSCREEN)
      w->fullscreen = on;
    else
      w->no_cursor = !on;
  }
  w->changed = true;
  return 0;
}

/* }== */
