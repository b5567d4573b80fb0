#include "session/module.h"

#include <string.h>

#include "script/state/arguments.h"
#include "session/view.h"

#include "script/state/careful.h"

const sp_reach sp_session_reachable[] = {SP_SESSION_REACHABLE(SP_REACH_ENTRY){NULL, NULL, NULL, NULL}};

/* {== Installing ========================================================== */

/* install(owner, ud), protected, because memory may run out. The metatable is hidden: a game could modify it. */
static int install(lua_State *L)
{
  const char *name = sp_raw_block(L, 1);
  const void *ud = sp_raw_block(L, 2);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "spawnpool") != LUA_TTABLE)
    return luaL_error(L, "the module 'spawnpool' is not loaded");
  const int module = lua_gettop(L);
  lua_getfield(L, module, "pools");
  lua_setfield(L, LUA_REGISTRYINDEX, SP_PART_POOLS);
  sp_module_push_own(L, name);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, module, name);
  sp_reach_set(L, sp_session_reachable, name, false, ud, true);
  if (sp_reach_next(sp_session_reachable, name, true)) {
    lua_pushvalue(L, -2);
    lua_newtable(L);
    sp_reach_set(L, sp_session_reachable, name, true, ud, true);
    lua_pushfstring(L, "spawnpool.%s", name);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -3);
  }
  return 0;
}

bool sp_module_install(const char *owner, const void *ud, lua_State *L)
{
  const int top = lua_gettop(L);
  lua_pushcfunction(L, install);
  lua_pushlightuserdata(L, (void *)owner);
  lua_pushlightuserdata(L, (void *)ud);
  const bool fine = sp_raw_pcall(L, 2, 0) == LUA_OK;
  lua_settop(L, top);
  return fine;
}

/* }== */

/* {== spawnpool.view ======================================================
**   spawnpool.view:to_world(x, y)       position in the world that the camera shows at x, y of the view
**   spawnpool.view:to_view(x, y)        position in the view at which the camera shows x, y of the world
**   spawnpool.view.width, .height       its size, in units */

static const sp_view *view_of(lua_State *L) { return sp_raw_block(L, SP_PART_STATE); }

static int convert(lua_State *L, void (*how)(const sp_view *view, double *x, double *y))
{
  if (!lua_istable(L, 1))
    return luaL_typeerror(L, 1, "spawnpool.view (call its methods with a colon: view:to_world(x, y))");
  double x = (double)sp_check_float(L, 2), y = (double)sp_check_float(L, 3);
  how(view_of(L), &x, &y);
  lua_pushnumber(L, x);
  lua_pushnumber(L, y);
  return 2;
}

int spl_view_to_world(lua_State *L) { return convert(L, sp_view_to_world); }
int spl_view_to_view(lua_State *L) { return convert(L, sp_view_to_view); }

int spl_view_index(lua_State *L)
{
  const sp_view *v = view_of(L);
  const char *name = sp_to_text(L, 2);
  sp_shown shown;
  if (strcmp(name, "width") == 0)
    lua_pushinteger(L, (lua_Integer)v->width);
  else if (strcmp(name, "height") == 0)
    lua_pushinteger(L, (lua_Integer)v->height);
  else
    return luaL_error(L, "spawnpool.view has no field '%s' (to_world, to_view, width, height)",
                      sp_show_name(L, 2, &shown));
  return 1;
}

int spl_view_newindex(lua_State *L)
{
  const char *name = sp_to_text(L, 2);
  sp_shown shown;
  if (strcmp(name, "width") == 0 || strcmp(name, "height") == 0)
    return luaL_error(L, "spawnpool.view.%s is read only; set width and height in the table that main.lua returns",
                      name);
  return luaL_error(L, "spawnpool.view takes no fields; '%s' belongs in a table of your own",
                    sp_show_name(L, 2, &shown));
}

/* }== */
