/*
** A value is encoded completely before its bytes replace the old ones, so nothing is stored in part. A failure is a
** result and also a warning, because a game that ignores the result loses its data. A file is a first line with the
** version, a checksum of the rest, and the bytes of the value (script/bind/codec.h).
*/
#include "demo/bind/storage_lua.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "demo/bind/module_part.h"
#include "demo/bind/reachable.h"
#include "demo/support/checksum.h"
#include "script/bind/codec.h"
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

/* {== The bytes of a file ================================================= */

static const char first_line[] = "spawnpool storage 2\n";
enum { LINE = sizeof first_line - 1, HEAD = LINE + 8 };

static void write_sum(const char *content, size_t size, char to[8])
{
  uint64_t sum = checksum_add(CHECKSUM_BEGIN, content, size);
  for (int i = 0; i < 8; i++)
    to[i] = (char)(sum >> 8 * i & 255);
}

/* encode(value) -> the bytes; or nil, what cannot be stored, and where: ".list[3]". Quiet. */
static int encode(lua_State *L)
{
  const sp_codec how = {
      .rule = SP_CODEC_DATA, .most = STORAGE_MOST - HEAD, .over = "too large: a game may store 1 MiB in all"};
  char head[HEAD];
  size_t size;
  if (sp_encode(L, 1, &how)) {
    const char *content = lua_tolstring(L, 2, &size);
    memcpy(head, first_line, LINE);
    write_sum(content, size, head + LINE);
    lua_pushlstring(L, head, HEAD);
    lua_insert(L, 2);
    lua_concat(L, 2);
    return 1;
  }
  lua_pushnil(L);
  lua_insert(L, 2);
  lua_pushliteral(L, "");
  sp_add_path(L, 4, 1);
  lua_replace(L, 4);
  lua_settop(L, 4);
  return 3;
}

/* Pushes the value in the bytes of a file; false, and nothing pushed, when they are damaged. */
static bool push_value(lua_State *L, const char *bytes, size_t size)
{
  char sum[8];
  if (size < HEAD || memcmp(bytes, first_line, LINE) != 0)
    return false;
  write_sum(bytes + HEAD, size - HEAD, sum);
  return memcmp(bytes + LINE, sum, sizeof sum) == 0 && sp_decode(L, bytes + HEAD, size - HEAD, NULL, 0);
}

/* }== */

int storage_lua_save(lua_State *L)
{
  const storage_files *files = files_of(L);
  char why[STORAGE_WHY] = "";
  size_t length, size = 0;
  const char *name = sp_check_bytes(L, 1, &length);
  sp_check_any(L, 2);
  if (!is_good_name(name, length))
    return refuse(L, false, name, bad_name);
  lua_settop(L, 2);
  lua_pushcfunction(L, encode);
  lua_pushvalue(L, 2);
  sp_quietly(L, 1, 3);
  if (lua_isnil(L, 3)) {
    snprintf(why, sizeof why, "%s%.200s is %.200s", name, sp_to_text(L, 5), sp_to_text(L, 4));
    return refuse(L, false, name, why);
  }
  const char *bytes = lua_isnil(L, 2) ? NULL : lua_tolstring(L, 3, &size);
  if (!files->write(files->ud, name, bytes, size, why))
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
  if (got >= 0 && got == size && push_value(L, bytes, (size_t)size))
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
  return module_part_install("storage", player_reachable, files, L, error, error_size);
}
