/*
** `spawnpool.window`: the window of the game.
**
**   spawnpool.window.fullscreen     whether it covers the screen
**   spawnpool.window.cursor         whether the mouse cursor is shown over it
**   spawnpool.window.title          its title
**   spawnpool.quit()                ends the game before its next frame, unless its callback quit() refuses
**
** The functions hold the address of the player's state, a `window_wishes`, as an upvalue: a game changes wishes, and
** nothing happens to the window while it runs.
*/
#include "demo/bind/window_lua.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "demo/bind/reachable.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

static window_wishes *state_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

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
  const window_wishes *w = state_of(L);
  field which = check_field(L);
  if (which == FIELD_TITLE)
    lua_pushstring(L, w->title[0] ? w->title : w->shown);
  else
    lua_pushboolean(L, which == FIELD_FULLSCREEN ? w->fullscreen : !w->no_cursor);
  return 1;
}

int window_lua_newindex(lua_State *L)
{
  window_wishes *w = state_of(L);
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

int window_lua_quit(lua_State *L)
{
  state_of(L)->quits = true;
  return 0;
}
