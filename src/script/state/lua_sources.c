#include "script/state/lua_sources.h"

#include <string.h>

#include "script/state/border.h"
#include "script/state/context.h"
#include "script/state/disk.h"
#include "script/state/folder_file.h"

/* {== Running ============================================================ */

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

void sp_push_helper(lua_State *L, sp_context *c, const char *source, const char *name)
{
  sp_push_source(L, c, source);
  sp_raw_field(L, -1, name);
  lua_replace(L, -2);
}

/* }== */

/* {== Folders ============================================================ */

static void append(lua_State *L, int list, const char *name, size_t length)
{
  lua_pushlstring(L, name, length);
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

/* Returns 2 for files and special files, 3 for folders, 0 to skip: files of the game have paths without links, and a
   link to a folder could form a cycle. */
static int list_of(const char *path)
{
  sp_disk_kind kind = sp_disk_stamp(path).kind;
  if (kind == SP_DISK_FOLDER)
    return sp_path_is_link(path) ? 0 : 3;
  return kind == SP_DISK_NOTHING ? 0 : 2;
}

/* Lists a folder of a game in memory. Files of one folder stand together, so that each folder appends its name once. */
static void list_given(lua_State *L, const sp_context *c, const char *path)
{
  size_t above = strlen(c->folder), length = strlen(path) - above;
  const char *inside = length > 0 ? path + above + 1 : "", *last = "";
  for (const sp_script_file *file = c->files; file->name; file++) {
    const char *name = length > 0 ? file->name + length : file->name;
    if (length > 0 && (strncmp(file->name, inside, length - 1) != 0 || file->name[length - 1] != '/'))
      continue;
    size_t size = strcspn(name, "/");
    bool is_folder = name[size] == '/', is_new = strncmp(name, last, size) != 0 || last[size] != '/';
    if (name[0] != '.' && (!is_folder || is_new))
      append(L, is_folder ? 3 : 2, name, size);
    last = is_folder ? name : last;
  }
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
  const sp_context *c = sp_context_here(L);
  if (c->files) {
    list_given(L, c, path);
    return 2;
  }
  sp_folder_stream *dir = open_folder(L, path);
  while (dir && (name = sp_folder_stream_next(dir, NULL)) != NULL) {
    if (name[0] == '.')
      continue;
    int list = list_of(lua_pushfstring(L, "%s/%s", path, name));
    lua_pop(L, 1);
    if (list)
      append(L, list, name, strlen(name));
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

void sp_add_listing(lua_State *L, sp_context *c)
{
  static const luaL_Reg natives[] = {{"list", native_list}, {"folder", native_folder}, {NULL, NULL}};
  sp_set_functions(L, c, natives);
}

/* }== */
