#include "support/spec_files.h"

#include <errno.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
  sp_facts facts;
  int length = snprintf(path, sizeof path, "%s", luaL_checkstring(L, 1));
  for (int i = 1; i <= length && length < (int)sizeof path; i++) {
    char end = path[i];
    if (end != '/' && end != '\0')
      continue;
    path[i] = '\0';
    bool exists = sp_facts_of_path(path, true, &facts) && facts.kind == SP_KIND_FOLDER;
    if (!exists && mkdir(path, 0777) != 0)
      return fail(L, path);
    path[i] = end;
  }
  return 0;
}

static int remove_path(lua_State *L)
{
  const char *path = luaL_checkstring(L, 1);
  return test_folder_remove(path) ? 0 : fail(L, path);
}

static int list_folder(lua_State *L)
{
  const char *path = luaL_checkstring(L, 1);
  sp_folder_stream *list = sp_folder_stream_open(path);
  lua_Integer count = 0;
  if (!list)
    return fail(L, path);
  lua_getglobal(L, "table");
  lua_getfield(L, -1, "sort");
  lua_newtable(L);
  for (const char *name; (name = sp_folder_stream_next(list, NULL)) != NULL;) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, ++count);
  }
  sp_folder_stream_close(list);
  lua_pushvalue(L, -1);
  lua_insert(L, -3);
  lua_call(L, 1, 0);
  return 1;
}

static int make_link(lua_State *L)
{
  const char *target = luaL_checkstring(L, 1), *path = luaL_checkstring(L, 2);
  int result = symlink(target, path);
  if (result != 0 && errno != ENOSYS)
    return fail(L, path);
  lua_pushboolean(L, result == 0);
  return 1;
}

void test_spec_files(lua_State *L)
{
  static const luaL_Reg functions[] = {{"folder", make_new},  {"make_folder", make_folder}, {"remove", remove_path},
                                       {"list", list_folder}, {"link", make_link},          {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
