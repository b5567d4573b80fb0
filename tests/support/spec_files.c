#include "support/spec_files.h"

#include <errno.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "script/state/platform.h"
#include "support/files.h"
#include "support/process.h"

static int fail(lua_State *L, const char *path) { return luaL_error(L, "%s: %s", path, strerror(errno)); }

static int make_new(lua_State *L)
{
  char path[SP_PATH_MOST];
  if (!test_folder_make(path, sizeof path))
    return luaL_error(L, "no folder for the files");
  lua_pushstring(L, path);
  return 1;
}

static int make_folder(lua_State *L)
{
  char path[SP_PATH_MOST];
  bool made = false;
  snprintf(path, sizeof path, "%s/", luaL_checkstring(L, 1));
  for (char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
    *end = '\0';
    made = mkdir(path, 0777) == 0 || errno == EEXIST;
    *end = '/';
  }
  return made ? 0 : fail(L, path);
}

static int remove_path(lua_State *L)
{
  const char *path = luaL_checkstring(L, 1);
  return test_folder_remove(path) ? 0 : fail(L, path);
}

static int make_link(lua_State *L)
{
  lua_pushboolean(L, test_link(luaL_checkstring(L, 1), luaL_checkstring(L, 2)));
  return 1;
}

void test_spec_files(lua_State *L)
{
  static const luaL_Reg functions[] = {
      {"folder", make_new}, {"make_folder", make_folder}, {"remove", remove_path}, {"link", make_link}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
