/*
** A value is encoded completely before its bytes replace the old ones, so nothing is stored in part. A failure is a
** result and also a warning, because a game that ignores the result loses its data.
*/
#include "demo/bind/storage_lua.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "demo/bind/module_part.h"
#include "demo/bind/plain_data.h"
#include "demo/bind/reachable.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

static const storage_files *files_of(lua_State *L) { return sp_raw_block(L, PART_STATE); }

/* Pushes nil or false and the reason, and reports that as a warning. */
static int refuse(lua_State *L, bool as_nil, const char *name, const char *why)
{
  const storage_files *files = files_of(L);
  char line[STORAGE_WHY + 128];
  snprintf(line, sizeof line, "storage.%s('%.64s'): %s", as_nil ? "load" : "save", name, why);
  files->warn(files->warn_ud, line);
  if (as_nil)
    lua_pushnil(L);
  else
    lua_pushboolean(L, false);
  lua_pushstring(L, why);
  return 2;
}

/* Names become file names, so characters with a meaning in paths are rejected. */
static bool is_good_name(const char *name, size_t length)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return length >= 1 && length <= STORAGE_NAME_MOST && strspn(name, letters) == length;
}

static const char bad_name[] = "a name has 1 to 64 letters, digits, '_' and '-'";

int storage_lua_save(lua_State *L)
{
  const storage_files *files = files_of(L);
  char why[STORAGE_WHY] = "";
  plain_bytes bytes;
  size_t length;
  const char *name = sp_check_bytes(L, 1, &length);
  sp_check_any(L, 2);
  if (!is_good_name(name, length))
    return refuse(L, false, name, bad_name);
  if (!plain_data_write(L, 2, name, STORAGE_MOST, &bytes, why))
    return refuse(L, false, name, why);
  bool gone = lua_isnil(L, 2), done = files->write(files->ud, name, gone ? NULL : bytes.at, gone ? 0 : bytes.size, why);
  plain_data_free(&bytes);
  if (!done)
    return refuse(L, false, name, why);
  lua_pushboolean(L, true);
  return 1;
}

int storage_lua_load(lua_State *L)
{
  const storage_files *files = files_of(L);
  char why[STORAGE_WHY] = "";
  size_t length;
  const char *name = sp_check_bytes(L, 1, &length);
  if (!is_good_name(name, length))
    return refuse(L, true, name, bad_name);
  long size = files->read(files->ud, name, NULL, 0, why), got = size;
  char *bytes = size >= 0 ? lua_newuserdatauv(L, (size_t)size + 1, 0) : NULL;
  if (bytes)
    got = files->read(files->ud, name, bytes, (size_t)size, why);
  if (got >= 0 && got == size && plain_data_read(L, bytes, (size_t)size))
    return 1;
  if (got < 0 && strcmp(why, "none") == 0) {
    lua_pushnil(L);
    lua_pushliteral(L, "none");
    return 2;
  }
  return refuse(L, true, name, got < 0 ? why : "damaged: it cannot be read any more");
}

bool storage_install(const storage_files *files, lua_State *L, char *error, size_t error_size)
{
  return module_part_install("storage", files, L, error, error_size);
}
