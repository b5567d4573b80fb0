/*
** Memory refused at every single point, by Lua's allocator, which is the pools' too: while the library is opened, a
** small game is played, files are reloaded and classes change (memory_play.lua, memory_reload.lua). Nothing may crash,
** leak or stay half done.
*/
#include "script/script.h"
#include "script/state/context.h"
#include "support/memory.h"
#include "support/process.h"
#include "support/refuse.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

enum { MOST = 100000 };

#define PLAY "tests/slow/memory_play.lua"
#define RELOAD "tests/slow/memory_reload.lua"

/* {== A state ============================================================ */

typedef struct torture {
  test_memory memory;
  lua_State *L;
  int functions; /* registry reference of what the file returned */
  char folder[300];
} torture;

static void be_quiet(void *ud, sp_report kind, const char *text) { (void)ud, (void)kind, (void)text; }

static int open_library(lua_State *L)
{
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  sp_context_of(L)->report = be_quiet;
  return 0;
}

/* The file gets a folder, and the function that opens the library. */
static int load_file(lua_State *L)
{
  luaL_openlibs(L);
  if (luaL_loadfile(L, lua_tostring(L, 1)))
    return lua_error(L);
  lua_pushvalue(L, 2);
  lua_pushcfunction(L, open_library);
  lua_call(L, 2, 1);
  return 1;
}

static void torture_open(torture *t, const char *file)
{
  *t = (torture){.functions = LUA_NOREF};
  ck_assert(test_folder_make(t->folder, sizeof t->folder));
  t->L = lua_newstate(test_memory_fn, &t->memory);
  ck_assert_ptr_nonnull(t->L);
  lua_pushcfunction(t->L, load_file);
  lua_pushstring(t->L, file);
  lua_pushstring(t->L, t->folder);
  ck_assert_msg(lua_pcall(t->L, 2, 1, 0) == LUA_OK, "%s", lua_tostring(t->L, -1));
  t->functions = luaL_ref(t->L, LUA_REGISTRYINDEX);
}

static void torture_close(torture *t, size_t n)
{
  lua_close(t->L);
  test_folder_remove(t->folder);
  ck_assert_msg(test_memory_is_clean(&t->memory), "after %zu: %zu bytes in %zu blocks left, %zu wrong sizes", n,
                t->memory.bytes, t->memory.blocks, t->memory.wrong_sizes);
}

/* Calls a function of the file, whose strings exist already: nothing here allocates. */
static bool run(torture *t, const char *name, size_t n)
{
  lua_State *L = t->L;
  lua_settop(L, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, t->functions);
  lua_getfield(L, -1, name);
  lua_pushinteger(L, (lua_Integer)n);
  return lua_pcall(L, 1, 0, 0) == LUA_OK;
}

static void expect(torture *t, const char *name, size_t n)
{
  ck_assert_msg(!name || run(t, name, n), "%s after %zu: %s", name, n, lua_tostring(t->L, -1));
}

/* }== */

/* {== Sweeps ============================================================= */

/* A call that is repeated while memory is refused, and the check afterwards, by functions of the file; NULL: none. Lua
   collects and asks again: only memory that is refused from some call on (`on`) stops Lua itself. */
typedef struct sweep {
  const char *file, *before, *act, *check, *finish;
  bool anew, on;
  size_t stride, least; /* least: calls of the allocator that it makes */
} sweep;

/* Refuses a later call each time, until there is none to refuse. */
static void play(const sweep *s)
{
  torture t;
  size_t n = s->stride == 1 ? 1 : refuse_first(), stride = s->stride == 1 ? 1 : refuse_stride(s->stride);
  torture_open(&t, s->file);
  for (bool refused = true; refused; n += stride) {
    ck_assert_uint_lt(n, MOST);
    expect(&t, s->before, n);
    t.memory.fail_at = t.memory.calls + n;
    t.memory.keep_failing = s->on;
    t.memory.refused = 0;
    bool done = run(&t, s->act, n);
    refused = t.memory.refused > 0;
    ck_assert_msg(done || refused, "%s", lua_tostring(t.L, -1));
    t.memory.fail_at = 0;
    expect(&t, s->check, n);
    expect(&t, s->finish, n);
    if (s->anew && refused) {
      torture_close(&t, n);
      torture_open(&t, s->file);
    }
  }
  ck_assert_uint_gt(n, s->least);
  torture_close(&t, n);
}

/* Strides are prime to the times of memory_play.lua, and odd for a reload and its undo. With no memory from some point
   on not even the way back of a reload has any: it is gone at the next poll. */
static const sweep plays[] = {
    {PLAY, NULL, "open", NULL, "finish", .anew = true, .stride = 23, .least = 300},
    {PLAY, NULL, "open", NULL, "finish", .anew = true, .on = true, .stride = 23, .least = 300},
    {PLAY, "open", "play", NULL, "finish", .anew = true, .stride = 23, .least = 300},
    {PLAY, "open", "play", NULL, "finish", .anew = true, .on = true, .stride = 23, .least = 300},
    {PLAY, "open", "play", NULL, "check", .stride = 101, .least = 300},
};
static const sweep reloads[] = {
    {RELOAD, "save", "reload", "check", "finish", .stride = 37, .least = 1500},
    {RELOAD, "save", "reload", NULL, "finish", .on = true, .stride = 37, .least = 1500},
    {RELOAD, "save_direct", "declare", "check_direct", "finish_direct", .stride = 13, .least = 150},
    {RELOAD, "save_direct", "declare", "check_direct", "finish_direct", .on = true, .stride = 13, .least = 150},
    {RELOAD, "save_tune", "tune", NULL, "finish_tune", .on = true, .stride = 1, .least = 3},
};

static test_group playing = {"playing", .timeout = 120};
static test_group reloading = {"reloading"};

TESTS(playing, any_call_may_be_refused_while_a_game_is_opened_and_played, (int)(sizeof plays / sizeof *plays))
{
  play(&plays[_i]);
}

TEST(playing, closing_needs_no_memory)
{
  torture t;
  torture_open(&t, PLAY);
  expect(&t, "open", 0);
  expect(&t, "play", 0);
  t.memory.fail_at = t.memory.calls + 1;
  t.memory.keep_failing = true;
  torture_close(&t, 0);
}

TESTS(reloading, any_call_may_be_refused_while_code_and_classes_change, (int)(sizeof reloads / sizeof *reloads))
{
  play(&reloads[_i]);
}

/* }== */

SUITE(lua_memory, &playing, &reloading)
