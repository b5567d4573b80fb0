#include "script/state/reach.h"

#include <string.h>

#include "script/state/border.h"

const sp_reach *sp_reach_next(const sp_reach *row, const char *owner, bool meta)
{
  while (row->owner && (sp_reach_is_meta(row) != meta || strcmp(row->owner, owner) != 0))
    row++;
  return row->owner ? row : NULL;
}

void sp_reach_set(lua_State *L, const sp_reach *rows, const char *owner, bool meta, const void *ud, bool shared)
{
  for (const sp_reach *row = rows; (row = sp_reach_next(row, owner, meta)) != NULL; row++) {
    bool is_there = sp_raw_field(L, -1, row->name) != LUA_TNIL;
    lua_pop(L, 1);
    if (is_there)
      continue;
    lua_pushlightuserdata(L, (void *)ud);
    if (shared)
      lua_pushvalue(L, -3);
    lua_pushcclosure(L, row->function, shared ? 2 : 1);
    lua_setfield(L, -2, row->name);
  }
}
