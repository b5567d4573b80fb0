/*
** Fields that the player adds to the module itself, which can be assigned:
**
**   spawnpool.gc_budget                 microseconds a frame for the collector; 0, the default: Lua's own pace
**
** The functions hold the address of the player's budget as an upvalue. Other names are those of the table.
*/
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "demo/bind/reachable.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

#define MOST_BUDGET 1e6 /* a second */

static bool is_budget(lua_State *L) { return strcmp(sp_to_text(L, 2), "gc_budget") == 0; }

int module_lua_index(lua_State *L)
{
  const double *budget = sp_raw_block(L, PART_STATE);
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
  double *budget = sp_raw_block(L, PART_STATE);
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
