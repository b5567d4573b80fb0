/*
** The rules at the head of src/script/state/border.h refuse a careless function: the compiler does, where it reads an
** argument in a way of Lua's own; the hardened build does where it runs; and the watchdog tells of one that does not
** end. Each function here is careless in one way. That the library's own are not is what every test under ASan shows.
*/
#include "script/guard/door.h"
#include "script/scripted.h"
#include "script/state/arguments.h"
#include "support/process.h"

#include <lua.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static test_group rules = {"rules", .timeout = 60};

/* {== Refused by the compiler ============================================ */

static const char *const refused[] = {
    "lua_rawgeti(L, 1, 1)",
    "lua_rawget(L, 1)",
    "lua_next(L, 1)",
    "lua_touserdata(L, 1) != 0",
    "lua_rawset(L, 1)",
    "luaL_checknumber(L, 1) > 0",
    "luaL_checkstring(L, 1) != 0",
    "luaL_tolstring(L, 1, 0) != 0",
    "luaL_optinteger(L, 1, 0) > 0",
    "luaL_checkudata(L, 1, \"x\") != 0",
    "luaL_len(L, 1) > 0",
    "lua_geti(L, 1, 1)",
};

TEST(rules, lua_s_own_ways_to_read_an_argument_do_not_compile)
{
  scripted g;
  scripted_make(&g, "return {}");
  FILE *f = fopen(scripted_path(&g, "planted.c"), "w");
  ck_assert_ptr_nonnull(f);
  fprintf(f, "#include \"script/state/arguments.h\"\n\n#include \"script/state/careful.h\"\n"
             "int fine(lua_State *L) { return sp_raw_geti(L, 1, 1); }\n");
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    fprintf(f, "#line %zu \"row\"\nint planted%zu(lua_State *L) { return (int)(%s, 0); }\n", i + 1, i, refused[i]);
  fclose(f);
  test_process p =
      test_run(20, "${CC:-cc} -std=c11 -fsyntax-only -Isrc -I" SP_BUILD_DIR "/include $(pkg-config --cflags lua5.4) %s",
               scripted_path(&g, "planted.c"));
  ck_assert_msg(!strstr(p.err, "planted.c:"), "%s", p.err);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    char place[20];
    snprintf(place, sizeof place, "row:%zu:", i + 1);
    const char *error = strstr(p.err, place), *poisoned = error ? strstr(error, "poisoned") : NULL;
    ck_assert_msg(poisoned && poisoned < strchr(error, '\n'), "%s: %s", refused[i], p.err);
  }
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

static int manager_after_a_call(lua_State *L)
{
  const sp_lua_manager *m = sp_check_open_manager(L, 1);
  lua_pushvalue(L, 2);
  sp_door(L, m->context, 0, 0, 0);
  lua_pushinteger(L, (lua_Integer)m->pool_count);
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

static int loop_of_the_games_length(lua_State *L)
{
  volatile lua_Integer sum = 0;
  for (lua_Integer i = 0; i < lua_tointeger(L, 1); i++)
    sum = sum + i;
  lua_pushinteger(L, sum);
  return 1;
}

static const struct {
  const char *name, *call;
  lua_CFunction function;
  const char *said; /* on stderr, by what ends the process; NULL: nothing does */
  bool hardened;    /* only there */
} planted[] = {
    {"raw_get", "planted(7)", raw_get, "careless: raw access", true},
    {"light_pointer", "planted(pools:alloc 'Cube')", light_pointer, "careless: an object is taken", true},
    {"pool_after_a_call", "planted(pools:pool 'Cube', f)", pool_after_a_call, "use-after-poison", true},
    {"manager_after_a_call", "planted(spawnpool.new(), f)", manager_after_a_call, "use-after-poison", true},
    {"loop_of_the_games_length", "planted(1 << 62)", loop_of_the_games_length, "'planted' did not come back", false},
    {"careful", "planted(pools:pool 'Cube', f)", careful, NULL, false},
};

enum { ENDED = 42 };

static void on_hang(void *ud, const char *what)
{
  (void)ud;
  fprintf(stderr, "%s\n", what);
  _exit(ENDED);
}

/* Plays it in a process of its own, and reads what that says. */
static int play(int row, char *said, size_t size)
{
  int ends[2], status = 0;
  size_t length = 0;
  ck_assert_int_eq(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    scripted g;
    char main[300];
    dup2(ends[1], STDERR_FILENO);
    snprintf(main, sizeof main,
             "local spawnpool <const> = require 'spawnpool'\nlocal pools <const> = spawnpool.pools\n"
             "spawnpool.class 'Cube'\nlocal function f() end\nreturn { update = function() %s end }",
             planted[row].call);
    scripted_make(&g, main);
    g.options.patience = 0.05;
    g.options.on_hang = on_hang;
    g.options.hang_after = 0.1;
    scripted_begin(&g);
    lua_register(sp_script_state(g.script), "planted", planted[row].function);
    bool done = scripted_update(&g);
    test_folder_remove(g.folder);
    _exit(done ? 0 : 1);
  }
  close(ends[1]);
  for (ssize_t got; (got = read(ends[0], said + length, size - length - 1)) > 0;)
    length += (size_t)got;
  said[length] = '\0';
  close(ends[0]);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TESTS(rules, a_careless_function_is_noticed, sizeof planted / sizeof *planted)
{
  static char said[65536];
  if (planted[_i].hardened && !SP_HARDENED)
    return;
  int status = play(_i, said, sizeof said);
  if (planted[_i].said)
    ck_assert_msg(status != 0 && strstr(said, planted[_i].said), "%s: %d: %.2000s", planted[_i].name, status, said);
  else
    ck_assert_msg(status == 0, "%s: %d: %.2000s", planted[_i].name, status, said);
}

/* }== */

SUITE(border, &rules)
