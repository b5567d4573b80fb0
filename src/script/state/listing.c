/*
** Lists folders, for embedded Lua files.
*/
#include "script/state/listing.h"

#include <lua.h>

#include "script/state/context.h"
#include "script/state/disk.h"
#include "script/state/folder_file.h"

static void append(lua_State *L, int list, const char *name)
{
  lua_pushstring(L, name);
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

/* An open folder that no error can leave open. */
static int close_folder(lua_State *L)
{
  sp_folder_stream **dir = lua_touserdata(L, 1);
  sp_folder_stream_close(*dir);
  *dir = NULL;
  return 0;
}

static sp_folder_stream *open_folder(lua_State *L, const char *path)
{
  sp_folder_stream **dir = lua_newuserdatauv(L, sizeof *dir, 0);
  *dir = NULL;
  if (luaL_newmetatable(L, "spawnpool.listing")) {
    lua_pushcfunction(L, close_folder);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, close_folder);
    lua_setfield(L, -2, "__close");
  }
  lua_setmetatable(L, -2);
  lua_toclose(L, -1);
  return *dir = sp_folder_list(sp_context_here(L)->folder, path);
}

/* Which of the lists a name belongs to: 2 files, and what is in the place of one, such as a pipe; 3 folders; 0 none. A
   link to a folder is none, for what lies in the game has a path without links, and a link may lead round in a
   circle. */
static int list_of(const char *path)
{
  sp_disk_kind kind = sp_disk_stamp(path).kind;
  if (kind == SP_DISK_FOLDER)
    return sp_path_is_link(path) ? 0 : 3;
  return kind == SP_DISK_NOTHING ? 0 : 2;
}

/* native.list(folder) -> a list of its files, a list of its folders: names, in no order, without those that begin with
   a dot. Empty when it cannot be read. */
static int native_list(lua_State *L)
{
  const char *path = luaL_checkstring(L, 1);
  const char *name;
  lua_settop(L, 1);
  lua_newtable(L);
  lua_newtable(L);
  sp_folder_stream *dir = open_folder(L, path);
  while (dir && (name = sp_folder_stream_next(dir, NULL)) != NULL) {
    if (name[0] == '.')
      continue;
    int list = list_of(lua_pushfstring(L, "%s/%s", path, name));
    lua_pop(L, 1);
    if (list)
      append(L, list, name);
  }
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  return 2;
}

/* native.folder() -> that of a game in a sandbox, or nil. */
static int native_folder(lua_State *L)
{
  lua_pushstring(L, sp_context_here(L)->folder);
  return 1;
}

const luaL_Reg sp_listing_natives[] = {{"list", native_list}, {"folder", native_folder}, {NULL, NULL}};
