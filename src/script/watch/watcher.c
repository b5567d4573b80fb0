#include "script/watch/watcher.h"

#include <lauxlib.h>

#include "script/state/context.h"
#include "script/state/platform.h"
#include "script/watch/watch.h"

typedef struct watcher {
  sp_watch *watch;
} watcher;

static double monotonic(void) { return (double)sp_clock_nanoseconds() / 1e9; }

int sp_native_clock(lua_State *L)
{
  lua_pushnumber(L, monotonic());
  return 1;
}

static watcher *check_watcher(lua_State *L) { return luaL_checkudata(L, 1, "spawnpool.watcher"); }

static int watcher_close(lua_State *L)
{
  watcher *w = check_watcher(L);
  sp_watch_close(w->watch);
  w->watch = NULL;
  return 0;
}

static void push_change(lua_State *L, const sp_watch_change *change)
{
  static const char *const kinds[] = {[SP_WATCH_NEW] = "new", [SP_WATCH_CHANGED] = "changed", [SP_WATCH_GONE] = "gone"};
  lua_createtable(L, 0, 4);
  lua_pushstring(L, kinds[change->kind]);
  lua_setfield(L, -2, "kind");
  lua_pushstring(L, change->path);
  lua_setfield(L, -2, "path");
  if (change->text)
    lua_pushlstring(L, change->text, change->size);
  else
    lua_pushnil(L);
  lua_setfield(L, -2, "text");
  lua_pushstring(L, change->problem);
  lua_setfield(L, -2, "problem");
}

/* watcher:poll(hurry) -> a list of {kind, path, text, problem}, or nil; and whether changes are pending. */
static int watcher_poll(lua_State *L)
{
  sp_watch *watch = check_watcher(L)->watch;
  sp_watch_change change;
  if (!watch)
    return 0;
  if (!sp_watch_poll(watch, monotonic(), lua_toboolean(L, 2)) || !sp_watch_next(watch, &change)) {
    lua_pushnil(L);
    lua_pushboolean(L, sp_watch_is_pending(watch));
    return 2;
  }
  lua_newtable(L);
  lua_Integer count = 0;
  do {
    push_change(L, &change);
    lua_rawseti(L, -2, ++count);
  } while (sp_watch_next(watch, &change));
  return 1;
}

static const luaL_Reg watcher_methods[] = {{"poll", watcher_poll}, {"close", watcher_close}, {NULL, NULL}};

int sp_native_watch(lua_State *L)
{
  static const char *const endings[] = {".lua", NULL};
  sp_watch_options options = {.root = luaL_checkstring(L, 1),
                              .folder = sp_context_here(L)->folder,
                              .endings = endings,
                              .covered = sp_context_here(L)->asset_folders,
                              .depth = (size_t)luaL_optinteger(L, 2, SP_WATCH_DEEPEST)};
  watcher *w = lua_newuserdatauv(L, sizeof *w, 0);
  w->watch = NULL;
  if (luaL_newmetatable(L, "spawnpool.watcher")) {
    luaL_newlib(L, watcher_methods);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, watcher_close);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  options.alloc = lua_getallocf(L, &options.ud);
  w->watch = sp_watch_open(&options);
  return w->watch ? 1 : luaL_error(L, "cannot watch %s: not enough memory", options.root);
}
