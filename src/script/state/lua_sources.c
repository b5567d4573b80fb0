#include "script/state/lua_sources.h"

#include <string.h>

#include "script/state/border.h"
#include "script/state/context.h"

/* Runs the embedded file `name` with the table of natives; leaves the one value that it returns. */
static void run_source(lua_State *L, sp_context *c, const char *name)
{
  const sp_lua_source *source = sp_lua_sources;
  while (source->name && strcmp(source->name, name) != 0)
    source++;
  if (!source->name)
    luaL_error(L, "spawnpool was built without its file '%s'", name);
  const char *chunk_name = lua_pushfstring(L, "=%s", name);
  if (luaL_loadbufferx(L, (const char *)source->data, source->size, chunk_name, "t") != LUA_OK)
    lua_error(L);
  lua_remove(L, -2);
  sp_push_kept(L, c, SP_KEPT_GLOBALS);
  lua_setupvalue(L, -2, 1); /* _ENV, of a main function */
  sp_push_kept(L, c, SP_KEPT_NATIVES);
  lua_call(L, 1, 1);
}

void sp_push_source(lua_State *L, sp_context *c, const char *name)
{
  sp_push_kept(L, c, SP_KEPT_SOURCES);
  if (sp_raw_field(L, -1, name) == LUA_TNIL) {
    lua_pop(L, 1);
    run_source(L, c, name);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, name);
  }
  lua_replace(L, -2);
}
