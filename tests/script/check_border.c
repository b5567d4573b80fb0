/*
** The rules at the head of src/script/state/border.h refuse a careless function: the compiler does, where it reads an
** argument in a way of Lua's own; and the hardened build does where it runs. Each function here is careless in one way.
** That the library's own are not is what every test under ASan shows.
*/
#include "script/guard/door.h"
#include "script/scripted.h"
#include "script/state/arguments.h"
#include "support/process.h"

#include <lua.h>
#include <stdio.h>
#include <string.h>

static test_group rules = {"rules"};

/* {== Refused by the compiler ============================================ */

TEST(rules, lua_s_own_ways_to_read_an_argument_do_not_compile)
{
  static scripted g;
  scripted_make(&g, NULL);
  scripted_write(&g, "planted.c",
                 "#include \"script/state/arguments.h\"\n\n#include \"script/state/careful.h\"\n"
                 "int fine(lua_State *L) { return sp_raw_geti(L, 1, 1); }\n"
                 "int get(lua_State *L) { return lua_rawget(L, 1); }\n"
                 "int next(lua_State *L) { return lua_next(L, 1); }\n"
                 "int block(lua_State *L) { return lua_touserdata(L, 1) != 0; }\n"
                 "int number(lua_State *L) { return luaL_checknumber(L, 1) > 0; }\n"
                 "int text(lua_State *L) { return luaL_checkstring(L, 1) != 0; }\n");
  test_process p = test_run(20,
                            "${CC:-cc} -std=c11 -fsyntax-only -Isrc -I" SP_BUILD_DIR "/include "
                            "$(pkg-config --cflags lua5.4) %s 2>&1 | "
                            "awk '/error:/ { errors++ } /poisoned/ { refused++ } END { print errors, refused }'",
                            scripted_path(&g, "planted.c"));
  ck_assert_str_eq(p.out, "5 5\n");
  test_process_free(&p);
  test_folder_remove(g.folder);
}

/* }== */

/* {== Refused as it runs ================================================= */

static int raw_get(lua_State *L) { return sp_raw_geti(L, 1, 1) == LUA_TNIL; }

static int light_pointer(lua_State *L)
{
  const int *number = sp_raw_block(L, 1);
  lua_pushinteger(L, *number);
  return 1;
}

static int pool_after_a_call(lua_State *L)
{
  const sp_lua_pool *p = sp_check_open_pool(L, 1);
  lua_pushvalue(L, 2);
  sp_door(L, p->manager->context, 0, 0, 0);
  lua_pushinteger(L, (lua_Integer)p->index);
  return 1;
}

/* As it should be: the pool is fetched again. */
static int careful(lua_State *L)
{
  const sp_lua_pool *p = sp_check_open_pool(L, 1);
  sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  lua_pushvalue(L, 2);
  sp_door(L, c, 0, 0, 0);
  p = sp_pool_from_id(c, id);
  lua_pushinteger(L, p ? (lua_Integer)p->index : -1);
  return 1;
}

static const struct {
  const char *call;
  lua_CFunction function;
  const char *said; /* by what ends the process, if it is hardened; NULL: nothing does */
} planted[] = {
    {"planted(7)", raw_get, "careless: raw access"},
    {"planted(pools:alloc 'Cube')", light_pointer, "careless: an object is taken"},
    {"planted(pools:pool 'Cube', f)", pool_after_a_call, "use-after-poison"},
    {"planted(pools:pool 'Cube', f)", careful, NULL},
};

TESTS(rules, a_careless_function_is_noticed, sizeof planted / sizeof *planted)
{
  static char said[65536];
  char main[300];
  scripted g;
  if (planted[_i].said && !SP_HARDENED)
    return;
  snprintf(main, sizeof main,
           "local spawnpool <const> = require 'spawnpool'\nlocal pools <const> = spawnpool.pools\n"
           "spawnpool.class 'Cube'\nlocal function f() end\nreturn { update = function() %s end }",
           planted[_i].call);
  scripted_make(&g, main);
  int status = scripted_play_apart(&g, planted[_i].function, said, sizeof said);
  bool as_it_should = planted[_i].said ? status != 0 && strstr(said, planted[_i].said) : status == 0;
  ck_assert_msg(as_it_should, "%s: %d: %.2000s", planted[_i].call, status, said);
  test_folder_remove(g.folder);
}

/* }== */

SUITE(border, &rules)
