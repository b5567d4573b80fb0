/*
** The tests of the pages use the host of the player's tests, and the module `docs`, which is made here.
*/
#include "docs/docs.h"

#include "core/state.h"
#include "demo/host.h"
#include "demo/input/input.h"
#include "demo/lua_suite.h"
#include "script/script.h"
#include "script/state/context.h"

#include <lualib.h>
#include <string.h>

/* {== A block in a state of its own ====================================== */

static struct {
  char text[8192]; /* each with a zero byte behind it */
  size_t size;
} warnings;

static void keep_warning(void *ud, sp_report kind, const char *text)
{
  size_t size = strlen(text) + 1;
  (void)ud;
  if (kind == SP_REPORT_PRINT || size > sizeof warnings.text - warnings.size)
    return;
  memcpy(warnings.text + warnings.size, text, size);
  warnings.size += size;
}

static int push_warnings(lua_State *L)
{
  lua_pushlstring(L, warnings.text, warnings.size);
  return 1;
}

/* block(head, code): runs it by tests/docs/block.lua, beside the library; what is wrong, or nil. */
static int run_block(lua_State *L)
{
  size_t head_size, size;
  const char *head = luaL_checklstring(L, 1, &head_size), *code = luaL_checklstring(L, 2, &size);
  lua_State *B = luaL_newstate();
  luaL_openlibs(B);
  luaL_requiref(B, "spawnpool", luaopen_spawnpool, 0);
  warnings.size = 0;
  sp_context_of(B)->report = keep_warning;
  bool loaded = luaL_dofile(B, "tests/docs/block.lua") == LUA_OK;
  if (loaded) {
    lua_getfield(B, -1, "run");
    lua_pushlstring(B, head, head_size);
    lua_pushlstring(B, code, size);
    lua_pushcfunction(B, push_warnings);
    lua_pcall(B, 3, 1, 0);
  }
  lua_pushstring(L, lua_tostring(B, -1));
  lua_close(B);
  return 1;
}

/* }== */

/* {== Facts ============================================================== */

/* keys(): the names of the player's keys. */
static int list_keys(lua_State *L)
{
  size_t count;
  const key_row *keys = hotkeys_all(&count);
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    lua_pushstring(L, keys[i].name);
    lua_seti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* numbers(): those of the headers, by name. */
static int list_numbers(lua_State *L)
{
  static const struct {
    const char *name;
    lua_Integer value;
  } numbers[] = {
      {"SP_MAX_SLOTS", SP_MAX_SLOTS},
      {"SP_CHUNK_SLOTS", SP_CHUNK_SLOTS},
      {"SP_WHEEL_NEAR", SP_WHEEL_NEAR},
      {"SP_WHEEL_TURN", SP_WHEEL_TURN},
      {"SP_WHEEL_LISTS", SP_WHEEL_LISTS},
      {"SP_WHEEL_BLOCK", SP_WHEEL_BLOCK},
      {"wheel_block_size", sizeof(sp_wheel_block)},
      {"term_size", sizeof(sp_term)},
  };
  lua_newtable(L);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    lua_pushinteger(L, numbers[i].value);
    lua_setfield(L, -2, numbers[i].name);
  }
  return 1;
}

/* }== */

static void open_modules(lua_State *L)
{
  static const luaL_Reg functions[] = {
      {"block", run_block}, {"keys", list_keys}, {"numbers", list_numbers}, {NULL, NULL}};
  lua_suite_module(L, "docs", functions);
  host_open(L);
}

Suite *docs_suite(const char *name, const char *file) { return lua_suite(name, file, open_modules); }

/* Plays the examples of the pages, except programs to be compiled: those are in tests/slow/check_docs_programs.c. */
Suite *sp_suite_docs(void) { return docs_suite("docs", "tests/docs/run/pages.lua"); }
