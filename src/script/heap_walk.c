#include "script/heap_walk.h"

#include <lauxlib.h>
#include <string.h>

bool sp_is_library_source(const char *source) { return strncmp(source, "=spawnpool", 10) == 0; }

bool sp_is_library(lua_State *L, int function)
{
  lua_Debug ar;
  lua_pushvalue(L, function);
  lua_getinfo(L, ">S", &ar);
  return sp_is_library_source(ar.source);
}

heap_walk sp_heap_walk_begin(lua_State *L, int stop)
{
  luaL_checkstack(L, 40, "too deep to look around");
  lua_newtable(L);
  lua_newtable(L);
  return (heap_walk){L, lua_gettop(L) - 1, lua_gettop(L), stop, 0};
}

bool sp_heap_walk_holds(lua_State *L, int set, int value)
{
  lua_pushvalue(L, value);
  bool found = lua_rawget(L, set) != LUA_TNIL;
  lua_pop(L, 1);
  return found;
}

void sp_heap_walk_visit(heap_walk *w, int index)
{
  lua_State *L = w->L;
  index = lua_absindex(L, index);
  if (sp_heap_walk_holds(L, w->seen, index) || (w->stop && sp_heap_walk_holds(L, w->stop, index)))
    return;
  lua_pushvalue(L, index);
  lua_pushboolean(L, 1);
  lua_rawset(L, w->seen);
  lua_pushvalue(L, index);
  lua_rawseti(L, w->work, ++w->waiting);
}

bool sp_heap_walk_next(heap_walk *w)
{
  if (w->waiting == 0)
    return false;
  lua_rawgeti(w->L, w->work, w->waiting);
  lua_pushnil(w->L);
  lua_rawseti(w->L, w->work, w->waiting--);
  return true;
}
