/*
** Bytes for the reader of Lua values. The first byte says whether a list of shared values comes with them, as in a
** snapshot. What can be read is written, read and written again, which has as many bytes.
*/
#include "fuzz/fuzz.h"

#include <lauxlib.h>

#include "script/bind/codec.h"

enum { VALUE = 1, NAMED, LIST, BYTES, AGAIN };

/* encode(value) -> bytes, or nil when a save refuses it */
static int encode(lua_State *L)
{
  const sp_codec how = {.rule = SP_CODEC_SAVE, .named = 2, .most = SIZE_MAX};
  lua_newtable(L);
  if (!sp_encode(L, VALUE, &how))
    lua_pushnil(L);
  return 1;
}

static void push_encoded(lua_State *L, int value)
{
  lua_pushcfunction(L, encode);
  lua_pushvalue(L, value);
  fuzz_check(lua_pcall(L, 1, 1, 0) == LUA_OK);
}

/* Bytes of a value that a save holds: they are read and written again. */
static void check_again(lua_State *L)
{
  size_t size = 0, again = 0;
  push_encoded(L, VALUE);
  const char *bytes = lua_tolstring(L, BYTES, &size);
  if (!bytes)
    return;
  fuzz_check(sp_decode(L, bytes, size, NULL, 0));
  push_encoded(L, AGAIN);
  fuzz_check(lua_tolstring(L, -1, &again) && again == size); /* keys that are tables come in any order */
}

int fuzz_codec(const uint8_t *data, size_t size)
{
  if (size == 0)
    return 0;
  lua_State *L = luaL_newstate();
  fuzz_check(L != NULL);
  lua_settop(L, NAMED);
  lua_newtable(L);
  lua_newtable(L);
  lua_seti(L, LIST, 1);
  lua_newtable(L);
  lua_seti(L, LIST, 2);
  lua_pushboolean(L, 1);
  if (sp_decode(L, (const char *)data + 1, size - 1, NULL, data[0] & 1 ? LIST : 0)) {
    lua_replace(L, VALUE);
    lua_settop(L, LIST);
    if (!(data[0] & 1))
      check_again(L);
  }
  lua_close(L);
  return 0;
}
