/*
** The targets that need no player: games of the model, saves, and the values of Lua in a save.
*/
#include "fuzz/fuzz.h"

#include "script/bind/codec.h" /* before `core` is a name */

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "model/game.h"
#include "support/core_fixture.h"
#include "support/core_tape.h"

/* A game of the model (model/game.h), as a program of bytes: which calls are made, what hooks do in them, and whether
   memory is refused. Every answer, count, order, field and time is compared after each call. SP_FUZZ_SAY=1 writes it
   down. */
int fuzz_model(const uint8_t *data, size_t size)
{
  const program p = {calloc(size / RECORD + 1, RECORD), size / RECORD + (size % RECORD > 0 || size == 0)};
  fuzz_check(p.bytes != NULL);
  if (size > 0)
    memcpy(p.bytes, data, size);
  game_play(&p, getenv("SP_FUZZ_SAY") ? stderr : NULL);
  free(p.bytes);
  return 0;
}

/* {== Saves ============================================================== */

/* A game may ask for millions of objects at once: it gets some memory, and no more. */
static void update(sp_manager *m, test_memory *memory, int ticks)
{
  memory->fail_at = memory->calls + 100;
  memory->keep_failing = true;
  for (int i = 0; i < ticks; i++)
    sp_manager_update(m, sp_clock_of(m).step);
  for (uint32_t i = 0; i < count_pools(m); i++)
    sp_pool_alloc(pool_at(m, i), 1, NULL, NULL);
  memory->fail_at = 0;
}

static void play_loaded(sp_manager *m, test_memory *memory)
{
  core_check(m);
  update(m, memory, 20);
  core_check(m);
  sp_snapshot *snapshot = sp_snapshot_take(m, NULL, NULL);
  uint64_t hash = sp_manager_hash(m);
  update(m, memory, 5);
  fuzz_check(sp_snapshot_restore(m, snapshot) == SP_OK && sp_manager_hash(m) == hash);
  sp_snapshot_free(snapshot);
  core_tape t = core_save(m);
  free(t.bytes);
}

/* The bytes are a save, with its checksum put right. What is loaded may be another game than the one that was saved,
   but it is a sound one, which can be played and saved again; what is refused leaves nothing behind. */
int fuzz_load(const uint8_t *data, size_t size)
{
  static core_host host;
  core_tape t = {0};
  test_memory memory = {0};
  sp_result why = SP_OK;
  host = (core_host){.size = 0};
  core_tape_write(&t, data, size);
  core_tape_sum(&t);
  sp_manager *m = core_load(&t, TEST_OPTIONS(.host = core_host_state(&host)), &memory, &why);
  if (m) {
    play_loaded(m, &memory);
    fuzz_check(sp_manager_close(m) == SP_OK);
  } else {
    fuzz_check(why == SP_DAMAGED || why == SP_NEWER || why == SP_MEMORY || why == SP_FAILED);
  }
  fuzz_check(test_memory_is_clean(&memory));
  free(t.bytes);
  return 0;
}

/* }== */

/* {== Values of Lua ====================================================== */

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

/* Bytes for the reader of Lua values. The first byte says whether a list of shared values comes with them, as in a
   snapshot. What can be read is written, read and written again, which has as many bytes. */
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

/* }== */
